//! What somebody signs in with, once it is there: a credential that gives tokens, or an account key.

use std::fmt;
use std::sync::Arc;

use azure_core::credentials::{Secret, TokenCredential};

/// A credential or a key. Cheap to copy; nothing of it is ever shown.
#[derive(Clone)]
pub enum SignIn {
    Token(Arc<dyn TokenCredential>),
    Key(Secret),
}

impl SignIn {
    pub(super) fn is_key(&self) -> bool {
        matches!(self, Self::Key(_))
    }
}

impl fmt::Debug for SignIn {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str(match self {
            Self::Token(_) => "SignIn::Token",
            Self::Key(_) => "SignIn::Key",
        })
    }
}
