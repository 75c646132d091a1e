//! The self-check over an account that is made up.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use async_trait::async_trait;

use super::*;
use crate::source::answers::{Answer, Failure, Inquiry, Kind, Observation, Obstacle};
use crate::source::live::plan::Ways;
use crate::source::live::session::Reads;

/// Answers by kind; what it has no answer for is refused.
struct FakeAccount {
    answers: Vec<(Kind, &'static str)>,
    refused: Vec<(Kind, Obstacle)>,
    ways: Ways,
}

#[async_trait]
impl Reads for FakeAccount {
    async fn ask(&self, inquiry: &Inquiry) -> Observation {
        let at = Stamp::EPOCH;
        let answer = self.answers.iter().find(|(kind, _)| *kind == inquiry.kind);
        let refused = self.refused.iter().find(|(kind, _)| *kind == inquiry.kind);
        match (answer, refused) {
            (Some((_, body)), None) => Observation::Answer(Answer {
                at,
                inquiry: inquiry.clone(),
                body: body.as_bytes().into(),
                ru: None,
            }),
            (_, refused) => Observation::Failure(Failure {
                at,
                inquiry: inquiry.clone(),
                trouble: Trouble::new(
                    refused.map_or(Obstacle::Unsupported, |(_, obstacle)| *obstacle),
                    format!("no {:?}", inquiry.kind),
                    "do something",
                ),
                ru: None,
            }),
        }
    }

    fn ways(&self) -> Ways {
        self.ways
    }
}

fn everything() -> FakeAccount {
    FakeAccount {
        answers: vec![
            (
                Kind::Account,
                r#"{"readableLocations":[{"name":"West Europe"},{"name":"North Europe"}]}"#,
            ),
            (Kind::Databases, r#"{"Databases":[{"id":"shop"}]}"#),
            (Kind::Containers, r#"{"DocumentCollections":[{"id":"orders"},{"id":"carts"}]}"#),
            (
                Kind::Container,
                r#"{"id":"orders","partitionKey":{"paths":["/tenantId","/id"]},"statistics":[{"id":"0","sizeInKB":9,"documentCount":7,"partitionKeys":[{"partitionKey":["a"],"sizeInKB":4},{"partitionKey":["b"],"sizeInKB":3}]},{"id":"1","sizeInKB":0,"documentCount":0}]}"#,
            ),
            (Kind::Ranges, r#"{"PartitionKeyRanges":[{"id":"0"},{"id":"1"}]}"#),
            (
                Kind::Offer,
                r#"{"offerResourceId":"r","resource":"dbs/d/colls/r/","content":{"offerThroughput":400}}"#,
            ),
            (
                Kind::ManagedAccount,
                r#"{"id":"/subscriptions/s/resourceGroups/g/providers/Microsoft.DocumentDB/databaseAccounts/contoso",
                    "type":"Microsoft.DocumentDB/databaseAccounts","kind":"GlobalDocumentDB",
                    "properties":{"enablePartitionMerge":true,"disableLocalAuth":true,"capabilities":[]}}"#,
            ),
            (
                Kind::Metrics,
                r#"{"value":[{"name":{"value":"NormalizedRUConsumption"},"unit":"Percent","timeseries":[
                    {"metadatavalues":[{"name":{"value":"partitionkeyrangeid"},"value":"0"}],"data":[{"timeStamp":"2026-06-22T01:06:00Z","maximum":9}]},
                    {"metadatavalues":[{"name":{"value":"partitionkeyrangeid"},"value":"1"}],"data":[{"timeStamp":"2026-06-22T01:06:00Z","maximum":8}]}]}]}"#,
            ),
            (
                Kind::LoggedSizes,
                r#"{"tables":[{"name":"PrimaryResult","columns":[{"name":"TimeGenerated","type":"datetime"},{"name":"DatabaseName","type":"string"},{"name":"CollectionName","type":"string"},{"name":"PartitionKey","type":"string"},{"name":"SizeKb","type":"long"}],
                    "rows":[["2026-06-22T01:06:00Z","shop","orders","[\"a\"]",9],["2026-06-22T01:06:00Z","shop","orders","[\"b\"]",8]]}]}"#,
            ),
        ],
        refused: Vec::new(),
        ways: Ways { management: true, logs: true },
    }
}

