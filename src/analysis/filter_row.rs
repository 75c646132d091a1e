//! A row of a container's columns as a filter asks it.

use std::borrow::Cow;

use super::columns::{RowRef, WallDay};
use super::filter::{Row, RowWall};

impl Row for RowRef<'_, '_> {
    fn text(&self) -> Cow<'_, str> {
        RowRef::text(self)
    }

    fn size_kib(&self) -> f64 {
        RowRef::size_kib(self)
    }

    fn share(&self) -> f64 {
        RowRef::share(self)
    }

    fn growth_kib_per_day(&self) -> Option<f64> {
        RowRef::growth_kib_per_day(self)
    }

    fn wall(&self) -> RowWall {
        match RowRef::wall(self) {
            WallDay::Over => RowWall::Over,
            WallDay::Day(day) => RowWall::Day(day),
            WallDay::Never => RowWall::Never,
            WallDay::Unknown => RowWall::Unknown,
        }
    }

    fn ru(&self) -> Option<f64> {
        RowRef::ru(self)
    }

    fn partition(&self) -> Option<&str> {
        RowRef::partition(self)
    }

    fn region(&self) -> Option<&str> {
        RowRef::region(self)
    }

    fn samples(&self) -> u64 {
        RowRef::samples(self)
    }
}
