//! The way into an account: signs in, opens the data plane, and finds out which other ways there are.

use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::Mutex;

use super::account::AccountReader;
use super::clock;
use super::credential;
use super::logs::LogsReader;
use super::management::Management;
use super::plan::Ways;
use super::secret::KeyCredential;
use super::services::Hosts;
use super::session::{Opens, Reads, Samples};
use super::sign_in::SignIn;
use super::target::{Pace, Target};
use crate::source::answers::{Inquiry, Kind, Observation, Obstacle, Trouble};

/// Opens real accounts and emulators.
#[derive(Debug)]
pub struct Door {
    /// What somebody gave to sign in with; it shows in no debug text.
    given: Option<KeyCredential>,
    pace: Pace,
    /// The sign-in of the account that was opened last. It may start a program or prompt the user, so it outlives an account
    /// that does not answer.
    signed_in: Mutex<Option<(Target, SignIn)>>,
}

impl Door {
    pub fn new(given: Option<KeyCredential>, pace: Pace) -> Self {
        Self { given, pace, signed_in: Mutex::default() }
    }
}

#[async_trait]
impl Opens for Door {
    async fn open(&self, target: &Target) -> Result<Box<dyn Reads>, Trouble> {
        let mut signed_in = self.signed_in.lock().await;
        if let Some((_, sign_in)) = signed_in.clone().filter(|(of, _)| of == target) {
            let opened = open(target, sign_in, self.pace).await;
            // The service no longer accepts the token: sign in again.
            if !matches!(&opened, Err(trouble) if trouble.obstacle == Obstacle::SignIn) {
                return opened;
            }
        }
        let entry = credential::enter(target, self.given.clone(), &self.pace).await?;
        *signed_in = Some((target.clone(), entry.sign_in.clone()));
        open(target, entry.sign_in, self.pace).await
    }
}

/// Opens an account for somebody who is signed in.
pub async fn open(target: &Target, sign_in: SignIn, pace: Pace) -> Result<Box<dyn Reads>, Trouble> {
    let management = management(&sign_in, target, pace);
    let logs = logs(&sign_in, target, pace);
    let account = AccountReader::open(target, sign_in, pace).await?;
    Ok(Box::new(Ready { account, management, logs }))
}

/// A way that may not be there: not asked for, or why it cannot be.
type OptionalClient<T> = Option<Result<T, Trouble>>;

/// With a key nobody is known to the management plane: it is not asked at all.
fn management(sign_in: &SignIn, target: &Target, pace: Pace) -> OptionalClient<Management> {
    if matches!(sign_in, SignIn::Key(_)) && target.resource_id.is_none() {
        return None;
    }
    let hosts = Hosts::of_endpoint(&target.endpoint)?;
    Some(Management::new(sign_in, target, hosts, pace))
}

/// Only where somebody named a workspace.
fn logs(sign_in: &SignIn, target: &Target, pace: Pace) -> OptionalClient<LogsReader> {
    target.workspace.as_ref()?;
    let hosts = Hosts::of_endpoint(&target.endpoint)?;
    Some(LogsReader::new(sign_in, target, target.account(), hosts, pace))
}

/// An account with every way that is open.
struct Ready {
    account: AccountReader,
    management: OptionalClient<Management>,
    logs: OptionalClient<LogsReader>,
}

#[async_trait]
impl Reads for Ready {
    async fn ask(&self, inquiry: &Inquiry) -> Observation {
        let logged =
            matches!(inquiry.kind, Kind::LoggedSizes | Kind::LoggedRu | Kind::LoggedRequests);
        if logged {
            return match opened(self.logs.as_ref()) {
                Ok(logs) => logs.ask(inquiry).await,
                Err(trouble) => Observation::of(inquiry, clock::now(), Err(trouble)),
            };
        }
        if inquiry.kind.is_elsewhere() {
            return match opened(self.management.as_ref()) {
                Ok(management) => management.ask(inquiry).await,
                Err(trouble) => Observation::of(inquiry, clock::now(), Err(trouble)),
            };
        }
        let seen = self.account.ask(inquiry).await;
        if let (Observation::Answer(answer), Some(Ok(management))) = (&seen, &self.management) {
            management.note(answer);
        }
        seen
    }

    fn ways(&self) -> Ways {
        Ways { management: self.management.is_some(), logs: self.logs.is_some() }
    }

    fn samples(&self) -> Option<Arc<dyn Samples>> {
        Some(Arc::new(self.account.clone()))
    }
}

fn opened<T>(way: Option<&Result<T, Trouble>>) -> Result<&T, Trouble> {
    let Some(way) = way else {
        return Err(Trouble::new(
            Obstacle::Unsupported,
            "this way to the account is not open",
            "--resource-id and --workspace name them",
        ));
    };
    way.as_ref().map_err(Trouble::clone)
}
