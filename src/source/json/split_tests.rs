//! Documents of every shape, cut into pieces of every length.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::cell::Cell;
use std::io::Read;

use proptest::prelude::*;

use super::fault::{DocumentFault, Ending, JsonError};
use super::split::{JsonEvent, MAX_QUIET_BYTES, MAX_RECORD_BYTES, split};

/// Gives its bytes in pieces of one length.
struct Pieces<'a> {
    bytes: &'a [u8],
    length: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let n = self.length.min(buffer.len()).min(self.bytes.len());
        let (now, later) = self.bytes.split_at(n);
        buffer[..n].copy_from_slice(now);
        self.bytes = later;
        Ok(n)
    }
}

fn events(bytes: &[u8], length: usize) -> (Vec<String>, Result<(), DocumentFault>) {
    let mut seen = Vec::new();
    let done = split(&mut Pieces { bytes, length }, &|| true, &mut |place, event| {
        let path = place.path;
        let line = place.line;
        seen.push(match event {
            JsonEvent::Open => format!("{path} {{"),
            JsonEvent::Close => format!("{path} }}"),
            JsonEvent::ListOpen => format!("{path} ["),
            JsonEvent::ListClose => format!("{path} ]"),
            JsonEvent::Item(raw) => format!("{path} item {raw} @{line}"),
            JsonEvent::Value(raw) => format!("{path} = {raw}"),
            JsonEvent::TooLong => format!("{path} too long @{line}"),
            JsonEvent::Bad(why) => format!("{path} bad {why:?} @{line}"),
        });
    });
    (seen, done)
}

fn good(text: &str) -> Vec<String> {
    let (seen, done) = events(text.as_bytes(), 7);
    done.unwrap();
    seen
}

fn fault(text: &str) -> (u64, u64, JsonError) {
    let (_, done) = events(text.as_bytes(), 1000);
    let fault = done.unwrap_err();
    let Ending::Json(why) = fault.why else { unreachable!("{fault}") };
    (fault.line, fault.column, why)
}

#[test]
fn a_list_at_the_top_gives_its_elements() {
    assert_eq!(
        good("[{\"a\":1},\n null,7]"),
        [" [", " item {\"a\":1} @1", " item null @2", " item 7 @2", " ]"]
    );
    assert_eq!(good("\u{feff}[ ]\n"), [" [", " ]"]);
    assert_eq!(good("12"), [" = 12"]);
    assert_eq!(good(""), [""; 0]);
}

#[test]
fn records_are_found_in_messages_alone_in_lists_and_one_after_the_other() {
    let message = "{\"Records\":[{\"x\":[1]},{}],\"PartitionId\":2}";
    let parts = [
        " {",
        "records [",
        "records[] item {\"x\":[1]} @1",
        "records[] item {} @1",
        "records ]",
        "partitionid = 2",
        " }",
    ];
    assert_eq!(good(message), parts);
    assert_eq!(good(&format!("{message} {message}")), [parts, parts].concat());
    let mut listed = good(&format!("[{message}]"));
    assert_eq!((listed.remove(0).as_str(), listed.pop().unwrap().as_str()), (" [", " ]"));
    assert_eq!(listed, parts);
    assert_eq!(
        good("{\"a\":1}{\"a\":\n2}{\"a\":3}"),
        [" item {\"a\":1} @1", " item {\"a\":\n2} @1", " item {\"a\":3} @2"]
    );
    assert_eq!(good("{\"records\":null}"), [" {", "records = null", " }"]);
}

