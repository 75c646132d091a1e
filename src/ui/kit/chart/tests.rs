//! Charts in rooms of every size.

use proptest::prelude::*;

use super::*;
use crate::analysis::testing::seconds;
use crate::ui::view::testing::{assert_stays_inside, lines, theme, theme_ascii};

fn spark(width: u16, values: &[Option<f64>], top: f64, theme: &Theme) -> String {
    let area = Rect::new(0, 0, width, 1);
    let mut buffer = Buffer::empty(area);
    sparkline(&mut buffer, area, values, top, theme);
    lines(&buffer).concat()
}

fn shape(width: u16, values: &[f64]) -> String {
    let values: Vec<Option<f64>> = values.iter().copied().map(Some).collect();
    let top = values.iter().flatten().copied().fold(0.0, f64::max);
    spark(width, &values, top, &theme())
}

#[test]
fn a_series_ends_at_the_right_edge() {
    assert_eq!(shape(5, &[1.0, 2.0, 3.0]), "  ▃▆█");
    assert_eq!(shape(3, &[0.0, 9.0, 0.0, 0.0, 1.0, 7.0]), "█▁▆");
    let top = [Some(5.0), Some(20.0), Some(50.0), Some(-1.0)];
    assert_eq!(spark(4, &top, 20.0, &theme()), "▃██▁");
}

#[test]
fn a_gap_is_no_zero() {
    let values = [Some(0.0), None, Some(f64::NAN), Some(8.0)];
    assert_eq!(spark(4, &values, 8.0, &theme()), "▁··█");
    assert_eq!(spark(4, &values, 8.0, &theme_ascii()), "_  #");
    assert_eq!(spark(9, &[None, None], 8.0, &theme()), "no data  ");
    assert_eq!(spark(3, &[], 8.0, &theme()), "   ");
}

#[test]
fn a_size_grows_as_an_area_and_is_dotted_to_its_limit() {
    let at = |day: i64| seconds(day * 86_400);
    let chart = |reaches, glyphs| {
        let of = GrowthChart { samples: &[(at(0), 0.25), (at(4), 0.5)], reaches, limit: "20 GB" };
        let rows = growth_chart(&of, 31, 6, glyphs).into_iter();
        rows.map(|row| row.into_iter().map(|piece| piece.1).collect::<String>()).collect::<Vec<_>>()
    };
    let rows = chart(Some(at(12)), Glyphs::Ascii);
    assert_eq!(rows.len(), 6);
    assert!(rows[0].starts_with("20 GB |---") && rows[0].ends_with('.'), "{rows:?}");
    assert!(rows[3].contains("####") && !rows[3].contains('.'), "{rows:?}");
    assert_eq!(rows[5], "       1970-01-01    1970-01-13");
    // Too far ahead: the samples have all the room.
    let rows = chart(Some(at(400)), Glyphs::Unicode);
    assert!(rows[3].ends_with('█') && rows[5].ends_with("1970-01-05"), "{rows:?}");
    assert!(chart(None, Glyphs::Unicode)[0].ends_with('╌'));
}

fn bucket(label: &str, count: u64) -> HistogramRow<'_> {
    HistogramRow { label, count, mark: Mark::Below }
}

#[test]
fn buckets_show_their_count_and_their_part() {
    let area = Rect::new(0, 0, 24, 3);
    let mut buffer = Buffer::empty(area);
    let buckets = [bucket("1 GiB", 12_345), bucket("16 GiB", 3), bucket("20 GiB", 0)];
    histogram(&mut buffer, area, &buckets, &theme());
    let expected =
        [" 1 GiB ██████████ 12,345", "16 GiB ▏               3", "20 GiB                 0"];
    assert_eq!(lines(&buffer), expected);
    let mut small = Buffer::empty(Rect::new(0, 0, 24, 2));
    histogram(&mut small, area, &buckets, &theme());
    assert_eq!(lines(&small)[1], "… 2 more                ");
}

#[test]
fn nothing_is_drawn_outside() {
    let values = [None, Some(f64::NAN), Some(-1.0), Some(1e300), Some(f64::INFINITY)];
    let buckets = [bucket("東京東京", u64::MAX), bucket("", 0), bucket("a\u{1b}", 1)];
    for theme in [theme(), theme_ascii()] {
        assert_stays_inside(|buffer, area| {
            for top in [1.0, 0.0, f64::NAN, f64::INFINITY] {
                sparkline(buffer, area, &values, top, &theme);
            }
            sparkline(buffer, area, &[Some(1.0); 90], 1.0, &theme);
            histogram(buffer, area, &buckets, &theme);
            histogram(buffer, area, &[], &theme);
        });
    }
}

proptest! {
    #[test]
    fn the_highest_value_is_never_hidden(
        values in prop::collection::vec(prop::option::of(0.0..1e300), 0..60),
        width in 1_u16..20,
    ) {
        let top = values.iter().flatten().copied().fold(0.0, f64::max);
        let text = spark(width, &values, top, &theme());
        prop_assert_eq!(text.chars().count(), usize::from(width));
        let steps = text.chars().filter(|c| ('▁'..='█').contains(c)).count();
        prop_assert!(steps == 0 || top == 0.0 || text.contains('█'), "{}", text);
    }
}
