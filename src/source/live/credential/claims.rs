//! What a token says of itself: for whom it is, whose it is, until when. Read, not verified, and never shown as a whole.

use azure_core::base64;
use serde::Deserialize;

use super::super::services::{CLOUDS, Cloud};
use crate::model::time::Stamp;
use crate::model::visible::{shorten, visible};

/// Longer than any address or identifier that stands there.
const MAX_COLUMNS: usize = 80;
const MAX_BYTES: usize = 64 << 10;

/// All of it is made visible. A token in another form says nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Claims {
    /// The service that takes it.
    pub audience: Option<String>,
    /// The directory.
    pub tenant: Option<String>,
    /// The user, application or identity, by the number that roles are given to.
    pub object: Option<String>,
    pub expires: Option<Stamp>,
}

#[derive(Deserialize)]
struct Body {
    aud: Option<serde_json::Value>,
    tid: Option<serde_json::Value>,
    oid: Option<serde_json::Value>,
    exp: Option<serde_json::Value>,
}

impl Claims {
    pub fn read(token: &str) -> Self {
        let Some(body) = body(token) else {
            return Self::default();
        };
        Self {
            audience: text(body.aud.as_ref()),
            tenant: text(body.tid.as_ref()),
            object: text(body.oid.as_ref()),
            expires: body.exp.and_then(|value| Stamp::from_seconds(value.as_i64()?)),
        }
    }

    /// Whether the token is for the data plane of Cosmos DB; None where it does not say.
    pub fn is_for_data(&self) -> Option<bool> {
        let audience = self.audience.as_deref()?;
        let is_audience = |cloud: &Cloud| {
            cloud.data.strip_suffix("/.default") == Some(audience.trim_end_matches('/'))
        };
        Some(CLOUDS.iter().any(is_audience) || audience == DATA_APPLICATION)
    }
}

/// The same service by its number.
const DATA_APPLICATION: &str = "a232010e-820c-4083-83bb-3ace5fc29d0b";

fn body(token: &str) -> Option<Body> {
    let mut parts = token.split('.');
    let (_, middle, _) = (parts.next()?, parts.next()?, parts.next()?);
    if middle.len() > MAX_BYTES {
        return None;
    }
    let bytes = base64::decode_url_safe(middle).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// One text, or the first of a list.
fn text(value: Option<&serde_json::Value>) -> Option<String> {
    let text = match value? {
        serde_json::Value::Array(list) => list.first()?.as_str()?,
        value => value.as_str()?,
    };
    Some(shorten(&visible(text), MAX_COLUMNS))
}
