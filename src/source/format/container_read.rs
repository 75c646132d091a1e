//! A container as the service or the Azure CLI shows it: key definition, and per physical partition its size and largest keys.

use crate::model::key::{KeyDefinition, KeyKind, KeyVersion};
use crate::model::names::ContainerName;
use crate::model::physical::{PhysicalPartition, TimeToLive, Usage};
use crate::model::units::whole_u64;
use crate::source::import::ImportOutcome;
use crate::source::json::read;
use crate::source::json::scan::{Scanner, Token};
use crate::source::tally::Fault;

use super::entry::{Entry, cast, missing};
use super::fields::{Fields, named_by_resource_id};

/// An entry of `statistics`; keys that cannot be used are counted in `outcome`.
pub(super) fn statistics(
    raw: &str,
    line: u64,
    outcome: &mut ImportOutcome,
) -> Result<PhysicalPartition, Fault> {
    let entry = Entry::read(raw)?;
    let mut partition = PhysicalPartition::new(&entry.needed("id")?);
    partition.kib = entry.number("sizeinkb");
    partition.documents = entry.raw("documentcount").and_then(whole);
    for key in entry.list("partitionkeys")? {
        match listed_key(key) {
            Ok(found) => partition.listed.push(found),
            Err(fault) => outcome.tally.leave_out(line, fault),
        }
    }
    Ok(partition)
}

fn listed_key(raw: &str) -> Result<(String, f64), Fault> {
    if let Some(found) = plain_key(raw) {
        return Ok(found);
    }
    let entry = Entry::read(raw)?;
    let key = entry.raw("partitionkey");
    let key = key.ok_or_else(|| missing("partitionKey", raw))?;
    if !key.starts_with('[') {
        return Err(cast("partitionKey", key));
    }
    Ok((read::compact(key), entry.amount("sizeinkb")?))
}

/// A listed key as the service writes it: a list and a number, nothing else. There may be a hundred thousand in one answer.
fn plain_key(raw: &str) -> Option<(String, f64)> {
    let mut scanner = Scanner::of(raw);
    if scanner.next_token().ok()? != Some(Token::ObjectStart) {
        return None;
    }
    let (mut key, mut kib) = (None, None);
    let mut scratch = String::new();
    loop {
        match scanner.next_token().ok()?? {
            Token::Key(name) => {
                let name = name.read(&mut scratch);
                let held = if name.eq_ignore_ascii_case("partitionKey") {
                    &mut key
                } else if name.eq_ignore_ascii_case("sizeInKB") {
                    &mut kib
                } else {
                    return None;
                };
                let value = scanner.skip_value().ok()?;
                if held.replace(value).is_some() {
                    return None;
                }
            }
            Token::ObjectEnd => break,
            _ => return None,
        }
    }
    let kib = read::number(kib?).filter(|kib| *kib >= 0.0)?;
    let key = key.filter(|key| key.starts_with('['))?;
    Some((read::compact(key), kib))
}

/// A count that fits; also one written as a double.
fn whole(raw: &str) -> Option<u64> {
    let text = read::text(raw)?;
    let digits = text.trim();
    digits.parse().ok().or_else(|| digits.strip_suffix(".0")?.parse().ok())
}

/// The longest time to live that the service takes.
const MOST_SECONDS: f64 = 2_147_483_647.0;

/// Where the container's own members lie: at the top, or inside `resource`.
const PLACES: [&str; 3] = ["", "resource.", "properties.resource."];

/// The partition key definition, if the document holds one.
pub(super) fn definition(fields: &Fields) -> Option<KeyDefinition> {
    PLACES.into_iter().find_map(|place| {
        let at = |name: &str| format!("{place}partitionkey.{name}");
        // Another kind or version is another hash: without it keys would be looked for in other partitions.
        if ["kind", "version"].iter().any(|name| fields.is_twice(&at(name))) {
            return None;
        }
        let listed = read::elements(fields.raw(&at("paths"))?).ok()??;
        let paths: Vec<String> = listed.into_iter().filter_map(read::text).collect();
        let multi = fields.text(&at("kind")).is_some_and(|k| k.eq_ignore_ascii_case("MultiHash"));
        let kind = if multi { KeyKind::MultiHash } else { KeyKind::Hash };
        // Hierarchical keys exist in version 2 only; an older definition leaves the version out.
        let second = multi || fields.number(&at("version")).is_some_and(|v| v >= 2.0);
        let version = if second { KeyVersion::V2 } else { KeyVersion::V1 };
        (!paths.is_empty()).then_some(KeyDefinition { paths, kind, version })
    })
}

