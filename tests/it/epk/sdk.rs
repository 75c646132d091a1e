//! Effective partition keys against the answer of Microsoft's own client, for keys that nobody wrote down.

use azure_data_cosmos::feed::FeedRange;
use azure_data_cosmos::models::{
    PartitionKey, PartitionKeyDefinition, PartitionKeyValue, PartitionKeyVersion,
};
use cosmoscope::model::epk::epk;
use cosmoscope::model::key::{KeyDefinition, KeyKind, KeyVersion, Number, Part};
use proptest::prelude::*;

fn value() -> impl Strategy<Value = Part> {
    prop_oneof![
        4 => ".{0,150}".prop_map(|text: String| Part::Text(text.into())),
        2 => any::<f64>().prop_filter_map("a number", Number::new).prop_map(Part::Number),
        1 => any::<bool>().prop_map(Part::Bool),
        1 => Just(Part::Null),
        1 => Just(Part::Undefined),
    ]
}

fn theirs(part: &Part) -> PartitionKeyValue {
    match part {
        Part::Text(text) => PartitionKeyValue::from(text.to_string()),
        Part::Number(number) => PartitionKeyValue::try_from(number.value()).unwrap(),
        Part::Bool(value) => PartitionKeyValue::from(*value),
        Part::Null => PartitionKeyValue::NULL,
        Part::Undefined => PartitionKeyValue::UNDEFINED,
        Part::Other(text) => panic!("{text} is no key"),
    }
}

#[track_caller]
fn same(parts: &[Part], version: KeyVersion) {
    let paths: Vec<String> = (0..parts.len()).map(|level| format!("/l{level}")).collect();
    let kind = match parts.len() {
        1 => KeyKind::Hash,
        _ => KeyKind::MultiHash,
    };
    let ours = KeyDefinition { paths: paths.clone(), kind, version };
    let definition = PartitionKeyDefinition::new(paths.into_iter().map(Into::into).collect());
    let definition = match version {
        KeyVersion::V1 => definition.with_version(PartitionKeyVersion::V1),
        KeyVersion::V2 => definition.with_version(PartitionKeyVersion::V2),
    };
    let key: Vec<PartitionKeyValue> = parts.iter().map(theirs).collect();
    let key = PartitionKey::try_from(key).unwrap();
    let range = FeedRange::for_partition(key, &definition);
    let expected = range.min_inclusive().to_hex();
    assert_eq!(epk(parts, &ours).unwrap().to_string(), expected, "{parts:?}");
}

proptest! {
    #[test]
    fn one_level_of_version_2(part in value()) {
        same(&[part], KeyVersion::V2);
    }

    #[test]
    fn one_level_of_version_1(part in value()) {
        same(&[part], KeyVersion::V1);
    }

    #[test]
    fn hierarchical_keys(parts in proptest::collection::vec(value(), 2..=3)) {
        same(&parts, KeyVersion::V2);
    }
}
