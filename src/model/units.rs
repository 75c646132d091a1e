//! The limits and units of the service. Sizes are KiB throughout, as the statistics report them.

pub const KIB_PER_GIB: f64 = 1_048_576.0;
/// What one logical partition may hold: 20 GB read as 20 GiB, the reading of Microsoft's own alert query.
pub const LOGICAL_CEILING_KIB: f64 = 20_971_520.0;
/// The same limit read in decimal units throughout: 20,000,000,000 bytes, in reported KB of 1,000 bytes.
pub const LOGICAL_CEILING_DECIMAL_KB: f64 = 20_000_000.0;
/// What one physical partition may hold: 50 GiB.
pub const PHYSICAL_CEILING_KIB: f64 = 52_428_800.0;
/// The RU/s limit of a physical partition, and with it of any one key.
pub const PARTITION_RU_PER_SECOND: f64 = 10_000.0;

/// The charge of asking one more physical partition, by the documentation; some pages say 2 to 3, some material 1.
pub const RU_PER_VISIT: f64 = 2.5;
/// More RU/s than this are to be had from the service's support alone.
pub const MOST_RU: f64 = 1_000_000.0;
/// What a new container of manual throughput is planned to give each partition.
pub const MANUAL_RU_PER_NEW_PARTITION: f64 = 6_000.0;
/// Of a document of 1 KB without any index, and what the documentation of bulk loading reckons with where everything is
/// indexed. It grows as the root of the size: 100 KB cost ten times as much.
pub const WRITE_RU: [f64; 2] = [5.0, 10.0];

const KIB: &str = "KiB";
const STEPS: [(f64, &str); 4] =
    [(1_099_511_627_776.0, "PiB"), (1_073_741_824.0, "TiB"), (KIB_PER_GIB, "GiB"), (1024.0, "MiB")];

/// `21.6 GiB`, `9.42 MiB`, `735 KiB`: three significant digits from MiB upwards. What is there is never shown as nothing.
pub fn kib_text(kib: f64) -> String {
    if kib > 0.0 && kib < 1.0 {
        return "<1 KiB".to_owned();
    }
    match sized(kib) {
        (n, KIB) => format!("{n:.0} {KIB}"),
        (n, unit) => format!("{} {unit}", three_digits(n)),
    }
}

/// A size in the largest unit that it has one of.
pub fn sized(kib: f64) -> (f64, &'static str) {
    let unit = STEPS.into_iter().find(|(step, _)| kib.abs() >= *step);
    unit.map_or((kib, KIB), |(step, name)| (kib / step, name))
}

/// `9.42`, `15.1`, `108`, `1,023`: three significant digits of a number from 1 on, all digits before the point.
pub fn three_digits(n: f64) -> String {
    match n.abs() {
        ..9.995 => format!("{n:.2}"),
        9.995..99.95 => format!("{n:.1}"),
        _ if n < 0.0 => format!("-{}", whole_text(-n)),
        _ => whole_text(n),
    }
}

/// Bytes of a size that people write, such as `512MiB`, `512M` or `2GB`; `step` is what a unit is of the one below.
pub fn bytes_of(text: &str, step: f64) -> Option<f64> {
    let text = text.trim();
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(split)?;
    let number: f64 = number.parse().ok()?;
    let power = match unit.trim().to_ascii_lowercase().as_str() {
        "k" | "kb" | "kib" => 1,
        "m" | "mb" | "mib" => 2,
        "g" | "gb" | "gib" => 3,
        "t" | "tb" | "tib" => 4,
        _ => return None,
    };
    Some(number * step.powi(power)).filter(|n| n.is_finite() && *n > 0.0)
}

/// RU of writing a document of this size: without an index, and with everything indexed.
pub fn write_ru(bytes: f64) -> [f64; 2] {
    WRITE_RU.map(|ru| ru * root(bytes))
}

