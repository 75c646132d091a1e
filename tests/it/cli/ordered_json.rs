//! JSON with the order of its names kept, which a table by name would lose.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

/// A value reduced to its names.
#[derive(Debug)]
pub enum OrderedJson {
    Object(Vec<(String, OrderedJson)>),
    List(Vec<OrderedJson>),
    Other,
}

impl OrderedJson {
    #[track_caller]
    pub fn parse(text: &[u8]) -> Self {
        serde_json::from_slice(text).expect("the output is JSON")
    }

    #[track_caller]
    pub fn names(&self) -> Vec<&str> {
        let Self::Object(fields) = self else { panic!("{self:?} is no object") };
        fields.iter().map(|(name, _)| name.as_str()).collect()
    }

    #[track_caller]
    pub fn at(&self, name: &str) -> &Self {
        let Self::Object(fields) = self else { panic!("{self:?} is no object") };
        let mut fields = fields.iter();
        &fields.find(|(n, _)| n == name).expect("the field is there").1
    }

    #[track_caller]
    pub fn items(&self) -> &[Self] {
        let Self::List(items) = self else { panic!("{self:?} is no list") };
        items
    }
}

impl<'de> Deserialize<'de> for OrderedJson {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = OrderedJson;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OrderedJson, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(OrderedJson::Object(fields))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<OrderedJson, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(OrderedJson::List(items))
    }

    fn visit_unit<E>(self) -> Result<OrderedJson, E> {
        Ok(OrderedJson::Other)
    }

    fn visit_bool<E>(self, _: bool) -> Result<OrderedJson, E> {
        Ok(OrderedJson::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<OrderedJson, E> {
        Ok(OrderedJson::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<OrderedJson, E> {
        Ok(OrderedJson::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<OrderedJson, E> {
        Ok(OrderedJson::Other)
    }

    fn visit_str<E>(self, _: &str) -> Result<OrderedJson, E> {
        Ok(OrderedJson::Other)
    }
}
