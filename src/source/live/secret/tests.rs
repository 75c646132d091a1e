//! Keys are read and never told; texts lose their secrets and nothing else.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use proptest::prelude::*;

use super::*;

/// 64 bytes in base64, with characters that addresses and JSON write differently.
fn key(seed: u8) -> String {
    let bytes: Vec<u8> = (0..64u8).map(|i| i.wrapping_mul(37).wrapping_add(seed) | 0x83).collect();
    base64::encode(bytes)
}

#[track_caller]
fn refused(text: &str) -> String {
    match KeyCredential::read(text, "the test") {
        Err(e) => format!("{e} {}", e.hint().unwrap_or_default()),
        Ok(_) => panic!("taken"),
    }
}

#[test]
fn keys_and_connection_strings_are_read() {
    let key = key(1);
    let bare = KeyCredential::read(&format!(" {key}\n"), "the test").unwrap();
    assert_eq!((bare.key().secret(), bare.endpoint()), (key.as_str(), None));
    for text in [
        format!("AccountEndpoint=https://a.documents.azure.com:443/;AccountKey={key};"),
        format!("accountkey={key}; accountendpoint=https://a.documents.azure.com:443/;Database=d"),
    ] {
        let given = KeyCredential::read(&text, "the test").unwrap();
        assert_eq!(given.key().secret(), key);
        assert_eq!(given.endpoint(), Some("https://a.documents.azure.com:443/"));
        assert_eq!(format!("{given:?}"), "Given");
        assert_eq!(given.from(), "the test");
    }
}

#[test]
fn what_is_refused_is_not_repeated() {
    let key = key(2);
    for text in [
        String::new(),
        "   ".to_owned(),
        "sentinel-not-base64-at-all!".to_owned(),
        "c2hvcnQ=".to_owned(),
        format!("AccountKey={key};"),
        "AccountEndpoint=https://sentinel.documents.azure.com/;".to_owned(),
        "AccountEndpoint=https://sentinel.documents.azure.com/;AccountKey=;".to_owned(),
        "AccountEndpoint=https://sentinel.documents.azure.com/;AccountKey=sentinel".to_owned(),
    ] {
        let reported = refused(&text);
        assert!(reported.starts_with("the test "), "{reported}");
        assert!(!reported.contains("sentinel") && !reported.contains(&key), "{reported}");
        assert_eq!(scrub(&reported), reported, "our own words are no secret");
    }
}

#[test]
fn a_held_secret_leaves_in_no_form() {
    let key = key(3);
    hold(&key);
    let coded = base64::encode(&key);
    let in_address = |text: &str| text.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D");
    for form in [
        key.clone(),
        in_address(&key),
        in_address(&key).replace("%2B", "%2b").replace("%2F", "%2f").replace("%3D", "%3d"),
        coded.clone(),
        in_address(&coded),
        key.replace('/', "\\/"),
        key[..40].to_owned(),
    ] {
        let reported = scrub(&format!("before {form} after")).into_owned();
        assert!(reported.starts_with("before [hidden]"), "{form}: {reported}");
        assert!(reported.ends_with(" after"), "{form}: {reported}");
        assert!(!reported.contains(&form[..20]), "{reported}");
        let bytes = scrub_bytes(format!("before {form} after").as_bytes()).into_owned();
        assert_eq!(String::from_utf8(bytes).unwrap(), reported);
    }
    // A server may repeat any part of it: the tail, the middle, eight characters.
    for part in [&key[44..], &key[20..60], &key[31..39], &coded[50..58]] {
        let reported = scrub(&format!("signed with …{part}.")).into_owned();
        assert_eq!(reported, "signed with …[hidden].", "{part}");
    }
    let seven = &key[31..38];
    assert!(scrub(seven).contains(seven));
    hold("short");
    assert_eq!(scrub("a short text"), "a short text");
}

