//! Credentials that give, refuse, hang and lie, and the words for it.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod programs;

use std::sync::atomic::{AtomicUsize, Ordering};

use azure_core::base64;
use azure_core::credentials::{AccessToken, TokenRequestOptions};
use azure_core::error::ErrorKind;
use azure_core::time::OffsetDateTime;

use super::words::{TokenFailure, Tool};
use super::*;

/// A twentieth of what people wait.
fn pace() -> Pace {
    Pace::default().quicker(20)
}

fn run<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(work)
}

fn target(auth: Auth, side: Side) -> Target {
    let endpoint = match side {
        Side::Azure => "https://contoso.documents.azure.com:443/",
        Side::Emulator => "http://127.0.0.1:8081/",
    };
    Target { endpoint: endpoint.to_owned(), side, auth, ..Target::default() }
}

/// 64 bytes of nothing.
fn key() -> String {
    base64::encode([7; 64])
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ProviderBehaviour {
    /// Gives a token for so many seconds.
    Give(i64),
    Refuse(&'static str),
    Hang,
}

#[derive(Debug)]
struct Fake {
    does: std::sync::Mutex<Vec<ProviderBehaviour>>,
    asked: AtomicUsize,
}

impl Fake {
    /// The last behaviour stays.
    fn new(does: &[ProviderBehaviour]) -> Arc<Self> {
        Arc::new(Self { does: std::sync::Mutex::new(does.to_vec()), asked: AtomicUsize::new(0) })
    }

    fn times_asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

#[async_trait::async_trait]
impl TokenCredential for Fake {
    async fn get_token(
        &self,
        scopes: &[&str],
        _: Option<TokenRequestOptions<'_>>,
    ) -> azure_core::Result<AccessToken> {
        let number = self.asked.fetch_add(1, Ordering::Relaxed);
        let does = {
            let mut list = self.does.lock().unwrap();
            if list.len() > 1 { list.remove(0) } else { list[0] }
        };
        match does {
            ProviderBehaviour::Give(seconds) => {
                let ends = OffsetDateTime::now_utc() + azure_core::time::Duration::seconds(seconds);
                Ok(AccessToken::new(format!("token-{number}-for-{}", scopes[0]), ends))
            }
            ProviderBehaviour::Refuse(text) => {
                Err(azure_core::Error::with_message(ErrorKind::Credential, text))
            }
            ProviderBehaviour::Hang => std::future::pending().await,
        }
    }
}

fn keeper(fake: &Arc<Fake>) -> Keeper {
    let credential: Arc<dyn TokenCredential> = Arc::<Fake>::clone(fake);
    Keeper::new(credential, words::named(Auth::ManagedIdentity), pace())
}

#[test]
fn tokens_are_kept_for_each_scope_and_asked_for_once() {
    run(async {
        let fake = Fake::new(&[ProviderBehaviour::Give(3600)]);
        let keeper = keeper(&fake);
        for _ in 0..5 {
            for scope in [SCOPES[0], SCOPES[3]] {
                let token = keeper.get_token(&[scope], None).await.unwrap();
                assert!(token.token.secret().ends_with(scope));
            }
        }
        assert_eq!(fake.times_asked(), 2);
        let (one, other) = tokio::join!(keeper.first(SCOPES[4]), keeper.first(SCOPES[4]));
        assert_eq!(one.unwrap().token, other.unwrap().token);
        assert_eq!(fake.times_asked(), 3);
    });
}

#[test]
fn no_token_is_made_for_another_service() {
    run(async {
        let fake = Fake::new(&[ProviderBehaviour::Give(3600)]);
        let keeper = keeper(&fake);
        for scopes in [
            &["https://graph.microsoft.com/.default"][..],
            &["https://cosmos.azure.com"],
            &[SCOPES[0], SCOPES[3]],
            &[],
        ] {
            assert!(keeper.get_token(scopes, None).await.is_err(), "{scopes:?}");
        }
        assert_eq!(fake.times_asked(), 0);
    });
}

#[test]
fn a_token_about_to_end_is_renewed_and_kept_where_no_new_one_comes() {
    run(async {
        let fake = Fake::new(&[
            ProviderBehaviour::Give(200),
            ProviderBehaviour::Refuse("no"),
            ProviderBehaviour::Give(3600),
        ]);
        let keeper = keeper(&fake);
        let first = keeper.first(SCOPES[0]).await.unwrap();
        // It was just given: the same would come again.
        for _ in 0..3 {
            assert_eq!(keeper.first(SCOPES[0]).await.unwrap().token, first.token);
        }
        assert_eq!(fake.times_asked(), 1);
        let pause = pace().retry_after[1] * 15;
        tokio::time::sleep(pause).await;
        // The renewal fails: the old one does, and nobody is asked again at once.
        for _ in 0..3 {
            assert_eq!(keeper.first(SCOPES[0]).await.unwrap().token, first.token);
        }
        assert_eq!(fake.times_asked(), 2);
        tokio::time::sleep(pause).await;
        assert_ne!(keeper.first(SCOPES[0]).await.unwrap().token, first.token);
        assert_eq!(fake.times_asked(), 3);
    });
}

#[test]
fn a_failure_is_told_again_before_it_is_tried_again() {
    run(async {
        let fake =
            Fake::new(&[ProviderBehaviour::Refuse("sentinel \u{1b}[2J AADSTS7000222 sentinel")]);
        let keeper = keeper(&fake);
        for _ in 0..4 {
            let error = keeper.get_token(&[SCOPES[0]], None).await.unwrap_err();
            let outer = azure_core::Error::with_error(ErrorKind::Other, error, "a request failed");
            let reported = trouble_of(&outer).unwrap();
            assert!(
                reported.what.contains("expired") && !reported.what.contains("sentinel"),
                "{reported:?}"
            );
        }
        assert_eq!(fake.times_asked(), 1);
        assert_eq!(trouble_of(&azure_core::Error::with_message(ErrorKind::Io, "x")), None);
    });
}

#[test]
fn nobody_waits_for_ever_and_an_ended_token_is_none() {
    run(async {
        let silent = keeper(&Fake::new(&[ProviderBehaviour::Hang]));
        let reported = silent.first(SCOPES[0]).await.unwrap_err();
        assert_eq!(reported.obstacle, Obstacle::TimedOut);
        assert!(
            reported.what.starts_with("the managed identity gave no answer within 1 second"),
            "{}",
            reported.what
        );
        let late = keeper(&Fake::new(&[ProviderBehaviour::Give(-60)]));
        let reported = late.first(SCOPES[0]).await.unwrap_err();
        assert!(reported.what.contains("has ended already"), "{}", reported.what);
    });
}

#[test]
fn the_way_is_what_somebody_said_else_what_the_surroundings_are() {
    let way_of = |auth, side, given: bool, set: &[&str]| {
        let given = given.then(|| KeyCredential::read(&key(), "the test").unwrap());
        let variables = |name: &str| set.contains(&name).then(|| "x".to_owned());
        way(&target(auth, side), given.as_ref(), &variables)
    };
    let (azure, local) = (Side::Azure, Side::Emulator);
    let workload = [TENANT, CLIENT, TOKEN_FILE];
    let application = [TENANT, CLIENT, CLIENT_SECRET];
    for (found, expected) in [
        (way_of(Auth::Auto, azure, false, &[]), Auth::Developer),
        (way_of(Auth::Auto, azure, false, &[CLIENT]), Auth::Developer),
        (way_of(Auth::Auto, azure, true, &workload), Auth::Key),
        (way_of(Auth::Auto, azure, false, &workload), Auth::WorkloadIdentity),
        (way_of(Auth::Auto, azure, false, &application), Auth::ClientSecret),
        (
            way_of(Auth::Auto, azure, false, &["IDENTITY_ENDPOINT", "IDENTITY_HEADER"]),
            Auth::ManagedIdentity,
        ),
        (way_of(Auth::Auto, local, false, &workload), Auth::Key),
        (way_of(Auth::Developer, azure, true, &workload), Auth::Developer),
        (way_of(Auth::Developer, local, false, &[]), Auth::Developer),
        (way_of(Auth::ManagedIdentity, azure, true, &[]), Auth::ManagedIdentity),
        (way_of(Auth::WorkloadIdentity, azure, false, &[]), Auth::WorkloadIdentity),
        (way_of(Auth::ClientSecret, azure, false, &[]), Auth::ClientSecret),
        (way_of(Auth::Key, azure, false, &[]), Auth::Key),
    ] {
        assert_eq!(found, expected);
    }
}

#[test]
fn a_key_signs_in_to_its_own_account() {
    let enter = |auth, side, text: Option<&str>| {
        let given = text.map(|text| KeyCredential::read(text, "the test").unwrap());
        run(enter_with(&target(auth, side), given, &pace(), &|_| None))
    };
    let own =
        format!("AccountEndpoint=https://contoso.documents.azure.com:443/;AccountKey={}", key());
    let other =
        format!("AccountEndpoint=https://fabrikam.documents.azure.com:443/;AccountKey={}", key());
    for text in [key(), own] {
        let entry = enter(Auth::Auto, Side::Azure, Some(&text)).unwrap();
        assert!(matches!(entry.sign_in, SignIn::Key(found) if found.secret() == key()));
        assert_eq!((entry.by.as_str(), entry.claims), ("an account key from the test", None));
    }
    let reported = enter(Auth::Key, Side::Azure, Some(&other)).unwrap_err();
    assert!(
        reported.what.contains("another account") && !reported.what.contains("fabrikam"),
        "{}",
        reported.what
    );
    assert!(
        enter(Auth::Key, Side::Azure, None).unwrap_err().next.unwrap().contains("COSMOSCOPE_KEY")
    );
    let emulator = enter(Auth::Auto, Side::Emulator, None).unwrap();
    assert!(matches!(emulator.sign_in, SignIn::Key(_)));
    assert!(!format!("{emulator:?}").contains("C2y6"));
}

#[test]
fn what_is_not_set_up_is_named() {
    let enter =
        |auth| run(enter_with(&target(auth, Side::Azure), None, &pace(), &|_| None)).unwrap_err();
    for (auth, what) in [
        (Auth::WorkloadIdentity, "the workload identity needs AZURE_CLIENT_ID, which is not set"),
        (
            Auth::ClientSecret,
            "the client secret of the application needs AZURE_TENANT_ID, which is not set",
        ),
    ] {
        assert_eq!(enter(auth).what, what);
    }
    let absent = |name: &str| {
        Some(
            if name == TOKEN_FILE {
                "/sentinel/absent"
            } else {
                "0f8fad5b-d9cb-469f-a165-70867728950e"
            }
            .to_owned(),
        )
    };
    let reported =
        run(enter_with(&target(Auth::WorkloadIdentity, Side::Azure), None, &pace(), &absent))
            .unwrap_err();
    assert!(reported.what.contains("a file that it names cannot be read"), "{}", reported.what);
}

#[test]
fn reasons_are_read_from_what_programs_write() {
    let why = |text: &'static str| {
        words::why(&azure_core::Error::with_message(ErrorKind::Credential, text))
    };
    for (text, expected) in [
        (
            "AzureCliCredential authentication failed. az not found on PATH\nTo troubleshoot, visit",
            TokenFailure::Absent,
        ),
        ("ERROR: Please run 'az login' to setup account.", TokenFailure::LoggedOut),
        ("ERROR: not logged in, run `azd auth login` to login", TokenFailure::LoggedOut),
        (
            "AADSTS700082: The refresh token has expired. Please run: az login",
            TokenFailure::Expired,
        ),
        ("AADSTS50076: Due to a configuration change", TokenFailure::Expired),
        ("AADSTS53003: Access has been blocked by Conditional Access", TokenFailure::Policy),
        ("AADSTS90002: Tenant 'x' not found", TokenFailure::Tenant),
        ("AADSTS7000215: Invalid client secret provided", TokenFailure::Secret),
        ("AADSTS12345: something new", TokenFailure::Coded(12_345)),
        ("AADSTS: nothing", TokenFailure::Other),
        ("\u{1b}[31mTraceback: sentinel", TokenFailure::Other),
    ] {
        assert_eq!(why(text), expected, "{text}");
    }
    let lost = azure_core::Error::with_message(ErrorKind::Connection, "dns");
    let outer = azure_core::Error::with_error(ErrorKind::Credential, lost, "failed");
    assert_eq!(words::why(&outer), TokenFailure::Unreachable);
}

#[test]
fn the_tool_that_comes_nearest_is_told() {
    use TokenFailure::{Absent, Coded, Expired, LoggedOut, Other, Policy, Tenant, Unreachable};
    let reported = |az, azd| words::no_tool(&[(Tool::Az, az), (Tool::Azd, azd)]);
    for (az, azd, what, next) in [
        (Absent, Absent, "neither az nor azd", "az login"),
        (LoggedOut, Absent, "the Azure CLI (az) is not logged in", "log in with az login"),
        (LoggedOut, LoggedOut, "the Azure CLI (az) is not logged in", "az login"),
        (Absent, LoggedOut, "Azure Developer CLI", "azd auth login"),
        (LoggedOut, Expired, "Azure Developer CLI", "azd auth login"),
        (Expired, LoggedOut, "has expired", "az login"),
        (Tenant, Absent, "directory (tenant)", "--tenant TENANT"),
        (Policy, Absent, "conditional access", "rule"),
        (Unreachable, Absent, "could not reach", "login.microsoftonline.com"),
        (Coded(99), Absent, "AADSTS99", "az account get-access-token"),
        (Other, Absent, "ended with an error", "az account get-access-token"),
    ] {
        let reported = reported(az, azd);
        assert!(reported.what.contains(what), "{}", reported.what);
        assert!(reported.next.as_ref().unwrap().contains(next), "{:?}", reported.next);
    }
}

fn token(body: &str) -> String {
    format!("eyJhbGciOiJub25lIn0.{}.c2ln", base64::encode_url_safe(body))
}

#[test]
fn claims_are_read_and_made_visible() {
    let read = Claims::read(&token(
        r#"{"aud":"https://cosmos.azure.com","tid":"t-1","oid":"o-1\u001b[2J","exp":1790000000,"upn":"sentinel"}"#,
    ));
    assert_eq!(read.audience.as_deref(), Some("https://cosmos.azure.com"));
    assert_eq!(read.tenant.as_deref(), Some("t-1"));
    assert_eq!(read.object.as_deref(), Some("o-1␛[2J"));
    assert_eq!(read.expires.unwrap().rfc3339(), "2026-09-21T14:13:20Z");
    assert_eq!(read.is_for_data(), Some(true));
    assert!(!format!("{read:?}").contains("sentinel"));
    let other = Claims::read(&token(r#"{"aud":["https://management.azure.com/"]}"#));
    assert_eq!(other.is_for_data(), Some(false));
    for odd in ["", "a.b.c", "opaque", "..", &token("[]"), &token(r#"{"exp":1e300,"aud":5}"#)] {
        let read = Claims::read(odd);
        assert_eq!((read.is_for_data(), read.expires), (None, None), "{odd}");
    }
}
