//! Pages: each stands alone, its title names the container and the date, and a masked one names neither container nor account.

use super::{Place, sample};

/// Title and heading; each page has one of both.
fn titles(page: &str) -> [String; 2] {
    assert!(page.starts_with("<!DOCTYPE html>\n") && page.ends_with("</html>\n"), "{page}");
    assert!(page.contains("default-src 'none'") && !page.contains("<script"), "{page}");
    assert_eq!((page.matches("<head>").count(), page.matches("<h1>").count()), (1, 1), "{page}");
    let between = |start: &str, end: &str| {
        let (_, rest) = page.split_once(start).unwrap();
        rest.split_once(end).unwrap().0.to_owned()
    };
    [between("<title>", "</title>"), between("<h1><bdi>", "</bdi></h1>")]
}

#[test]
fn each_page_is_whole_and_named_by_what_it_shows() {
    let place = Place::new();
    let statistics = sample("stats/storage-archive");
    let scenario = ["--scenario", "tenants", "--quiet"];
    let few = ["--sample", "2000"];
    let cases: [(Vec<&str>, &str, &str); 7] = [
        (vec!["report", &statistics], "northpier-prod/shop/orders: key tenant-0002 at ", "2026)"),
        ([&["trial", "--key", "/userId"], &few[..], &scenario].concat(), "", "2026)"),
        ([&["plan", "/userId"], &few[..], &scenario].concat(), "", "2026)"),
        ([&["forecast"], &scenario[..]].concat(), "", "2026)"),
        ([&["simulate"], &scenario[..]].concat(), "", "2026)"),
        ([&["workload"], &scenario[..]].concat(), "", "2026)"),
        ([&["locate", "A"], &scenario[..]].concat(), "", "places of 1 value"),
    ];
    for (args, begins, ends) in cases {
        let begins = if begins.is_empty() { "contoso/service/tickets: " } else { begins };
        let page = |more: &[&str]| {
            let all = [&args[..], &["--format", "html"], more].concat();
            place.run(&all).ends_with(0).text()
        };
        let [title, heading] = titles(&page(&[]));
        assert_eq!(title, heading);
        assert!(title.starts_with(begins) && title.ends_with(ends), "{args:?}: {title}");
        let masked = page(&["--mask", "--mask-salt", "s"]);
        assert!(titles(&masked)[0].contains("container-"), "{args:?}: {masked}");
        for name in ["contoso", "tickets", "northpier", "tenant-0002"] {
            assert!(!masked.contains(name), "{name} in {args:?}: {masked}");
        }
    }
}
