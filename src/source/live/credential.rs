//! Signing in: which credential is used, tried once before anything else is built, with our own words where it fails.
//!
//! There is one credential for all services. It gives tokens for the scopes in [`SCOPES`] and for no other, remembers them
//! until shortly before they end, and asks for one at a time, since each question may start a program.

mod child;
mod claims;
mod command;
mod developer;
mod keeper;
mod words;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use azure_core::credentials::{Secret, TokenCredential};
use azure_core::http::{ClientOptions, RetryOptions, Transport};
use azure_identity::{
    ClientAssertionCredentialOptions, ClientSecretCredential, ClientSecretCredentialOptions,
    ManagedIdentityCredential, ManagedIdentityCredentialOptions, UserAssignedId,
    WorkloadIdentityCredential, WorkloadIdentityCredentialOptions,
};

use super::endpoint;
use super::secret::{KeyCredential, hold};
use super::services::{CLOUDS, CloudName};
use super::sign_in::SignIn;
use super::target::{Auth, Pace, Side, Target};
use super::trouble::no_certificates;
use super::wire;
use crate::source::answers::{Obstacle, Trouble};

use command::CommandCredential;
use developer::Tools;

pub use claims::Claims;
pub use keeper::{Keeper, trouble_of};

/// Every scope that a token is ever asked for: the data planes, the management planes, the query APIs of the logs.
pub const SCOPES: [&str; 9] = [
    CLOUDS[0].data,
    CLOUDS[1].data,
    CLOUDS[2].data,
    CLOUDS[0].management,
    CLOUDS[1].management,
    CLOUDS[2].management,
    CLOUDS[0].logs,
    CLOUDS[1].logs,
    CLOUDS[2].logs,
];

/// The key that Microsoft publishes for its emulator: the same for everybody, and no secret.
const EMULATOR_KEY: &str =
    "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";

/// Who is signed in, and by what.
#[derive(Clone, Debug)]
pub struct SignedIn {
    pub sign_in: SignIn,
    /// What answered, in words: `the Azure CLI (az)`.
    pub by: String,
    /// What the token for the data plane says; None for a key.
    pub claims: Option<Claims>,
}

/// Signs in; the token for the data plane is asked for, so that whoever cannot sign in learns it now.
pub async fn enter(
    target: &Target,
    given: Option<KeyCredential>,
    pace: &Pace,
) -> Result<SignedIn, Trouble> {
    enter_with(target, given, pace, &environment).await
}

/// A variable of the environment; an empty one is none.
type Variables<'a> = dyn Fn(&str) -> Option<String> + Sync + 'a;

#[expect(clippy::disallowed_methods, reason = "on a server the environment holds what signs in")]
fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

async fn enter_with(
    target: &Target,
    given: Option<KeyCredential>,
    pace: &Pace,
    variables: &Variables<'_>,
) -> Result<SignedIn, Trouble> {
    let keeper = match way(target, given.as_ref(), variables) {
        Auth::Key => return with_key(target, given),
        Auth::Auto | Auth::Developer => {
            let tools = Tools::new(target.tenant.as_deref());
            let tools = tools.map_err(|e| words::unusable("the developer tools", &e))?;
            Keeper::of_tools(Arc::new(tools), *pace)
        }
        way => {
            let by = words::named(way);
            let credential = credential(way, target, pace, variables)?;
            let is_command = way == Auth::Command;
            let sign_in = if is_command { command::LIMIT + A_MOMENT } else { pace.sign_in };
            Keeper::new(credential, by, Pace { sign_in, ..*pace })
        }
    };
    let keeper = Arc::new(keeper);
    let token = keeper.first(target.cloud.cloud().data).await?;
    let claims = Claims::read(token.token.secret());
    let by = keeper.by();
    Ok(SignedIn { sign_in: SignIn::Token(keeper), by, claims: Some(claims) })
}

/// What is signed in with, as far as somebody said it, and else as the surroundings are: never `Auto`.
fn way(target: &Target, given: Option<&KeyCredential>, variables: &Variables<'_>) -> Auth {
    let are_set = |names: &[&str]| names.iter().all(|name| variables(name).is_some());
    match target.auth {
        Auth::Auto if given.is_some() || target.side == Side::Emulator => Auth::Key,
        Auth::Auto if !target.credential.is_empty() => Auth::Command,
        Auth::Auto if are_set(&[TENANT, CLIENT, TOKEN_FILE]) => Auth::WorkloadIdentity,
        Auth::Auto if are_set(&[TENANT, CLIENT, CLIENT_SECRET]) => Auth::ClientSecret,
        // Machines whose identity is not in the environment are asked only by --auth: elsewhere nothing answers them.
        Auth::Auto if are_set(&["IDENTITY_ENDPOINT", "IDENTITY_HEADER"]) => Auth::ManagedIdentity,
        Auth::Auto => Auth::Developer,
        said => said,
    }
}

