//! A credential that remembers its tokens, asks for no scope but the known ones, and fails in our own words.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use azure_core::credentials::{AccessToken, TokenCredential, TokenRequestOptions};
use azure_core::error::ErrorKind;
use azure_core::time::{Duration, OffsetDateTime};
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::super::fault::causes;
use super::super::secret::hold_token;
use super::super::target::Pace;
use super::developer::Tools;
use super::{SCOPES, words};
use crate::source::answers::{Obstacle, Trouble};

/// A token is renewed so long before it ends; until then the old one does where no new one comes.
const RENEW_BEFORE: Duration = Duration::minutes(5);
/// A token that ends sooner is none: it would end on its way.
const LEAST_LEFT: Duration = Duration::seconds(30);

/// Pauses between tries to renew a token that still holds: who gives tokens may give the same one again.
const RENEW_PAUSES: u32 = 15;

enum Source {
    One { credential: Arc<dyn TokenCredential>, by: &'static str },
    Tools(Arc<Tools>),
}

/// What is known of one scope.
#[derive(Default)]
struct CachedToken {
    token: Option<AccessToken>,
    /// When one was asked for last.
    requested_at: Option<OffsetDateTime>,
    /// The last failure and when it was, so that a program that fails is not started for every request.
    failed: Option<(OffsetDateTime, Trouble)>,
}

pub struct Keeper {
    source: Source,
    pace: Pace,
    /// One for each of [`SCOPES`]: a service that is slow to give a token holds up nobody else.
    known: [Mutex<CachedToken>; SCOPES.len()],
}

impl fmt::Debug for Keeper {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str("Keeper")
    }
}

impl Keeper {
    pub fn new(credential: Arc<dyn TokenCredential>, by: &'static str, pace: Pace) -> Self {
        Self::over(Source::One { credential, by }, pace)
    }

    pub fn of_tools(tools: Arc<Tools>, pace: Pace) -> Self {
        Self::over(Source::Tools(tools), pace)
    }

    fn over(source: Source, pace: Pace) -> Self {
        Self { source, pace, known: <[Mutex<CachedToken>; SCOPES.len()]>::default() }
    }

    /// What gave the tokens, in words.
    pub fn by(&self) -> String {
        match &self.source {
            Source::One { by, .. } => (*by).to_owned(),
            Source::Tools(tools) => tools.by().to_owned(),
        }
    }

    /// A token for a scope, remembered or new.
    pub async fn first(&self, scope: &str) -> Result<AccessToken, Trouble> {
        let mut all = SCOPES.into_iter().zip(&self.known);
        let Some((scope, known)) = all.find(|(known, _)| *known == scope) else {
            return Err(Trouble::new(
                Obstacle::SignIn,
                "a token was wanted for a service that this program does not ask",
                "please report this",
            ));
        };
        // Held while a token is asked for: whoever comes meanwhile waits for the same one.
        let mut known = known.lock().await;
        let now = OffsetDateTime::now_utc();
        let left = known.token.as_ref().map(|token| token.expires_on - now);
        if let Some(token) = known.token.as_ref().filter(|_| left > Some(RENEW_BEFORE)) {
            return Ok(token.clone());
        }
        let usable = known.token.clone().filter(|_| left > Some(LEAST_LEFT));
        let renewed = known.requested_at.map(|at| now - at);
        if let Some(token) = usable.as_ref()
            && renewed.is_some_and(|ago| ago < self.pace.retry_after[1] * RENEW_PAUSES)
        {
            return Ok(token.clone());
        }
        if let Some((at, trouble)) = &known.failed
            && now - *at < self.pace.retry_after[1]
        {
            return usable.ok_or_else(|| trouble.clone());
        }
        let answer = self.ask(scope).await;
        known.requested_at = Some(OffsetDateTime::now_utc());
        match answer {
            Ok(token) => {
                known.failed = None;
                known.token = Some(token.clone());
                Ok(token)
            }
            Err(trouble) => {
                known.failed = known.requested_at.map(|at| (at, trouble.clone()));
                usable.ok_or(trouble)
            }
        }
    }

    async fn ask(&self, scope: &'static str) -> Result<AccessToken, Trouble> {
        let limit = self.pace.sign_in;
        let asked = async {
            match &self.source {
                Source::One { credential, by } => {
                    credential.get_token(&[scope], None).await.map_err(|e| words::refused(by, &e))
                }
                Source::Tools(tools) => tools.token(scope).await,
            }
        };
        let answer = timeout(limit, asked).await;
        let token = answer.map_err(|_| match &self.source {
            Source::One { by, .. } => words::no_answer(by, limit),
            Source::Tools(tools) => words::no_answer(tools.by(), limit),
        })??;
        hold_token(token.token.secret());
        if token.token.secret().is_empty()
            || token.expires_on - OffsetDateTime::now_utc() < LEAST_LEFT
        {
            return Err(words::ended(&self.by()));
        }
        Ok(token)
    }
}

#[async_trait::async_trait]
impl TokenCredential for Keeper {
    async fn get_token(
        &self,
        scopes: &[&str],
        _: Option<TokenRequestOptions<'_>>,
    ) -> azure_core::Result<AccessToken> {
        let scope = match scopes {
            [one] => one,
            _ => "",
        };
        let reported = self.first(scope).await;
        reported
            .map_err(|trouble| azure_core::Error::new(ErrorKind::Credential, TokenRefusal(trouble)))
    }
}

/// Our own words, on their way through the SDK's errors.
#[derive(Debug)]
struct TokenRefusal(Trouble);

impl fmt::Display for TokenRefusal {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str(&self.0.what)
    }
}

impl StdError for TokenRefusal {}

/// What a credential said of why there is no token, wherever in an error it is.
pub fn trouble_of(error: &(dyn StdError + 'static)) -> Option<Trouble> {
    causes(error).find_map(|at| at.downcast_ref().map(|TokenRefusal(trouble)| trouble.clone()))
}
