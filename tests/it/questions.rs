//! What people asked in public about partitions, answered on the screen: each question with its data, the keys that lead to
//! the answer, the most keys that may take, and words that must then be read.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use cosmoscope::ui::kit::msg::{Clipboard, Effect};
use cosmoscope::work::data::Origin;
use tempfile::TempDir;

use super::stage::Stage;

enum Data {
    Scenario(&'static str),
    /// Statistics, logs, metrics and management answers of an account with a throttled tenant.
    Samples,
    /// One container, by its RU log and its RU/s.
    Made(fn(&Path)),
}

struct Question {
    number: u8,
    data: Data,
    /// Chords; what is typed stands in quotes.
    keys: &'static str,
    /// Without what is typed.
    most: usize,
    shows: &'static [&'static str],
}

const fn question(
    number: u8,
    data: Data,
    keys: &'static str,
    most: usize,
    shows: &'static [&'static str],
) -> Question {
    Question { number, data, keys, most, shows }
}

const QUESTIONS: &[Question] = &[
    question(
        1,
        Data::Samples,
        "2",
        1,
        &["tenant-0002", "108 %", "other keys: smaller, not reported"],
    ),
    question(2, Data::Samples, "3", 1, &["▶ 3 ", "partition 3, 02:0", "tenant-0001"]),
    question(3, Data::Samples, "2 s", 2, &["sort RU share ↓", "95 %"]),
    question(4, Data::Samples, "3 c", 2, &["storage of each partition against 50 GB", "29.04"]),
    question(
        5,
        Data::Samples,
        "3 i",
        2,
        &["429 of requests to partition 3", "only while partitions are evenly"],
    ),
    question(
        6,
        Data::Made(spikes),
        "3 i",
        2,
        &[
            "busiest second of the partition: 3,100 RU/s of 2,000",
            "busiest minute, on average: ",
            "counted each second",
            "nightly: 3,100 RU/s",
            "Query",
        ],
    ),
    question(7, Data::Scenario("fanout"), "", 0, &["FAN-OUT", "queries without the key"]),
    question(
        8,
        Data::Made(halved),
        "",
        0,
        &["UNEVEN RU SHARES", "5,000 RU/s, others up to 10,000 RU/s"],
    ),
    question(
        9,
        Data::Samples,
        "3 i",
        2,
        &["RU/s of partition 3: 6,000 RU/s, shared by all its keys"],
    ),
    question(
        10,
        Data::Made(keyless),
        "v",
        1,
        &["600 RU are logged with the partition `undefined` or none"],
    ),
    question(
        11,
        Data::Made(keyless),
        "3",
        1,
        &["82 % of RU without a key: queries, or Go ReadMany before azcosmos v1.6.0-beta.3"],
    ),
    question(
        12,
        Data::Samples,
        "2 / \"size>8GiB\" enter",
        3,
        &["2 of 10 keys listed", "tenant-0002", "tenant-0001"],
    ),
    question(13, Data::Samples, "i", 1, &["statistics list only large keys"]),
    question(14, Data::Samples, "", 0, &["next reaches 20 GB: tenant-0001, 2026-07-01"]),
    question(15, Data::Scenario("plants"), "w", 1, &["KEY OVER 20 GB", "deletes free space late"]),
    question(
        16,
        Data::Scenario("food"),
        "4 c",
        2,
        &["provisioned [18,000]", "partitions [today 3"],
    ),
    question(
        17,
        Data::Made(halved),
        "i",
        1,
        &["lowest RU/s possible: 8,200 RU/s", "820,000 RU/s provisioned once"],
    ),
    question(
        18,
        Data::Made(spikes),
        "i",
        1,
        &["2,000 manual; autoscale", "if all partitions scale alike", "if each scales by"],
    ),
    question(21, Data::Samples, "3 enter y", 3, &["copied: tenant-0001"]),
    question(
        22,
        Data::Scenario("events"),
        "4 t \"/tenantId>/userId\" enter t \"/userId>/tenantId\" enter",
        5,
        &["/tenantId > /userId", "/userId > /tenantId", "cross-partition "],
    ),
    question(24, Data::Samples, "2", 2, &["RU share", "of 20 GB", "24,000 RU/s"]),
    question(25, Data::Scenario("food"), "4 c", 2, &["0.4 % of RU"]),
];

/// The container of the samples that is throttled, without files that no reader knows.
fn samples() -> Vec<PathBuf> {
    let all = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/data/samples");
    [
        "stats/log-analytics/resource-specific.portal-us.csv",
        "stats/container-read",
        "ru/partition-key-ru-consumption.portal-us.csv",
        "ru/data-plane-requests-5m.portal-us.csv",
        "metrics",
        "arm",
    ]
    .map(|path| all.join(path))
    .to_vec()
}

