//! Blocks that are left out, and columns that do not fit.

use super::*;

#[test]
fn a_document_without_notes_has_no_heading_for_them() {
    for (mut doc, heading) in
        [(Doc::md(Style::default()), "## Notes"), (Doc::html(Style::default()), "<h2>Notes</h2>")]
    {
        doc.notes(None, &[]);
        assert_eq!(doc.out, "");
        doc.notes(Some("a note".to_owned()), &[]);
        assert!(doc.out.contains(heading), "{}", doc.out);
    }
}

#[test]
fn columns_are_left_out_by_need_where_there_is_no_room() {
    let form = TableForm { spare: &["kind", "each"], ..NUMBERS };
    let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
    let heads = row(["name", "kind", "each", "all"]);
    let rows = [row(["Read", "point", "1.5", "12,000"])];
    for (width, kept) in [
        (24, &["name", "kind", "each", "all"][..]),
        (23, &["name", "each", "all"]),
        (17, &["name", "all"]),
        (3, &["name", "all"]),
    ] {
        let lines = columns(form, &heads, &rows, width);
        let shown = lines.first().map(|heads| heads.split_whitespace().collect::<Vec<_>>());
        assert_eq!(shown.as_deref(), Some(kept), "{width}");
        let fits = |line: &String| display_width(line) <= width;
        assert!(kept.len() == 2 || lines.iter().all(fits), "{lines:?}");
    }
}
