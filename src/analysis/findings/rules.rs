//! What each rule of `check` looks for, in a sentence: for outputs that list their rules.

/// Names never change their meaning: baselines and suppressions of others hold them.
const SENTENCES: &[(&str, &str)] = &[
    (
        "max-logical",
        "A logical partition nears or passes its size limit.",
    ),
    (
        "wall",
        "A logical partition will reach its size limit soon.",
    ),
    (
        "max-hot",
        "A physical partition uses all or nearly all of its RU/s.",
    ),
    (
        "largest-key",
        "The largest logical partition nears or passes its size limit.",
    ),
    (
        "wall-unknown",
        "It cannot be told when a key reaches its size limit.",
    ),
    (
        "active-keys",
        "Fewer keys are written within a second than there are physical partitions.",
    ),
    ("splits", "Physical partitions would hold more than 50 GB."),
    (
        "placed-by-chance",
        "Texts of some keys were not kept, and chance places them.",
    ),
    (
        "write-heavy",
        "Most requests write, and the key does not spread them.",
    ),
    (
        "read-heavy",
        "Most requests read, and each asks many physical partitions.",
    ),
    (
        "statistics-only",
        "Sizes and RU of logged keys are known, and no documents.",
    ),
    (
        "one-document",
        "Each document is a logical partition of its own.",
    ),
    ("even-buckets", "Buckets are taken to be even."),
    (
        "growth-not-logged",
        "The logs do not tell how some keys grow.",
    ),
    (
        "hot-now",
        "What is written at one time goes to one or few keys.",
    ),
    (
        "time-unknown",
        "No property tells when documents were written.",
    ),
    (
        "refused",
        "Requests are throttled if all keys are written as they have data.",
    ),
    (
        "cannot-map",
        "Most documents lack the key of today: what was measured by it is not brought to others.",
    ),
    (
        "beyond-any-key",
        "One key needs more RU/s than one key can use.",
    ),
    (
        "ru-to-buy",
        "The least RU/s of a new container with at most 1 % throttled.",
    ),
    (
        "demand-unknown",
        "Nothing tells the RU/s that clients request: what is throttled is unknown.",
    ),
    (
        "too-few-keys",
        "There are fewer keys than physical partitions.",
    ),
    (
        "uneven-storage",
        "Physical partitions hold unlike amounts of data.",
    ),
    (
        "few-first-values",
        "The first level of a hierarchical key has few values.",
    ),
    ("fan-out", "Requests ask all physical partitions."),
    (
        "routing-unknown",
        "It cannot be told which physical partitions some requests ask.",
    ),
    (
        "over-partition",
        "Requests ask each physical partition for more RU/s than it can give.",
    ),
    (
        "by-chance",
        "The sample cannot tell how values of this level are spread.",
    ),
    ("too-many-levels", "A key has at most three levels."),
    ("repeated-level", "A level stands twice and parts nothing."),
    ("constant-level", "A level is the same for every document."),
    (
        "time-only",
        "The key is time alone: all writes go to one value.",
    ),
    (
        "ambiguous-join",
        "Two values are joined with nothing between them.",
    ),
    (
        "id-alone",
        "Every document is a logical partition of its own.",
    ),
    ("id-last", "The id as last level makes keys unlimited."),
    ("id-not-last", "Levels behind the id part nothing."),
    (
        "random-reads",
        "Reads cannot know a random part of the key.",
    ),
    (
        "mutable-name",
        "The value is likely to change, and a key cannot.",
    ),
    (
        "system-property",
        "The service sets this property, not the application.",
    ),
    ("absent", "No document has this path."),
    (
        "unusable",
        "Documents have a list, an object or a number that no key can hold.",
    ),
    (
        "fractions",
        "Values of the path are numbers with fractions.",
    ),
    ("no-time", "Values that were to be read as times are none."),
    (
        "id-collisions",
        "Documents would meet others with the same key and id.",
    ),
    ("missing", "Documents lack the path."),
    ("null", "Documents have null at the path."),
    ("mixed-types", "Values of the path are of several types."),
    (
        "beyond-2-53",
        "Numbers too large to be told apart: different values become one key.",
    ),
    ("too-long", "Keys are longer than the service takes."),
];

/// None for a name that no rule has.
pub fn sentence(rule: &str) -> Option<&'static str> {
    let found = SENTENCES.iter().find(|(name, _)| *name == rule);
    found.map(|(_, sentence)| *sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_has_one_sentence() {
        let mut names: Vec<&str> = SENTENCES.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