#[test]
fn tables_and_series_are_walked_into() {
    let text = "{\"tables\":[{\"name\":\"P\",\"columns\":[{\"name\":\"a\"}],\"rows\":[[1],[2]]},7],\"error\":{\"code\":\"x\",\"details\":[1]}}";
    let wanted = "  {|tables [|tables[] {|tables[].name = \"P\"|tables[].columns [|tables[].columns[] item {\"name\":\"a\"} @1|tables[].columns ]\
        |tables[].rows [|tables[].rows[] item [1] @1|tables[].rows[] item [2] @1|tables[].rows ]|tables[] }|tables[] item 7 @1|tables ]\
        |error {|error.code = \"x\"|error.details = [1]|error }| }";
    assert_eq!(good(text).join("|"), wanted.trim_start_matches(' ').replacen('{', " {", 1));
    let text = "{\"value\":[{\"unit\":1,\"timeseries\":[{\"data\":[{\"t\":1}]}],\"name\":{\"value\":\"m\"}},{\"unit\":\"B\"}]}";
    let wanted = " {|value [|value[] {|value[].unit = 1|value[].timeseries [|value[].timeseries[] {|value[].timeseries[].data [\
        |value[].timeseries[].data[] item {\"t\":1} @1|value[].timeseries[].data ]|value[].timeseries[] }|value[].timeseries ]\
        |value[].name {|value[].name.value = \"m\"|value[].name }|value[] }|value[] item {\"unit\":\"B\"} @1|value ]| }";
    assert_eq!(good(text).join("|"), wanted);
}

#[test]
fn a_name_cannot_pose_as_a_path() {
    assert_eq!(good("{\"records\":[],\"tables[].rows\":1,\"\":2}")[3..], ["? = 1", "? = 2", " }"]);
}

#[test]
fn faults_of_the_document_have_line_and_column() {
    assert_eq!(fault("[{\"a\":1},\n]"), (2, 1, JsonError::Unexpected(b']')));
    assert_eq!(fault("[\n{\"a\":1,}]"), (2, 8, JsonError::Unexpected(b'}')));
    assert_eq!(fault("// note\n[]"), (1, 1, JsonError::Unexpected(b'/')));
    assert_eq!(fault("[{'a':1}]"), (1, 3, JsonError::Unexpected(b'\'')));
    assert_eq!(fault("[]\nDone.\n"), (2, 1, JsonError::Unexpected(b'D')));
    assert_eq!(fault("[{\"a\":1},\n{\"a\""), (2, 5, JsonError::CutShort));
    assert_eq!(fault("{\"records\":[{}"), (1, 15, JsonError::CutShort));
    assert_eq!(fault("{\"records\":[{} {}]}"), (1, 16, JsonError::Unexpected(b'{')));
    assert_eq!(fault("{\"records\":[],}"), (1, 15, JsonError::Unexpected(b'}')));
    assert_eq!(fault("[{\"a\":01}]"), (1, 8, JsonError::Unexpected(b'1')));
    assert_eq!(fault("[1}"), (1, 3, JsonError::Unexpected(b'}')));
}

#[test]
fn a_bad_element_leaves_the_others() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(
        good(&format!("[1,\n{deep},2]")),
        [" [", " item 1 @1", " bad TooDeep @2", " item 2 @2", " ]"]
    );
    assert_eq!(good("[{\"a\":\"\\ud800\"},2]")[1..3], [" bad LoneSurrogate @1", " item 2 @1"]);
    let (seen, done) = events(b"[{\"a\":\"\xff\"},{\"a\":\"\x1b\"},2]", 3);
    done.unwrap();
    assert_eq!(seen[1..4], [" bad InvalidUtf8 @1", " bad ControlByte @1", " item 2 @1"]);
    assert_eq!(fault(&"{\"error\":".repeat(70)).2, JsonError::TooDeep);
}

#[test]
fn a_long_element_is_passed_over_and_told() {
    let long = "g".repeat(MAX_RECORD_BYTES);
    let text = format!("{{\"records\":[1,\n\"{long}\",{{\"a\":\"{long}\n\"}},\n3]}}");
    let wanted = [
        " {",
        "records [",
        "records[] item 1 @1",
        "records[] too long @2",
        "records[] too long @2",
        "records[] item 3 @4",
        "records ]",
        " }",
    ];
    for length in [9_000, 100_000, usize::MAX] {
        let (seen, done) = events(text.as_bytes(), length);
        done.unwrap();
        assert_eq!(seen, wanted);
    }
    assert_eq!(good(&format!("[{{\"a\":\"{long}\"}},3]"))[1..3], [" too long @1", " item 3 @1"]);
    let exact = format!("\"{}\"", "g".repeat(MAX_RECORD_BYTES - 2));
    assert_eq!(good(&format!("[{exact},3]"))[1], format!(" item {exact} @1"));
}

