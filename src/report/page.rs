//! What pages of reports share: one file that stands alone, no script, nothing from elsewhere, fit to be printed.

use std::fmt::Write as _;

use super::escape::escape;
use crate::model::visible::display_width;

/// Nothing is loaded and nothing runs, whatever stands in the page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";
const STYLES: &str = "\
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --faint: #57606a; --line: #d0d7de; --bad: #a50f15; --warn: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #16191d; --faint: #9da7b1; --line: #3d444d; --bad: #ff8a80; --warn: #f3c15f; } }
body { box-sizing: border-box; margin: 0 auto; max-width: 1000px; padding: 1rem; font: 14px/1.5 system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; color: var(--ink); background: var(--paper); }
h1 { font-size: 1.5rem; line-height: 1.3; overflow-wrap: anywhere; text-wrap: balance; } h2 { font-size: 1.2rem; margin-top: 2rem; border-top: 1px solid var(--line); padding-top: 1rem; } h3 { font-size: 1rem; }
.faint { color: var(--faint); } footer { margin-top: 2rem; }
.verdict { border-left: 6px solid var(--line); padding: 0 0 0 .8rem; margin: .8rem 0; }
.verdict.alarm { border-color: var(--bad); } .verdict.warn { border-color: var(--warn); }
.verdict h3 { margin: 0; } .alarm h3, td.alarm { color: var(--bad); } .warn h3, td.warn { color: var(--warn); }
td.alarm, td.warn, td.good { font-weight: 600; }
figure { margin: 1rem 0; overflow-x: auto; } svg { max-width: 100%; height: auto; background: #ffffff; border-radius: 6px; }
.scroll { overflow-x: auto; margin: .8rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; }
th, td { border-bottom: 1px solid var(--line); padding: .15rem .6rem .15rem 0; text-align: right; white-space: nowrap; }
th { white-space: normal; vertical-align: bottom; } td.long { white-space: normal; min-width: 6rem; overflow-wrap: anywhere; }
th:first-child, td:first-child, .words th, .words td { text-align: left; } .words td { vertical-align: top; } .wide { font-size: 12px; } .wide th, .wide td { padding-right: .4rem; }
.lapse { display: grid; grid-template-columns: auto minmax(0, 2fr) minmax(0, 3fr); gap: .5rem; border: 0; padding: 0; }
.lapse input { grid-column: 1; align-self: start; } .lapse label { grid-column: 2; overflow-wrap: anywhere; }
.lapse figure { display: none; grid-column: 3; grid-row: 1 / -1; position: sticky; top: 0; align-self: start; margin: 0; } .lapse :checked + label + figure { display: block; }
@media (max-width: 700px) { .lapse { grid-template-columns: auto 1fr; } .lapse figure { grid-column: 1 / -1; grid-row: auto; position: static; } }
ul, ol { margin: .3rem 0; padding-left: 1.4rem; overflow-wrap: anywhere; }
@media print { :root { --ink: #000000; --paper: #ffffff; --faint: #444444; --line: #bbbbbb; --bad: #a50f15; --warn: #8a5a00; } body { max-width: none; } h2, .verdict, figure, tr { break-inside: avoid; } }
";
pub(super) const END: &str = concat!(
    "<footer class=\"faint\">cosmoscope ",
    env!("CARGO_PKG_VERSION"),
    "</footer>\n</body>\n</html>\n"
);

/// The beginning of a page, with its first sentence.
pub(super) fn head(title: &str, summary: &str) -> String {
    let (title, summary) = (escape(title), escape(summary));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLES}</style>\n</head>\n<body>\n\
         <h1><bdi>{title}</bdi></h1>\n<p><strong><bdi>{summary}</bdi></strong></p>\n"
    )
}

/// A drawn picture alone on its page; `svg` is markup already.
pub fn of_picture(title: &str, summary: &str, svg: &str) -> String {
    format!("{}<figure>\n{svg}</figure>\n{END}", head(title, summary))
}

/// Visible cells under their heads; text of either direction stays in its cell.
pub(super) fn push_columns(
    kind: &str,
    heads: &[String],
    rows: impl Iterator<Item = impl Iterator<Item = String>>,
    out: &mut String,
) {
    // Longer cells are broken into lines; a wide table has less room.
    let (unbroken, wide) = if heads.len() > 10 { (12, " wide") } else { (20, "") };
    let _ = write!(out, "<div class=\"scroll\"><table class=\"{kind}{wide}\">\n<thead><tr>");
    for head in heads {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escape(head));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        let mut row = row.peekable();
        let is_verdicts = row.peek().is_some_and(|label| is_verdict(label));
        for (cell, head) in row.zip(heads) {
            let class = match verdict_class(&cell) {
                Some(class) if is_verdicts || is_verdict(head) => class,
                _ if display_width(&cell) > unbroken => " class=\"long\"",
                _ => "",
            };
            let _ = write!(out, "<td{class}><bdi>{}</bdi></td>", escape(&cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
}

/// Whether a column or a row with that name holds verdicts.
fn is_verdict(name: &str) -> bool {
    matches!(name, "verdict" | "possible")
}

/// The colour of a verdict.
fn verdict_class(word: &str) -> Option<&'static str> {
    Some(match word {
        "reject" | "makes it worse" | "not possible" => " class=\"alarm\"",
        "caution" | "helps, not enough" | "helps in part" | "cannot tell" => " class=\"warn\"",
        "good" | "good for spread" | "fixes" | "possible" => " class=\"good\"",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::demand::remedies::RemedyEffect;
    use crate::analysis::plan::routes::Feasibility;
    use crate::analysis::trial::verdict::Acceptance;

    fn table(heads: [&str; 2], row: [&str; 2]) -> String {
        let mut out = String::new();
        let rows = std::iter::once(row.map(str::to_owned).into_iter());
        push_columns("words", &heads.map(str::to_owned), rows, &mut out);
        out
    }

    #[test]
    fn a_verdict_has_its_colour_and_keeps_its_word() {
        let words = [
            (Acceptance::Reject.word(), "alarm"),
            (Acceptance::Caution.word(), "warn"),
            (Acceptance::Good.word(), "good"),
            (RemedyEffect::Worse.word(), "alarm"),
            (RemedyEffect::Helps.word(), "warn"),
            (RemedyEffect::InPart.word(), "warn"),
            (RemedyEffect::Fixes.word(), "good"),
            (Feasibility::NotPossible.word(), "alarm"),
            (Feasibility::Unknown.word(), "warn"),
            (Feasibility::Possible.word(), "good"),
        ];
        for (word, class) in words {
            let cell = format!("<td class=\"{class}\"><bdi>{word}</bdi></td>");
            for (heads, row) in [
                (["key", "verdict"], ["/id", word]),
                (["route", "possible"], ["copy", word]),
                (["", "/id"], ["verdict", word]),
            ] {
                assert!(table(heads, row).contains(&cell), "{word}: {}", table(heads, row));
            }
            let other = table(["key", "partition"], ["/id", word]);
            assert!(!other.contains(&format!("class=\"{class}\"")), "{word}: {other}");
        }
    }

    #[test]
    fn long_cells_wrap_and_figures_stay_whole() {
        let page = table(["key", "size"], ["220000000 to 2FFFFFFFF", "+80.4 MiB"]);
        assert!(page.contains("<td class=\"long\"><bdi>220000000"), "{page}");
        assert!(page.contains("<td><bdi>+80.4 MiB"), "{page}");
    }
}
