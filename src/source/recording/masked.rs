//! What is recorded without anybody's names: whatever is not known to be nobody's is replaced, never the other way round.

mod documents;
mod troubles;
mod words;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::model::iso::iso;
use crate::source::answers::{Answer, Inquiry, Kind, Observation, Obstacle, Trouble};
use crate::source::columns::Field;

use troubles::trouble;
use words::{column, dimension, is_number, is_word, member_of};

/// What a replaced text was.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MaskedRole {
    Account,
    Subscription,
    Database,
    Container,
    /// A key as compact JSON text, replaced by the same.
    Key,
    Text,
}

/// Gives the invented name for a name, always the same for the same.
pub type RecordingMask = Arc<dyn Fn(MaskedRole, &str) -> String + Send + Sync>;

/// Spellings of names remembered; an account has far fewer containers.
const MAX_SPELLINGS: usize = 100_000;

/// Replaces names and keys in what was seen.
pub(super) struct Masking {
    mask: RecordingMask,
    endpoint: String,
    /// Metrics write names in lower case: the first spelling is the one that is replaced.
    spellings: HashMap<(MaskedRole, String), String>,
    names: documents::Names,
}

impl fmt::Debug for Masking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Masking")
    }
}

/// Where a value stands.
#[derive(Clone, Copy)]
struct Place<'a> {
    kind: Kind,
    /// The member around the value, in lower case.
    name: &'a str,
    /// The member around that.
    outer: &'a str,
}

impl<'a> Place<'a> {
    fn inside(self, name: &'a str) -> Self {
        Self { kind: self.kind, name, outer: self.name }
    }
}

impl Masking {
    pub(super) fn new(mask: RecordingMask, endpoint: &str) -> Self {
        Self {
            mask,
            endpoint: endpoint.to_owned(),
            spellings: HashMap::new(),
            names: documents::Names::default(),
        }
    }

    /// The endpoint with its account replaced; one on this machine names nobody.
    pub(super) fn endpoint(&self) -> String {
        let (scheme, rest) = self.endpoint.split_once("://").unwrap_or(("https", ""));
        let host = rest.split(['/', ':']).next().unwrap_or_default();
        if matches!(host, "localhost" | "127.0.0.1" | "[") {
            return self.endpoint.clone();
        }
        let (account, domain) = host.split_once('.').unwrap_or((host, ""));
        let account = (self.mask)(MaskedRole::Account, &account.to_lowercase());
        // A domain of one's own tells whose it is.
        let known = ["documents.azure.com", "documents.azure.cn", "documents.azure.us"];
        let domain = if known.contains(&domain) { domain } else { "example" };
        format!("{scheme}://{account}.{domain}/")
    }

    /// None for what cannot be told without somebody's values.
    pub(super) fn seen(&mut self, seen: &Observation) -> Option<Observation> {
        if seen.inquiry().kind == Kind::Counts {
            return None;
        }
        let inquiry = self.inquiry(seen.inquiry());
        let came = match seen {
            Observation::Failure(failure) => Err(trouble(&failure.trouble)),
            Observation::Answer(answer) if answer.inquiry.kind == Kind::Documents => {
                Ok(self.documents(answer)?)
            }
            Observation::Answer(answer) => self.body(answer),
        };
        let came = came.map(|body| (body.into(), None));
        Some(Observation::of(&inquiry, seen.at(), came).charged(seen.ru()))
    }

    fn body(&mut self, answer: &Answer) -> Result<Vec<u8>, Trouble> {
        let body = serde_json::from_slice::<Value>(&answer.body);
        let mut body = body.map_err(|_| Trouble {
            obstacle: Obstacle::Unbelievable,
            what: "the answer is not JSON".to_owned(),
            next: None,
            retry_after_ms: None,
        })?;
        let place = Place { kind: answer.inquiry.kind, name: "", outer: "" };
        self.learn(&body, place.kind);
        self.value(&mut body, place);
        Ok(body.to_string().into_bytes())
    }

    fn inquiry(&mut self, inquiry: &Inquiry) -> Inquiry {
        let mut name = |role, name: &Option<String>| name.as_ref().map(|n| self.name(role, n));
        let database = name(MaskedRole::Database, &inquiry.database);
        let container = name(MaskedRole::Container, &inquiry.container);
        Inquiry {
            kind: inquiry.kind,
            database,
            container,
            part: inquiry.part.as_ref().map(|part| {
                let page = (inquiry.kind == Kind::Documents).then(|| self.page(part));
                if let Some(page) = page.flatten() {
                    page
                } else if is_word(part) {
                    part.clone()
                } else {
                    (self.mask)(MaskedRole::Text, part)
                }
            }),
        }
    }

