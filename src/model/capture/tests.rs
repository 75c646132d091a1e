//! Whose facts are whose, once everything was read.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::sync::Arc;

use proptest::prelude::*;

use super::*;

fn name(account: &str, database: &str, container: &str) -> ContainerName {
    let filled = |text: &str| (!text.is_empty()).then(|| Arc::<str>::from(text));
    ContainerName {
        account: filled(account),
        database: filled(database),
        container: filled(container),
        rid: None,
    }
}

/// Facts of one range, so that it shows which container took them.
fn facts(name: ContainerName, rid: Option<&str>, range: &str) -> ContainerFacts {
    ContainerFacts {
        name: ContainerName { rid: rid.map(Arc::from), ..name },
        partitions: vec![PhysicalPartition {
            listed: vec![(format!("[\"{range}\"]"), 5.0)],
            ..PhysicalPartition::new(range)
        }],
        ..ContainerFacts::default()
    }
}

/// Titles of all containers with the ranges each was given.
fn settled(
    logged: &[ContainerName],
    all: &[(ContainerFacts, &str)],
    default: Option<&ContainerName>,
) -> Vec<(String, Vec<String>)> {
    capture(logged, all, default)
        .containers
        .iter()
        .map(|c| {
            let ranges = c.partitions.iter().map(|p| p.id.clone()).collect();
            (c.name.title(), ranges)
        })
        .collect()
}

fn capture(
    logged: &[ContainerName],
    all: &[(ContainerFacts, &str)],
    default: Option<&ContainerName>,
) -> Capture {
    let builder = CaptureBuilder::new(1);
    for name in logged {
        builder.container(name).unwrap();
    }
    for (facts, file_name) in all {
        let source = builder.add_source(SourceInfo::default());
        builder.facts(facts.clone(), file_name, source);
    }
    let pending = builder.settle(default);
    assert!(builder.settle(default).is_empty(), "facts are settled once");
    builder.apply_pending(&pending);
    builder.finish()
}

fn owners_of(title: &str, ranges: &[&str]) -> (String, Vec<String>) {
    (title.to_owned(), ranges.iter().map(|r| (*r).to_owned()).collect())
}

#[test]
fn facts_with_one_rid_are_of_one_container_in_any_order() {
    let orders = name("north", "shop", "orders");
    let mut all = vec![
        (facts(name("", "", ""), Some("Rid="), "0"), "pkranges.json"),
        (facts(name("", "shop", ""), Some("Rid="), "10"), "database.json"),
        (facts(name("north", "", "orders"), Some("Rid="), "9"), "read.json"),
        (facts(name("", "", ""), Some("other"), "7"), "x.json"),
    ];
    for _ in 0..all.len() {
        let mut found = settled(std::slice::from_ref(&orders), &all, None);
        found.sort();
        // Range ids sort as numbers.
        let want = [
            owners_of("north / shop / orders", &["0", "9", "10"]),
            owners_of("unknown container", &["7"]),
        ];
        assert_eq!(found, want);
        all.rotate_left(1);
    }
}

