//! What was searched for, as part of a page.

use std::fmt::Write as _;

use super::{COLUMNS, LEGEND, LINES, Searched, alike, is_least, plan_head};
use crate::analysis::suffix::Plan;
use crate::analysis::suggest::Suggestions;
use crate::model::visible::visible;
use crate::report::escape::{escape, outside};
use crate::report::page::{push_columns, push_list};

pub(in super::super) fn push_html(searched: &Searched, out: &mut String) {
    if let Some(found) = &searched.suggestions {
        push_suggestions(found, out);
    }
    for plan in &searched.suffixes {
        push_plan(plan, out);
    }
    for route in searched.routes() {
        let key = route.candidate.to_string();
        let _ = writeln!(out, "<h2>The way to <bdi>{}</bdi></h2>", outside(&key));
        let said = route.sentences().into_iter();
        push_list("ol", said.map(|said| visible(&said).into_owned()), out);
    }
}

fn push_suggestions(found: &Suggestions, out: &mut String) {
    out.push_str("<h2>Proposed keys, the most fitting first</h2>\n");
    let key = |key: &crate::analysis::candidate::Candidate| visible(&key.to_string()).into_owned();
    let heads = std::iter::once("key").chain(LINES.iter().map(|(label, _)| *label));
    let rows = found.proposals.iter().map(|proposal| {
        let cells = LINES.iter().map(|(_, cell)| cell(proposal));
        std::iter::once(key(&proposal.candidate)).chain(cells)
    });
    push_columns("numbers", heads, rows, out);
    let why = found.proposals.iter().map(|proposal| {
        let alike = alike(proposal).map_or(String::new(), |alike| format!(" {alike}"));
        format!(
            "{}: {}{alike}",
            key(&proposal.candidate),
            visible(&proposal.why())
        )
    });
    push_list("ol", why, out);
    push_list("ul", found.sentences().into_iter(), out);
}

fn push_plan(plan: &Plan, out: &mut String) {
    let _ = writeln!(out, "<h2><bdi>{}</bdi></h2>", escape(&plan_head(plan)));
    let said = plan.sentences().into_iter();
    push_list("ul", said.map(|said| visible(&said).into_owned()), out);
    if plan.rows.is_empty() {
        return;
    }
    let heads = std::iter::once("").chain(COLUMNS.iter().map(|(head, _)| *head));
    let rows = plan.rows.iter().map(|row| {
        let mark = if is_least(plan, row) { "least" } else { "" };
        let cells = COLUMNS.iter().map(|(_, cell)| cell(row));
        std::iter::once(mark.to_owned()).chain(cells)
    });
    push_columns("numbers", heads, rows, out);
    let _ = writeln!(out, "<p class=\"faint\">{}</p>", escape(LEGEND));
}
