//! The authorization of a request of our own to the data plane: signed with an account key, or a token of one fixed scope.

use std::fmt::Write as _;
use std::time::Duration;

use azure_core::credentials::{Secret, TokenCredential};

use super::fault::Fault;
use super::sign_in::SignIn;

/// The kind of resource that a path leads to, in the words of the service, and what is signed with it: the names of the
/// parent of a list, else of the resource itself, not encoded.
fn resource<'p>(path: &[&'p str]) -> (&'p str, String) {
    match path {
        [parents @ .., kind] if path.len() % 2 == 1 => (kind, parents.join("/")),
        [.., kind, _] => (kind, path.join("/")),
        _ => ("", String::new()),
    }
}

/// The value of the `authorization` header for a request on `date`.
pub(super) async fn authorization(
    sign_in: &SignIn,
    verb: &str,
    path: &[&str],
    date: &str,
    (scope, within): (&str, Duration),
) -> Result<String, Fault> {
    let plain = match sign_in {
        SignIn::Key(key) => signed(key, verb, path, date)?,
        SignIn::Token(credential) => token(credential.as_ref(), scope, within).await?,
    };
    Ok(encoded(&plain))
}

async fn token(
    credential: &dyn TokenCredential,
    scope: &str,
    within: Duration,
) -> Result<String, Fault> {
    let scopes = [scope];
    let asked = credential.get_token(&scopes, None);
    let token = tokio::time::timeout(within, asked)
        .await
        .map_err(|_| Fault::TimedOut(within))?
        .map_err(|error| Fault::no_token(&error))?;
    Ok(format!("type=aad&ver=1.0&sig={}", token.token.secret()))
}

fn signed(key: &Secret, verb: &str, path: &[&str], date: &str) -> Result<String, Fault> {
    let (kind, link) = resource(path);
    let date = date.to_ascii_lowercase();
    let text = format!("{verb}\n{kind}\n{link}\n{date}\n\n");
    // The cause would quote the key; that it is no base64 is all there is to say.
    let signature = azure_core::hmac::hmac_sha256(&text, key).map_err(|_| Fault::NoKey)?;
    Ok(format!("type=master&ver=1.0&sig={signature}"))
}

/// Percent-encoded as a value of a form, which is how the service reads this header.
fn encoded(plain: &str) -> String {
    let mut out = String::with_capacity(plain.len() * 3 / 2);
    for byte in plain.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._*".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    /// The example of the service's own documentation of this header.
    #[tokio::test]
    async fn a_signature_is_the_published_one() {
        let key = "dsZQi3KtZmCv1ljt3VNWNm7sQUF1y5rJfC6kv5JiwvW0EndXdDku/dkKBp8/ufDToSxLzR4y+O/0H/t4bQtVNw==";
        let sign_in = SignIn::Key(Secret::new(key));
        let made = authorization(
            &sign_in,
            "get",
            &["dbs", "ToDoList"],
            "Thu, 27 Apr 2017 00:51:12 GMT",
            ("", Duration::from_secs(1)),
        );
        assert_eq!(
            made.await.unwrap(),
            "type%3Dmaster%26ver%3D1.0%26sig%3Dc09PEVJrgp2uQRkr934kFbTqhByc7TVr3OHyqlu%2Bc%2Bc%3D"
        );
    }

    #[test]
    fn what_is_signed_is_the_parent_of_a_list_or_the_resource() {
        let reported = |path: &[&str]| resource(path).1 + " " + resource(path).0;
        assert_eq!(reported(&["dbs", "a", "colls"]), "dbs/a colls");
        assert_eq!(reported(&["dbs", "a", "colls", "b"]), "dbs/a/colls/b colls");
        assert_eq!((reported(&["offers"]), reported(&[])), (" offers".into(), " ".into()));
    }

    #[tokio::test]
    async fn a_key_that_is_none_is_not_quoted() {
        let sign_in = SignIn::Key(Secret::new("not base64!"));
        let made = authorization(&sign_in, "get", &[], "", ("", Duration::from_secs(1)));
        let fault = made.await.unwrap_err();
        assert!(!format!("{fault:?}").contains("base64"), "{fault:?}");
    }
}
