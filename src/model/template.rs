//! Texts with sections that a case needs and holes that are filled.

/// Before the lines of a section, with its name: `@@date`.
const SECTION: &str = "@@";

/// The lines of the sections that are needed, with `{{name}}` filled in one pass: what is filled in is not looked at again.
pub fn filled(text: &str, is_needed: impl Fn(&str) -> bool, holes: &[(&str, String)]) -> String {
    let mut is_kept = true;
    let mut kept = String::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix(SECTION) {
            is_kept = is_needed(name);
        } else if is_kept {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    let mut pieces = kept.split("{{");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let hole = piece.split_once("}}").and_then(|(name, rest)| {
            let (_, text) = holes.iter().find(|(known, _)| *known == name)?;
            Some([text, rest])
        });
        let pieces = hole.unwrap_or(["{{", piece]);
        out.extend(pieces);
    }
    out
}
