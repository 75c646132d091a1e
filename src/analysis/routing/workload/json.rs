//! Workloads as programs write them: objects with a query text and its parameters.

use serde_json::{Map, Value};

use crate::model::key::{Number, Part};

use super::super::filter::{ParameterValue, Parameters};
use super::super::point::PointOperation;
use super::{Request, Workload, amount, per_second};

pub(super) fn read(text: &str, workload: &mut Workload) {
    let whole: Value = match serde_json::from_str(text) {
        Ok(whole) => whole,
        Err(fault) => return lines(text, &fault, workload),
    };
    let entries = match (&whole, whole.get("queries")) {
        (Value::Array(entries), _) | (_, Some(Value::Array(entries))) => entries.as_slice(),
        _ => std::slice::from_ref(&whole),
    };
    for (number, entry) in (1..).zip(entries) {
        take(number, entry, workload);
    }
}

fn lines(text: &str, whole: &serde_json::Error, workload: &mut Workload) {
    // A list that spans lines is one value: what is wrong with it is wrong with all of it.
    if text.trim_start().starts_with('[') {
        workload.note(whole.line(), format!("no JSON: {whole}"));
        return;
    }
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str(line) {
            Ok(entry) => take(index + 1, &entry, workload),
            Err(fault) => workload.note(index + 1, format!("no JSON: {fault}")),
        }
    }
}

fn take(line: usize, entry: &Value, workload: &mut Workload) {
    let Value::Object(fields) = entry else {
        match entry {
            Value::String(sql) => workload.add(line, Request::query("", sql.as_str())),
            _ => workload.note(line, "an entry is an object or a query text"),
        }
        return;
    };
    let text = |names: &[&str]| field(fields, names).and_then(Value::as_str);
    let name = text(&["name", "id"]).unwrap_or_default();
    let operation = text(&["operation", "access"]).and_then(PointOperation::parse);
    let request = match (text(&["sql", "query", "queryText"]), operation) {
        (Some(sql), _) => Request::query(name, sql).with_parameters(parameters(fields)),
        (None, Some(operation)) => Request::point(name, operation),
        (None, None) => {
            workload.note(line, "neither sql nor query nor operation is in it");
            return;
        }
    };
    let rate = field(fields, &["per_second", "perSecond", "rate"]);
    let ru = field(fields, &["ru", "request_charge", "requestCharge"]);
    let rate = number(rate, per_second, "rate", line, workload);
    let ru = number(ru, amount, "ru", line, workload);
    workload.add(line, request.at(rate, ru));
}

fn field<'a>(fields: &'a Map<String, Value>, names: &[&str]) -> Option<&'a Value> {
    names.iter().find_map(|name| {
        let found = fields.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value)
    })
}

fn number(
    value: Option<&Value>,
    read: fn(&str) -> Option<f64>,
    name: &str,
    line: usize,
    workload: &mut Workload,
) -> Option<f64> {
    let found = match value? {
        Value::Null => return None,
        Value::String(text) => read(text),
        Value::Number(number) => read(&number.to_string()),
        _ => None,
    };
    if found.is_none() {
        workload.note(line, format!("its {name} is not a number up to 1,000,000,000"));
    }
    found
}

/// A list of `{"name", "value"}` as the service takes it, or an object of values.
fn parameters(fields: &Map<String, Value>) -> Parameters {
    let one =
        |name: &str, value: &Value| (name.strip_prefix('@').unwrap_or(name).into(), given(value));
    let named = |entry: &Value| Some(one(entry.get("name")?.as_str()?, entry.get("value")?));
    match field(fields, &["parameters"]) {
        Some(Value::Array(list)) => list.iter().filter_map(named).collect(),
        Some(Value::Object(values)) => {
            values.iter().map(|(name, value)| one(name, value)).collect()
        }
        _ => Parameters::new(),
    }
}

pub(super) fn given(value: &Value) -> ParameterValue {
    match value {
        Value::Array(items) => ParameterValue::List(items.iter().map(part).collect()),
        other => ParameterValue::One(part(other)),
    }
}

fn part(value: &Value) -> Part {
    match value {
        Value::Null => Part::Null,
        Value::Bool(truth) => Part::Bool(*truth),
        Value::String(text) => Part::Text(text.as_str().into()),
        Value::Number(number) => Number::from_text(&number.to_string())
            .map_or_else(|| Part::Other(number.to_string().into()), Part::Number),
        Value::Array(_) | Value::Object(_) => Part::Other(value.to_string().into()),
    }
}
