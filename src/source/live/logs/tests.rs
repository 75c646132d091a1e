//! What an answer of the query API is, before anything is made of it.

use super::*;

#[test]
fn a_table_that_is_not_there_is_told_from_a_refusal() {
    let missing = br#"{"error":{"message":"The request had some invalid properties","code":"BadArgumentError","innererror":{"code":"SemanticError","message":"A semantic error occurred.","innererror":{"code":"SEM0100","message":"'where' operator: Failed to resolve table or column expression named 'CDBPartitionKeyStatistics'"}}}}"#;
    assert!(is_unknown_table(missing));
    let syntax = br#"{"error":{"message":"m","code":"BadArgumentError","innererror":{"code":"SyntaxError","message":"s"}}}"#;
    assert!(!is_unknown_table(syntax));
    assert!(!is_unknown_table(b""));
}

#[test]
fn rows_and_what_took_their_place() {
    assert!(has_rows(br#"{"tables":[{"name":"PrimaryResult","columns":[],"rows":[[1]]}]}"#));
    assert!(has_rows(br#"{"tables":[{"rows":[]}],"error":{"code":"PartialError"}}"#));
    assert!(!has_rows(br#"{"tables":[{"rows":[]}]}"#));
    assert!(!has_rows(br#"{"tables":[]}"#));
}
