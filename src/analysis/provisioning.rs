//! What is said of the RU/s of a container: bought for it, shared by its database, provisioned for nobody, or not known.

use crate::model::account::{Account, Setting};
use crate::model::capture::Container;
use crate::model::physical::{Throughput, ThroughputSettings, WithoutOwn};
use crate::model::units::whole_text;

/// Whose RU/s a container uses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RuOwner {
    Own(Throughput),
    /// Of its database, for all containers there that have none of their own.
    Shared(Throughput),
    Serverless,
    /// None are listed: serverless, or the sign-in does not see them.
    NoneListed,
    NotReported,
}

impl RuOwner {
    pub fn of(container: &Container, account: Option<&Account>) -> Self {
        let set = |settings: ThroughputSettings| settings.throughput;
        match (container.throughput, container.without_own) {
            (Some(own), _) => Self::Own(set(own)),
            (None, Some(WithoutOwn::Shared(settings))) => Self::Shared(set(settings)),
            _ if account.and_then(|a| a.is(Setting::Serverless)) == Some(true) => Self::Serverless,
            (None, Some(WithoutOwn::Nowhere)) => Self::NoneListed,
            (None, None) => Self::NotReported,
        }
    }

    /// Why the RU/s of its partitions are not known, where they are not.
    pub fn why_unknown(self) -> &'static str {
        match self {
            Self::Shared(_) => {
                "its database's RU/s are shared with other containers: RU/s of its partitions are not reported"
            }
            Self::Serverless => "the account is serverless: no RU/s are provisioned",
            Self::NoneListed => "no RU/s are listed for the container or its database",
            Self::Own(_) | Self::NotReported => "no input has the RU/s of the partitions",
        }
    }

    /// In a few words, for one line; None where nothing was told.
    pub fn short(self, ru: impl Fn(f64) -> String) -> Option<String> {
        Some(match self {
            Self::Own(Throughput::Manual { ru_per_second }) => {
                format!("{} RU/s manual", ru(ru_per_second))
            }
            Self::Own(Throughput::Autoscale { maximum, .. }) => {
                format!("autoscale up to {} RU/s", ru(maximum))
            }
            Self::Shared(throughput) => format!("shares {} RU/s", ru(throughput.highest())),
            Self::Serverless => "serverless, no RU/s provisioned".to_owned(),
            Self::NoneListed => "no RU/s listed".to_owned(),
            Self::NotReported => return None,
        })
    }

    /// As a sentence that also says what it means for figures.
    pub fn sentence(self) -> String {
        match self {
            Self::Own(throughput) => provisioned(throughput),
            Self::Shared(throughput) => format!(
                "no RU/s of its own: its database has {}, shared by the containers there; shares of RU/s are left out",
                provisioned(throughput)
            ),
            Self::Serverless => {
                let (what, so) = Setting::Serverless.words();
                format!("{what}: {so}")
            }
            Self::NoneListed => "no RU/s are listed for it or its database: a serverless account, or a sign-in that does not see them; shares of RU/s are left out".to_owned(),
            Self::NotReported => "throughput: not reported by the inputs".to_owned(),
        }
    }
}

/// `24,000 RU/s, manual`
fn provisioned(throughput: Throughput) -> String {
    match throughput {
        Throughput::Manual { ru_per_second } => {
            format!("{} RU/s, manual", whole_text(ru_per_second))
        }
        Throughput::Autoscale { maximum, .. } => {
            format!("autoscale up to {} RU/s", whole_text(maximum))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_container_is_told_by_its_own_then_by_its_database_then_by_its_account() {
        let manual = |ru_per_second| ThroughputSettings {
            throughput: Throughput::Manual { ru_per_second },
            minimum: None,
            instant_maximum: None,
            key_cap: None,
        };
        let serverless = Account::new(Some("a"), vec![(Setting::Serverless, true)], Vec::new());
        let with =
            |throughput, without_own| Container { throughput, without_own, ..Container::default() };
        let said = |container: &Container, account| RuOwner::of(container, account).sentence();
        let own = with(Some(manual(24_000.0)), Some(WithoutOwn::Shared(manual(400.0))));
        assert_eq!(said(&own, None), "24,000 RU/s, manual");
        let shared = with(None, Some(WithoutOwn::Shared(manual(400.0))));
        assert!(said(&shared, None).contains("its database has 400 RU/s, manual, shared"));
        let nowhere = with(None, Some(WithoutOwn::Nowhere));
        assert!(said(&nowhere, None).contains("a serverless account, or a sign-in"));
        assert!(said(&nowhere, Some(&serverless)).starts_with("serverless: no RU/s"));
        let unreported = with(None, None);
        assert_eq!(said(&unreported, None), "throughput: not reported by the inputs");
        assert_eq!(RuOwner::NotReported.short(|ru| ru.to_string()), None);
        let short = RuOwner::of(&shared, None).short(|ru| ru.to_string());
        assert_eq!(short.as_deref(), Some("shares 400 RU/s"));
    }
}