    /// The invented name by the first spelling of the name.
    fn name(&mut self, role: MaskedRole, name: &str) -> String {
        let lower = (role, name.to_lowercase());
        if let Some(first) = self.spellings.get(&lower) {
            return (self.mask)(role, first);
        }
        if self.spellings.len() < MAX_SPELLINGS {
            self.spellings.insert(lower, name.to_owned());
        }
        (self.mask)(role, name)
    }

    /// Lists tell how names are spelled.
    fn learn(&mut self, body: &Value, kind: Kind) {
        if kind == Kind::Container {
            self.learn_key(body);
        }
        let (list, role) = match kind {
            Kind::Databases => ("Databases", MaskedRole::Database),
            Kind::Containers => ("DocumentCollections", MaskedRole::Container),
            _ => return,
        };
        let entries = body.get(list).and_then(Value::as_array);
        for id in entries.into_iter().flatten().filter_map(|e| e.get("id")) {
            if let Some(id) = id.as_str() {
                self.name(role, id);
            }
        }
    }

    fn value(&mut self, value: &mut Value, place: Place<'_>) {
        match value {
            Value::Object(members) => self.object(members, place),
            Value::Array(_) if is_key(place) => *value = self.key(value),
            Value::Array(elements) => {
                for element in elements {
                    self.value(element, place);
                }
            }
            Value::String(text) if is_key(place) => *text = self.logged_key(text),
            Value::String(text) => *text = self.text(text, place),
            Value::Number(_) if is_key(place) => {
                *value = self.key(&Value::from(vec![value.clone()]));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn object(&mut self, members: &mut Map<String, Value>, place: Place<'_>) {
        // Tags are whatever somebody wrote there, names and values.
        members.retain(|name, _| is_word(name) && !name.eq_ignore_ascii_case("tags"));
        if let (Some(Value::Array(columns)), true) =
            (members.get("columns"), members.contains_key("rows"))
        {
            let fields: Vec<Option<Field>> = columns.iter().map(column).collect();
            if let Some(Value::Array(rows)) = members.get_mut("rows") {
                self.rows(rows, &fields, place);
            }
            members.retain(|name, _| name == "columns" || name == "rows");
            if let Some(columns) = members.get_mut("columns") {
                self.value(columns, place.inside("columns"));
            }
            return;
        }
        let dimension = members.get("name").and_then(dimension).map(str::to_owned);
        for (name, value) in members {
            let name = name.to_lowercase();
            match &dimension {
                Some(dimension) if name == "value" => {
                    self.value(value, place.inside(dimension));
                }
                _ => self.value(value, place.inside(&name)),
            }
        }
    }

    fn rows(&mut self, rows: &mut [Value], fields: &[Option<Field>], place: Place<'_>) {
        for row in rows {
            let Value::Array(cells) = row else {
                *row = Value::Null;
                continue;
            };
            for (n, cell) in cells.iter_mut().enumerate() {
                let field = fields.get(n).copied().flatten();
                self.value(cell, place.inside(field.map_or("", member_of)));
            }
        }
    }

    /// A key as a log writes it: a list as text, or one part as it stands.
    fn logged_key(&mut self, text: &str) -> String {
        match serde_json::from_str::<Value>(text) {
            Ok(list @ Value::Array(_)) => self.key(&list).to_string(),
            _ if text.is_empty() => String::new(),
            _ => {
                let one = self.key(&Value::from(vec![text]));
                let first = one.get(0).and_then(Value::as_str);
                first.unwrap_or_default().to_owned()
            }
        }
    }

    fn key(&mut self, key: &Value) -> Value {
        let masked = (self.mask)(MaskedRole::Key, &key.to_string());
        serde_json::from_str(&masked).unwrap_or_else(|_| Value::from(vec![masked]))
    }

    fn text(&mut self, text: &str, place: Place<'_>) -> String {
        if text.to_ascii_lowercase().contains("/subscriptions/") {
            return self.resource_id(text);
        }
        if let Some(role) = role_of(place) {
            return self.name(role, text);
        }
        if place.kind == Kind::Offer && place.name == "resource" {
            return self.offered(text);
        }
        if is_nobodys(text, place) {
            return text.to_owned();
        }
        (self.mask)(MaskedRole::Text, text)
    }

    /// Whether an offer is of a container or of a database stands in the form of its address, `dbs/…/colls/…/`.
    fn offered(&self, resource: &str) -> String {
        let parts = resource.split('/').map(|part| match part {
            "" | "dbs" | "colls" => part.to_owned(),
            rid => (self.mask)(MaskedRole::Text, rid),
        });
        parts.collect::<Vec<_>>().join("/")
    }

    /// Each name of a resource id by what it names.
    fn resource_id(&mut self, id: &str) -> String {
        let mut kind = String::new();
        let parts: Vec<String> = id
            .split('/')
            .map(|part| {
                let masked = match kind.as_str() {
                    "subscriptions" => (self.mask)(MaskedRole::Subscription, part),
                    "resourcegroups" => (self.mask)(MaskedRole::Text, part),
                    "databaseaccounts" => (self.mask)(MaskedRole::Account, &part.to_lowercase()),
                    "sqldatabases" | "databases" => self.name(MaskedRole::Database, part),
                    "containers" | "collections" => self.name(MaskedRole::Container, part),
                    _ if KNOWN_SEGMENTS.contains(&part.to_ascii_lowercase().as_str()) => {
                        part.to_owned()
                    }
                    _ => (self.mask)(MaskedRole::Text, part),
                };
                kind = part.to_ascii_lowercase();
                masked
            })
            .collect();
        parts.join("/")
    }
}

const KNOWN_SEGMENTS: [&str; 15] = [
    "",
    "subscriptions",
    "resourcegroups",
    "providers",
    "microsoft.documentdb",
    "databaseaccounts",
    "sqldatabases",
    "containers",
    "throughputsettings",
    "default",
    "microsoft.insights",
    "metrics",
    "normalizedruconsumption",
    "physicalpartitionsizeinfo",
    "physicalpartitionthroughputinfo",
];

/// `partitionKey` that is no definition.
fn is_key(place: Place<'_>) -> bool {
    place.name == "partitionkey"
}

fn role_of(place: Place<'_>) -> Option<MaskedRole> {
    Some(match (place.name, place.outer) {
        ("databasename", _) | ("id", "databases") => MaskedRole::Database,
        ("collectionname" | "containername", _) | ("id", "documentcollections") => {
            MaskedRole::Container
        }
        ("accountname", _) => MaskedRole::Account,
        ("id" | "name", "" | "resource") => match place.kind {
            Kind::Container => MaskedRole::Container,
            Kind::Account | Kind::ManagedAccount => MaskedRole::Account,
            _ => return None,
        },
        _ => return None,
    })
}

/// Whether a text tells nothing of anybody where it stands.
fn is_nobodys(text: &str, place: Place<'_>) -> bool {
    if text.is_empty() || iso(text.as_bytes()).is_some() || is_number(text) {
        return true;
    }
    match (place.name, place.outer) {
        // How a container is divided is what this is all about.
        ("paths", "partitionkey") => true,
        (
            "kind"
            | "unit"
            | "type"
            | "status"
            | "minimumthroughput"
            | "errorcode"
            | "interval"
            | "timespan"
            | "region"
            | "partitionkeyrangeid"
            | "physicalpartitionid"
            | "partitionid"
            | "statuscode"
            | "operationtype"
            | "apitype"
            | "capacitytype"
            | "prioritylevel"
            | "throughputbucket"
            | "category"
            | "resourceregion"
            | "locationname"
            | "quotaperiod"
            | "offertype"
            | "offerversion"
            | "publicnetworkaccess"
            | "namespace",
            _,
        )
        | (
            "name",
            "columns" | "tables" | "writablelocations" | "readablelocations" | "capabilities",
        )
        | ("value" | "localizedvalue", "name") => {
            text.split([' ', '/', '(', ')', '%', ':']).all(|word| word.is_empty() || is_word(word))
        }
        ("mininclusive" | "maxexclusive", _) => text.bytes().all(|b| b.is_ascii_hexdigit()),
        ("id" | "parents", "partitionkeyranges" | "statistics") => is_word(text),
        _ => false,
    }
}
