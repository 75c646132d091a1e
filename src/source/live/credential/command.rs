//! A program of the user's own that prints a token, as the configuration names it: run without a shell and without our
//! secrets, and ended with all that it started.

use std::ffi::OsStr;
use std::time::Duration;

use azure_core::Error;
use azure_core::credentials::{AccessToken, TokenCredential, TokenRequestOptions};
use azure_core::error::ErrorKind;
use azure_core::time::{Duration as Span, OffsetDateTime, parse_rfc3339};
use azure_identity::Executor;
use serde_json::Value;

use super::child::Programs;

/// It may ask somebody.
pub const LIMIT: Duration = Duration::from_secs(30);
/// No token is longer.
const MAX_BYTES: usize = 64 << 10;
/// Stands for the scope of the token in an argument.
const SCOPE: &str = "{scope}";
/// A bare token does not say when it ends: it is asked for again after this.
const UNKNOWN: Span = Span::minutes(10);

/// The program and its arguments.
#[derive(Debug)]
pub struct CommandCredential(pub Vec<String>);

#[async_trait::async_trait]
impl TokenCredential for CommandCredential {
    async fn get_token(
        &self,
        scopes: &[&str],
        _: Option<TokenRequestOptions<'_>>,
    ) -> azure_core::Result<AccessToken> {
        let failed = |why: &'static str| Error::with_message(ErrorKind::Credential, why);
        let scope = scopes.first().copied().unwrap_or_default();
        let words: Vec<String> = self.0.iter().map(|word| word.replace(SCOPE, scope)).collect();
        let mut words = words.iter().map(OsStr::new);
        let program = words.next().ok_or_else(|| failed("no program is named"))?;
        let args: Vec<&OsStr> = words.collect();
        let ran = tokio::time::timeout(LIMIT, Programs.run(program, &args)).await;
        let output = ran.map_err(|_| failed("it did not end in time"))?;
        let output = output.map_err(|_| failed("it cannot be started"))?;
        if !output.status.success() || output.stdout.len() > MAX_BYTES {
            return Err(failed("it ended with an error, or printed more than a token"));
        }
        read(&output.stdout).ok_or_else(|| failed("what it printed is no token"))
    }
}

/// A token on a line of its own, or JSON as `az account get-access-token` prints it, or as credential programs of kubectl do.
fn read(printed: &[u8]) -> Option<AccessToken> {
    let text = std::str::from_utf8(printed).ok()?.trim();
    let json: Option<Value> = serde_json::from_str(text).ok();
    // As az prints it without `-o tsv`.
    let text = json.as_ref().and_then(Value::as_str).unwrap_or(text);
    if let Some(Value::Object(json)) = &json {
        let status = json.get("status").and_then(Value::as_object).unwrap_or(json);
        let named = |names: [&str; 2]| names.iter().find_map(|name| status.get(*name)?.as_str());
        let seconds = status.get("expires_on").and_then(Value::as_i64);
        let of_seconds = seconds.and_then(|at| OffsetDateTime::from_unix_timestamp(at).ok());
        let text = named(["expirationTimestamp", "expiresOn"]);
        let ends = of_seconds.or(text.and_then(|text| parse_rfc3339(text).ok()));
        let token = named(["accessToken", "token"])?;
        return Some(AccessToken::new(token.to_owned(), ends.unwrap_or_else(unknown)));
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~+/=".contains(c);
    (!text.is_empty() && text.chars().all(is_plain))
        .then(|| AccessToken::new(text.to_owned(), unknown()))
}

fn unknown() -> OffsetDateTime {
    OffsetDateTime::now_utc() + UNKNOWN
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_in_three_forms() {
        let at = |text: &str| {
            let token = read(text.as_bytes())?;
            let known = token.expires_on.unix_timestamp() == 2_000_000_000;
            Some((token.token.secret().to_owned(), known))
        };
        let told = Some(("t.o.k".to_owned(), true));
        assert_eq!(at(r#"{"accessToken":"t.o.k","expires_on":2000000000}"#), told);
        let kubectl = r#"{"kind":"ExecCredential","status":{"token":"t.o.k","expirationTimestamp":"2033-05-18T03:33:20Z"}}"#;
        assert_eq!(at(kubectl), told);
        assert_eq!(at("t.o.k\n"), Some(("t.o.k".to_owned(), false)));
        assert_eq!(at("\"t.o.k\""), Some(("t.o.k".to_owned(), false)));
        for odd in ["", "two words", "{}", "a\u{1b}b", "[1]{"] {
            assert_eq!(at(odd), None, "{odd:?}");
        }
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_program_is_run_without_a_shell_and_gets_the_scope() {
        let token = async |words: &[&str]| {
            let words = words.iter().map(|word| (*word).to_owned()).collect();
            CommandCredential(words).get_token(&["the-scope"], None).await
        };
        let printed = token(&["echo", "for-{scope}"]).await.unwrap();
        assert_eq!(printed.token.secret(), "for-the-scope");
        // A shell would make a path of the last.
        for odd in [&["false"][..], &[], &["there-is-no-such-program"], &["echo", "$HOME"]] {
            token(odd).await.unwrap_err();
        }
    }
}
