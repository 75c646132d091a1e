//! Invented documents and the keys that the trial computes for them: by these an application proves that it does the same.

use serde_json::{Map, Value, json};

use crate::analysis::candidate::{Candidate, Draws, LevelPart};
use crate::model::key::{Number, Part};
use crate::model::path::Path;

/// Values of a property, in turn.
fn values(is_time: bool) -> Vec<Value> {
    if is_time {
        return vec![
            json!("2026-06-22T14:05:09Z"),
            json!(1_782_137_109),
            json!("2026-12-31T23:30:00-02:00"),
            json!("2026-06-22"),
            json!(1_782_137_109_000_u64),
            json!("no time"),
        ];
    }
    vec![
        json!("north"),
        json!("M\u{fc}ller \u{6f22}\u{1f697}"),
        json!(42),
        json!(0.5),
        json!(true),
        json!("A-1"),
    ]
}

/// Documents as JSON texts with their keys, `{}` for no value; none where a part is drawn.
pub(super) fn of(key: &Candidate) -> Vec<[String; 2]> {
    if key.parts().any(|p| matches!(p, LevelPart::Random { .. })) {
        return Vec::new();
    }
    let paths = key.paths();
    let is_time = |path: &Path| {
        let dated = |p: &LevelPart| matches!(p, LevelPart::Date { path: of, .. } if of == path);
        key.parts().any(dated)
    };
    let document = |n: usize| {
        let mut document = json!({});
        for (at, path) in paths.iter().enumerate() {
            let mut values = values(is_time(path));
            if path.top_name() == Some("id") {
                values.retain(Value::is_string);
            }
            if let Some(value) = values.get((n + at) % values.len()) {
                put(&mut document, path, value.clone());
            }
        }
        document
    };
    let missing = [json!({})];
    let all = (0..6).map(document).chain(missing);
    all.map(|document| [document.to_string(), key_of(key, &document).json()]).collect()
}

fn key_of(key: &Candidate, document: &Value) -> crate::model::key::Key {
    key.key(&|path| part(at(document, path)), &mut Draws::of(0, 0))
}

fn at<'d>(document: &'d Value, path: &Path) -> Option<&'d Value> {
    let mut names = path.names();
    names.try_fold(document, |found, name| found.as_object()?.get(name))
}

fn part(value: Option<&Value>) -> Part {
    match value {
        None => Part::Undefined,
        Some(Value::Null) => Part::Null,
        Some(Value::Bool(is)) => Part::Bool(*is),
        Some(Value::Number(number)) => {
            let number = number.as_f64().and_then(Number::new);
            number.map_or(Part::Undefined, Part::Number)
        }
        Some(Value::String(text)) => Part::Text(text.as_str().into()),
        Some(other) => Part::Other(other.to_string().into()),
    }
}

/// Where a name on the way is no object it becomes one.
fn put(document: &mut Value, path: &Path, value: Value) {
    let mut place = document;
    for name in path.names() {
        if !place.is_object() {
            *place = Value::Object(Map::new());
        }
        let Some(object) = place.as_object_mut() else {
            return;
        };
        place = object.entry(name).or_insert(Value::Null);
    }
    *place = value;
}
