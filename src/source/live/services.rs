//! The services beside the account itself: where each is, and for whom a token for it is made. One table, one pair each.

use azure_core::cloud::CloudConfiguration;
use azure_core::http::Url;

use super::endpoint::is_under;
use super::hosts::is_loopback;
use crate::model::visible::visible;
use crate::source::answers::{Obstacle, Trouble};

/// A service that is asked with a token of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Service {
    /// Azure Resource Manager, which also gives metrics.
    Management,
    /// The query API of Log Analytics.
    Logs,
}

words! {
    /// A cloud of Azure by the name that `--cloud` has for it.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum CloudName {
        #[default]
        Public = "public",
        China = "china",
        UsGovernment = "us-government",
    }
    fn word, ALL
}

/// A cloud by the domain of its accounts, with the scopes of its services. Tokens for the management plane and the logs go
/// to the host of the scope and nowhere else.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Cloud {
    pub accounts: &'static str,
    pub data: &'static str,
    pub management: &'static str,
    pub logs: &'static str,
}

impl CloudName {
    pub(super) fn cloud(self) -> &'static Cloud {
        &CLOUDS[self as usize]
    }

    /// The cloud that a host is of by its name.
    pub fn of_host(host: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|name| is_under(host, name.cloud().accounts))
    }

    /// What the Azure CLI calls it.
    pub fn az_name(self) -> &'static str {
        match self {
            Self::Public => "AzureCloud",
            Self::China => "AzureChinaCloud",
            Self::UsGovernment => "AzureUSGovernment",
        }
    }

    /// Where Microsoft Entra of the cloud gives tokens.
    pub(super) fn sign_in(self) -> CloudConfiguration {
        match self {
            Self::Public => CloudConfiguration::AzurePublic,
            Self::China => CloudConfiguration::AzureChina,
            Self::UsGovernment => CloudConfiguration::AzureGovernment,
        }
    }
}

/// In the order of [`CloudName`].
pub(super) const CLOUDS: [Cloud; 3] = [
    Cloud {
        accounts: "documents.azure.com",
        data: "https://cosmos.azure.com/.default",
        management: "https://management.azure.com/.default",
        logs: "https://api.loganalytics.io/.default",
    },
    Cloud {
        accounts: "documents.azure.cn",
        data: "https://cosmos.azure.cn/.default",
        management: "https://management.chinacloudapi.cn/.default",
        logs: "https://api.loganalytics.azure.cn/.default",
    },
    Cloud {
        accounts: "documents.azure.us",
        data: "https://cosmos.azure.us/.default",
        management: "https://management.usgovcloudapi.net/.default",
        logs: "https://api.loganalytics.us/.default",
    },
];

/// The hosts of one cloud, or what stands in for them on this machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hosts {
    cloud: &'static Cloud,
    management: Url,
    logs: Url,
}

impl Hosts {
    /// Those of the cloud that an endpoint belongs to; None where its domain is of none that is known.
    pub fn of_endpoint(endpoint: &str) -> Option<Self> {
        let url = Url::parse(endpoint).ok()?;
        let cloud = CloudName::of_host(url.host_str()?)?.cloud();
        let base = |scope: &str| Url::parse(scope).ok()?.join("/").ok();
        Some(Self { cloud, management: base(cloud.management)?, logs: base(cloud.logs)? })
    }

    /// Servers on this machine in place of the public cloud, beside an emulator. Tokens keep their scopes.
    pub fn on_loopback(management: &str, logs: &str) -> Result<Self, Trouble> {
        let [cloud, ..] = &CLOUDS;
        Ok(Self { cloud, management: loopback(management)?, logs: loopback(logs)? })
    }

    pub(super) fn base(&self, service: Service) -> &Url {
        match service {
            Service::Management => &self.management,
            Service::Logs => &self.logs,
        }
    }

