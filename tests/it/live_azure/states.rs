//! What accounts and databases are set to: the same from an account, from a recording of it and from exports.

use std::path::PathBuf;

use cosmoscope::analysis::migration::Facts;
use cosmoscope::analysis::plan::facts::PlanFacts;
use cosmoscope::analysis::provisioning::RuOwner;
use cosmoscope::model::account::Setting;
use cosmoscope::model::capture::Capture;
use cosmoscope::model::physical::{Throughput, TimeToLive, WithoutOwn};
use cosmoscope::source::answers::{Inquiry, Kind, Observation};
use cosmoscope::source::import::{self, ImportOptions};
use cosmoscope::source::input;
use cosmoscope::source::live::clock;
use cosmoscope::source::recording::{self, Recorder};
use cosmoscope::source::watch::Watch;

use super::fake::{Fake, Response};
use super::{answer, capture, management, orders, sample, samples};

/// As the management plane answers, all settings in one.
pub const ACCOUNT: &str = r#"{"id":"/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/rg-northpier/providers/Microsoft.DocumentDB/databaseAccounts/northpier-prod",
"name":"northpier-prod","location":"West Europe","type":"Microsoft.DocumentDB/databaseAccounts","kind":"GlobalDocumentDB","tags":{},
"properties":{"provisioningState":"Succeeded","documentEndpoint":"https://northpier-prod.documents.azure.com:443/",
"publicNetworkAccess":"Enabled","enablePartitionMerge":true,"enableBurstCapacity":false,"disableLocalAuth":true,
"capabilities":[{"name":"EnableServerless"}],"locations":[{"locationName":"West Europe","failoverPriority":0}]}}"#;

/// As the management plane tells settings of a database.
const DATABASE: &str = r#"{"id":"/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/rg-northpier/providers/Microsoft.DocumentDB/databaseAccounts/northpier-prod/sqlDatabases/shop/throughputSettings/default",
"type":"Microsoft.DocumentDB/databaseAccounts/sqlDatabases/throughputSettings","name":"default",
"properties":{"resource":{"throughput":1000,"minimumThroughput":"400"}}}"#;

fn imported(paths: &[PathBuf]) -> Capture {
    let inputs = input::find(paths, &|| true).unwrap();
    import::import(&inputs, &ImportOptions::default(), &Watch::default(), &mut |_| Ok(())).unwrap()
}

/// What was seen, as the account gives it and as a recording of it does, names shown and masked.
fn both(seen: &[Observation]) -> [Capture; 3] {
    let place = tempfile::tempdir().unwrap();
    let recorded = |name: &str, mask: Option<recording::RecordingMask>| {
        let path = place.path().join(name);
        let options =
            recording::RecordingOptions { mask, ..recording::RecordingOptions::default() };
        let endpoint = "https://northpier-prod.documents.azure.com/";
        let mut recorder = Recorder::create(&path, endpoint, clock::now(), options).unwrap();
        for one in seen {
            assert_eq!(recorder.seen(one), None);
        }
        drop(recorder);
        imported(&[path])
    };
    let mask: recording::RecordingMask = std::sync::Arc::new(|role, name: &str| {
        let sum: usize = name.bytes().map(usize::from).sum();
        format!("{role:?}-{sum}").to_lowercase()
    });
    [capture(seen.to_vec()), recorded("plain.rec", None), recorded("masked.rec", Some(mask))]
}