fn checks_of(made: &FakeAccount, target: &Target) -> Vec<Check> {
    let mut checks = Vec::new();
    runtime().unwrap().block_on(questions::ask(made, target, &mut checks));
    checks
}

fn lines(checks: &[Check]) -> Vec<String> {
    let line = |check: &Check| format!("{}: {}: {}", check.state.word(), check.check, check.what);
    checks.iter().map(line).collect()
}

#[test]
fn an_account_that_tells_everything() {
    let checks = checks_of(&everything(), &Target::default());
    let expected = [
        "ok: account: readable in 2 regions",
        "ok: databases: 1 database",
        "ok: containers: 2 containers in shop",
        "ok: container: orders has the key /tenantId, /id",
        "ok: statistics: sizes of 2 partitions and 2 large keys",
        "ok: physical partitions: 2 physical partitions",
        "ok: throughput: the account reports it: 400 RU/s, manual",
        "ok: management plane: /subscriptions/s/resourceGroups/g/providers/Microsoft.DocumentDB/databaseAccounts/contoso",
        "ok: account settings: merging of physical partitions is switched on (the service then answers only clients that say they read merged partitions, as this one does); keys are switched off (local authentication is disabled) (sign in with Microsoft Entra ID; older pages say that container copy jobs do not work with it, newer ones do not)",
        "ok: metrics: NormalizedRUConsumption of 2 partitions",
        "ok: logs: the workspace answers, with sizes of 2 keys",
    ];
    assert_eq!(lines(&checks), expected);
    assert_eq!(code(&checks), exit::DONE);
    let views = views::views(&checks);
    assert!(views.len() == 4 && views.iter().all(|view| view.state == CheckState::Ok), "{views:?}");
}

#[test]
fn a_key_alone_misses_nothing_that_it_cannot_have() {
    let mut made = everything();
    made.ways = Ways::default();
    made.refused =
        vec![(Kind::ManagedAccount, Obstacle::SignIn), (Kind::LoggedSizes, Obstacle::Unsupported)];
    let checks = checks_of(&made, &Target::default());
    let reported = lines(&checks);
    for expected in ["not asked: management plane", "not asked: metrics", "not asked: logs"] {
        assert!(reported.iter().any(|line| line.starts_with(expected)), "{reported:?}");
    }
    assert_eq!(code(&checks), exit::DONE);
    let heat = views::views(&checks).into_iter().find(|view| view.view == "heat").unwrap();
    assert_eq!(heat.state, CheckState::Missing);
}

#[test]
fn what_is_not_allowed_is_a_finding_and_what_fails_is_more() {
    let refusing = |refused: &[(Kind, Obstacle)]| {
        let mut made = everything();
        made.refused = refused.to_vec();
        let checks = checks_of(&made, &Target::default());
        (code(&checks), lines(&checks))
    };
    let (code, reported) = refusing(&[
        (Kind::Offer, Obstacle::Forbidden),
        (Kind::ManagedThroughput, Obstacle::Forbidden),
    ]);
    assert_eq!(code, exit::FINDING);
    assert!(reported.contains(&"missing: throughput: no Offer".to_owned()), "{reported:?}");
    let mut made = everything();
    made.answers.push((
        Kind::ManagedThroughput,
        r#"{"id":"/x/sqlDatabases/shop/throughputSettings/default","properties":{"resource":{"throughput":400}}}"#,
    ));
    made.refused = vec![(Kind::Offer, Obstacle::Forbidden)];
    let reported = lines(&checks_of(&made, &Target::default()));
    assert!(
        reported.iter().any(|line| line.starts_with(
            "ok: throughput: the management plane reports it: no RU/s of its own: its database has 400 RU/s, manual"
        )),
        "{reported:?}"
    );
    for (kind, obstacle, expected) in [
        (Kind::Offer, Obstacle::Unsupported, exit::FINDING),
        (Kind::Metrics, Obstacle::TimedOut, exit::FINDING),
        (Kind::LoggedSizes, Obstacle::Forbidden, exit::FINDING),
        (Kind::ManagedAccount, Obstacle::NotFound, exit::FINDING),
        (Kind::Databases, Obstacle::Forbidden, exit::FINDING),
        (Kind::Container, Obstacle::NotFound, exit::FINDING),
        (Kind::Account, Obstacle::Unreachable, exit::UNREACHABLE),
        (Kind::Ranges, Obstacle::Unbelievable, exit::UNREACHABLE),
    ] {
        let (code, reported) = refusing(&[(kind, obstacle)]);
        assert_eq!(code, expected, "{kind:?}: {reported:?}");
    }
}

