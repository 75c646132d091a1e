//! An account with every way to it: the account itself, the management plane, the logs; signed in to once.

use async_trait::async_trait;

use super::account::Account;
use super::credential;
use super::endpoint;
use super::logs::Logs;
use super::management::Management;
use super::plan::Ways;
use super::secret::Given;
use super::services::Hosts;
use super::session::{Opens, Reads};
use super::sign_in::SignIn;
use super::target::{Pace, Target};
use crate::source::answers::{Asked, Failure, Kind, Obstacle, Seen, Trouble};

/// Opens accounts with what somebody gave to sign in with.
#[derive(Clone, Debug)]
pub struct Opener {
    pub given: Option<Given>,
    pub pace: Pace,
    /// Other hosts than those of the endpoint's cloud, beside an emulator.
    pub hosts: Option<Hosts>,
}

/// An account that is open. A way that is not says why whenever it is asked.
#[derive(Debug)]
pub struct Open {
    account: Account,
    management: Result<Management, Trouble>,
    logs: Result<Logs, Trouble>,
}

#[async_trait]
impl Opens for Opener {
    async fn open(&self, target: &Target) -> Result<Box<dyn Reads>, Trouble> {
        let sign_in = credential::sign_in(target, self.given.clone(), &self.pace).await?;
        let open = Open::over(target, sign_in, self.hosts.clone(), self.pace).await?;
        Ok(Box::new(open))
    }
}

impl Open {
    /// Opens the account for somebody who is signed in. Of the other ways only what needs no question is looked at.
    pub async fn over(
        target: &Target,
        sign_in: SignIn,
        hosts: Option<Hosts>,
        pace: Pace,
    ) -> Result<Self, Trouble> {
        let hosts = hosts.or_else(|| Hosts::of_endpoint(&target.endpoint));
        let account = Account::open(target, sign_in.clone(), pace).await?;
        let management = match hosts.clone() {
            Some(hosts) => Management::new(&sign_in, target, hosts, pace),
            None => Err(no_cloud("the management plane")),
        };
        let logs = match (hosts, &target.workspace) {
            (_, None) => Err(Trouble::new(
                Obstacle::Unsupported,
                "no Log Analytics workspace is named",
                "give --workspace and the id of the workspace that the account's diagnostic setting writes to",
            )),
            (None, _) => Err(no_cloud("Log Analytics")),
            (Some(hosts), _) => Logs::new(
                &sign_in,
                target,
                &endpoint::account(&target.endpoint),
                hosts,
                pace,
            ),
        };
        Ok(Self {
            account,
            management,
            logs,
        })
    }
}

fn no_cloud(way: &str) -> Trouble {
    Trouble::new(
        Obstacle::Unsupported,
        format!("{way} is not asked: the endpoint is of no cloud of Azure"),
        "what it would tell can be exported and opened as files",
    )
}

#[async_trait]
impl Reads for Open {
    async fn ask(&self, asked: &Asked) -> Seen {
        let closed = |trouble: &Trouble| {
            Seen::Failure(Failure {
                at: super::clock::now(),
                asked: asked.clone(),
                trouble: trouble.clone(),
            })
        };
        match asked.kind {
            Kind::LoggedSizes | Kind::LoggedRu | Kind::LoggedRequests => match &self.logs {
                Ok(logs) => logs.ask(asked).await,
                Err(trouble) => closed(trouble),
            },
            kind if kind.is_elsewhere() => match &self.management {
                Ok(management) => management.ask(asked).await,
                Err(trouble) => closed(trouble),
            },
            _ => {
                let seen = self.account.ask(asked).await;
                if let (Seen::Answer(answer), Ok(management)) = (&seen, &self.management) {
                    management.note(answer);
                }
                seen
            }
        }
    }

    fn ways(&self) -> Ways {
        Ways {
            management: self.management.is_ok(),
            logs: self.logs.is_ok(),
        }
    }
}
