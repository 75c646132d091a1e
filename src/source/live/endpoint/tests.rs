//! Endpoints as people and mischief write them: what is taken, as what, and what never is.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use proptest::prelude::*;

use super::*;

const KEY: &str =
    "C0FFEEsentinelC0FFEEsentinelC0FFEEsentinelC0FFEEsentinelC0FFEEsentinelC0FFEEsentinelAA==";

fn azure(text: &str) -> Result<Endpoint, Error> {
    read(text, Side::Azure, CloudName::Public, &[])
}

#[test]
fn what_is_taken_and_how_it_is_read() {
    let plain = "https://contoso.documents.azure.com:443/";
    for text in [
        "contoso",
        " contoso\n",
        "contoso.documents.azure.com",
        "contoso.documents.azure.com:443",
        "CONTOSO.Documents.Azure.COM",
        "https://contoso.documents.azure.com",
        "https://contoso.documents.azure.com/",
        "https://contoso.documents.azure.com:443",
        "https://contoso.documents.azure.com:443/",
        "HTTPS://contoso.documents.azure.com",
    ] {
        let found = azure(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(
            (found.url.as_str(), found.host.as_str()),
            (plain, "contoso.documents.azure.com")
        );
        let is_said = text.trim().to_ascii_lowercase().starts_with("https")
            || found.notes[0].ends_with(plain);
        assert!(is_said, "{text}: {:?}", found.notes);
    }
    for (text, url) in [
        (
            "https://contoso-westeurope.documents.azure.com",
            "https://contoso-westeurope.documents.azure.com:443/",
        ),
        ("https://contoso.documents.azure.cn", "https://contoso.documents.azure.cn:443/"),
        ("https://contoso.documents.azure.us", "https://contoso.documents.azure.us:443/"),
    ] {
        let found = azure(text).unwrap();
        assert_eq!((found.url.as_str(), found.notes.len()), (url, 0));
    }
}

/// Endpoints and a word of why they are none.
const REFUSED: &[(&str, &str)] = &[
    ("", "no endpoint"),
    ("http://contoso.documents.azure.com", "for anybody to read"),
    ("http://contoso.documents.azure.com:443/", "for anybody to read"),
    ("ftp://contoso.documents.azure.com", "https://"),
    ("https//contoso.documents.azure.com", "something behind"),
    ("https://user:sentinel@contoso.documents.azure.com", "an @"),
    ("https://contoso.documents.azure.com@evil.test", "an @"),
    ("https://contoso.documents.azure.com/dbs/shop", "behind the host"),
    ("https://contoso.documents.azure.com?a=b", "behind the host"),
    ("https://contoso.documents.azure.com/?a=b", "behind the host"),
    ("https://contoso.documents.azure.com/#a", "behind the host"),
    ("https://contoso.documents.azure.com//", "behind the host"),
    ("https://contoso.documents.azure.com\\evil.test", "characters"),
    ("https://contoso%2edocuments.azure.com", "characters"),
    ("https://contoso .documents.azure.com", "characters"),
    ("https://contoso.documents.azure.com\u{0}", "characters"),
    ("https://contoso.documents.azure.com.", "dot"),
    ("https://contoso..documents.azure.com", "not valid"),
    ("https://-contoso.documents.azure.com", "not valid"),
    ("https://con_toso.documents.azure.com", "characters"),
    ("https://documents.azure.com", "does not end"),
    ("https://.documents.azure.com", "not valid"),
    ("https://contoso.documents.azure.com.evil.test", "does not end"),
    ("https://evildocuments.azure.com", "does not end"),
    ("https://contoso-documents.azure.com", "does not end"),
    ("https://contoso.documents.azure.com.evil.test:443/", "does not end"),
    ("https://contoso.mongo.cosmos.azure.com", "does not end"),
    ("https://portal.azure.com", "does not end"),
    ("https://contoso.privatelink.documents.azure.com", "private endpoint"),
    ("https://contoso.documents.azure.com:10255", "port 10255"),
    ("https://contoso.documents.azure.com:0", "port"),
    ("https://contoso.documents.azure.com:65536", "port"),
    ("https://contoso.documents.azure.com:", "port"),
    ("https://contoso.documents.azure.com:443:443", "port"),
    ("https://contoso.documents.azure.com:+443", "characters"),
    ("https://c\u{43e}ntoso.documents.azure.com", "letters beyond"),
    ("https://contoso\u{3002}documents.azure.com", "letters beyond"),
    ("https://xn--cntoso-8lf.documents.azure.com", "letters beyond"),
    ("https://169.254.169.254", "number"),
    ("https://169.254.169.254/metadata", "behind the host"),
    ("https://2852039166", "number"),
    ("https://0xa9.0xfe.0xa9.0xfe", "number"),
    ("https://10.1", "number"),
    ("https://[fe80::1]", "number"),
    ("https://[::ffff:127.0.0.1]:8081", "number"),
    ("https://[::1", "characters"),
    ("https://localhost:8081", "on this machine"),
    ("http://127.0.0.1:8081", "on this machine"),
    ("https://127.0.0.2:8081", "number"),
    ("localhost", "on this machine"),
    ("Contoso", "neither"),
    ("co", "neither"),
    ("-contoso", "neither"),
    ("12345", "neither"),
    ("xn--abc", "neither"),
    ("javascript:alert", "port"),
];

#[test]
fn what_is_refused_says_why() {
    for (text, why) in REFUSED {
        let reported = azure(text).map(|found| found.url).unwrap_err();
        assert!(reported.to_string().contains(why), "{text}: {reported}");
        assert!(reported.hint().is_some());
    }
}

#[test]
fn a_secret_in_the_place_of_an_endpoint_is_to_be_rotated_and_not_repeated() {
    let connection =
        format!("AccountEndpoint=https://contoso.documents.azure.com:443/;AccountKey={KEY};");
    let swapped = format!("accountkey={KEY};accountendpoint=https://contoso.documents.azure.com");
    let signed = format!("https://contoso.documents.azure.com/?sig={KEY}");
    for text in [connection.as_str(), &swapped, &signed, KEY] {
        for side in [Side::Azure, Side::Emulator] {
            let reported = read(text, side, CloudName::Public, &[]).unwrap_err();
            assert_eq!(reported.exit_code(), 2);
            let reported = format!("{reported} {}", reported.hint().unwrap());
            assert!(reported.contains("rotate it") && !reported.contains("sentinel"), "{reported}");
        }
    }
}

#[test]
fn an_emulator_is_on_this_machine() {
    let read = |text: &str| read(text, Side::Emulator, CloudName::Public, &[]);
    for (text, url) in [
        ("http://127.0.0.1:8081", "http://127.0.0.1:8081/"),
        ("https://localhost:8081/", "https://localhost:8081/"),
        ("http://[::1]:8081/", "http://[::1]:8081/"),
        ("localhost:8081", "https://localhost:8081/"),
    ] {
        assert_eq!(read(text).unwrap().url, url);
    }
    for text in [
        "contoso",
        "https://contoso.documents.azure.com",
        "http://192.168.0.1:8081",
        "http://localhost.evil.test:8081",
        "http://127.0.0.1.evil.test:8081",
        "http://127.0.0.2:8081",
        "http://0.0.0.0:8081",
        "http://2130706433:8081",
        "http://user@127.0.0.1:8081",
        "http://127.0.0.1:8081/path",
        "http://127.0.0.1",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn other_hosts_are_allowed_by_name_and_told() {
    let suffix = allowed(".Gateway.Example.com").unwrap();
    assert_eq!(suffix, "gateway.example.com");
    let allow = [suffix];
    for text in ["https://cosmos.gateway.example.com:8443", "https://gateway.example.com"] {
        let found = read(text, Side::Azure, CloudName::Public, &allow).unwrap();
        assert!(found.notes[0].contains("--allow-host gateway.example.com"), "{:?}", found.notes);
    }
    for text in [
        "https://evilgateway.example.com",
        "https://gateway.example.com.evil.test",
        "http://cosmos.gateway.example.com",
        "https://169.254.169.254",
    ] {
        assert!(read(text, Side::Azure, CloudName::Public, &allow).is_err(), "{text}");
    }
    for suffix in ["com", "", ".", ".com", "169.254.169.254", "a@b.c", "x\u{e9}.test", "*.test"] {
        assert!(allowed(suffix).is_err(), "{suffix}");
    }
}

#[test]
fn an_account_names_hosts_of_its_own_kind() {
    let contoso = "https://contoso.documents.azure.com:443/";
    for named in [
        "contoso-westeurope.documents.azure.com",
        "https://contoso-westeurope.documents.azure.com:443/",
        "https://CONTOSO-WestEurope.documents.azure.com",
    ] {
        assert!(regional(contoso, named), "{named}");
    }
    for named in [
        "https://contoso-westeurope.documents.azure.cn:443/",
        "https://contoso-westeurope.documents.azure.com.evil.test/",
        "https://evil.test/",
        "http://contoso-westeurope.documents.azure.com/",
        "https://user@contoso-westeurope.documents.azure.com/",
        "https://169.254.169.254/",
        "http://127.0.0.1:8081/",
        "documents.azure.com",
        "",
    ] {
        assert!(!regional(contoso, named), "{named}");
    }
    assert!(regional("http://127.0.0.1:8081/", "http://localhost:8081/"));
    assert!(!regional("http://127.0.0.1:8081/", "https://evil.test/"));
    let allowed = "https://cosmos.gateway.example.com:8443/";
    assert!(regional(allowed, "https://west.gateway.example.com/"));
    assert!(!regional(allowed, "https://example.com/"));
    assert!(regional("https://example.com:443/", "https://example.com/"));
    assert!(!regional("https://example.com:443/", "https://evil.com/"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics_and_what_is_taken_is_scheme_host_and_port(text in "\\PC{0,80}", emulator in any::<bool>()) {
        let side = if emulator { Side::Emulator } else { Side::Azure };
        if let Ok(found) = read(&text, side, CloudName::Public, &[]) {
            prop_assert!(split(&found.url).is_ok());
        }
        let _ = regional("https://contoso.documents.azure.com:443/", &text);
        let _ = regional(&text, &text);
        let _ = allowed(&text);
    }

    #[test]
    fn no_mixture_lets_a_user_a_path_or_another_host_through(
        parts in proptest::collection::vec(
            proptest::sample::select(vec![
                "https://", "http://", "contoso", "user:pw@", "@", ".documents.azure.com", ".evil.test", "/", "?a=b",
                "#f", ":443", ":80", "127.0.0.1", "localhost", ".", "\\", "%40", "[::1]", "\u{3002}", " ",
            ]),
            0..8,
        ),
    ) {
        let text = parts.concat();
        if let Ok(found) = azure(&text) {
            prop_assert!(!text.contains('@'));
            prop_assert!(found.host.ends_with(".documents.azure.com"));
            let rest = found.url.strip_prefix("https://").unwrap();
            prop_assert_eq!(rest, format!("{}:443/", found.host));
        }
        if let Ok(found) = read(&text, Side::Emulator, CloudName::Public, &[]) {
            prop_assert!(THIS_MACHINE.contains(&found.host.as_str()));
        }
    }
}
