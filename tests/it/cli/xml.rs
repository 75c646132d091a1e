//! A strict reader of the little XML that is written: it refuses what any parser would.

/// An element with its attributes, its elements and its text.
#[derive(Debug)]
pub struct Element {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Element>,
    pub text: String,
}

impl Element {
    pub fn attribute(&self, name: &str) -> &str {
        let found = self.attributes.iter().find(|(known, _)| known == name);
        found.map_or_else(|| panic!("no {name} in {self:?}"), |(_, value)| value)
    }

    pub fn all<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Element> {
        self.children.iter().filter(move |e| e.name == name)
    }

    pub fn number(&self, attribute: &str) -> usize {
        self.attribute(attribute).parse().unwrap()
    }
}

/// The root of a document.
pub fn parse(document: &str) -> Element {
    for character in document.chars() {
        let is_fine =
            matches!(character, '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
        assert!(is_fine, "{character:?} cannot stand in XML");
    }
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    let mut rest = document.strip_prefix(head).expect("the declaration");
    let root = element(&mut rest);
    assert_eq!(rest.trim(), "", "after the root");
    root
}

fn take<'a>(rest: &mut &'a str, until: impl Fn(char) -> bool) -> &'a str {
    let end = rest.find(until).expect("the document goes on");
    let (taken, after) = rest.split_at(end);
    *rest = after;
    taken
}

fn expect(rest: &mut &str, text: &str) {
    *rest = rest.strip_prefix(text).unwrap_or_else(|| panic!("expected {text} at {rest}"));
}

fn element(rest: &mut &str) -> Element {
    expect(rest, "<");
    let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '-';
    let name = take(rest, is_end).to_owned();
    assert!(!name.is_empty(), "a name at {rest}");
    let mut made =
        Element { name, attributes: Vec::new(), children: Vec::new(), text: String::new() };
    while let Some(after) = rest.strip_prefix(' ') {
        *rest = after;
        let attribute = take(rest, is_end).to_owned();
        expect(rest, "=\"");
        let value = unescaped(take(rest, |c| c == '"'));
        expect(rest, "\"");
        let is_new = made.attributes.iter().all(|(known, _)| *known != attribute);
        assert!(is_new && !attribute.is_empty(), "{attribute} at {rest}");
        made.attributes.push((attribute, value));
    }
    if rest.starts_with("/>") {
        expect(rest, "/>");
        return made;
    }
    expect(rest, ">");
    loop {
        made.text.push_str(&unescaped(take(rest, |c| c == '<')));
        if rest.starts_with("</") {
            expect(rest, &format!("</{}>", made.name));
            return made;
        }
        made.children.push(element(rest));
    }
}

fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let entities =
            [("&amp;", '&'), ("&lt;", '<'), ("&gt;", '>'), ("&quot;", '"'), ("&#39;", '\'')];
        let found = entities.iter().find(|(code, _)| rest.starts_with(code));
        let (code, character) = found.unwrap_or_else(|| panic!("a bare sign at {rest}"));
        out.push(*character);
        rest = &rest[code.len()..];
    }
    out + rest
}

#[test]
fn what_is_no_xml_is_refused() {
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    let is_read = |body: &str| {
        let document = format!("{head}{body}");
        std::panic::catch_unwind(|| parse(&document)).is_ok()
    };
    assert!(is_read("<a b=\"&lt;c&gt;\"><d></d> &amp; e</a>\n"));
    for broken in [
        "<a>",
        "<a></b>",
        "<a b=\"<\"></a>",
        "<a>&</a>",
        "<a>\u{1b}</a>",
        "<a b=\"1\" b=\"2\"></a>",
        "<a></a><b></b>",
        "<a>\u{fffe}</a>",
    ] {
        assert!(!is_read(broken), "{broken}");
    }
}
