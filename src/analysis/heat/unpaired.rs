//! Partitions that one input names by GUID and another by range id, where no input says which is which.

use super::{ContainerHeat, RangeName};

impl ContainerHeat {
    /// Names by GUID that no input pairs with one of the range ids: the same partitions a second time.
    pub fn unpaired(&self) -> usize {
        if self.has_ranges() { self.guids() } else { 0 }
    }

    /// What to do about them; None where there are none.
    pub fn unpaired_words(&self) -> Option<String> {
        let (partitions, are) = match self.unpaired() {
            0 => return None,
            1 => ("1 partition".to_owned(), "is"),
            n => (format!("{n} partitions"), "are"),
        };
        Some(format!(
            "{partitions} of the request log or of metrics {are} named by GUID and cannot be paired with range ids: open an answer of partitions/usages too (az rest --method get --url \".../collections/<container-rid>/partitions/usages?api-version=2024-11-15\")"
        ))
    }

    pub(super) fn has_ranges(&self) -> bool {
        self.partitions.iter().any(|p| p.named.range().is_some())
    }

    /// Partitions that are named by GUID.
    pub(super) fn guids(&self) -> usize {
        self.partitions.iter().filter(|p| matches!(p.named, RangeName::Guid(_))).count()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Partition;
    use super::*;

    fn heat(named: &[RangeName]) -> ContainerHeat {
        let partition = |named: &RangeName| Partition {
            known: None,
            named: named.clone(),
            capacity: None,
            kib: None,
        };
        ContainerHeat {
            partitions: named.iter().map(partition).collect(),
            ..ContainerHeat::default()
        }
    }

    #[test]
    fn guids_are_partitions_only_where_nothing_else_names_them() {
        let range = |id: &str| RangeName::Range(id.to_owned());
        let guid = |id: &str| RangeName::Guid(id.to_owned());
        let both = heat(&[range("0"), guid("a"), guid("b"), RangeName::Undefined]);
        assert_eq!(both.unpaired(), 2);
        assert_eq!(both.physical().collect::<Vec<_>>(), [0]);
        let words = both.unpaired_words().unwrap_or_default();
        assert!(words.starts_with("2 partitions of the request log"), "{words}");
        let alone = heat(&[guid("a"), guid("b"), RangeName::NotReported]);
        assert_eq!((alone.unpaired(), alone.unpaired_words()), (0, None));
        assert_eq!(alone.physical().collect::<Vec<_>>(), [0, 1]);
    }
}