/// RU of a point read, 1 for 1 KB; and by what all charges grow with the size.
pub fn root(bytes: f64) -> f64 {
    (bytes / 1024.0).max(1.0).sqrt()
}

/// `12/s`, `30 / min`, `5/h` or a plain number a second.
pub fn rate_per_second(text: &str) -> Option<f64> {
    let (number, unit) = text.split_once('/').unwrap_or((text, "s"));
    plain_amount(number).zip(unit_seconds(unit)).map(|(number, seconds)| number / seconds)
}

/// The seconds of the unit behind a slash.
pub fn unit_seconds(unit: &str) -> Option<f64> {
    Some(match unit.trim().to_ascii_lowercase().as_str() {
        "s" | "sec" | "second" => 1.0,
        "m" | "min" | "minute" => 60.0,
        "h" | "hour" => 3_600.0,
        "d" | "day" => 86_400.0,
        _ => return None,
    })
}

/// A number that is not negative, `1,000` too.
pub fn plain_amount(text: &str) -> Option<f64> {
    let plain: String = text.trim().chars().filter(|c| *c != ',').collect();
    let number = plain.parse::<f64>().ok();
    number.filter(|value| value.is_finite() && *value >= 0.0)
}

/// `30d`, `12h`, `2w`, `10y`, in days.
pub fn days_of(text: &str) -> Option<f64> {
    let text = text.trim();
    let unit = text.chars().next_back()?;
    let days = match unit.to_ascii_lowercase() {
        's' => 1.0 / 86_400.0,
        'h' => 1.0 / 24.0,
        'd' => 1.0,
        'w' => 7.0,
        'y' => 365.0,
        _ => return None,
    };
    let number = text.get(..text.len() - unit.len_utf8())?.trim();
    let days = number.parse::<f64>().ok()? * days;
    Some(days).filter(|days| days.is_finite() && *days > 0.0)
}

/// A count in arithmetic, to the digits that a double holds.
#[expect(clippy::cast_precision_loss, reason = "read to few digits")]
pub const fn real(n: u64) -> f64 {
    n as f64
}

/// A count in arithmetic.
pub fn as_number(n: usize) -> f64 {
    real(n as u64)
}

/// The same of seconds, which may lie before an origin.
#[expect(clippy::cast_precision_loss, reason = "read to few digits")]
pub const fn real_seconds(n: i64) -> f64 {
    n as f64
}

/// To the seven digits that cells keep; what is beyond them is no number.
#[expect(clippy::cast_possible_truncation, reason = "seven digits are kept")]
pub const fn single(n: f64) -> f32 {
    n as f32
}

/// The sum of counts that are all known; of figures from outside, which may be absurd.
pub fn sum_of_known(mut counts: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    counts.try_fold(0, |sum: u64, count| Some(sum.saturating_add(count?)))
}

/// `1 key`, `1,234 keys`
pub fn counted(n: u64, one: &str, several: &str) -> String {
    with_unit(&count_text(n), one, several)
}

/// `1 hour`, `1.5 hours`: a number that is text already, with its unit.
pub fn with_unit(number: &str, one: &str, several: &str) -> String {
    format!("{number} {}", if number == "1" { one } else { several })
}

/// `12.5`, `5,873`, `30`: a digit after the point below 100, where there is one. What is no number is `–`.
pub fn amount_text(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let size = (value.abs() * 10.0).round() / 10.0;
    let sign = if value < 0.0 { "-" } else { "" };
    if size >= 100.0 {
        return format!("{sign}{}", whole_text(value.abs()));
    }
    let text = tenths_text(size);
    format!("{sign}{}", text.strip_suffix(".0").unwrap_or(&text))
}

/// Grouped thousands without digits behind the point, small numbers with as many as they need.
pub fn figure_text(value: f64) -> String {
    let size = value.abs();
    if size >= 1000.0 {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}{}", whole_text(size));
    }
    let text = match size {
        0.0 => return "0".to_owned(),
        100.0.. => rounded_text(value),
        1.0.. => tenths_text(value),
        _ => ratio_text(value),
    };
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// `17`: days, seconds and the like, which need no grouping.
pub fn rounded_text(n: f64) -> String {
    format!("{n:.0}")
}

