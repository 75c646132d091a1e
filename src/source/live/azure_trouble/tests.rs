//! Every way in which the services can refuse, with the sentence for it.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::source::live::trouble::{QuestionContext, missing_answer};
use crate::source::live::wire;

const NOW: i64 = 1_782_093_600;

fn reply(status: u16, body: &str) -> Reply {
    Reply {
        status,
        body: body.as_bytes().to_vec(),
        retry_after: None,
        location: None,
        operation: None,
        date: None,
        request_id: None,
    }
}

fn trouble(about: About, reply: &Reply) -> Trouble {
    of_reply(about, reply, Stamp::from_seconds(NOW).unwrap())
}

#[track_caller]
fn assert_told(about: About, reply: &Reply, obstacle: Obstacle, words: &[&str]) {
    let trouble = trouble(about, reply);
    assert_eq!(trouble.obstacle, obstacle, "{trouble:?}");
    let text = format!("{} – {}", trouble.what, trouble.next.unwrap_or_default());
    for word in words {
        assert!(text.contains(word), "{word} in {text}");
    }
}

#[test]
fn a_missing_role_is_named() {
    let body = r#"{"error":{"code":"AuthorizationFailed","message":"The client 'ann@northpier.test' with object id '1' does not have authorization to perform action 'Microsoft.Insights/metrics/read' over scope '/subscriptions/1' or the scope is invalid."}}"#;
    let refused = reply(403, body);
    assert_told(
        About::METRICS,
        &refused,
        Obstacle::Forbidden,
        &["metrics of the account (Microsoft.Insights/metrics/read)", "Monitoring Reader"],
    );
    assert!(!format!("{:?}", trouble(About::METRICS, &refused)).contains("ann@"));
    let plain = reply(403, r#"{"error":{"code":"InsufficientAccessError","message":"m"}}"#);
    let rows = [
        (About::ACCOUNT, "Cosmos DB Account Reader"),
        (About::THROUGHPUT, "Cosmos DB Account Reader"),
        (About::USAGES, "Cosmos DB Account Reader"),
        (About::DISTRIBUTION, "retrieveThroughputDistribution"),
        (About::LOGS, "Log Analytics Reader"),
        (About::LOGS, "60 minutes"),
        (About::ACCOUNTS, "--resource-id"),
    ];
    for (about, role) in rows {
        assert_told(about, &plain, Obstacle::Forbidden, &[role]);
    }
}

#[test]
fn a_refused_token_says_why_where_that_is_known() {
    let refused = reply(401, "");
    assert_told(About::METRICS, &refused, Obstacle::SignIn, &["does not accept", "az login"]);
    let other =
        reply(401, r#"{"error":{"code":"InvalidAuthenticationTokenTenant","message":"m"}}"#);
    assert_told(About::ACCOUNT, &other, Obstacle::SignIn, &["another tenant", "--tenant"]);
    let late = Reply { date: Some("Mon, 22 Jun 2026 01:48:00 GMT".to_owned()), ..refused };
    assert_told(About::LOGS, &late, Obstacle::SignIn, &["12 minutes ahead"]);
}

#[test]
fn each_status_has_its_obstacle() {
    let rows = [
        (404, Obstacle::NotFound),
        (429, Obstacle::Throttled),
        (529, Obstacle::Throttled),
        (500, Obstacle::Service),
        (503, Obstacle::Service),
        (302, Obstacle::Unbelievable),
        (400, Obstacle::Unsupported),
        (418, Obstacle::Unsupported),
    ];
    for (status, obstacle) in rows {
        for about in [About::ACCOUNT, About::METRICS, About::LOGS, About::DISTRIBUTION] {
            assert_told(about, &reply(status, "{}"), obstacle, &[]);
        }
    }
    let waits = Reply { retry_after: Some(Duration::from_secs(17)), ..reply(529, "") };
    assert_eq!(trouble(About::METRICS, &waits).retry_after_ms, Some(17_000));
    let broken = Reply { request_id: Some("r-1\u{1b}[2J".to_owned()), ..reply(503, "<html>") };
    assert_told(About::METRICS, &broken, Obstacle::Service, &["request id r-1␛[2J"]);
    let serverless = r#"{"code":"BadRequest","message":"Reading or replacing offers is not supported for serverless accounts."}"#;
    assert_told(About::THROUGHPUT, &reply(400, serverless), Obstacle::Unsupported, &["serverless"]);
}

#[test]
fn the_cause_of_a_refused_query_is_the_innermost() {
    let body = r#"{"error":{"message":"The request had some invalid properties","code":"BadArgumentError","innererror":{"code":"SemanticError","message":"A semantic error occurred.","innererror":{"code":"SEM0100","message":"'where' operator: Failed to resolve table"}}}}"#;
    let reported = ErrorText::of(body.as_bytes());
    assert_eq!(reported.shown(), ": 'where' operator: Failed to resolve table");
    assert_eq!(ErrorText::of(b"<html>").shown(), "");
}

#[test]
fn nothing_secret_or_acting_is_shown() {
    let token = format!("Bearer eyJ{}", "hbGciOiJSUzI1".repeat(9));
    let text = format!("no {token} sig=abc123 \u{202e}x {}", "long ".repeat(200));
    let shown = shown(&text);
    assert!(!shown.contains("hbG") && !shown.contains("abc123"), "{shown}");
    assert!(shown.chars().count() < 320, "{shown}");
    assert!(shown.contains("\\u{202e}"), "{shown}");
    let no_token = no_token(Service::Management, "\n  az: not found\nhttps://aka.ms/x");
    assert_eq!(no_token.what, "no token for Azure Resource Manager: az: not found");
}

#[test]
fn what_is_no_answer_is_not_believed() {
    let judged = |body: &str| {
        let (service, subject) = (Service::Management.name(), About::METRICS.what);
        let waited = Duration::from_secs(1);
        let context = QuestionContext { host: "management.test", subject, service, waited };
        let believed = wire::believed(body.as_bytes().to_vec());
        believed.err().map(|fault| missing_answer(&fault, context).what)
    };
    assert_eq!(judged(r#" {"value":[]} "#), None);
    for (body, word) in [
        ("", "empty answer"),
        (" \n", "empty answer"),
        ("<!DOCTYPE html><html>", "not from Azure Resource Manager"),
        ("[]", "not from"),
        (r#"{"value":["#, "JSON is broken"),
        (&"{\"a\":".repeat(500), "JSON is broken"),
    ] {
        let what = judged(body).unwrap();
        assert!(what.contains(word), "{body}: {what}");
    }
}