fn with_key(target: &Target, given: Option<KeyCredential>) -> Result<SignedIn, Trouble> {
    let Some(given) = given else {
        if target.side == Side::Emulator {
            return Ok(SignedIn {
                sign_in: SignIn::Key(Secret::new(EMULATOR_KEY)),
                by: "the key that is published for emulators".to_owned(),
                claims: None,
            });
        }
        return Err(Trouble::new(
            Obstacle::SignIn,
            "there is no account key to sign in with",
            "put a key or connection string into COSMOSCOPE_KEY, or give --key-file FILE",
        ));
    };
    if let Some(named) = given.endpoint()
        && !endpoint::is_same(&target.endpoint, named)
    {
        return Err(Trouble::new(
            Obstacle::SignIn,
            format!("{} holds the connection string of another account", given.from()),
            "give the endpoint of the connection string, or the key of this account alone",
        ));
    }
    Ok(SignedIn {
        sign_in: SignIn::Key(given.key()),
        by: format!("an account key from {}", given.from()),
        claims: None,
    })
}

/// The limit that lies within another ends first, and says why.
const A_MOMENT: Duration = Duration::from_secs(1);
const TENANT: &str = "AZURE_TENANT_ID";
const CLIENT: &str = "AZURE_CLIENT_ID";
const CLIENT_SECRET: &str = "AZURE_CLIENT_SECRET";
const TOKEN_FILE: &str = "AZURE_FEDERATED_TOKEN_FILE";

/// A credential that asks over the network. That it exists says nothing yet: only a token does.
fn credential(
    way: Auth,
    target: &Target,
    pace: &Pace,
    variables: &Variables<'_>,
) -> Result<Arc<dyn TokenCredential>, Trouble> {
    let transport = wire::transport(target.proxy && way != Auth::ManagedIdentity, *pace);
    let transport = transport.map_err(|_| no_certificates())?;
    let client_options = || client_options(target.cloud, pace, transport.clone());
    let needed = |name: &'static str| variables(name).ok_or_else(|| words::missing(way, name));
    let tenant = || target.tenant.clone().map_or_else(|| needed(TENANT), Ok);
    let unusable = |e: azure_core::Error| words::unusable(words::named(way), &e);
    Ok(match way {
        Auth::WorkloadIdentity => {
            let options = WorkloadIdentityCredentialOptions {
                credential_options: ClientAssertionCredentialOptions {
                    client_options: client_options(),
                },
                client_id: Some(needed(CLIENT)?),
                tenant_id: Some(tenant()?),
                token_file_path: Some(needed(TOKEN_FILE)?.into()),
            };
            WorkloadIdentityCredential::new(Some(options)).map_err(unusable)?
        }
        Auth::ClientSecret => {
            let (tenant, client) = (tenant()?, needed(CLIENT)?);
            let secret = needed(CLIENT_SECRET)?;
            hold(&secret);
            let options = ClientSecretCredentialOptions { client_options: client_options() };
            ClientSecretCredential::new(&tenant, client, Secret::new(secret), Some(options))
                .map_err(unusable)?
        }
        Auth::Command => Arc::new(CommandCredential(target.credential.clone())),
        Auth::ManagedIdentity | Auth::Key | Auth::Developer | Auth::Auto => {
            let options = ManagedIdentityCredentialOptions {
                user_assigned_id: variables(CLIENT).map(UserAssignedId::ClientId),
                client_options: client_options(),
            };
            ManagedIdentityCredential::new(Some(options)).map_err(unusable)?
        }
    })
}

/// Few tries and no proxy from the environment: the default of the crate retries for minutes, and a proxy could read the token
/// of a managed identity.
fn client_options(cloud: CloudName, pace: &Pace, transport: Transport) -> ClientOptions {
    let total = azure_core::time::Duration::try_from(pace.sign_in.saturating_sub(A_MOMENT));
    ClientOptions {
        cloud: Some(Arc::new(cloud.sign_in())),
        transport: Some(transport),
        retry: RetryOptions::exponential(azure_core::http::ExponentialRetryOptions {
            max_retries: 2,
            max_total_elapsed: total.unwrap_or(azure_core::time::Duration::SECOND),
            ..Default::default()
        }),
        ..ClientOptions::default()
    }
}