#[test]
fn what_stands_where_secrets_stand_is_hidden() {
    for (text, expected) in [
        ("GET /x?sv=2&sig=abc%2Bdef%3D&se=3", "GET /x?sv=2&sig=[hidden]&se=3"),
        ("type=master&ver=1.0&sig=c2VjcmV0", "type=master&ver=1.0&sig=[hidden]"),
        (
            "type%3Daad%26ver%3D1.0%26sig%3DeyJ0.e%26x",
            "type%3Daad%26ver%3D1.0%26sig%3D[hidden]%26x",
        ),
        ("Authorization: Bearer abc123DEF456ghi", "Authorization: Bearer [hidden]"),
        ("bearer%20abc123DEF456ghi", "bearer%20[hidden]"),
        (
            "AccountEndpoint=https://a/;AccountKey=c2VjcmV0==;",
            "AccountEndpoint=https://a/;AccountKey=[hidden];",
        ),
        (r#"{"primaryMasterKey":"c2Vj","id":"a"}"#, r#"{"primaryMasterKey":"[hidden]","id":"a"}"#),
        (r#"{"accessToken": "abc", "n": 1}"#, r#"{"accessToken": "[hidden]", "n": 1}"#),
        (r#""{\"access_token\":\"abc\"}""#, r#""{\"access_token\":\"[hidden]\"}""#),
        ("client_secret=a~b.c&scope=x", "client_secret=[hidden]&scope=x"),
        ("told eyJhbGciOiJub25lIn0.eyJhdWQiOiJ4In0.c2ln here", "told [hidden] here"),
        ("told eyJhbGciOiJub25lIn0.eyJhdWQiOiJ4In0. here", "told [hidden] here"),
    ] {
        assert_eq!(scrub(text), expected);
        assert_eq!(scrub(expected), expected, "a second time changes nothing");
    }
}

#[test]
fn ordinary_fields_stay() {
    for text in [
        "https://contoso.documents.azure.com:443/dbs/shop/colls/orders",
        r#"{"id":"orders","partitionKey":{"paths":["/sig"],"kind":"Hash"},"sizeInKB":223616}"#,
        r#"{"sig":5,"password":null,"design":"round","keys":["a"]}"#,
        "Bearer authentication failed, and a bearer of news came",
        "x-ms-activity-id: 6f1c2d1e-0000-4000-8000-000000000001; design=round",
        "the primary key, the partition key and the account key of a container",
        "SELECT c.sig FROM c WHERE c.id = 'eyJ' AND c.design = 'x'",
        "ein Schlüssel: 日本語 🔑 = 1",
        "etag 0000d6b7-0000-0d00-0000-66a8f0f20000",
    ] {
        assert!(matches!(scrub(text), std::borrow::Cow::Borrowed(_)), "{text}: {}", scrub(text));
    }
}

#[test]
fn secrets_are_known_by_their_looks() {
    let key = key(4);
    let connection =
        format!("AccountEndpoint=https://a.documents.azure.com:443/;AccountKey={key};");
    for text in [
        connection.as_str(),
        &connection.to_lowercase(),
        key.as_str(),
        "https://a.documents.azure.com/?sig=abc",
        "type=resource&ver=1",
        "0123456789abcdef0123456789abcdef",
        "eyJ0eXAiOiJKV1QiLCJhbGciOiJub25lIn0.eyJ9.x",
    ] {
        assert!(looks_secret(text), "{text}");
    }
    for text in [
        "https://contoso-production-westeurope.documents.azure.com:443/",
        "contoso",
        "http://127.0.0.1:8081",
        "prod",
        "documents.azure.com.evil.test",
    ] {
        assert!(!looks_secret(text), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_scrubbed_the_same_twice(text in "(sig|key|Bearer |eyJ|[=:&\"%;\\\\]|[a-z0-9]{1,12}|é| ){0,24}") {
        let once = scrub(&text).into_owned();
        prop_assert_eq!(scrub(&once).into_owned(), once.clone());
        let bytes = scrub_bytes(text.as_bytes()).into_owned();
        prop_assert_eq!(bytes, once.into_bytes());
    }

    #[test]
    fn json_stays_json(name in "(sig|password|accessToken|id)", value in "\\PC{0,20}", number in 0..9_i64) {
        let text = serde_json::json!({ "a": { name.clone(): value }, "b": { name: number } }).to_string();
        let read: Result<serde_json::Value, _> = serde_json::from_str(&scrub(&text));
        prop_assert!(read.is_ok(), "{}", scrub(&text));
    }
}
