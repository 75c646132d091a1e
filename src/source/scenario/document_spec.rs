//! How a scenario's file describes its documents.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::designed::OwnerDraw;
use super::draws::Sequence;
use super::pattern::Pattern;

/// What the documents of all containers of a scenario have in common.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DocumentsSpec {
    /// Shortest and longest text of a document.
    pub bytes: [u32; 2],
    /// The last field, as long as the text still lacks bytes.
    pub filler: Filler,
    /// Values that are known by names and patterns further on, in this order.
    #[serde(default)]
    pub draws: Vec<Draw>,
    pub fields: Vec<Field>,
    /// Who belongs to which group, for the draws of a member and of a group.
    #[serde(default)]
    pub lists: BTreeMap<String, List>,
    #[serde(default)]
    pub hours: Option<Hours>,
}

/// What is particular to the documents of one container.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ContainerDocuments {
    /// How long before the end the data began, where no key says it.
    pub since_hours: f64,
    #[serde(default)]
    pub keys: KeySource,
    /// Come after those of the key's group and before those of all containers.
    #[serde(default)]
    pub draws: Vec<Draw>,
    /// Come after those of all containers.
    #[serde(default)]
    pub fields: Vec<Field>,
    /// Of a design: documents of several kinds in place of those of the keys.
    #[serde(skip)]
    pub kinds: Vec<DocumentKind>,
}

/// Documents that are alike.
#[derive(Clone, Debug)]
pub(super) struct DocumentKind {
    /// How many there are.
    pub count: f64,
    pub bytes: u32,
    /// Seconds in which they were written.
    pub span: [i64; 2],
    pub fields: Vec<Field>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum KeySource {
    /// One of the keys that are listed, as often as its size says.
    #[default]
    Listed,
    /// Each document is a logical partition of its own; the keys that are listed are a few of them.
    OneEach,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Filler {
    pub name: String,
    pub with: Filling,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Filling {
    Base64,
    Words,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Draw {
    pub name: String,
    pub from: Origin,
}

/// Where a value comes from. A text is a pattern over the values before it: `{name}` stands for one.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Origin {
    Text(Pattern),
    Values(Values),
    /// From the first up to and with the second.
    Number([u32; 2]),
    /// Every number up to this one once, in no order that shows.
    Sequence(Sequence),
    Code(Code),
    Case(Case),
    Member(Member),
    Group(Member),
    Share(Share),
    /// Of a design.
    #[serde(skip)]
    Owner(Box<OwnerDraw>),
}

/// One of several, by chance or always the same for the same pattern.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Values {
    pub of: Vec<String>,
    /// All alike where there are none; running sums of them once the draw is bound.
    #[serde(default)]
    pub weights: Vec<f64>,
    #[serde(default)]
    pub by: Option<Pattern>,
}

/// Letters and digits that are always the same for the same pattern.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Code {
    pub by: Pattern,
    pub letters: u32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    pub of: Pattern,
    pub is: BTreeMap<String, String>,
}

/// The number of a member of a group, by chance; or the group of a member.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Member {
    pub of: Pattern,
    /// Gives the name of the list.
    pub list: Pattern,
}

/// The name of a list, by the weight that its members in one group have together.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Share {
    pub of: Pattern,
    /// The weight of one member.
    pub each: BTreeMap<String, f64>,
}

/// Members are numbered from 1, those of the first group first.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    /// Of the groups; 1, 2, 3 … where there are none.
    #[serde(default)]
    pub names: Vec<String>,
    pub counts: Vec<u32>,
}

/// The times of the day at which documents are written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hours {
    /// Gives the name of the windows.
    pub by: Pattern,
    /// Who has the same window every day; the number at the end of this pattern says which.
    pub turns: Pattern,
    /// Minute of the day and length in minutes.
    pub windows: BTreeMap<String, Vec<[u32; 2]>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Field {
    pub name: String,
    pub is: Shape,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Shape {
    Text(Pattern),
    /// Gives a JSON number.
    Number(Pattern),
    Object(Vec<Field>),
}
