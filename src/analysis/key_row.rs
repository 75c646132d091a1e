//! Single keys of a capture as the rows of a report, for whoever shows a few of a million.

use crate::model::capture::Capture;
use crate::model::logical::{KeyId, SeriesView};

use super::columns::Lookups;
use super::rows::KeyRow;
use super::tally;

/// A key as a report has it, and the readings that its row rests on.
#[derive(Clone, Debug)]
pub struct RowWithSeries<'a> {
    pub row: KeyRow,
    pub series: SeriesView<'a>,
}

/// None for a key without any reading.
pub fn key_row<'a>(
    capture: &'a Capture,
    lookups: &Lookups,
    id: KeyId,
) -> Option<RowWithSeries<'a>> {
    let view = capture.sizes.view(id)?;
    let (_, outlook) = lookups.outlook(capture, &view)?;
    let region = capture.regions.text(u32::from(outlook.now.series.region));
    let region = Some(region).filter(|name| !name.is_empty()).map(Into::into);
    Some(RowWithSeries {
        row: tally::key_row(
            capture,
            lookups.ceiling,
            &lookups.places,
            &view,
            &outlook,
            region,
        ),
        series: outlook.now.series,
    })
}
