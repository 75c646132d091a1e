//! What pages of reports share: one file that stands alone, no script, nothing from elsewhere, fit to be printed.

use std::fmt::Write as _;

use super::escape::escape;

/// Nothing is loaded and nothing runs, whatever stands in the page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";
const STYLES: &str = "\
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --faint: #57606a; --line: #d0d7de; --bad: #a50f15; --warn: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #16191d; --faint: #9da7b1; --line: #3d444d; --bad: #ff8a80; --warn: #f3c15f; } }
body { margin: 0 auto; max-width: 1240px; padding: 1rem; font: 14px/1.5 system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; color: var(--ink); background: var(--paper); }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; border-top: 1px solid var(--line); padding-top: 1rem; } h3 { font-size: 1rem; }
.faint { color: var(--faint); }
.verdict { border-left: 6px solid var(--line); padding: 0 0 0 .8rem; margin: .8rem 0; }
.alarm { border-color: var(--bad); } .warn { border-color: var(--warn); }
.verdict h3 { margin: 0; } .alarm h3 { color: var(--bad); } .warn h3 { color: var(--warn); }
figure { margin: 1rem 0; overflow-x: auto; } svg { max-width: 100%; height: auto; background: #ffffff; border-radius: 6px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; }
th, td { border-bottom: 1px solid var(--line); padding: .15rem .6rem .15rem 0; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; white-space: normal; min-width: 7rem; max-width: 34rem; overflow-wrap: break-word; }
.words th, .words td { text-align: left; white-space: normal; vertical-align: top; overflow-wrap: break-word; }
ul, ol { margin: .3rem 0; padding-left: 1.4rem; overflow-wrap: anywhere; }
@media print { :root { --ink: #000000; --paper: #ffffff; --faint: #444444; --line: #bbbbbb; --bad: #a50f15; --warn: #8a5a00; } body { max-width: none; } h2, .verdict, figure, tr { break-inside: avoid; } }
";
pub(super) const END: &str = "</body>\n</html>\n";

/// The beginning of a page, with its first sentence.
pub(super) fn head(title: &str, summary: &str) -> String {
    let (title, summary) = (escape(title), escape(summary));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLES}</style>\n</head>\n<body>\n\
         <h1>{title}</h1>\n<p><strong><bdi>{summary}</bdi></strong></p>\n"
    )
}

/// A drawn picture alone on its page; `svg` is markup already.
pub fn of_picture(title: &str, summary: &str, svg: &str) -> String {
    format!("{}<figure>\n{svg}</figure>\n{END}", head(title, summary))
}

/// Visible cells under their heads; text of either direction stays in its cell.
pub(super) fn push_columns(
    kind: &str,
    heads: impl Iterator<Item = impl AsRef<str>>,
    rows: impl Iterator<Item = impl IntoIterator<Item = String>>,
    out: &mut String,
) {
    let _ = write!(out, "<div class=\"scroll\"><table class=\"{kind}\">\n<thead><tr>");
    for head in heads {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escape(head.as_ref()));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for cell in row {
            let _ = write!(out, "<td><bdi>{}</bdi></td>", escape(&cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
}