    pub(super) fn scope(&self, service: Service) -> &'static str {
        match service {
            Service::Management => self.cloud.management,
            Service::Logs => self.cloud.logs,
        }
    }

    /// Whether an address is on the host of a service, where its token may go.
    pub(super) fn owns(&self, service: Service, url: &Url) -> bool {
        let bare = url.username().is_empty() && url.password().is_none();
        bare && url.origin() == self.base(service).origin()
    }

    /// Whether both are on this machine, where there is no proxy and no certificate.
    pub(super) fn are_local(&self) -> bool {
        [&self.management, &self.logs].into_iter().all(is_local)
    }
}

fn is_local(url: &Url) -> bool {
    url.scheme() == "http" && url.host_str().is_some_and(is_loopback)
}

fn loopback(address: &str) -> Result<Url, Trouble> {
    let url = Url::parse(address).ok().filter(|url| {
        let bare = url.username().is_empty() && url.password().is_none();
        bare && is_local(url) && url.path() == "/" && url.query().is_none()
    });
    url.ok_or_else(|| {
        Trouble::new(
            Obstacle::Unsupported,
            format!("{} is not a server on this machine", visible(address)),
            "give it as http://127.0.0.1:PORT",
        )
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn each_cloud_has_its_own_hosts_and_scopes() {
        let reported = |endpoint: &str| {
            let hosts = Hosts::of_endpoint(endpoint)?;
            let both = [Service::Management, Service::Logs];
            Some(both.map(|s| (hosts.base(s).to_string(), hosts.scope(s).to_owned())))
        };
        let pairs = [
            (
                "https://a.documents.azure.com:443/",
                ["https://management.azure.com/", "https://api.loganalytics.io/"],
            ),
            (
                "https://a.documents.azure.cn/",
                ["https://management.chinacloudapi.cn/", "https://api.loganalytics.azure.cn/"],
            ),
            (
                "https://a.documents.azure.us/",
                ["https://management.usgovcloudapi.net/", "https://api.loganalytics.us/"],
            ),
        ];
        for (endpoint, hosts) in pairs {
            let wanted = hosts.map(|host| (host.to_owned(), format!("{host}.default")));
            assert_eq!(reported(endpoint), Some(wanted), "{endpoint}");
        }
        for odd in [
            "https://a.documents.azure.com.evil.test/",
            "https://a.cosmos.corp.test/",
            "http://127.0.0.1:8081/",
            "a.documents.azure.com",
            "",
        ] {
            assert_eq!(reported(odd), None, "{odd}");
        }
    }

    #[test]
    fn what_stands_in_is_on_this_machine() {
        let here = "http://127.0.0.1:80";
        for fine in ["http://127.0.0.1:9/", "http://[::1]:9", "http://localhost:9"] {
            assert!(Hosts::on_loopback(fine, here).unwrap().are_local(), "{fine}");
        }
        for odd in [
            "https://127.0.0.1:9",
            "http://127.0.0.1.evil.test:9",
            "http://u:p@127.0.0.1:9",
            "http://127.0.0.1:9/path",
            "http://127.0.0.1:9/?q",
            "http://169.254.169.254",
            "",
        ] {
            let refused = Hosts::on_loopback(odd, here).unwrap_err();
            assert_eq!(refused.obstacle, Obstacle::Unsupported, "{odd}");
            assert!(Hosts::on_loopback(here, odd).is_err(), "{odd}");
        }
    }

    #[test]
    fn a_token_stays_on_its_host() {
        let hosts = Hosts::of_endpoint("https://a.documents.azure.com").unwrap();
        let owns = |url: &str| hosts.owns(Service::Management, &Url::parse(url).unwrap());
        assert!(owns("https://management.azure.com:443/subscriptions?x=1"));
        for odd in [
            "http://management.azure.com/",
            "https://management.azure.com:444/",
            "https://management.azure.com.evil.test/",
            "https://u@management.azure.com/",
            "https://api.loganalytics.io/",
        ] {
            assert!(!owns(odd), "{odd}");
        }
    }
}
