//! Every rule that can strike, each with what it means: a finding names one of these, so that none is without its sentence.

/// A row a rule: its name in the code, its name in outputs, what it means, and the thresholds it measures against by name.
macro_rules! rules {
    ($($rule:ident $name:literal $meaning:literal $([$($measure:literal)*])?;)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Rule {
            $($rule,)*
        }

        impl Rule {
            pub const ALL: &'static [Self] = &[$(Self::$rule,)*];

            /// As screens and reports call it. Names never change their meaning: baselines and suppressions of others hold them.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$rule => $name,)*
                }
            }

            /// As JSON calls it: scripts know both rules of key size by their older name.
            pub const fn json_name(self) -> &'static str {
                match self {
                    Self::KeyOverLimit | Self::KeyNearLimit => "STORAGE WALL",
                    other => other.name(),
                }
            }

            /// In one sentence.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$rule => $meaning,)*
                }
            }

            /// Rows of `diagnosis::thresholds::TABLE`.
            pub const fn thresholds(self) -> &'static [&'static str] {
                match self {
                    $(Self::$rule => &[$($($measure,)*)?],)*
                }
            }
        }
    };
}

rules! {
    MaxLogical "max-logical" "A logical partition nears or passes its size limit.";
    LimitDateNear "wall" "A logical partition will reach its size limit soon.";
    MaxHot "max-hot" "A physical partition uses all or nearly all of its RU/s.";
    Simulated "simulated" "In the simulated time writes get 403, or more than 1 % of the load is throttled.";
    LargestKey "largest-key" "The largest logical partition nears or passes its size limit.";
    LimitDateUnknown "20gb-unknown" "The date at which a key reaches its size limit is unknown.";
    ActiveKeys "active-keys" "Fewer keys are written within a second than there are physical partitions.";
    Splits "splits" "Physical partitions would hold more than 50 GB.";
    PlacedByChance "placed-by-chance" "Texts of some keys were not kept, and chance places them.";
    WriteHeavy "write-heavy" "Most requests write, and the key does not spread them.";
    ReadHeavy "read-heavy" "Most requests read, and each queries many physical partitions.";
    StatisticsOnly "statistics-only" "Sizes and RU of logged keys are known, and no documents.";
    OneDocument "one-document" "Each document is a logical partition of its own.";
    EvenBuckets "even-buckets" "Buckets are taken to be even.";
    GrowthNotLogged "growth-not-logged" "The logs do not show how some keys grow.";
    HotNow "hot-now" "What is written at one time goes to one or few keys.";
    TimeUnknown "time-unknown" "No property shows when documents were written.";
    ThrottledWrites "refused" "Requests are throttled if all keys are written as they have data.";
    CannotMap "cannot-map" "Most documents lack the key of today: what was measured by it is not brought to others.";
    BeyondAnyKey "beyond-any-key" "One key needs more RU/s than one key can use.";
    RuToBuy "ru-to-buy" "The least RU/s of a new container with at most 1 % throttled.";
    DemandUnknown "demand-unknown" "No input shows the RU/s that clients request: what is throttled is unknown.";
    TooFewKeys "too-few-keys" "There are fewer keys than physical partitions.";
    UnevenStorage "uneven-storage" "Physical partitions hold unlike amounts of data.";
    FewFirstValues "few-first-values" "The first level of a hierarchical key has few values.";
    RequestsCrossPartitions "fan-out" "Requests query all physical partitions.";
    RoutingUnknown "routing-unknown" "Which physical partitions some requests query is unknown.";
    OverPartition "over-partition" "Requests need more RU/s of each physical partition than it can serve.";
    ByChance "by-chance" "The sample does not show how values of this level are spread.";
    TooManyLevels "too-many-levels" "A key has at most three levels.";
    RepeatedLevel "repeated-level" "A level is given twice and adds nothing.";
    ConstantLevel "constant-level" "A level is the same for every document.";
    TimeOnly "time-only" "The key is time alone: all writes go to one value.";
    AmbiguousJoin "ambiguous-join" "Two values are joined with nothing between them.";
    IdAlone "id-alone" "Every document is a logical partition of its own.";
    IdLast "id-last" "The id as last level makes keys unlimited.";
    IdNotLast "id-not-last" "Levels after the id add nothing.";
    RandomReads "random-reads" "Reads cannot know a random part of the key.";
    MutableName "mutable-name" "The value is likely to change, and a key cannot.";
    SystemProperty "system-property" "The service sets this property, not the application.";
    Absent "absent" "No document has this path.";
    Unusable "unusable" "Documents have a list, an object or a number that no key can hold.";
    Fractions "fractions" "Values of the path are numbers with fractions.";
    NoTime "no-time" "Values read as times are not times.";
    IdCollisions "id-collisions" "Documents would meet others with the same key and id.";
    Missing "missing" "Documents lack the path.";
    Null "null" "Documents have null at the path.";
    MixedTypes "mixed-types" "Values of the path are of several types.";
    Beyond2To53 "beyond-2-53" "Numbers too large to be exact: different values become one key.";
    TooLong "too-long" "Keys are longer than the service takes.";

    HotKey "HOT KEY" "one key takes most of a hot partition, and no split divides a key"
        ["hot" "saturated-minutes" "even" "hot-key" "worth-ru" "window" "cured"];
    HotRange "HOT RANGE" "several keys on one partition need more RU/s than it can serve; apart they would fit"
        ["hot" "saturated-minutes" "even" "hot-key" "window" "cured"];
    HotPartition "HOT PARTITION" "one partition is hot, and no log names the keys that load it"
        ["hot" "saturated-minutes" "others" "even" "healthy-429" "window"];
    FanOut "FAN-OUT" "queries without the key are cross-partition: all partitions are equally busy"
        ["busy" "even" "fan-out-ru" "fan-out-share" "window"];
    UnderProvisioned "UNDER-PROVISIONED" "all partitions are about equally hot: demand is even and above the provisioned RU/s"
        ["hot" "saturated-minutes" "even" "healthy-429" "window"];
    PaidNotUsable "PAID, NOT USABLE" "the partitions together can serve clearly less than the provisioned RU/s"
        ["unusable" "least-partition-ru"];
    ThrottledByBucket "THROTTLED BY BUCKET" "requests are throttled while no partition is near its RU/s: a throughput bucket or a low priority limits them"
        ["hot" "cured"];
    KeyOverLimit "KEY OVER 20 GB" "a logical partition is over 20 GB; neither RU/s nor a split changes that"
        ["20gb-warn" "20gb-alarm" "20gb-full" "20gb-warn-days" "20gb-alarm-days"];
    KeyNearLimit "KEY NEAR 20 GB" "a logical partition nears 20 GB; neither RU/s nor a split changes that"
        ["20gb-warn" "20gb-alarm" "20gb-full" "20gb-warn-days" "20gb-alarm-days"];
    Forbidden "403 FORBIDDEN" "requests are answered with 403: a logical partition is at 20 GB, or a permission is missing";
    NullKey "NULL KEY" "null, missing or empty key values share one logical partition"
        ["null-key" "null-key-ru" "20gb-warn"];
    Healthy "HEALTHY" "nothing to fix: up to 5 % throttled requests are healthy where partitions are even"
        ["hot" "healthy-429" "window" "enough"];
    PartitionFilling "PARTITION FILLING" "a physical partition nears 50 GB and will be split by the service"
        ["filling-note" "filling-warn" "busy"];
    UnevenRuShares "UNEVEN RU SHARES" "partitions have different RU/s, as after a split or a redistribution"
        ["uneven-ru" "busy"];
    LowCardinality "LOW-CARDINALITY" "too few keys are active at a time to use all partitions"
        ["active-keys" "effective-keys" "busy"];
    NotEnoughData "NOT ENOUGH DATA" "no input has load by partition"
        ["enough"];
    OverProvisioned "OVER-PROVISIONED" "over at least a day the fullest partition uses less than half of its RU/s"
        ["over-provisioned"];
    Idle "IDLE" "no request in at least a day, and RU/s are provisioned";
    ManualOrAutoscale "MANUAL OR AUTOSCALE" "the other way to provision RU/s would cost less: the break-even is 66 % on average over the hours";
    MergeCandidates "MERGE CANDIDATES" "neighbouring partitions have few RU/s and little data, and could be merged"
        ["merge-ru" "merge-gb"];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::diagnosis::thresholds::TABLE;

    #[test]
    fn names_are_distinct_and_thresholds_can_be_set() {
        for (at, rule) in Rule::ALL.iter().enumerate() {
            let mut others = Rule::ALL.iter().skip(at + 1);
            assert!(others.all(|other| other.name() != rule.name()), "{rule:?}");
            for name in rule.thresholds() {
                let mut rows = TABLE.iter();
                assert!(rows.any(|row| row.name == *name), "{rule:?}: {name}");
            }
        }
    }
}
