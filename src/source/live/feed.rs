//! Lists that come in pages, put together as one body of the shape that one page has.

use super::fault::Fault;
use super::wire::MAX_SMALL_BYTES;
use crate::source::json::read;

/// Pages of one list that are read; the service puts 100 to 1,000 entries on a page.
pub(super) const MAX_PAGES: usize = 200;
/// Bytes of all pages together, but for the last.
const MAX_BYTES: usize = 4 * MAX_SMALL_BYTES;

/// A list in the making.
#[derive(Debug)]
pub(super) struct Feed {
    /// The member that holds the entries, as the service writes it.
    member: &'static str,
    pages: Vec<String>,
    bytes: usize,
}

impl Feed {
    pub(super) fn new(member: &'static str) -> Self {
        Self { member, pages: Vec::new(), bytes: 0 }
    }

    /// Takes a page; one without the list is not from the service.
    pub(super) fn add(&mut self, page: String) -> Result<(), Fault> {
        if entries(&page, self.member).is_none() {
            return Err(Fault::NotCosmos(format!("it lists no {}", self.member)));
        }
        self.bytes += page.len();
        self.pages.push(page);
        Ok(())
    }

    /// Whether no more pages are wanted.
    pub(super) fn is_full(&self) -> bool {
        self.pages.len() >= MAX_PAGES || self.bytes >= MAX_BYTES
    }

    /// One page stays as it came; more become one. `cut` says that there would have been more.
    pub(super) fn finish(self, cut: bool) -> String {
        if let ([_], false) = (self.pages.as_slice(), cut) {
            let only = self.pages.into_iter().next();
            return only.unwrap_or_default();
        }
        let all: Vec<&str> =
            self.pages.iter().filter_map(|page| entries(page, self.member)).flatten().collect();
        let cut = if cut { r#","_cosmoscope":{"cut":true}"# } else { "" };
        format!(
            r#"{{"_rid":"","{}":[{}],"_count":{}{cut}}}"#,
            self.member,
            all.join(","),
            all.len()
        )
    }
}

fn entries<'a>(page: &'a str, member: &str) -> Option<Vec<&'a str>> {
    read::list(page, &member.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed(pages: &[&str]) -> Feed {
        let mut feed = Feed::new("Databases");
        for page in pages {
            assert_eq!(feed.add((*page).to_owned()), Ok(()));
            assert!(!feed.is_full());
        }
        feed
    }

    #[test]
    fn one_page_stays_as_it_came() {
        let page = r#" {"_rid":"","Databases": [{"id":"a"}],"_count":1}"#;
        assert_eq!(feed(&[page]).finish(false), page);
    }

    #[test]
    fn pages_become_one() {
        let made = feed(&[
            r#"{"Databases":[{"id":"a"},{"id":"b]"}]}"#,
            r#"{"databases":[]}"#,
            r#"{"Databases":[{"id":"c"}]}"#,
        ]);
        assert_eq!(
            made.finish(false),
            r#"{"_rid":"","Databases":[{"id":"a"},{"id":"b]"},{"id":"c"}],"_count":3}"#
        );
        assert_eq!(
            feed(&[r#"{"Databases":[]}"#]).finish(true),
            r#"{"_rid":"","Databases":[],"_count":0,"_cosmoscope":{"cut":true}}"#
        );
    }

    #[test]
    fn a_page_without_the_list_is_refused() {
        let refused = Feed::new("Databases").add("{\"id\":\"a\"}".to_owned());
        assert!(matches!(refused, Err(Fault::NotCosmos(_))));
    }

    #[test]
    fn a_list_ends_at_its_limit() {
        let mut feed = Feed::new("Databases");
        let page = r#"{"Databases":[]}"#;
        for _ in 1..MAX_PAGES {
            assert_eq!((feed.add(page.to_owned()), feed.is_full()), (Ok(()), false));
        }
        assert_eq!((feed.add(page.to_owned()), feed.is_full()), (Ok(()), true));
    }
}
