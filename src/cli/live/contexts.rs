//! Accounts by a name of one's own, from the configuration.

use crate::config::{Config, ConfigContext};
use crate::error::Error;
use crate::model::visible::visible;
use crate::source::live::target::Auth;

use super::{SignInMethod, usage};

/// The context of that name. Whatever has a dot, a colon or a slash is an endpoint.
pub fn named<'a>(text: &str, config: &'a Config) -> Result<Option<&'a ConfigContext>, Error> {
    if text.contains(['.', ':', '/']) {
        return Ok(None);
    }
    let Some((name, context)) = config.contexts.get_key_value(text) else {
        return Ok(None);
    };
    if context.endpoint.is_empty() {
        return Err(usage(
            format!("the context {} of the configuration has no endpoint", visible(name)),
            "cosmoscope --print-config shows how a context is written",
        ));
    }
    Ok(Some(context))
}

/// How the context says to sign in.
pub fn auth(context: &ConfigContext) -> Result<Auth, Error> {
    let Some(text) = &context.auth else {
        return Ok(Auth::Auto);
    };
    let found = <SignInMethod as clap::ValueEnum>::from_str(text, false);
    found.map(SignInMethod::auth).map_err(|_| {
        usage(
            "the setting auth of the context is not valid",
            "the ways are auto, developer, workload-identity, managed-identity, client-secret and key",
        )
    })
}