/// Whether documents may end by themselves, and after how long. A document that shows how it is indexed shows this, too, where it
/// is so; -1 is no default.
pub(super) fn lifetime(fields: &Fields) -> Option<TimeToLive> {
    let path = format!("{}defaultttl", described(fields)?);
    if fields.raw(&path).is_none() {
        return Some(TimeToLive::Off);
    }
    let seconds = fields.number(&path);
    let seconds = seconds.filter(|n| (1.0..=MOST_SECONDS).contains(n));
    Some(TimeToLive::On { default_seconds: seconds.map(whole_u64) })
}

/// Whether some values are unique within a key.
pub(super) fn unique_keys(fields: &Fields) -> Option<bool> {
    let place = described(fields)?;
    let listed = fields.raw(&format!("{place}uniquekeypolicy.uniquekeys"));
    let listed = listed.and_then(|raw| read::elements(raw).ok()?);
    Some(listed.is_some_and(|listed| !listed.is_empty()))
}

/// What the headers of the answer said that it uses; kept beside the answer as it was read from an account.
pub(super) fn usage(fields: &Fields) -> Option<Usage> {
    Usage::read(&fields.text("_cosmoscope.resourceusage")?)
}

/// Where all of a container's settings lie, if they are there.
fn described(fields: &Fields) -> Option<&'static str> {
    let mut places = PLACES.into_iter();
    places.find(|place| fields.any_below(&format!("{place}indexingpolicy")))
}

/// Which container the document speaks of, as far as it says.
pub(super) fn name(fields: &Fields) -> ContainerName {
    let id = fields.text("id").unwrap_or_default();
    // A plain name names nothing as a resource id.
    let mut name = named_by_resource_id(&id);
    let own = (!id.is_empty() && !id.contains('/')).then_some(id);
    let inner = || PLACES[1..].iter().find_map(|place| fields.text(&format!("{place}id")));
    name.container = name.container.or_else(|| own.or_else(inner).map(Into::into));
    let rid = [
        "_rid",
        "resource.rid",
        "resource._rid",
        "properties.resource.rid",
        "properties.resource._rid",
    ];
    name.rid = rid.iter().find_map(|path| fields.text(path)).map(Into::into);
    name
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The long way.
    fn slowly(raw: &str) -> Option<(String, f64)> {
        let entry = Entry::read(raw).ok()?;
        let key = entry.raw("partitionkey")?;
        let kib = entry.amount("sizeinkb").ok()?;
        key.starts_with('[').then(|| (read::compact(key), kib))
    }

    #[test]
    fn a_default_time_to_live_is_read_in_seconds() {
        let on = |default_seconds| Some(TimeToLive::On { default_seconds });
        for (raw, expected) in [
            ("null", Some(TimeToLive::Off)),
            ("-1", on(None)),
            ("2592000", on(Some(2_592_000))),
            ("1e300", on(None)),
            ("\"x\"", on(None)),
        ] {
            let mut fields = Fields::default();
            fields.push("resource.defaultttl", raw);
            assert_eq!(lifetime(&fields), None, "no settings");
            fields.push("resource.indexingpolicy.automatic", "true");
            assert_eq!(lifetime(&fields), expected, "{raw}");
        }
    }

    proptest! {
        /// The short way tells the same as the long one or nothing.
        #[test]
        fn a_listed_key_is_read_the_same_both_ways(
            key in r#"(\[ ?"[a-z\\"]{0,3}" ?, ?[0-9.]{1,4} ?\]|"a"|null|\[\]|\{\})"#,
            kib in r#"([0-9]{1,20}|[0-9]{1,3}\.[0-9]{1,3}|-1|1e3|"7"|null|\[1\])"#,
            names in prop::sample::select(vec![
                ["partitionKey", "sizeInKB"], ["PARTITIONKEY", "sizeinkb"], ["partitionKey", "partitionKey"],
                ["sizeInKB", "sizeInKB"], ["partitionKey", "size"], ["partition\\u004bey", "sizeInKB"],
            ]),
            swapped: bool,
        ) {
            let [a, b] = names;
            let pairs = [format!("\"{a}\" : {key}"), format!("\"{b}\":{kib}")];
            let raw = if swapped {
                format!("{{{},{}}}", pairs[1], pairs[0])
            } else {
                format!("{{ {} , {} }}", pairs[0], pairs[1])
            };
            if let Some(found) = plain_key(&raw) {
                prop_assert_eq!(Some(found), slowly(&raw), "{}", raw);
            } else if names == ["partitionKey", "sizeInKB"] && key.starts_with('[') && kib.starts_with(char::is_numeric) {
                // Only what is no JSON goes the long way of these.
                prop_assert!(read::members(&raw).is_err(), "{}", raw);
            }
        }
    }
}
