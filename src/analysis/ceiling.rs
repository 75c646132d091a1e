//! A size against the ceiling of a logical partition: its share, and the marks that it passed.

use crate::model::units::{
    LOGICAL_CEILING_DECIMAL_KB, LOGICAL_CEILING_KIB, count_text, kib_text, whole_u64,
};

/// 70 %: the share at which Microsoft's own guidance raises an alert.
pub const MARK_WARN: f64 = 0.7;
/// 90 %: little time is left for a migration.
pub const MARK_ALARM: f64 = 0.9;
/// 100 %: the ceiling itself; more than this is reported by real accounts and is shown as it is.
pub const MARK_FULL: f64 = 1.0;

/// How the ceiling in use came about, to be said beside every share of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// 20 GB read as 20 GiB.
    Binary,
    /// 20 GB read as 20,000,000,000 bytes.
    Decimal,
    /// A number given by the person who asked.
    Given,
}

/// What one logical partition may hold.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ceiling {
    /// In KB as sizes are reported.
    kib: f64,
    /// What such a KB is.
    kb_bytes: f64,
    reading: Reading,
}

impl Default for Ceiling {
    fn default() -> Self {
        Self::BINARY
    }
}

impl Ceiling {
    pub const BINARY: Self =
        Self { kib: LOGICAL_CEILING_KIB, kb_bytes: 1024.0, reading: Reading::Binary };
    pub const DECIMAL: Self =
        Self { kib: LOGICAL_CEILING_DECIMAL_KB, kb_bytes: 1000.0, reading: Reading::Decimal };

    /// None unless it is a finite size of at least 1 KiB: a share of nothing is no number.
    pub fn given(kib: f64) -> Option<Self> {
        Self::given_in(kib, 1024.0)
    }

    /// In KB of so many bytes.
    pub fn given_in(kib: f64, kb_bytes: f64) -> Option<Self> {
        (kib.is_finite() && kib >= 1.0).then_some(Self { kib, kb_bytes, reading: Reading::Given })
    }

    /// For sizes that are counted, not reported.
    pub fn bytes(self) -> f64 {
        self.kib * self.kb_bytes
    }

    pub fn kib(self) -> f64 {
        self.kib
    }

    pub fn reading(self) -> Reading {
        self.reading
    }

    /// Whether a GB is read as 10^9 bytes.
    pub fn is_decimal(self) -> bool {
        self.kb_bytes < 1024.0
    }

    pub fn share(self, kib: f64) -> f64 {
        kib / self.kib
    }

    /// `20 GB`, or the size that was given.
    pub fn name(self) -> String {
        match self.reading {
            Reading::Binary | Reading::Decimal => "20 GB".to_owned(),
            Reading::Given => kib_text(self.kib),
        }
    }

    /// The heading of a column or a row: no name in it where another limit was given.
    pub fn heading(self, words: &'static str) -> &'static str {
        match (self.reading, words) {
            (Reading::Given, "20 GB on") => "limit on",
            (Reading::Given, "of 20 GB") => "of limit",
            (Reading::Given, "up to 20 GB") => "up to limit",
            _ => words,
        }
    }

    /// Which reading was used, in a sentence.
    pub fn sentence(self) -> String {
        let meaning = match self.reading {
            Reading::Binary => "the 20 GB limit is read as 20 GiB",
            Reading::Decimal => "the 20 GB limit is read as 20,000,000,000 bytes",
            Reading::Given => "the ceiling is the one given",
        };
        let kib = whole_u64(self.kib.round());
        let unit = if self.is_decimal() { "KB as reported" } else { "KiB" };
        format!("{meaning}: {} {unit}", count_text(kib))
    }
}

words! {
    /// The marks a share passed.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Mark {
        Below = "<70 %",
        Warn = "≥70 %",
        Alarm = "≥90 %",
        Full = "full",
    }
    /// What a count of keys at it or above is called.
    fn label
}

impl Mark {
    pub fn of(share: f64) -> Self {
        match share {
            MARK_FULL.. => Self::Full,
            MARK_ALARM.. => Self::Alarm,
            MARK_WARN.. => Self::Warn,
            _ => Self::Below,
        }
    }

