//! The resource id of an account: what `--resource-id` takes and what the management plane answers.

use std::fmt;

use crate::model::names::is_guid;
use crate::model::visible::visible;
use crate::source::answers::{Obstacle, Trouble};

/// The service allows 90 for a group and 44 for an account.
const MAX_NAME_CHARS: usize = 90;

/// An account in the management plane. Its names stand in addresses: nothing else than names is in here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccountId {
    subscription: String,
    group: String,
    name: String,
}

impl AccountId {
    /// The id of an account, also where it goes on to something inside the account.
    pub fn parse(text: &str) -> Result<Self, Trouble> {
        read(text).ok_or_else(|| {
            let shown: String = text.chars().take(200).collect();
            Trouble::new(
                Obstacle::NotFound,
                format!("no resource id of an account: {}", visible(&shown)),
                "it looks like /subscriptions/GUID/resourceGroups/GROUP/providers/Microsoft.DocumentDB/databaseAccounts/NAME",
            )
        })
    }

    #[cfg(test)]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The segments of its address.
    pub(super) fn path(&self) -> [&str; 8] {
        [
            "subscriptions",
            &self.subscription,
            "resourceGroups",
            &self.group,
            "providers",
            "Microsoft.DocumentDB",
            "databaseAccounts",
            &self.name,
        ]
    }
}

impl fmt::Display for AccountId {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path().iter().try_for_each(|name| write!(text, "/{name}"))
    }
}

fn read(text: &str) -> Option<AccountId> {
    let mut names = text.trim().trim_start_matches('/').split('/');
    let mut after = |word: &str| {
        let here = names.next()?;
        here.eq_ignore_ascii_case(word).then(|| names.next())?
    };
    let subscription = after("subscriptions")?;
    let group = after("resourceGroups")?;
    let provider = after("providers")?;
    let name = after("databaseAccounts")?;
    let fine = is_guid(subscription)
        && is_name(group)
        && provider.eq_ignore_ascii_case("Microsoft.DocumentDB")
        && is_name(name);
    fine.then(|| AccountId {
        subscription: subscription.to_owned(),
        group: group.to_owned(),
        name: name.to_lowercase(),
    })
}

fn is_name(text: &str) -> bool {
    let allowed = |c: char| c.is_alphanumeric() || "-_.()".contains(c);
    let dots = text.chars().all(|c| c == '.');
    !dots && text.chars().count() <= MAX_NAME_CHARS && text.chars().all(allowed)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    const ID: &str = "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/rg-northpier/providers/Microsoft.DocumentDB/databaseAccounts/northpier-prod";

    #[test]
    fn an_id_is_read_and_written() {
        assert_eq!(AccountId::parse(ID).unwrap().to_string(), ID);
        let longer = format!(" {ID}/sqlDatabases/shop ");
        assert_eq!(AccountId::parse(&longer).unwrap().to_string(), ID);
        let other = ID.to_uppercase().replace("DATABASEACCOUNTS", "databaseaccounts");
        assert_eq!(AccountId::parse(&other).unwrap().name(), "northpier-prod");
    }

    #[test]
    fn what_names_no_account_is_refused() {
        for odd in [
            "",
            "northpier-prod",
            "/subscriptions/1/resourceGroups/rg/providers/Microsoft.DocumentDB/databaseAccounts/a",
            &ID.replace("Microsoft.DocumentDB", "Microsoft.Web"),
            &ID.replace("rg-northpier", ".."),
            &ID.replace("rg-northpier", ""),
            &ID.replace("northpier-prod", "a?b"),
            &ID.replace("northpier-prod", "a%2Fb"),
            &ID.replace("northpier-prod", "\u{1b}[2J"),
        ] {
            let refused = AccountId::parse(odd).unwrap_err();
            assert!(!refused.what.contains('\u{1b}'), "{odd}");
        }
    }
}
