//! One entry of an answer's list: its members by name, and what is wrong with it if it cannot be used.

use crate::model::capture::RowFault;
use crate::source::json::fault::JsonFault;
use crate::source::json::read::{self, Member};
use crate::source::tally::{Fault, quoted};

/// An object, none of its members there twice with different values. Names are asked for in lower case.
pub(super) struct Entry<'a> {
    raw: &'a str,
    members: Vec<Member<'a>>,
}

impl<'a> Entry<'a> {
    pub(super) fn read(raw: &'a str) -> Result<Self, Fault> {
        let members = read::members(raw).map_err(broken)?;
        let members = members.ok_or_else(|| missing("record", raw))?;
        if let Some(twice) = read::twice(&members) {
            let [name, value, other] = twice.map(quoted);
            return Err((RowFault::Cast, format!("{name} twice: {value} and {other}")));
        }
        Ok(Self { raw, members })
    }

    pub(super) fn raw(&self, name: &str) -> Option<&'a str> {
        read::member(&self.members, name)
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.raw(name).and_then(read::text)
    }

    /// A text that must be there, by the name as it is usually spelled.
    pub(super) fn needed(&self, name: &str) -> Result<String, Fault> {
        let found = self.text(&name.to_ascii_lowercase());
        found.ok_or_else(|| missing(name, self.raw))
    }

    /// A number that is not negative, if there is one.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.raw(name).and_then(read::number).filter(|n| *n >= 0.0)
    }

    /// A number that must be there, finite and not negative.
    pub(super) fn amount(&self, name: &str) -> Result<f64, Fault> {
        let found = self.raw(name).ok_or_else(|| missing(name, self.raw))?;
        self.number(name).ok_or_else(|| cast(name, found))
    }

    /// The elements of a list; none where there is something else.
    pub(super) fn list(&self, name: &str) -> Result<Vec<&'a str>, Fault> {
        let found = self.raw(name).map(read::elements).transpose();
        Ok(found.map_err(broken)?.flatten().unwrap_or_default())
    }
}

fn broken(fault: JsonFault) -> Fault {
    (RowFault::BrokenJson, fault.why.to_string())
}

/// A value that is not what it must be.
pub(super) fn cast(name: &str, raw: &str) -> Fault {
    (RowFault::Cast, format!("{name}: {}", quoted(raw)))
}

pub(super) fn missing(what: &str, raw: &str) -> Fault {
    let detail = format!("no {what}: {}", quoted(raw));
    (RowFault::MissingColumns, detail)
}