#[tokio::test]
async fn what_an_account_is_set_to_is_known_of_its_containers() {
    let fake = Fake::start(samples);
    let management = management(&fake);
    let mut seen = Vec::new();
    let container = sample("stats/container-read/shop.orders.data-plane.json");
    let inquiry = orders(Kind::Container);
    let reported = Ok((container.into(), None));
    seen.push(Observation::of(&inquiry, clock::now(), reported));
    let inquiry = Inquiry::account(Kind::ManagedAccount);
    seen.push(Observation::Answer(answer(management.ask(&inquiry).await)));
    for capture in both(&seen) {
        let container = &capture.containers[0];
        let account = capture.account_of(&container.name).unwrap();
        let settings: Vec<Setting> = account.settings().collect();
        assert_eq!(settings, [Setting::Serverless, Setting::MergeEnabled, Setting::NoKeys]);
        assert_eq!(account.regions, ["West Europe"]);
        assert_eq!(RuOwner::of(container, Some(account)), RuOwner::Serverless);
        let facts = Facts {
            merge_enabled: Some(true),
            local_auth_disabled: Some(true),
            lifetime: Some(TimeToLive::Off),
            unique_keys: Some(false),
        };
        assert_eq!(PlanFacts::of(&capture, 0).way, facts);
    }
}

#[tokio::test]
async fn a_container_that_shares_throughput_has_that_of_its_database() {
    let fake = Fake::start(|request| {
        if request.path.contains("/containers/") {
            return Response::of(404, r#"{"code":"NotFound","message":"m"}"#);
        }
        Response::ok(DATABASE)
    });
    let inquiry = orders(Kind::ManagedThroughput);
    let by_management = Observation::Answer(answer(management(&fake).ask(&inquiry).await));
    let offer = r#"{"offerResourceId":"d","resource":"dbs/NPr0AA==/","id":"o","_rid":"o","content":{"offerThroughput":1000}}"#;
    let by_account =
        Observation::of(&orders(Kind::Offer), clock::now(), Ok((offer.as_bytes().into(), None)));
    for seen in [by_management, by_account] {
        for capture in both(&[seen]) {
            assert_eq!(capture.containers.len(), 1);
            let container = &capture.containers[0];
            assert!(container.throughput.is_none(), "{container:?}");
            let reported = RuOwner::of(container, None);
            let manual = Throughput::Manual { ru_per_second: 1_000.0 };
            assert_eq!(reported, RuOwner::Shared(manual));
        }
    }
}

#[test]
fn exports_tell_the_same() {
    let place = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &[u8]| {
        let path = place.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let container = sample("stats/container-read/shop.carts.az-container-show.json");
    let own = sample("stats/container-read/shop.orders.az-container-show.json");
    let base = [
        write("carts.json", &container),
        write("orders.json", &own),
        write("settings.json", &sample("arm/throughput-settings.orders.json")),
        write("database.json", DATABASE.as_bytes()),
    ];
    // One line, over many lines, as a list of a subscription, and as the command line shows one.
    let one_line = ACCOUNT.replace('\n', "");
    let list = format!(
        r#"{{"value":[{ACCOUNT},{{"name":"other","type":"Microsoft.DocumentDB/databaseAccounts"}}]}}"#
    );
    let shown = r#"{
  "capabilities": [
    {
      "name": "EnableServerless"
    }
  ],
  "disableLocalAuth": true,
  "enablePartitionMerge": true,
  "kind": "GlobalDocumentDB",
  "name": "northpier-prod",
  "type": "Microsoft.DocumentDB/databaseAccounts"
}"#;
    let shapes = [ACCOUNT, &one_line, &list, shown, &format!("[{shown}]")];
    for (n, account) in shapes.into_iter().enumerate() {
        let mut paths = base.to_vec();
        paths.push(write(&format!("account-{n}.json"), account.as_bytes()));
        let capture = imported(&paths);
        let of = |name: &str| {
            let mut all = capture.containers.iter();
            all.find(|c| c.name.container.as_deref() == Some(name)).unwrap()
        };
        assert_eq!(capture.containers.len(), 2, "{n}");
        let account = capture.account_of(&of("carts").name).unwrap();
        let settings: Vec<Setting> = account.settings().collect();
        assert_eq!(settings, [Setting::Serverless, Setting::MergeEnabled, Setting::NoKeys], "{n}");
        assert!(matches!(of("carts").without_own, Some(WithoutOwn::Shared(_))));
        assert!(of("orders").without_own.is_none() && of("orders").throughput.is_some());
    }
}
