//! Files that are read, and those that are not.

use super::*;

const WHOLE: &str = "container = \"c\"\nkey = \"/a\"\n[[properties]]\nname = \"a\"\ndistinct = 10\n\
    [[entities]]\nname = \"e\"\nsize = \"1KB\"\nwrites = \"1/s\"\n";

#[test]
fn every_template_is_read() {
    for (name, text) in TEMPLATES {
        let design = parse(text);
        assert!(design.is_ok(), "{name}: {design:?}");
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let changed = |from: &str, to: &str| WHOLE.replace(from, to);
    for (text, expected) in [
        (changed("size =", "sise ="), "line 8: unknown field `sise`"),
        (changed("size = \"1KB\"\n", ""), "line 6: missing field `size`"),
        (changed("\"1KB\"", "\"1 XB\""), "line 8: `1 XB` is no size"),
        (changed("\"1KB\"", "\"3MB\""), "size of e"),
        (changed("1/s", "-1/s"), "line 9: `-1/s` is no rate"),
        (changed("1/s", "1/week"), "line 9: `1/week` is no rate"),
        (changed("1/s", "0/s"), "e has no documents"),
        (changed("\"/a\"", "\"/b\""), "e has no /b"),
        (changed("= 10", "= 0"), "a has 0 values"),
        (changed("= 10", "= 10\nzipf = -1.0"), "zipf of a"),
        (changed("= 10", "= 10\nwithin = \"z\""), "a is within z"),
        (changed("= 10", "= 10\ngiants = [{ name = \"x\", share = 1.0 }]"), "the giants of a"),
        (changed("\"a\"", "\"id\""), "a second property id"),
        (changed("\"e\"", "\"{e}\""), "`{e}` cannot be a name here"),
        (format!("ru = 10.0\n{WHOLE}"), "ru is no throughput"),
        (format!("starts = 12:00:00\n{WHOLE}"), "starts is no date"),
        ("no toml".to_owned(), "line 1: "),
        ("[[entities".repeat(50_000), "line 1: "),
    ] {
        let fault = parse(&text).err();
        let is_said = |f: &DesignFault| f.what.starts_with(expected) && !f.next.is_empty();
        assert!(fault.as_ref().is_some_and(is_said), "{expected}: {fault:?}");
    }
    assert!(parse(WHOLE).is_ok());
}

#[test]
fn units_are_binary_unless_the_file_says_otherwise() {
    for (units, size, bytes) in [
        ("binary", "\"1KB\"", 1024.0),
        ("binary", "\"1 KiB\"", 1024.0),
        ("binary", "1000", 1000.0),
        ("binary", "\"200B\"", 200.0),
        ("decimal", "\"1KB\"", 1000.0),
        ("decimal", "\"1KiB\"", 1024.0),
    ] {
        let text = WHOLE.replace("\"1KB\"", size);
        let design = parse(&format!("units = \"{units}\"\n{text}"));
        let entities = design.map(|design| design.entities).unwrap_or_default();
        let found: Vec<f64> = entities.iter().map(|e| e.bytes).collect();
        assert_eq!(found, [bytes], "{units} {size}");
    }
}
