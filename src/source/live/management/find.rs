//! The account that an endpoint belongs to, looked for in the subscriptions that the identity may see.

use azure_core::http::Url;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use super::{AccountId, api};
use crate::model::names::is_guid;
use crate::model::visible::visible;
use crate::source::answers::{Obstacle, Trouble};
use crate::source::json::read::twice_within;
use crate::source::live::azure_trouble::About;
use crate::source::live::pipeline::{Client, Read};
use crate::source::tally::quoted;

/// One request each: somebody with more of them gives the id.
const MAX_SUBSCRIPTIONS: usize = 100;
/// Pages of one list; a page holds hundreds.
const MAX_PAGES: usize = 10;
/// Times of one operation that the whole search may take.
const TIME_FACTOR: u32 = 6;

#[derive(Deserialize)]
struct Page<T> {
    #[serde(default = "Vec::new")]
    value: Vec<T>,
    #[serde(rename = "nextLink")]
    next: Option<String>,
}

#[derive(Deserialize)]
struct Subscription {
    #[serde(rename = "subscriptionId")]
    id: Option<String>,
}

#[derive(Deserialize)]
struct Account {
    id: Option<String>,
    #[serde(default)]
    properties: Properties,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Properties {
    document_endpoint: Option<String>,
    read_locations: Vec<Location>,
    write_locations: Vec<Location>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Location {
    document_endpoint: Option<String>,
}

pub(super) async fn account(client: &Client, endpoint: &str) -> Result<AccountId, Trouble> {
    let limit = client.pace().operation * TIME_FACTOR;
    let found = timeout(limit, search(client, endpoint)).await;
    found.unwrap_or_else(|_| {
        Err(Trouble::new(
            Obstacle::TimedOut,
            "looking for the account in the subscriptions took too long",
            "give --resource-id: az cosmosdb show --query id",
        ))
    })
}

async fn search(client: &Client, endpoint: &str) -> Result<AccountId, Trouble> {
    let host = host_of(endpoint).ok_or_else(|| none(endpoint, 0, 0))?;
    let query = [("api-version", api::SUBSCRIPTIONS)];
    let first = Read::get(client.hosts(), About::SUBSCRIPTIONS, &["subscriptions"], &query);
    let subscriptions: Vec<Subscription> = all(client, first, |_| false).await?;
    let ids = subscriptions.iter().filter_map(|s| s.id.as_deref());
    let ids: Vec<&str> = ids.filter(|id| is_guid(id)).collect();
    let (mut looked, mut closed) = (0, 0);
    for id in ids.iter().take(MAX_SUBSCRIPTIONS) {
        let path = ["subscriptions", id, "providers", "Microsoft.DocumentDB", "databaseAccounts"];
        let query = [("api-version", api::ACCOUNT)];
        let first = Read::get(client.hosts(), About::ACCOUNTS, &path, &query);
        looked += 1;
        match all(client, first, |account: &Account| account.is_at(&host)).await {
            Ok(accounts) => {
                let found = accounts.iter().find(|account| account.is_at(&host));
                if let Some(id) = found.and_then(|account| account.id.as_deref()) {
                    return AccountId::parse(id);
                }
            }
            // A subscription that may be seen and not be read holds nothing for this identity.
            Err(trouble) if is_closed(trouble.obstacle) => closed += 1,
            Err(trouble) => return Err(trouble),
        }
    }
    if ids.len() > looked {
        return Err(Trouble::new(
            Obstacle::NotFound,
            format!("the account is in none of the first {looked} subscriptions"),
            "give --resource-id: az cosmosdb show --query id",
        ));
    }
    Err(none(endpoint, looked, closed))
}

/// The entries of a list over its pages, until one is the wanted one.
async fn all<T: DeserializeOwned>(
    client: &Client,
    first: Option<Read>,
    wanted: impl Fn(&T) -> bool,
) -> Result<Vec<T>, Trouble> {
    let mut entries = Vec::new();
    let mut next = first;
    for _ in 0..MAX_PAGES {
        let Some(read) = next.take() else { break };
        let reply = client.object(&read).await?;
        let page: Page<T> = page(&reply.body)?;
        let found = page.value.iter().any(&wanted);
        entries.extend(page.value);
        if found {
            break;
        }
        let link = page.next.filter(|link| !link.is_empty());
        let link = link.map(|link| Read::link(client.hosts(), read.about(), &link));
        next = link.transpose()?;
    }
    Ok(entries)
}

/// What is read of a page must not be there twice.
fn page<T: DeserializeOwned>(body: &[u8]) -> Result<Page<T>, Trouble> {
    serde_json::from_slice(body).map_err(|_| {
        let text = std::str::from_utf8(body).unwrap_or_default();
        match twice_within(text) {
            Some(name) => unusable(&format!("{} twice with different values", quoted(&name))),
            None => unusable("a list of another kind"),
        }
    })
}

impl Account {
    /// Whether the account, or one of its regions, is at that host.
    fn is_at(&self, host: &str) -> bool {
        let regions = [&self.properties.read_locations, &self.properties.write_locations];
        let of_regions = regions.into_iter().flatten().map(|l| &l.document_endpoint);
        std::iter::once(&self.properties.document_endpoint)
            .chain(of_regions)
            .filter_map(|endpoint| host_of(endpoint.as_deref()?))
            .any(|other| other == host)
    }
}

/// In lower case, as `Url` writes it.
fn host_of(endpoint: &str) -> Option<String> {
    Url::parse(endpoint).ok()?.host_str().map(str::to_owned)
}

fn is_closed(obstacle: Obstacle) -> bool {
    matches!(obstacle, Obstacle::Forbidden | Obstacle::NotFound | Obstacle::Unsupported)
}

fn none(endpoint: &str, looked: usize, closed: usize) -> Trouble {
    let host = host_of(endpoint).unwrap_or_default();
    let subscriptions = match looked {
        1 => "the one subscription that this sign-in sees".to_owned(),
        n => format!("the {n} subscriptions that this sign-in sees"),
    };
    let closed = match closed {
        0 => String::new(),
        n => format!(" ({n} of them closed to it)"),
    };
    Trouble::new(
        Obstacle::NotFound,
        format!("{} is in none of {subscriptions}{closed}", visible(&host)),
        "give --resource-id, or request the role Cosmos DB Account Reader on the account",
    )
}

fn unusable(with: &str) -> Trouble {
    Trouble::new(
        Obstacle::Unbelievable,
        format!("Azure Resource Manager answers with {with}"),
        "give --resource-id: az cosmosdb show --query id",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_list_says_twice_is_named() {
        let what = |body: &str| page::<Account>(body.as_bytes()).err().map(|t| t.what);
        assert_eq!(what(r#"{"value":[{"id":"a","tags":{"x":1,"x":2}}]}"#), None);
        let twice = "Azure Resource Manager answers with `id` twice with different values";
        let said = what(r#"{"value":[{"id":"a","id":"b"}]}"#);
        assert_eq!(said.as_deref(), Some(twice));
        let other = "Azure Resource Manager answers with a list of another kind";
        assert_eq!(what(r#"{"value":7}"#).as_deref(), Some(other));
    }
}