#[test]
fn a_container_without_ru_of_its_own_is_no_finding() {
    let reported = |offer| {
        let mut made = everything();
        made.answers.retain(|(kind, _)| *kind != Kind::Offer);
        made.answers.push((Kind::Offer, offer));
        made.ways = Ways::default();
        let checks = checks_of(&made, &Target::default());
        let mut lines = lines(&checks).into_iter();
        let line = lines.find(|line| line.contains(": throughput: "));
        (code(&checks), line.unwrap())
    };
    let shared = r#"{"offerResourceId":"d","resource":"dbs/d/","content":{"offerThroughput":400}}"#;
    let (code, line) = reported(shared);
    assert_eq!(code, exit::DONE);
    assert!(line.contains("its database has 400 RU/s"), "{line}");
    let (code, line) = reported(r#"{"_rid":"","Offers":[],"_count":0}"#);
    assert_eq!(code, exit::DONE);
    assert!(line.contains("a serverless account, or a sign-in"), "{line}");
    let (code, line) = reported(r#"{"content":{}}"#);
    assert_eq!(code, exit::FINDING);
    assert!(line.starts_with("missing: throughput"), "{line}");
}

#[test]
fn odd_answers_make_odd_counts_and_no_panic() {
    for body in ["", "null", "[]", "{\"statistics\":5,\"PartitionKeyRanges\":{}}", "\u{1b}[2J"] {
        let mut made = everything();
        for (kind, answer) in &mut made.answers {
            if !matches!(kind, Kind::Databases | Kind::Containers) {
                *answer = body;
            }
        }
        let reported = lines(&checks_of(&made, &Target::default()));
        assert!(
            reported.iter().any(|line| line.starts_with("missing: statistics")),
            "{reported:?}"
        );
        assert!(!reported.concat().contains('\u{1b}'));
    }
}

#[test]
fn names_that_were_given_are_not_looked_for() {
    let mut made = everything();
    made.refused = vec![(Kind::Databases, Obstacle::Forbidden)];
    let target = Target {
        database: Some("other".to_owned()),
        container: Some("carts\u{1b}".to_owned()),
        ..Target::default()
    };
    let reported = lines(&checks_of(&made, &target));
    assert!(reported.contains(&"ok: containers: 2 containers in other".to_owned()), "{reported:?}");
    assert!(
        reported.contains(&"ok: container: carts␛ has the key /tenantId, /id".to_owned()),
        "{reported:?}"
    );
}

#[test]
fn clocks_and_tokens_are_judged() {
    for (ahead, state) in [
        (0, CheckState::Ok),
        (-60, CheckState::Ok),
        (200, CheckState::Missing),
        (-3600, CheckState::Failed),
    ] {
        assert_eq!(clocks(ahead).state, state, "{ahead}");
    }
    assert_eq!(clocks(-3600).what, "this machine's is 60 minutes behind the service's");
    let now = Stamp::from_seconds(1_780_000_000).unwrap();
    let claims = Claims {
        audience: Some("https://cosmos.azure.com".to_owned()),
        tenant: Some("t".to_owned()),
        object: Some("o".to_owned()),
        expires: now.plus_seconds(3000.0),
    };
    let reported = token(&claims, now);
    assert_eq!(
        reported.what,
        "for Cosmos DB; directory (tenant) t, object id o, ends in 50 minutes"
    );
    let other = Claims { audience: Some("https://graph.microsoft.com".to_owned()), ..claims };
    assert_eq!(token(&other, now).state, CheckState::Failed);
    assert_eq!(token(&Claims::default(), now).state, CheckState::Ok);
}
