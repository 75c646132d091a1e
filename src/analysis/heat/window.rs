//! A stretch of time as cells of a width that people count in, and the steps from one such width to the next.

/// Widths of a cell that people count in, in seconds: 1 s to 112 days.
pub const WIDTHS_S: [u32; 24] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
    172_800, 604_800, 1_209_600, 2_419_200, 4_838_400, 9_676_800,
];

/// A stretch of time as cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// Start of the first cell, a multiple of `width_s`.
    pub from: i64,
    pub width_s: u32,
    pub columns: usize,
}

impl Window {
    /// The finest that shows all of `[from, to)` in `columns` cells; not finer than the track's step.
    pub fn around(from: i64, to: i64, columns: usize, step_s: u32) -> Self {
        let columns = columns.max(1);
        let mut widest = Self::at(from, step_s.max(1), columns);
        for width_s in widths(step_s) {
            widest = Self::at(from, width_s, columns);
            if widest.to() >= to {
                break;
            }
        }
        widest
    }

    fn at(from: i64, width_s: u32, columns: usize) -> Self {
        Self { from: floor(from, width_s), width_s, columns }
    }

    pub fn to(&self) -> i64 {
        let cells = i64::try_from(self.columns).unwrap_or(i64::MAX);
        self.from.saturating_add(cells.saturating_mul(i64::from(self.width_s)))
    }

    /// Start and end of a cell.
    pub fn cell(&self, column: usize) -> (i64, i64) {
        let column = i64::try_from(column).unwrap_or(i64::MAX);
        let from = self.from.saturating_add(column.saturating_mul(i64::from(self.width_s)));
        (from, from.saturating_add(i64::from(self.width_s)))
    }

    /// The cell that holds a second.
    pub fn column(&self, second: i64) -> Option<usize> {
        let offset = second.checked_sub(self.from).filter(|offset| *offset >= 0)?;
        let column = usize::try_from(offset / i64::from(self.width_s.max(1))).ok()?;
        (column < self.columns).then_some(column)
    }
}

/// The step itself, then all that are multiples of it; beyond the widths of people twice the last each time.
fn widths(step_s: u32) -> impl Iterator<Item = u32> {
    let step_s = step_s.max(1);
    let fits = move |w: &u32| *w > step_s && w.is_multiple_of(step_s);
    let longest = WIDTHS_S.into_iter().rev().find(fits).unwrap_or(step_s);
    let beyond = std::iter::successors(longest.checked_mul(2), |w| w.checked_mul(2));
    std::iter::once(step_s).chain(WIDTHS_S.into_iter().filter(fits)).chain(beyond)
}

/// The multiple at or before a second.
fn floor(second: i64, width_s: u32) -> i64 {
    let width = i64::from(width_s.max(1));
    second.div_euclid(width).saturating_mul(width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_finest_width_that_shows_all() {
        let ten_minutes = Window::around(1_000_000_007, 1_000_000_607, 120, 1);
        assert_eq!((ten_minutes.width_s, ten_minutes.from % 10), (10, 0));
        assert_eq!(Window::around(0, 600, 120, 60).width_s, 60);
        assert_eq!(Window::around(0, 86_400, 100, 300).width_s, 900);
        assert_eq!(Window::around(0, 10, 0, 0).columns, 1);
        let ages = Window::around(-11_644_473_600, 253_402_300_800, 200, 1);
        assert!(ages.to() >= 253_402_300_800);
        let _ = Window::around(i64::MIN, i64::MAX, usize::MAX, u32::MAX).cell(usize::MAX);
    }

    proptest! {
        #[test]
        fn windows_show_what_they_are_around(
            from in -10_000_000_i64..10_000_000,
            len in 1_i64..1_000_000_000,
            // One cell cannot hold both sides of 1970.
            columns in 2_usize..600,
            step in prop_oneof![Just(1_u32), Just(60), Just(300), Just(7), Just(86_400)],
        ) {
            let window = Window::around(from, from + len, columns, step);
            prop_assert!(window.from <= from && window.to() >= from + len);
            prop_assert_eq!(window.from.rem_euclid(i64::from(window.width_s)), 0);
            prop_assert_eq!(window.width_s % step, 0);
            for column in [0, columns - 1] {
                prop_assert_eq!(window.column(window.cell(column).0), Some(column));
            }
            prop_assert_eq!(window.column(window.to()), None);
        }
    }
}
