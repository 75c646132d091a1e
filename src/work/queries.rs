//! What is asked of documents that are tried.

use std::path::Path as FilePath;

use crate::analysis::logged_workload::{CountedBy, LoggedWorkload};
use crate::analysis::routing::workload::{Request, RequestAccess, Workload};
use crate::analysis::rows::Note;
use crate::error::Error;
use crate::model::capture::{Capture, SourceInfo};
use crate::source::documents::LoadedDocuments;
use crate::source::{scenario, small_file};
use crate::work::data::Dataset;
use crate::work::shared::Shared;

/// More text than anyone writes queries.
const MAX_QUERY_BYTES: u64 = 16 << 20;

/// Those of a file, else those of a scenario's container.
pub fn workload(
    file: Option<&FilePath>,
    scenario: Option<(&str, &str)>,
) -> Result<Workload, Error> {
    if let Some(path) = file {
        return Ok(Workload::parse(&text_of(path)?));
    }
    let mut workload = Workload::default();
    let Some((name, container)) = scenario else {
        return Ok(workload);
    };
    for query in scenario::queries(name, container) {
        let access =
            if query.operation.adds_data() { RequestAccess::Write } else { RequestAccess::Read };
        let request = Request::of_sql(query.name, access, &query.sql);
        let request = request.at(Some(query.per_second), Some(query.ru_per_visit));
        workload.requests.push(request);
    }
    Ok(workload)
}

/// A question for what the logs show of an application.
#[derive(Clone, PartialEq, Debug)]
pub struct WorkloadAsk {
    pub data: Shared<Dataset>,
    pub container: u32,
}

impl WorkloadAsk {
    /// None where no requests of the container are logged.
    pub fn answer(&self) -> Option<LoggedWorkload> {
        LoggedWorkload::of(&self.data.capture, self.container)
    }
}

/// Those of the request and query logs. None where the logs lack the texts of queries: they would be taken for no load.
pub fn logged(capture: &Capture, container: u32) -> Option<Workload> {
    let logged = LoggedWorkload::of(capture, container)?;
    let is_whole = logged.counted_by == CountedBy::RequestLog && logged.knows_queries();
    is_whole.then(|| Workload::parse(&logged.query_file()))
}

/// What reading told, and what of the queries was not taken.
pub fn notes_of(loaded: &LoadedDocuments, workload: &Workload) -> Vec<Note> {
    let mut notes: Vec<Note> = loaded.notes.iter().map(Note::new).collect();
    notes.extend(notes_of_sources(&loaded.sources));
    for note in &workload.notes {
        notes.push(Note::new(format!("queries, line {}: {}", note.line, note.what)));
    }
    notes
}

pub fn notes_of_sources(sources: &[SourceInfo]) -> Vec<Note> {
    let mut notes = Vec::new();
    for source in sources {
        let mut say = |text: String| {
            notes.push(Note { source: Some(source.path.clone()), text });
        };
        source.notes.iter().for_each(|note| say(note.clone()));
        if let Some(why) = &source.refused {
            say(why.clone());
        }
        if source.skipped > 0 {
            say(format!("{} entries could not be used", source.skipped));
        }
    }
    notes
}

fn text_of(path: &FilePath) -> Result<String, Error> {
    let next = "give queries as text, separated by `;`, or as JSON";
    let most = (MAX_QUERY_BYTES, "has more than 16 MiB of queries");
    small_file::text_within(path, most, [next; 2])
}