#[test]
fn a_file_name_tells_the_container_only_where_it_is_the_only_one() {
    let orders = name("north", "shop", "orders");
    let archive = name("north", "archive", "orders");
    let carts = name("north", "shop", "carts");
    let nobody = || facts(name("", "", ""), None, "0");
    let taken_by = |logged: &[&ContainerName], facts: ContainerFacts, file: &str| {
        let logged: Vec<ContainerName> = logged.iter().map(|n| (*n).clone()).collect();
        let of = settled(&logged, &[(facts, file)], None);
        let owner = of.into_iter().find(|c| !c.1.is_empty()).unwrap();
        owner.0
    };
    let shop = "north / shop / orders";
    let unknown = "unknown container";
    for (logged, file, owner) in [
        (vec![&orders, &carts], "orders.json", shop),
        (vec![&orders, &carts], "shop.orders.json", shop),
        (vec![&orders, &carts], "export.shop.orders.2026.json", shop),
        (vec![&orders, &archive], "shop.orders.json", shop),
        (vec![&orders, &archive], "orders.json", unknown),
        (vec![&orders, &carts], "reorders.json", unknown),
        (vec![&orders, &carts], "Orders.json", unknown),
        (vec![&orders, &carts], "orders.carts.json", unknown),
        (vec![&orders, &carts], "", unknown),
        (vec![], "shop.orders.json", unknown),
    ] {
        assert_eq!(taken_by(&logged, nobody(), file), owner, "{file}");
    }
    // What the facts say themselves is never overruled by a file name.
    for (said, owner) in [
        (name("NORTH", "", ""), shop),
        (name("south", "", ""), "south / unknown container"),
        (name("", "shop", ""), shop),
        (name("", "cellar", ""), "cellar / unknown container"),
        (name("", "", "orders"), shop),
        (name("", "", "carts"), "carts"),
    ] {
        let facts = facts(said.clone(), None, "0");
        assert_eq!(taken_by(&[&orders], facts, "orders.json"), owner, "{said:?}");
    }
}

#[test]
fn a_container_known_only_from_other_facts_can_be_named_by_a_file_too() {
    let mut all = [
        (facts(name("", "", ""), None, "0"), "shop.orders.json"),
        (facts(name("north", "shop", "orders"), None, "1"), "read.json"),
    ];
    for _ in 0..2 {
        let found = capture(&[], &all, None);
        assert_eq!(found.containers.len(), 1, "{:?}", found.containers);
        let notes: Vec<&String> = found.sources.iter().flat_map(|s| &s.notes).collect();
        assert_eq!(notes, ["taken for `north / shop / orders` because of the file name"]);
        all.reverse();
    }
}

#[test]
fn the_default_fills_what_nothing_else_tells() {
    let default = name("", "shop", "orders");
    let all = [
        (facts(name("north", "", ""), None, "0"), "x.json"),
        (facts(name("north", "", "carts"), None, "1"), "y.json"),
        (facts(name("north", "cellar", "wine"), None, "2"), "z.json"),
    ];
    let mut with = settled(&[], &all, Some(&default));
    with.sort();
    let want = [
        owners_of("north / cellar / wine", &["2"]),
        owners_of("north / shop / carts", &["1"]),
        owners_of("north / shop / orders", &["0"]),
    ];
    assert_eq!(with, want);
    let without: Vec<String> = settled(&[], &all, None).into_iter().map(|c| c.0).collect();
    assert!(without.contains(&"north / unknown container".to_owned()), "{without:?}");
}

#[test]
fn listed_keys_reach_the_table_without_a_time() {
    let capture = capture(&[], &[(facts(name("a", "d", "c"), None, "3"), "")], None);
    let (_, view) = capture.sizes.iter().next().unwrap();
    assert_eq!((view.container(), view.canonical()), (0, "[\"3\"]"));
    let series = view.series().next().unwrap();
    assert_eq!(series.samples.len(), 1);
    assert_eq!(series.samples[0].when.at(), None);
}

proptest! {
    #[test]
    fn an_account_is_one_in_any_letter_case(
        cases in proptest::collection::vec(proptest::collection::vec(any::<bool>(), 5), 1..6),
    ) {
        let spelt: Vec<String> = cases
            .iter()
            .map(|upper| {
                let letters = "north".chars().zip(upper);
                letters.map(|(c, u)| if *u { c.to_ascii_uppercase() } else { c }).collect()
            })
            .collect();
        let shown = |spelt: &[String]| {
            let builder = CaptureBuilder::new(1);
            for account in spelt {
                assert_eq!(builder.container(&name(account, "d", "c")), Some(0));
                assert_ne!(builder.container(&name(account, "d", "C")), Some(0));
            }
            builder.finish().containers[0].name.account.clone().unwrap()
        };
        let backwards: Vec<String> = spelt.iter().rev().cloned().collect();
        prop_assert_eq!(shown(&spelt), shown(&backwards));
        prop_assert_eq!(&*shown(&spelt), spelt.iter().max().unwrap().as_str());
    }
}
