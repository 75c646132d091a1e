//! An account read through Microsoft's SDK and our own requests, against Microsoft's emulator.

use cosmoscope::source::answers::{Inquiry, Kind, Obstacle};
use cosmoscope::source::live::account::AccountReader;
use cosmoscope::source::live::target::Pace;
use serde_json::{Value, json};

use super::stage::{
    DATABASE, KEY, TOKEN, answered, failed, key, of, open, run, server, target, token,
};
use crate::emulator::Server;
use crate::emulator::server::SeenRequests;

fn ids(list: &Value) -> Vec<&str> {
    let list = list.as_array().unwrap().iter();
    list.map(|entry| entry["id"].as_str().unwrap()).collect()
}

fn ranges(server: &Server) -> Value {
    run(async {
        let account = open(server, key()).await;
        answered(account.ask(&of(Kind::Ranges, "orders")).await).0
    })
}

#[test]
fn an_account_is_read_and_only_read() {
    let server = server();
    run(async {
        let account = open(&server, token()).await;
        let (regions, _) = answered(account.ask(&Inquiry::account(Kind::Account)).await);
        assert_eq!(regions["readableLocations"][0]["name"], "West Europe");

        let (databases, _) = answered(account.ask(&Inquiry::account(Kind::Databases)).await);
        assert_eq!(ids(&databases["Databases"]), ["empty", "shop"]);

        let inquiry = Inquiry::database(Kind::Containers, DATABASE);
        let (containers, answer) = answered(account.ask(&inquiry).await);
        assert_eq!(ids(&containers["DocumentCollections"]), ["carts", "orders"]);
        assert_eq!(answer.inquiry, inquiry);
        assert!(answer.ru.is_some_and(|ru| ru >= 0.0), "{answer:?}");
        let inquiry = Inquiry::database(Kind::Containers, "empty");
        let (containers, _) = answered(account.ask(&inquiry).await);
        assert_eq!(containers["DocumentCollections"], json!([]));

        for kind in [Kind::Container, Kind::Ranges, Kind::Offer] {
            answered(account.ask(&of(kind, "orders")).await);
        }
        let (carts, _) = answered(account.ask(&of(Kind::Container, "carts")).await);
        assert_eq!(carts["partitionKey"]["paths"], json!(["/tenantId", "/userId"]));
        assert_eq!(carts["partitionKey"]["kind"], "MultiHash");
    });
    let seen = server.seen();
    assert!(seen.iter().all(SeenRequests::reads), "{seen:#?}");
    let data: Vec<&SeenRequests> = seen.iter().filter(|seen| seen.path != "/").collect();
    assert!(data.len() >= 6, "{data:#?}");
    for request in data {
        let header = |name| request.header(name).unwrap_or_default();
        assert_eq!(header("x-ms-cosmos-priority-level"), "Low", "{request:#?}");
        let agent = header("user-agent");
        assert!(agent.contains("cosmoscope"), "{agent}");
        let signed = header("authorization");
        assert_eq!(signed, format!("type%3Daad%26ver%3D1.0%26sig%3D{TOKEN}"));
    }
}

#[test]
fn a_container_comes_with_the_statistics_of_its_partitions() {
    let server = server();
    let (orders, answer) = run(async {
        let account = open(&server, key()).await;
        answered(account.ask(&of(Kind::Container, "orders")).await)
    });
    let statistics = orders["statistics"].as_array().unwrap();
    assert_eq!(statistics.len(), 4);
    let documents = statistics.iter().map(|s| s["documentCount"].as_u64().unwrap());
    assert_eq!(documents.sum::<u64>(), 40);
    let keys = statistics.iter().flat_map(|s| s["partitionKeys"].as_array().unwrap());
    assert_eq!(keys.count(), 10);
    let usage = orders["_cosmoscope"]["resourceUsage"].as_str();
    assert!(usage.is_some_and(|usage| usage.contains("documentsCount")), "{usage:?}");
    assert_eq!(answer.inquiry, of(Kind::Container, "orders"));
    let seen = server.seen();
    let inquiry = seen.iter().find(|seen| seen.path.ends_with("/colls/orders")).unwrap();
    for name in [
        "x-ms-documentdb-populatepartitionstatistics",
        "x-ms-cosmos-internal-get-all-partition-key-stats",
        "x-ms-documentdb-populatequotainfo",
    ] {
        assert_eq!(inquiry.header(name), Some("true"), "{name}");
    }
}

#[test]
fn partitions_are_listed_and_a_split_shows_its_parents() {
    let server = server();
    let before = ranges(&server);
    assert_eq!(ids(&before["PartitionKeyRanges"]), ["0", "1", "2", "3"]);
    server.split(DATABASE, "orders", 2);
    let after = ranges(&server);
    let list = &after["PartitionKeyRanges"];
    let mut now = ids(list);
    now.sort_unstable();
    assert_eq!(now, ["0", "1", "3", "4", "5"]);
    for range in list.as_array().unwrap() {
        let born = ["4", "5"].contains(&range["id"].as_str().unwrap());
        let parents = if born { json!(["2"]) } else { json!([]) };
        assert_eq!(range["parents"], parents, "{range}");
        assert!(range["throughputFraction"].as_f64().is_some(), "{range}");
    }
}

#[test]
fn an_offer_is_there_or_the_list_that_has_none() {
    let server = server();
    run(async {
        let account = open(&server, key()).await;
        let (offer, _) = answered(account.ask(&of(Kind::Offer, "orders")).await);
        assert_eq!(offer["content"]["offerThroughput"], 4_000, "{offer}");
        let (none, _) = answered(account.ask(&of(Kind::Offer, "carts")).await);
        assert_eq!(none["Offers"], json!([]), "{none}");
    });
    let seen = server.seen();
    assert!(seen.iter().all(SeenRequests::reads), "{seen:#?}");
}

#[test]
fn what_is_not_there_is_told_by_its_name() {
    let server = server();
    run(async {
        let account = open(&server, key()).await;
        for kind in [Kind::Container, Kind::Ranges, Kind::Offer] {
            let trouble = failed(account.ask(&of(kind, "ordres")).await);
            assert_eq!(trouble.obstacle, Obstacle::NotFound, "{kind:?}: {trouble:?}");
            assert!(trouble.what.contains("container shop/ordres"), "{trouble:?}");
        }
        let inquiry = Inquiry::database(Kind::Containers, "shpo");
        let trouble = failed(account.ask(&inquiry).await);
        assert_eq!(trouble.obstacle, Obstacle::NotFound, "{trouble:?}");
        assert!(trouble.what.contains("database shpo"), "{trouble:?}");
    });
}

#[test]
fn neither_keys_nor_tokens_are_in_what_is_shown_of_an_account() {
    let server = server();
    for (sign_in, secret) in [(key(), KEY), (token(), TOKEN)] {
        let shown = run(async { format!("{:?}", open(&server, sign_in).await) });
        assert!(!shown.contains(secret), "{shown}");
    }
}

#[test]
fn a_server_that_is_no_emulator_of_this_machine_is_not_asked() {
    let server = server();
    let mut real = target(&server.endpoint);
    real.side = cosmoscope::source::live::target::Side::Azure;
    let opened = run(AccountReader::open(&real, key(), Pace::default()));
    let trouble = opened.unwrap_err();
    assert!(trouble.what.contains("not https"), "{trouble:?}");
    assert_eq!(server.seen().len(), 0);
}
