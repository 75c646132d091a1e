//! Series against the same computed without levels or runs.
#![expect(
    clippy::unwrap_used,
    clippy::float_cmp,
    clippy::cast_possible_truncation,
    reason = "a test may panic, and values are kept as they are"
)]

use proptest::prelude::*;

use super::*;

/// The highest value of the steps that touch a cell, point by point.
fn naive(points: &[(i64, f64)], step_s: u32, from: i64, width_s: u32, columns: usize) -> Vec<f32> {
    let step = i64::from(step_s);
    let mut cells = vec![f32::NAN; columns];
    for (column, cell) in (0_i64..).zip(&mut cells) {
        let begins = from + column * i64::from(width_s);
        let ends = begins + i64::from(width_s);
        for (second, value) in points.iter().filter(|(_, v)| (*v as f32).is_finite()) {
            let at = second.div_euclid(step) * step;
            if at < ends && at + step > begins {
                *cell = cell.max(*value as f32);
            }
        }
    }
    cells
}

fn same(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b || a.is_nan() && b.is_nan())
}

/// Points in time order with short and long gaps, some of them no number.
fn points() -> impl Strategy<Value = Vec<(i64, f64)>> {
    let gap = prop_oneof![8 => 0_i64..5, 3 => 5_i64..500, 1 => 0_i64..400_000];
    let value = prop_oneof![12 => 0.0..2.0_f64, 1 => Just(f64::NAN), 1 => Just(f64::INFINITY), 1 => Just(1e300)];
    (-50_000_i64..50_000, proptest::collection::vec((gap, value), 0..300)).prop_map(
        |(first, gaps)| {
            let mut at = first;
            let next = |(gap, value)| {
                at += gap;
                (at, value)
            };
            gaps.into_iter().map(next).collect()
        },
    )
}

proptest! {
    #[test]
    fn cells_show_the_highest_value_that_touches_them(
        points in points(),
        step in prop_oneof![Just(1_u32), Just(10), Just(60), Just(7), Just(300), Just(86_400)],
        multiple in prop_oneof![1_u32..30, Just(60), Just(300), Just(3600), Just(86_400)],
        first_cell in -100_i64..100,
        columns in 0_usize..60,
    ) {
        let series = Series::of(&points, step);
        let width = step * multiple.min(40_000);
        let from = first_cell * i64::from(width);
        let mut cells = vec![9.0; columns];
        series.fill(from, width, &mut cells);
        prop_assert!(same(&cells, &naive(&points, step, from, width, columns)));
    }

    #[test]
    fn cells_that_no_step_fits_show_it_too(
        points in points(),
        step in prop_oneof![Just(60_u32), Just(300)],
        width in 1_u32..1000,
        from in -60_000_i64..60_000,
        columns in 0_usize..60,
    ) {
        let series = Series::of(&points, step);
        let mut cells = vec![9.0; columns];
        series.fill(from, width, &mut cells);
        prop_assert!(same(&cells, &naive(&points, step, from, width, columns)));
    }

    #[test]
    fn a_reading_is_of_the_steps_that_it_touches(
        points in points(),
        step in prop_oneof![Just(1_u32), Just(60), Just(7)],
        from in -60_000_i64..60_000,
        len in 1_i64..100_000,
    ) {
        let series = Series::of(&points, step);
        let (wide, to) = (i64::from(step), from + len);
        let mut held = std::collections::BTreeMap::new();
        for (second, value) in points.iter().filter(|(_, v)| (*v as f32).is_finite()) {
            let at = second.div_euclid(wide) * wide;
            if at < to && at + wide > from {
                let cell = held.entry(at).or_insert(f32::NEG_INFINITY);
                *cell = cell.max(*value as f32);
            }
        }
        let read = series.read(from, to);
        prop_assert_eq!(read.map_or(0, |r| r.steps), held.len() as u64);
        prop_assert_eq!(series.extremes(from, to).is_some(), read.is_some());
        if let Some(read) = read {
            let highest = held.values().copied().fold(f32::NEG_INFINITY, f32::max);
            let touched = (to - 1).div_euclid(wide) - from.div_euclid(wide) + 1;
            prop_assert_eq!(read.highest, f64::from(highest));
            prop_assert_eq!(held[&read.highest_at], highest);
            prop_assert_eq!(read.gaps + read.steps, touched.unsigned_abs());
            let found = series.extremes(from, to).unwrap();
            prop_assert_eq!((found.highest, found.highest_at, found.steps), (read.highest, read.highest_at, read.steps));
            let mut values: Vec<f32> = held.values().copied().collect();
            values.sort_by(f32::total_cmp);
            prop_assert_eq!(found.p99, f64::from(values[values.len() - 1 - values.len() / 100]));
            let at_full = values.iter().filter(|v| **v >= 1.0).count();
            prop_assert_eq!(found.saturated_s, Some(at_full as u64 * u64::from(step)));
        }
        let begin: Vec<i64> = held.keys().copied().filter(|at| *at >= from).collect();
        let points: Vec<i64> = series.points(from, to).map(|(at, _)| at).collect();
        prop_assert_eq!(points, begin);
    }

    #[test]
    fn series_join_step_by_step(all in proptest::collection::vec(points(), 0..5), step in 1_u32..100) {
        let series: Vec<Series> = all.iter().map(|points| Series::of(points, step)).collect();
        let highest = Series::joined(&series, step, f64::max);
        let mut points: Vec<(i64, f64)> = all.into_iter().flatten().collect();
        points.sort_by_key(|(second, _)| *second);
        let whole = Series::of(&points, step);
        prop_assert_eq!((highest.span(), highest.bytes()), (whole.span(), whole.bytes()));
        let all = |series: &Series| series.points(i64::MIN, i64::MAX).collect::<Vec<_>>();
        prop_assert_eq!(all(&highest), all(&whole));
    }
}

