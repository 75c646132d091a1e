//! Text inside HTML and SVG: nothing of it is markup.

/// Already visible text as character data or inside a quoted attribute.
pub fn escape(shown: &str) -> String {
    let mut out = String::with_capacity(shown.len());
    for c in shown.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // None is left in visible text; in one that is not, neither HTML nor XML could hold it.
            c if c.is_control() => out.push('\u{2426}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::visible::visible;

    #[test]
    fn no_text_is_markup() {
        let shown = escape(&visible("<script>alert('1')</script>&\"\u{202e}\u{1b}[2J"));
        assert!(!shown.contains(['<', '>', '"', '\'', '\u{202e}', '\u{1b}']));
        assert!(shown.starts_with("&lt;script&gt;alert(&#39;1&#39;)"), "{shown}");
    }
}
