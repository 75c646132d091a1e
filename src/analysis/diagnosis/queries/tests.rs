//! Queries of verdicts: right for plain names, harmless for hostile ones, silent under masking.

use crate::analysis::rules::Rule;
use proptest::prelude::*;

use super::*;
use crate::analysis::diagnosis::testing::verdict;
use crate::analysis::heat::Partition;
use crate::analysis::mask::Masker;
use crate::model::names::ContainerName;
use crate::model::physical::PhysicalPartition;

fn load() -> (ContainerHeat, Container) {
    let heat = ContainerHeat {
        partitions: vec![Partition {
            known: Some(0),
            named: RangeName::Range("3".to_owned()),
            capacity: None,
            kib: None,
        }],
        ..ContainerHeat::default()
    };
    let mut partition = PhysicalPartition::new("3");
    partition.guid = Some("0000a003-0000-4000-8000-00000000a003".to_owned());
    let container = Container { partitions: vec![partition], ..Container::default() };
    (heat, container)
}

fn query_text(rule: Rule, name: &ContainerName, masker: Option<&Masker>) -> String {
    let (heat, container) = load();
    let json = |json: &str| masker.map_or_else(|| json.to_owned(), |m| m.key(json).into());
    let naming = Naming {
        names: if masker.is_some() { NameForm::Invented } else { NameForm::Real },
        container: name,
        group: None,
        shown: &|_| String::new(),
        json: &json,
    };
    let mut verdict = verdict();
    verdict.rule = rule;
    text(&verdict, &heat, &container, &naming)
}

fn orders() -> ContainerName {
    ContainerName::new(Some("northpier-prod"), Some("shop"), Some("orders"))
}

#[test]
fn a_hot_key_is_asked_for_by_second_on_its_range() {
    let text = query_text(Rule::HotKey, &orders(), None);
    let expected = r#"// RU by key and second
CDBPartitionKeyRUConsumption
| where TimeGenerated >= datetime(2026-06-22T02:00:00Z) and TimeGenerated < datetime(2026-06-22T02:05:00Z)
| where AccountName =~ "northpier-prod"
| where DatabaseName == "shop"
| where CollectionName == "orders"
| where RegionName == "West Europe"
| where PartitionKeyRangeId == "3"
| summarize RU = sum(RequestCharge), Records = count() by PartitionKey, bin(TimeGenerated, 1s)
| order by RU desc
"#;
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("// az monitor metrics list --resource "), "{text}");
    assert!(text.contains(r#"extend IsThisPartition = PartitionId == "0000a003-"#), "{text}");
    assert!(text.contains("StatusCode == 429"), "{text}");
}

#[test]
fn the_client_is_found_and_for_queries_their_text() {
    let sums = "summarize RU = sum(RequestCharge), Requests = count(), Throttled = countif(StatusCode == 429), RUEach = avgif(RequestCharge, StatusCode < 400) by UserAgent, ClientIpAddress, OperationName, ";
    let texts = "| join kind=leftouter (union isfuzzy=true (datatable(TimeGenerated: datetime, ActivityId: string, QueryText: string)[]), CDBQueryRuntimeStatistics | where TimeGenerated >= datetime(2026-06-22T02:00:00Z) and TimeGenerated < datetime(2026-06-22T02:05:00Z) | distinct ActivityId, QueryText) on ActivityId\n";
    let cases = [
        (Rule::HotKey, "", "PartitionId"),
        (Rule::HotPartition, "", "PartitionId"),
        (Rule::UnderProvisioned, "", "PartitionId"),
        (Rule::NullKey, "", "PartitionId"),
        (Rule::FanOut, texts, "QueryText"),
    ];
    for (rule, texts, by) in cases {
        let text = query_text(rule, &orders(), None);
        let who = text.split("// who sends it: ").nth(1).unwrap_or_default();
        let end =
            format!("RegionName == \"West Europe\"\n{texts}| {sums}{by}\n| top 20 by RU desc\n");
        assert!(who.contains(&end), "{rule:?}: {text}");
    }
    for rule in [Rule::KeyNearLimit, Rule::Healthy, Rule::PartitionFilling] {
        assert!(!query_text(rule, &orders(), None).contains(WHO), "{rule:?}");
    }
}

#[test]
fn sizes_are_asked_for_by_value() {
    let text = query_text(Rule::KeyNearLimit, &orders(), None);
    assert!(text.contains(r#"parse_json("[\"tenant-0001\"]")"#), "{text}");
    assert!(text.contains("StatusCode == 403"), "{text}");
}

#[test]
fn every_rule_gives_queries_that_tell_no_name_when_masked() {
    let masker = Masker::new(b"salt");
    for rule in Rule::ALL {
        let text = query_text(*rule, &masker.container(&orders()), Some(&masker));
        assert!(text.starts_with("// names are invented"), "{text}");
        assert!(text.lines().count() >= 3, "{rule:?}");
        for name in ["northpier", "\"shop\"", "'shop'", "orders", "tenant-0001", "0000a003"] {
            assert!(!text.contains(name), "{rule:?}: {text}");
        }
    }
}

proptest! {
    #[test]
    fn nothing_breaks_out_of_a_query(
        text in "(?s)([\"\\\\'|;/\n\r\u{2028}\u{85}\u{202e}\u{1b}]|.){1,30}",
        rule in 0..Rule::ALL.len(),
    ) {
        let rule = Rule::ALL[rule];
        let name = ContainerName::new(Some(&text), Some(&text), Some(&text));
        let query = query_text(rule, &name, None);
        let plain = query_text(rule, &orders(), None);
        prop_assert_eq!(query.lines().count(), plain.lines().count());
        let is_known = |line: &str| {
            ["CDB", "| ", "// "].iter().any(|start| line.starts_with(start))
        };
        prop_assert!(query.split('\n').filter(|l| !l.is_empty()).all(is_known), "{query}");
        prop_assert!(!query.contains(|c: char| c != '\n' && c.is_control()));
    }
}
