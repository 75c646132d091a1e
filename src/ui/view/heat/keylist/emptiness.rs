//! What stands in place of the keys where none is listed.

use crate::ui::view::heat::{HeatState, readout, time};

/// Why no key is listed.
pub fn words(state: &HeatState) -> String {
    let Some(scope) = &state.scope else {
        return "Nothing is open.".to_owned();
    };
    if !state.list.filter.is_empty() {
        return "No key of this partition has that text.".to_owned();
    }
    let Some(chosen) = state.chosen() else {
        return "No physical partition is known. The inputs name none: ranges come from az cosmosdb or a container \
            read, load from metrics and logs."
            .to_owned();
    };
    if time::chosen_span(state).is_some() {
        return "No record of this partition lies in the chosen span of time.".to_owned();
    }
    let has_logs = scope.heat().is_some_and(|heat| !heat.keys.cells().is_empty());
    let has_range = readout::physical_partition(scope, chosen).is_some();
    match (has_logs, has_range) {
        (true, _) => "No key of this partition is logged or listed. Other keys: smaller, not reported.".to_owned(),
        (false, true) => "No log names the keys of this partition. Switch on the diagnostic log \
            PartitionKeyRUConsumption to see who uses its RU/s, and PartitionKeyStatistics for sizes."
            .to_owned(),
        (false, false) => "No log names the keys of this partition, and its hash range is not known: keys cannot be \
            placed in it."
            .to_owned(),
    }
}