/// `12.5`: charges, keys and visits, of which small ones count.
pub fn tenths_text(n: f64) -> String {
    format!("{n:.1}")
}

/// `1.44`: one load or size by another.
pub fn ratio_text(ratio: f64) -> String {
    format!("{ratio:.2}")
}

/// `0.375`: what comes less than once a second.
pub fn rare_text(a_second: f64) -> String {
    format!("{a_second:.3}")
}

/// `1.2e6`: what is too large for its column otherwise.
pub fn huge_text(n: f64) -> String {
    format!("{n:.1e}")
}

/// `2.5`, `2`: at most two digits after the point, none that say nothing.
pub fn trimmed_text(n: f64) -> String {
    let text = ratio_text(n);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A figure to the six digits that are worth keeping of an estimate.
pub fn six_digits(number: f64) -> f64 {
    format!("{number:.5e}").parse().unwrap_or(number)
}

/// `14.1421`, `28,512.4`, `143,286`: an input of a working, with the digits that its result needs.
pub fn input_text(n: f64) -> String {
    let rounded = six_digits(n);
    match rounded.to_string().split_once('.') {
        Some((_, part)) => format!("{}.{part}", count_text(whole_u64(rounded))),
        None => whole_text(n),
    }
}

/// The same of a size: `32.959 GiB`.
pub fn input_kib_text(kib: f64) -> String {
    let (n, unit) = sized(kib);
    format!("{} {unit}", input_text(n))
}

/// `1,200 to 4,700`; one number where there is no other end, or they are the same.
pub fn range_text(from: Option<f64>, to: f64) -> String {
    let from = from.map(whole_text).filter(|from| *from != whole_text(to));
    from.map_or_else(String::new, |from| from + " to ") + &whole_text(to)
}

/// `1,234,567` of an amount that is not negative, without digits after the point; what no service has is `1.2e18`.
pub fn whole_text(n: f64) -> String {
    match n {
        f64::INFINITY => "–".to_owned(),
        1e15.. => huge_text(n),
        _ => count_text(whole_u64(n.round())),
    }
}

/// The whole part: what is negative or no number is 0, what is too large the largest.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
pub const fn whole_u64(n: f64) -> u64 {
    n as u64
}

pub fn whole_usize(n: f64) -> usize {
    usize::try_from(whole_u64(n)).unwrap_or(usize::MAX)
}

/// `1,234,567`, for counts that people read.
pub fn count_text(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// `8.8 %`, `93 %`, `108 %`, `<0.1 %`: one digit after the point under 10 %, and just below a whole, which is not reached yet.
/// A share that is no number (a part of nothing) is `–`.
pub fn percent_text(share: f64) -> String {
    let percent = share.abs() * 100.0;
    let sign = if share < 0.0 { "-" } else { "" };
    match percent {
        _ if !percent.is_finite() => "–".to_owned(),
        0.0 => "0 %".to_owned(),
        ..0.1 => format!("{sign}<0.1 %"),
        ..9.95 => format!("{sign}{percent:.1} %"),
        99.5..100.0 => format!("{sign}{:.1} %", (percent * 10.0).floor() / 10.0),
        _ => format!("{sign}{} %", whole_text(percent)),
    }
}

/// `9.0 to 9.6 %`, `14 to 18 %`: both as the upper one is written, and one where they are the same then.
pub fn percent_range_text(low: f64, high: f64) -> String {
    let (low, above) = (low * 100.0, percent_text(high));
    let below = if above.contains('.') { tenths_text(low) } else { whole_text(low) };
    if above.strip_suffix(" %") == Some(&below) {
        return above;
    }
    format!("{below} to {above}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_service_has_is_not_written_as_the_largest_count() {
        for (n, expected) in
            [(0.4, "0"), (1e14, "100,000,000,000,000"), (2.5e19, "2.5e19"), (f64::INFINITY, "–")]
        {
            assert_eq!(whole_text(n), expected);
        }
        assert_eq!(percent_text(f64::MAX / 1e10), "1.8e300 %");
    }

    #[test]
    fn ends_of_a_range_are_written_alike() {
        assert_eq!(percent_range_text(0.0904, 0.096), "9.0 to 9.6 %");
        assert_eq!(percent_range_text(0.136, 0.18), "14 to 18 %");
        assert_eq!(percent_range_text(0.187, 0.191), "19 %");
        assert_eq!(percent_range_text(0.951, 0.997), "95.1 to 99.7 %");
    }

    #[test]
    fn one_of_a_unit_is_not_several() {
        let hours = ["0", "1", "1.5", "2"].map(|number| with_unit(number, "hour", "hours"));
        assert_eq!(hours, ["0 hours", "1 hour", "1.5 hours", "2 hours"]);
        assert_eq!(
            counted(1, "key", "keys") + ", " + &counted(1_234, "key", "keys"),
            "1 key, 1,234 keys"
        );
    }

    #[test]
    fn sizes_carry_their_unit() {
        assert_eq!(kib_text(22_650_880.0), "21.6 GiB");
        assert_eq!(kib_text(9_878.0), "9.65 MiB");
        assert_eq!(kib_text(1_048_000.0), "1,023 MiB");
        assert_eq!(kib_text(-22_650_880.0), "-21.6 GiB");
        assert_eq!(kib_text(735.0), "735 KiB");
        assert_eq!(kib_text(0.0), "0 KiB");
        assert_eq!(kib_text(2048.0), "2.00 MiB");
        assert_eq!(kib_text(9.2e18), "8,367,351 PiB");
    }

    #[test]
    fn shares_of_nothing_are_a_dash() {
        assert_eq!(percent_text(f64::NAN), "–");
        for (share, text) in [
            (1.080_078_125, "108 %"),
            (0.93, "93 %"),
            (0.088, "8.8 %"),
            (0.0996, "10 %"),
            (0.0004, "<0.1 %"),
            (0.0, "0 %"),
            (1.0, "100 %"),
            (0.9996, "99.9 %"),
            (-0.05, "-5.0 %"),
        ] {
            assert_eq!(percent_text(share), text);
        }
    }

    #[test]
    fn estimates_are_rounded_to_six_digits() {
        let numbers = [224_694.857_142, -0.001_234_567_8, 0.0, 9_999_999.0].map(six_digits);
        let texts = numbers.map(|number| number.to_string());
        assert_eq!(texts, ["224695", "-0.00123457", "0", "10000000"]);
    }

    #[test]
    fn amounts_have_a_digit_after_the_point_where_it_matters() {
        for (amount, text) in [
            (0.04, "0"),
            (12.5, "12.5"),
            (12.96, "13"),
            (-3.25, "-3.3"),
            (99.96, "100"),
            (476.2, "476"),
            (5_872.5, "5,873"),
            (10_000.4, "10,000"),
            (f64::NAN, "–"),
        ] {
            assert_eq!(amount_text(amount), text);
        }
        assert_eq!([2.5, 2.0, 0.125].map(trimmed_text), ["2.5", "2", "0.12"]);
    }

    #[test]
    fn figures_have_the_digits_that_they_need() {
        let figures = [0.0, 0.031, 4.26, 28.0, 97.9, 5872.5, 57206.2, -3.0].map(figure_text);
        assert_eq!(figures, ["0", "0.03", "4.3", "28", "97.9", "5,873", "57,206", "-3"]);
    }

    #[test]
    fn counts_are_grouped() {
        assert_eq!(count_text(0), "0");
        assert_eq!(count_text(999), "999");
        assert_eq!(count_text(6_093_211), "6,093,211");
    }
}
