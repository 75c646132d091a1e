//! How the management plane is asked, as far as no server is needed.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;

#[test]
fn an_operation_says_where_it_stands() {
    for (status, body, wanted) in [
        (202, "", OperationState::Running),
        (202, r#"{"status":"Enqueued"}"#, OperationState::Running),
        (202, r#"{"status":"Dequeued"}"#, OperationState::Running),
        (200, r#"{"status":"InProgress"}"#, OperationState::Running),
        (200, r#"{"status":"Succeeded"}"#, OperationState::Succeeded),
        (200, r#"{"status":"Failed","error":{"code":"BadRequest"}}"#, OperationState::Failed),
        (200, r#"{"properties":{}}"#, OperationState::Answered),
        (404, "", OperationState::Answered),
    ] {
        let reply = Reply {
            status,
            body: body.to_owned().into(),
            retry_after: None,
            location: None,
            operation: None,
            date: None,
            request_id: None,
        };
        assert_eq!(state(&reply), wanted, "{status} {body}");
    }
}

#[test]
fn throughput_is_of_a_container_or_of_a_database() {
    let id = "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/rg/providers/Microsoft.DocumentDB/databaseAccounts/a";
    let id = AccountId::parse(id).unwrap();
    let path = |container| settings(&id, "d", container)[8..].join("/");
    assert_eq!(path(Some("c")), "sqlDatabases/d/containers/c/throughputSettings/default");
    assert_eq!(path(None), "sqlDatabases/d/throughputSettings/default");
}
