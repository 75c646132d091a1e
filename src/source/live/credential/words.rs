//! Why there is no token, in words. What a program or a service wrote is read for its code and never shown.

use std::time::Duration;

use azure_core::error::ErrorKind;

use super::super::fault::causes;
use crate::source::answers::{Obstacle, Trouble};
use crate::source::live::target::Auth;

words! {
    /// A program of developers that gives tokens.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Tool {
        Az = "the Azure CLI (az)",
        Azd = "the Azure Developer CLI (azd)",
    }
    fn name
}

impl Tool {
    fn log_in(self) -> &'static str {
        match self {
            Self::Az => "az login",
            Self::Azd => "azd auth login",
        }
    }
}

/// Why a credential gave no token, as far as it makes a difference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TokenFailure {
    /// The program is not on this machine.
    Absent,
    LoggedOut,
    /// The log-in is too old, or more is asked for, such as a second factor.
    Expired,
    /// A rule of the directory.
    Policy,
    /// The directory does not know the account or application, or there is no such directory.
    Tenant,
    /// The secret of an application, or what stands for it.
    Secret,
    /// The host that gives tokens.
    Unreachable,
    Other,
    /// The number behind `AADSTS`.
    Coded(u32),
}

/// What credentials are called.
pub fn named(way: Auth) -> &'static str {
    match way {
        Auth::Key => "an account key",
        Auth::Auto | Auth::Developer => "the developer tools",
        Auth::WorkloadIdentity => "the workload identity",
        Auth::ManagedIdentity => "the managed identity",
        Auth::Command => "the program of the configuration",
        Auth::ClientSecret => "the client secret of the application",
    }
}

/// Reads the reason out of an error with all its causes.
pub fn why(error: &azure_core::Error) -> TokenFailure {
    let mut text = String::new();
    let mut is_connection = false;
    for error in causes(error) {
        text.push_str(&error.to_string().to_lowercase());
        text.push('\n');
        let kind = error.downcast_ref().map(azure_core::Error::kind);
        is_connection |= matches!(kind, Some(ErrorKind::Io | ErrorKind::Connection))
            || error.is::<std::io::Error>();
    }
    if let Some(code) = code(&text) {
        return coded(code);
    }
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if has(&["not found on path", "wasn't found on path"]) {
        TokenFailure::Absent
    } else if has(&["az login", "azd auth login", "not logged in", "no subscription found"])
        // The identity of Cloud Shell.
        || text.contains("audiencenotsupported")
    {
        TokenFailure::LoggedOut
    } else if is_connection || has(&OFFLINE) {
        TokenFailure::Unreachable
    } else {
        TokenFailure::Other
    }
}

/// Texts of the tools that cannot reach the sign-in host.
const OFFLINE: [&str; 5] = [
    "failed to resolve",
    "max retries exceeded",
    "connectionpool",
    "no such host",
    "network is un",
];
const MARK: &str = "aadsts";