/// Lines of a RU log: second, operation, key, partition, RU.
type Line = (u32, &'static str, &'static str, &'static str, u32);

fn write_log(folder: &Path, lines: impl Iterator<Item = Line>) {
    let mut text =
        "TimeGenerated,AccountName,CollectionName,DatabaseName,OperationName,PartitionKey,\
         PartitionKeyRangeId,RegionName,RequestCharge,Type\n"
            .to_owned();
    for (second, operation, key, partition, ru) in lines {
        let at = format!("2026-06-22T02:{:02}:{:02}Z", second / 60, second % 60);
        let key = if key.is_empty() { String::new() } else { format!("\"[\"\"{key}\"\"]\"") };
        writeln!(
            text,
            "{at},northpier-prod,orders,shop,{operation},{key},{partition},West Europe,{ru},CDBPartitionKeyRUConsumption"
        )
        .unwrap();
    }
    fs::write(folder.join("ru.csv"), text).unwrap();
}

fn write_settings(folder: &Path, ru_per_second: u32, least: u32, partitions: u32) {
    let container = "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/rg-northpier/providers/\
         Microsoft.DocumentDB/databaseAccounts/northpier-prod/sqlDatabases/shop/containers/orders";
    let settings = serde_json::json!({
        "id": format!("{container}/throughputSettings/default"),
        "type": "Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/throughputSettings",
        "name": "default",
        "properties": {"resource": {
            "throughput": ru_per_second,
            "minimumThroughput": least.to_string(),
            "instantMaximumThroughput": (partitions * 10_000).to_string(),
        }},
    });
    fs::write(folder.join("throughput-settings.orders.json"), settings.to_string()).unwrap();
}

/// Three seconds of queries above the RU/s every three minutes, and little between.
fn spikes(folder: &Path) {
    write_settings(folder, 2_000, 400, 1);
    write_log(
        folder,
        (0..600).map(|second| match second % 180 {
            0..3 => (second, "Query", "nightly", "0", 3_100),
            _ => (second, "Read", "daily", "0", 240),
        }),
    );
}

/// A partition was split for its size: two halves have half of its RU/s each.
fn halved(folder: &Path) {
    write_settings(folder, 20_000, 8_200, 3);
    let of = [("0", 10_000.0), ("1", 5_000.0), ("2", 5_000.0)];
    let of: Vec<_> =
        of.iter().map(|(id, ru)| serde_json::json!({"id": id, "throughput": ru})).collect();
    let answer =
        serde_json::json!({"properties": {"resource": {"physicalPartitionThroughputInfo": of}}});
    fs::write(folder.join("retrieve-throughput-distribution.orders.json"), answer.to_string())
        .unwrap();
}

/// Most RU of a partition has no key, and some no partition.
fn keyless(folder: &Path) {
    write_settings(folder, 2_000, 400, 2);
    let second = |second| {
        [
            (second, "Query", "", "0", 900),
            (second, "Create", "tenant-1", "0", 200),
            (second, "Create", "tenant-2", "1", 200),
            (second, "Create", "tenant-3", "undefined", 10),
        ]
    };
    write_log(folder, (0..60).flat_map(second));
}

fn opened(data: &Data, folder: &TempDir) -> Stage {
    let mut stage = Stage::dark((80, 24));
    stage.open(match data {
        Data::Scenario(name) => Origin::Scenario(name),
        Data::Samples => Origin::Paths(samples()),
        Data::Made(make) => {
            make(folder.path());
            Origin::Paths(vec![folder.path().to_owned()])
        }
    });
    stage
}

/// Words broken at the end of a line are whole again.
fn read(stage: &Stage) -> String {
    let copied = stage.outside.iter().map(|effect| match effect {
        Effect::Copy(Clipboard::Lines(lines)) => format!("copied: {}", lines.join(" ")),
        _ => String::new(),
    });
    let lines = stage.text();
    let lines = lines.lines().map(|line| line.trim_matches(['┃', '│', '█', ' ']));
    let words: Vec<String> = lines.map(str::to_owned).chain(copied).collect();
    words.join(" ")
}

#[test]
fn what_people_asked_is_answered_in_few_keys() {
    let mut wrong = String::new();
    for of in QUESTIONS {
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let mut stage = opened(&of.data, &folder);
        stage.keys(of.keys);
        let pressed = of.keys.split_whitespace().filter(|key| !key.starts_with('"'));
        let pressed = pressed.count();
        if pressed > of.most {
            writeln!(wrong, "{}: {pressed} keys, not {}", of.number, of.most).unwrap();
        }
        let text = read(&stage);
        for words in of.shows.iter().filter(|words| !text.contains(**words)) {
            writeln!(wrong, "{}: no \"{words}\"\n{}", of.number, stage.text()).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