    pub fn share(self) -> Option<f64> {
        match self {
            Self::Below => None,
            Self::Warn => Some(MARK_WARN),
            Self::Alarm => Some(MARK_ALARM),
            Self::Full => Some(MARK_FULL),
        }
    }

    #[cfg(test)]
    pub fn word(self) -> &'static str {
        match self {
            Self::Below => "fine",
            Self::Warn => "filling",
            Self::Alarm => "nearly full",
            Self::Full => "full",
        }
    }
}

/// How many keys stand at or above each mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MarkCounts {
    pub warn: u64,
    pub alarm: u64,
    pub full: u64,
}

impl MarkCounts {
    pub fn add(&mut self, mark: Mark) {
        self.warn += u64::from(mark >= Mark::Warn);
        self.alarm += u64::from(mark >= Mark::Alarm);
        self.full += u64::from(mark >= Mark::Full);
    }

    /// The marks with the keys at or above each, the worst first; one that adds no key to a worse one says nothing.
    pub fn passed(self) -> impl Iterator<Item = (u64, Mark)> {
        let all = [
            (self.full, 0, Mark::Full),
            (self.alarm, self.full, Mark::Alarm),
            (self.warn, self.alarm, Mark::Warn),
        ];
        let more = all.into_iter().filter(|(count, worse, _)| count > worse);
        more.map(|(count, _, mark)| (count, mark))
    }
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test may panic, and these shares are exact"
)]
mod tests {
    use super::*;

    #[test]
    fn shares_depend_on_the_reading_and_pass_the_whole() {
        assert_eq!(Ceiling::BINARY.share(22_650_880.0), 1.080_078_125);
        assert_eq!(Ceiling::BINARY.share(18_874_368.0), 0.9);
        // Both sides are decimal: 20,132,660 KB of 1,000 bytes against 20,000,000,000 bytes.
        assert_eq!(Ceiling::DECIMAL.share(20_132_660.0), 1.006_633);
        assert_eq!(Ceiling::DECIMAL.bytes(), 20_000_000_000.0);
        assert_eq!(Ceiling::BINARY.bytes(), 20.0 * 1_073_741_824.0);
        assert_eq!(
            Ceiling::DECIMAL.sentence(),
            "the 20 GB limit is read as 20,000,000,000 bytes: 20,000,000 KB as reported"
        );
        let given = Ceiling::given(31_457_280.0).unwrap();
        assert_eq!((given.share(15_728_640.0), given.name()), (0.5, "30.0 GiB".to_owned()));
        let headings = ["20 GB on", "of 20 GB", "largest key"].map(|words| given.heading(words));
        assert_eq!(headings, ["limit on", "of limit", "largest key"]);
        assert_eq!(Ceiling::DECIMAL.heading("20 GB on"), "20 GB on");
        assert_eq!(Ceiling::DECIMAL.name(), "20 GB");
        assert_eq!(Ceiling::BINARY.sentence(), "the 20 GB limit is read as 20 GiB: 20,971,520 KiB");
    }

    #[test]
    fn a_mark_counts_what_is_beyond_it_too() {
        let of = |warn, alarm, full| MarkCounts { warn, alarm, full };
        let cases: [(MarkCounts, &[(u64, Mark)]); 3] = [
            (of(35, 3, 1), &[(1, Mark::Full), (3, Mark::Alarm), (35, Mark::Warn)]),
            (of(1, 1, 1), &[(1, Mark::Full)]),
            (of(2, 0, 0), &[(2, Mark::Warn)]),
        ];
        for (counts, expected) in cases {
            assert_eq!(counts.passed().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn a_ceiling_is_a_size() {
        for kib in [0.0, 0.5, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Ceiling::given(kib), None, "{kib}");
        }
    }

    #[test]
    fn marks_are_reached_not_only_passed() {
        let words: Vec<&str> =
            [0.0, 0.7, 0.899, 0.9, 1.0, 50.0].map(|s| Mark::of(s).word()).to_vec();
        let expected = ["fine", "filling", "filling", "nearly full", "full", "full"];
        assert_eq!(words, expected);
        assert_eq!(Mark::of(f64::NAN), Mark::Below);
        let mut counts = MarkCounts::default();
        for share in [0.1, 0.75, 0.95, 1.08] {
            counts.add(Mark::of(share));
        }
        assert_eq!((counts.warn, counts.alarm, counts.full), (3, 2, 1));
    }
}