#[test]
fn a_long_document_with_lists_is_taken_apart() {
    let record = format!("{{\"a\":\"{}\"}}", "é".repeat(1000));
    let n = 3 * MAX_RECORD_BYTES / record.len();
    let text = format!("{{\"records\":[{}]}}", vec![record.as_str(); n].join(","));
    assert_eq!(good(&text).iter().filter(|e| e.contains("item")).count(), n);
}

#[test]
fn an_endless_document_without_records_is_left() {
    let mut endless = b"[\"".as_slice().chain(std::io::repeat(b'0'));
    let asked = Cell::new(0_u64);
    let going = || {
        asked.set(asked.get() + 1);
        true
    };
    let fault = split(&mut endless, &going, &mut |_, _| ()).unwrap_err();
    assert!(matches!(fault.why, Ending::NoRecord), "{fault}");
    assert_eq!(asked.get(), MAX_QUIET_BYTES / (1 << 20));
    let fault =
        split(&mut std::io::repeat(b' '), &|| asked.get() == 0, &mut |_, _| ()).unwrap_err();
    assert!(matches!(fault.why, Ending::Stopped));
}

fn pieces() -> impl Strategy<Value = &'static str> {
    prop::sample::select(PIECES.split('|').collect::<Vec<_>>())
}

/// Parted by `|`.
const PIECES: &str = "{|}|[|]|,|:| |\n|{\"records\":[|{\"tables\":[{\"rows\":[|\"a\":|\"b\"|\"\\\"\"|\
    12|null|{}|{\"a\":1}|,{\"é\":[1,2]}|]}|\"|\\|{\"value\":[{\"timeseries\":[";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn the_length_of_the_pieces_does_not_matter(parts in prop::collection::vec(pieces(), 0..24), length in 1..20_usize) {
        let text = parts.concat();
        let (whole, end) = events(text.as_bytes(), usize::MAX);
        let (pieces, other_end) = events(text.as_bytes(), length);
        prop_assert_eq!(whole, pieces);
        prop_assert_eq!(format!("{end:?}"), format!("{other_end:?}"));
    }

    /// What is accepted is a sequence of JSON values, and nothing that is one is refused. An element that
    /// is not JSON but can be stepped over (a bare control byte in a text) is refused by an event of its own.
    #[test]
    fn judged_as_json_is_judged_elsewhere(parts in prop::collection::vec(pieces(), 0..24)) {
        let text = parts.concat();
        let theirs: Result<Vec<serde_json::Value>, _> = serde_json::Deserializer::from_str(&text).into_iter().collect();
        let (seen, ours) = events(text.as_bytes(), 5);
        let refused = ours.is_err() || seen.iter().any(|event| event.contains(" bad "));
        prop_assert_eq!(theirs.is_err(), refused, "{:?} {:?}", seen, ours);
    }

    #[test]
    fn elements_come_back_as_they_were(list in prop::collection::vec((any::<String>(), any::<i32>()), 0..20), length in 1..50_usize) {
        let elements: Vec<serde_json::Value> = list.iter().map(|(text, n)| serde_json::json!({"text": text, "list": [n, {}]})).collect();
        let text = serde_json::to_string_pretty(&serde_json::json!({"records": elements})).unwrap();
        let mut seen = Vec::new();
        split(&mut Pieces { bytes: text.as_bytes(), length }, &|| true, &mut |_, event| {
            if let JsonEvent::Item(raw) = event {
                seen.push(serde_json::from_str::<serde_json::Value>(raw).unwrap());
            }
        })
        .unwrap();
        prop_assert_eq!(seen, elements);
    }
}