#[test]
fn sums_are_of_the_steps_that_have_a_value() {
    let a = Series::of(&[(0, 1.0), (1, 2.0), (100, 5.0)], 1);
    let b = Series::of(&[(1, 3.0), (2, 4.0)], 1);
    let sum = Series::joined(&[a, b, Series::default()], 1, |a, b| a + b);
    let points: Vec<_> = sum.points(i64::MIN, i64::MAX).collect();
    assert_eq!(points, [(0, 1.0), (1, 5.0), (2, 4.0), (100, 5.0)]);
}

#[test]
fn two_snippets_a_year_apart_cost_nothing_between_them() {
    let year = 365 * 86_400;
    let points: Vec<(i64, f64)> = (0..600).flat_map(|s| [(s, 1.0), (year + s, 2.0)]).collect();
    let series = Series::of(&points, 1);
    assert!(series.bytes() < 12_000, "{}", series.bytes());
    assert_eq!(series.span(), Some((0, year + 600)));
    let mut cells = [0.0; 3];
    series.fill(0, 9_676_800, &mut cells);
    assert!(cells[0] == 1.0 && cells[1].is_nan() && cells[2].is_nan());
}

#[test]
fn scattered_values_take_no_more_than_twice_their_own_memory() {
    for apart in [2, 7, 8, 50, 100, 4000] {
        let points: Vec<(i64, f64)> = (0..2000).map(|i| (i * apart, 1.0)).collect();
        let bytes = Series::of(&points, 1).bytes();
        assert!(bytes < 2000 * 60, "{apart}: {bytes}");
    }
}

#[test]
fn times_at_the_ends_of_the_world_are_safe() {
    let ends = [i64::MIN, -300_000_000_000, 0, 253_402_300_799, i64::MAX];
    let points: Vec<(i64, f64)> = ends.iter().map(|s| (*s, 1.0)).collect();
    for step in [0, 1, 60, 86_400, u32::MAX] {
        let series = Series::of(&points, step);
        assert!(!series.is_empty());
        for from in ends {
            for to in ends {
                let _ = series.read(from, to);
                let _ = series.extremes(from, to);
                assert!(series.points(from, to).count() <= 3);
            }
            for width in [0, 1, 61, 86_400, u32::MAX] {
                let mut cells = [1.0; 5];
                series.fill(from, width, &mut cells);
            }
        }
        assert_eq!(series.highest(), Some(1.0));
    }
    assert_eq!(Series::of(&[(5, f64::NAN)], 1), Series::default());
    assert_eq!(Series::default().read(0, 10), None);
    assert_eq!(Series::default().span(), None);
}

#[test]
fn points_out_of_order_are_put_in_order() {
    let series = Series::of(&[(9, 1.0), (3, 2.0), (3, 4.0)], 1);
    let points: Vec<_> = series.points(0, 10).collect();
    assert_eq!(points, [(3, 4.0), (9, 1.0)]);
    assert_eq!(series.extremes(0, 10).map(|e| e.p99), Some(4.0));
}
