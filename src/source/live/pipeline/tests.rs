//! What can be asked at all.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;

fn hosts() -> Hosts {
    Hosts::of_endpoint("https://a.documents.azure.com/").unwrap()
}

#[test]
fn names_are_segments_of_an_address_whatever_is_in_them() {
    let read = Read::get(
        &hosts(),
        About::THROUGHPUT,
        &["sqlDatabases", "a/../b?x#y", "containers", "%2F ü"],
        &[("api-version", "1"), ("$filter", "a eq 'b&c'")],
    );
    assert_eq!(
        read.unwrap().url.as_str(),
        "https://management.azure.com/sqlDatabases/a%2F..%2Fb%3Fx%23y/containers/%252F%20%C3%BC?api-version=1&%24filter=a+eq+%27b%26c%27"
    );
    for odd in ["", ".", ".."] {
        assert_eq!(Read::get(&hosts(), About::ACCOUNT, &["sqlDatabases", odd], &[]), None);
    }
}

#[test]
fn the_two_posts_end_as_they_must() {
    let read = Read::distribution(&hosts(), &["sqlDatabases", "d"], "1", "{}".to_owned()).unwrap();
    assert!(read.url.path().ends_with("/retrieveThroughputDistribution"));
    let read = Read::logs(&hosts(), "11111111-2222-3333-4444-555555555555", "{}".to_owned());
    assert_eq!(
        read.unwrap().url.as_str(),
        "https://api.loganalytics.io/v1/workspaces/11111111-2222-3333-4444-555555555555/query"
    );
}

#[test]
fn a_link_elsewhere_is_not_followed() {
    let link = |link| Read::link(&hosts(), About::SUBSCRIPTIONS, link);
    assert!(link("https://management.azure.com/subscriptions?$skiptoken=1").is_ok());
    for odd in [
        "https://management.azure.com.evil.test/",
        "http://management.azure.com/",
        "https://api.loganalytics.io/",
        "//evil.test/",
        "/subscriptions",
        "",
    ] {
        assert_eq!(link(odd).unwrap_err().obstacle, Obstacle::Unbelievable, "{odd}");
    }
}

#[test]
fn a_key_opens_no_door_here() {
    let key = SignIn::Key(azure_core::credentials::Secret::new("c2VjcmV0"));
    let refused = Client::new(&key, &Target::default(), hosts(), Pace::default()).unwrap_err();
    assert_eq!(refused.obstacle, Obstacle::Unsupported);
    assert!(refused.what.contains("signed in by key"));
}