fn code(text: &str) -> Option<u32> {
    let at = text.find(MARK)? + MARK.len();
    let digits: String = text.get(at..)?.chars().take(8).take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// The codes of Microsoft Entra that somebody at a terminal can do something about.
fn coded(code: u32) -> TokenFailure {
    match code {
        50_055 | 50_058 | 50_072 | 50_074 | 50_076 | 50_078 | 50_079 | 50_089 | 50_132 | 50_133
        | 50_173 | 65_001 | 70_008 | 70_043 | 70_044 | 700_081 | 700_082 | 700_084 | 700_003 => {
            TokenFailure::Expired
        }
        53_000..=53_011 | 530_001..=530_036 => TokenFailure::Policy,
        16_000 | 50_020 | 50_034 | 90_002 | 90_072 | 700_016 | 900_021 | 900_023 | 500_011 => {
            TokenFailure::Tenant
        }
        70_021
        | 700_027
        | 700_211..=700_213
        | 700_222..=700_229
        | 7_000_112
        | 7_000_215
        | 7_000_222 => TokenFailure::Secret,
        other => TokenFailure::Coded(other),
    }
}

fn trouble(what: impl Into<String>, next: impl Into<String>) -> Trouble {
    Trouble::new(Obstacle::SignIn, what, next)
}

const OTHER_WAYS: &str = "or sign in another way: --auth managed-identity on a machine in Azure, or an account key in COSMOSCOPE_KEY or --key-file";

/// Neither tool gave a token: what is told is the one that comes nearest.
pub fn no_tool(found: &[(Tool, TokenFailure)]) -> Trouble {
    let installed: Vec<&(Tool, TokenFailure)> =
        found.iter().filter(|(_, why)| *why != TokenFailure::Absent).collect();
    // A tool that knows somebody says more than one that knows nobody.
    let reported =
        installed.iter().find(|(_, why)| *why != TokenFailure::LoggedOut).or(installed.first());
    let Some(&&(tool, why)) = reported else {
        return trouble(
            "no sign-in is possible here: neither az nor azd is on the PATH",
            format!("install the Azure CLI and log in with az login, {OTHER_WAYS}"),
        );
    };
    let (name, log_in) = (tool.name(), tool.log_in());
    match why {
        TokenFailure::Absent | TokenFailure::LoggedOut => trouble(
            format!("{name} is not logged in"),
            format!(
                "log in with {log_in} (--use-device-code where there is no browser), {OTHER_WAYS}"
            ),
        ),
        TokenFailure::Expired => trouble(
            format!("the log-in of {name} has expired, or needs a second step"),
            format!("log in again with {log_in}"),
        ),
        TokenFailure::Tenant => trouble(
            format!(
                "the directory (tenant) that {name} is logged in to does not know this account or service"
            ),
            format!(
                "log in to the directory of the Cosmos DB account: {log_in} --tenant{} TENANT",
                if tool == Tool::Azd { "-id" } else { "" }
            ),
        ),
        TokenFailure::Policy => policy(name),
        TokenFailure::Unreachable => unreachable(name),
        TokenFailure::Secret | TokenFailure::Other => trouble(
            format!(
                "{name} ended with an error instead of a token; what it wrote is not repeated here"
            ),
            see(tool),
        ),
        TokenFailure::Coded(code) => {
            trouble(format!("{name} got no token: Microsoft Entra says AADSTS{code}"), see(tool))
        }
    }
}

fn see(tool: Tool) -> String {
    match tool {
        Tool::Az => "to see why, run: az account get-access-token --scope https://cosmos.azure.com/.default --query expiresOn".to_owned(),
        Tool::Azd => "to see why, run: azd auth login --check-status".to_owned(),
    }
}

fn policy(by: &str) -> Trouble {
    trouble(
        format!("a rule of the directory (conditional access) refuses {by}"),
        "use a machine and network that the rule allows, or ask an administrator of the directory",
    )
}

fn unreachable(by: &str) -> Trouble {
    Trouble::new(
        Obstacle::Unreachable,
        format!("{by} could not reach the host that gives tokens"),
        "check the network, VPN and proxy: the sign-in host must be reachable, login.microsoftonline.com in the public cloud",
    )
}

/// A credential that asks over the network was refused.
pub fn refused(by: &str, error: &azure_core::Error) -> Trouble {
    if by == named(Auth::Command) {
        // Its reasons are sentences of ours.
        return trouble(
            format!("{by} gave no token: {error}"),
            "run it by itself: it prints a token alone, or JSON with accessToken or status.token",
        );
    }
    match why(error) {
        TokenFailure::Expired | TokenFailure::Secret => trouble(
            format!("Microsoft Entra does not accept {by}: it is wrong or has expired"),
            "renew it where it is managed, and check AZURE_CLIENT_ID and AZURE_TENANT_ID",
        ),
        TokenFailure::Tenant => trouble(
            format!("Microsoft Entra does not know {by} in this directory (tenant)"),
            "check AZURE_TENANT_ID and AZURE_CLIENT_ID",
        ),
        TokenFailure::Policy => policy(by),
        TokenFailure::Unreachable => unreachable(by),
        TokenFailure::Coded(code) => trouble(
            format!("{by} gave no token: Microsoft Entra says AADSTS{code}"),
            "look the code up at https://login.microsoftonline.com/error",
        ),
        TokenFailure::LoggedOut => trouble(
            format!("{by} gives no token for Cosmos DB"),
            "run az login, also in Cloud Shell, and leave --auth out",
        ),
        TokenFailure::Absent | TokenFailure::Other => trouble(
            format!("{by} gave no token"),
            "check that it is set up on this machine, or choose another way with --auth",
        ),
    }
}

pub fn no_answer(by: &str, limit: Duration) -> Trouble {
    let next = if by == named(Auth::ManagedIdentity) {
        "managed identities answer on machines in Azure alone; elsewhere log in with az login and leave --auth out"
    } else {
        "check the network, VPN and proxy, then try again"
    };
    let what = format!("{by} gave no answer within {} seconds", limit.as_secs_f64().ceil());
    Trouble::new(Obstacle::TimedOut, what, next)
}

pub fn ended(by: &str) -> Trouble {
    trouble(
        format!("the token that {by} gave has ended already"),
        "check the clock of this machine, then log in again",
    )
}

pub fn missing(way: Auth, variable: &str) -> Trouble {
    trouble(
        format!("{} needs {variable}, which is not set", named(way)),
        "set it as the administrator of the application says, or choose another way with --auth",
    )
}

pub fn unusable(by: &str, error: &azure_core::Error) -> Trouble {
    let next = "check AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_FEDERATED_TOKEN_FILE, or choose another way with --auth";
    match why(error) {
        TokenFailure::Unreachable => {
            trouble(format!("{by} cannot be used: a file that it names cannot be read"), next)
        }
        _ => trouble(format!("{by} cannot be used: it is not set up as it must be"), next),
    }
}
