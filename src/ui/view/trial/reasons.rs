//! Why the chosen key stands as it does, weightiest first.

use ratatui::style::Style;
use ratatui::text::Span;

use crate::model::units::{counted, kib_text};
use crate::model::visible::visible;
use crate::report::trial::{CandidateReport, TrialReport, collisions, dominated};
use crate::ui::kit::text;
use crate::ui::kit::theme::Theme;
use crate::work::trial::TrialSample;

/// `alarm  ` before a sentence.
const LEAD: usize = 7;

pub type ReasonLine = Vec<Span<'static>>;

/// The lines for a width.
pub fn reason_lines(
    report: &TrialReport,
    candidate: &CandidateReport,
    sample: Option<&TrialSample>,
    width: usize,
    theme: &Theme,
) -> Vec<ReasonLine> {
    let mut lines = Vec::new();
    let room = width.saturating_sub(LEAD).max(1);
    let mut say = |word: &str, word_style: Style, sentence: &str| {
        let sentence = theme.glyphs.sentence(sentence);
        for (at, piece) in text::wrapped(&sentence, room, theme.glyphs).into_iter().enumerate() {
            let word = if at == 0 { word } else { "" };
            lines.push(vec![
                Span::styled(format!("{word:<LEAD$}"), word_style),
                Span::styled(piece, theme.text),
            ]);
        }
    };
    if let Some(said) = sample.and_then(|sample| sample.on_whole(&candidate.trial.candidate)) {
        say("sample", theme.warning, &visible(&said));
    }
    let trial = &candidate.trial;
    if trial.whole.is_assumed {
        let size = kib_text(trial.whole.bytes / 1024.0);
        let documents = counted(trial.whole.looked_at, "document", "documents");
        let said = format!(
            "sizes are of the sample: {size} in {documents}; set the real size: :size 81GB"
        );
        say("sample", theme.warning, &said);
    }
    if let Some(why) = dominated(report, candidate) {
        say("worse", theme.warning, &why);
    }
    for reason in &candidate.verdict.reasons {
        let sentence = visible(&reason.sentence);
        say(reason.severity.word(), theme.severity(reason.severity), &sentence);
    }
    for line in collisions(&candidate.trial) {
        say("", theme.text, &line);
    }
    // How documents of an account were chosen bears on every figure.
    for note in sample.map_or(&[][..], TrialSample::provenance) {
        say("sample", theme.dim, &visible(&note.sentence()));
    }
    lines
}

/// Why nothing can be told of a key.
pub fn unreported(why: &str, width: usize, theme: &Theme) -> Vec<ReasonLine> {
    let why = theme.glyphs.sentence(&visible(why)).into_owned();
    let pieces = text::wrapped(&why, width.max(1), theme.glyphs).into_iter();
    pieces.map(|piece| vec![Span::styled(piece, theme.warning)]).collect()
}
