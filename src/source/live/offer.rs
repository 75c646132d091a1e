//! Offers, which is how the data plane calls RU/s, and what a container says of itself in headers.

use serde_json::Value;

use super::fault::Fault;
use crate::source::json::read;

/// The first offer of an answer, as it came; None where it lists none.
pub(super) fn first(answer: &str) -> Result<Option<String>, Fault> {
    let listed = read::list(answer, "offers");
    let listed = listed.ok_or_else(|| Fault::NotCosmos("it lists no Offers".to_owned()))?;
    Ok(listed.first().map(|offer| (*offer).to_owned()))
}

/// Resource ids are bytes: four of the database, then four of the container.
pub(super) fn database_rid(container: &str) -> Option<String> {
    let bytes = azure_core::base64::decode(container.replace('-', "/")).ok()?;
    let first = bytes.get(..4)?;
    Some(azure_core::base64::encode(first).replace('/', "-"))
}

/// Puts what the service said in headers beside the members of a body; nothing said, nothing added.
pub(super) fn with_usage(mut body: String, said: [(&str, Option<String>); 2]) -> String {
    let said: serde_json::Map<String, Value> = said
        .into_iter()
        .filter_map(|(name, text)| Some((name.to_owned(), Value::from(text?))))
        .collect();
    let end = body.trim_end().strip_suffix('}').map(str::trim_end);
    if let Some(inside) = end
        && !said.is_empty()
        && !inside.ends_with('{')
    {
        body.truncate(inside.len());
        body.push_str(r#","_cosmoscope":"#);
        body.push_str(&Value::from(said).to_string());
        body.push('}');
    }
    body
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn an_offer_is_taken_as_it_stands() {
        let answer = r#"{"_rid":"","Offers":[{"content": {"offerThroughput":400}},{}],"_count":2}"#;
        let offer = r#"{"content": {"offerThroughput":400}}"#;
        assert_eq!(first(answer).unwrap().as_deref(), Some(offer));
        assert_eq!(first(r#"{"Offers":[]}"#).unwrap(), None);
        assert!(first("{}").is_err());
    }

    #[test]
    fn the_database_of_a_resource_id_is_its_first_half() {
        assert_eq!(database_rid("ehszALxRRgA=").as_deref(), Some("ehszAA=="));
        assert_eq!(database_rid("1-tVAMPuSP8=").as_deref(), Some("1-tVAA=="));
        assert_eq!(database_rid("no"), None);
    }

    #[test]
    fn usage_is_added_and_nothing_else_changed() {
        let said =
            [("resourceUsage", Some("documentsCount=3;".to_owned())), ("resourceQuota", None)];
        assert_eq!(
            with_usage(r#"{"id": "a" } "#.to_owned(), said.clone()),
            r#"{"id": "a","_cosmoscope":{"resourceUsage":"documentsCount=3;"}}"#
        );
        assert_eq!(with_usage("{ }".to_owned(), said), "{ }");
        assert_eq!(with_usage("{\"id\":1}".to_owned(), [("a", None), ("b", None)]), "{\"id\":1}");
    }
}
