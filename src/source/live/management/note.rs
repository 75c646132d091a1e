//! What answers of the data plane say that questions of the management plane need.

use crate::source::json::read;

/// `DATABASE/CONTAINER` of a container read: resource ids, from the address that it gives for itself.
pub(super) fn rids(body: &[u8]) -> Option<String> {
    let own = read::text(read::field(std::str::from_utf8(body).ok()?, "_self")?)?;
    let mut names = own.trim_matches('/').split('/');
    let (dbs, database, colls, container) =
        (names.next()?, names.next()?, names.next()?, names.next()?);
    let is_rid = |text: &str| {
        let allowed = |b: u8| b.is_ascii_alphanumeric() || b"=+-_".contains(&b);
        (1..=40).contains(&text.len()) && text.bytes().all(allowed)
    };
    let fine = dbs == "dbs" && colls == "colls" && is_rid(database) && is_rid(container);
    fine.then(|| format!("{database}/{container}"))
}

/// How many physical partitions a range feed lists.
pub(super) fn ranges(body: &[u8]) -> Option<usize> {
    let ranges = read::list(std::str::from_utf8(body).ok()?, "partitionkeyranges")?;
    Some(ranges.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resource_ids_are_those_of_the_own_address() {
        let read = |own: &str| rids(format!(r#"{{"id":"orders","_self":"{own}"}}"#).as_bytes());
        assert_eq!(
            read("dbs/rgIYAA==/colls/rgIYAK3-Abc=/").as_deref(),
            Some("rgIYAA==/rgIYAK3-Abc=")
        );
        for odd in ["", "dbs/a", "dbs/a/docs/b/", "dbs/../colls/b/", "dbs/a?b/colls/c/"] {
            assert_eq!(read(odd), None, "{odd}");
        }
        assert_eq!(rids(b"{}"), None);
        let feed = br#"{"_rid":"x","PartitionKeyRanges":[{"id":"0"},{"id":"1"}],"_count":2}"#;
        assert_eq!((ranges(feed), ranges(b"{}")), (Some(2), None));
    }
}
