//! How the management plane is asked, as far as no server is needed.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;

#[test]
fn an_operation_is_looked_at_until_it_is_over() {
    let reply = |status: u16, body: &str, location: Option<&str>, operation: Option<&str>| Reply {
        status,
        body: body.to_owned().into(),
        retry_after: None,
        location: location.map(str::to_owned),
        operation: operation.map(str::to_owned),
        date: None,
        request_id: None,
    };
    let here = Some("https://management.azure.com/a");
    let there = Some("https://management.azure.com/b");
    assert_eq!(unfinished(&reply(202, "", here, there)).as_deref(), here);
    assert_eq!(unfinished(&reply(202, "", None, there)).as_deref(), there);
    assert_eq!(unfinished(&reply(202, "", None, None)), None);
    assert_eq!(unfinished(&reply(200, "{}", here, there)), None);
    let running = reply(200, r#"{"status":"InProgress"}"#, there, None);
    assert_eq!(unfinished(&running).as_deref(), there);
    assert_eq!(unfinished(&reply(200, r#"{"status":"Succeeded"}"#, there, None)), None);
}

#[test]
fn throughput_is_of_a_container_or_of_a_database() {
    let id = "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/rg/providers/Microsoft.DocumentDB/databaseAccounts/a";
    let id = AccountId::parse(id).unwrap();
    let path = |container| settings(&id, "d", container)[8..].join("/");
    assert_eq!(path(Some("c")), "sqlDatabases/d/containers/c/throughputSettings/default");
    assert_eq!(path(None), "sqlDatabases/d/throughputSettings/default");
}
