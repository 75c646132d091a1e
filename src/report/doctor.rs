//! What of an account can be seen from here: one line a check, then what each view has, for people and for scripts.

use std::io::{self, Write};

use crate::model::visible::visible;

use super::Style;
use super::doc::Doc;
use super::layout::left;
use super::write_json::{lines, object};

words! {
    /// How a check ended.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum CheckState {
        Ok = "ok",
        /// Not looked at: nobody said where, or an earlier check stands in the way.
        NotChecked = "not asked",
        /// It works, and something that would show more is not there or not allowed.
        Missing = "missing",
        Failed = "failed",
    }
    fn word
}

impl CheckState {
    fn paint(self) -> &'static str {
        match self {
            Self::Ok => "\x1b[32m",
            Self::NotChecked => "\x1b[2m",
            Self::Missing => "\x1b[33m",
            Self::Failed => "\x1b[31m",
        }
    }
}

/// One check: sentences that are already visible and hold no secret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// A stable name for scripts.
    pub check: &'static str,
    pub state: CheckState,
    pub what: String,
    pub next: Option<String>,
}

/// What a view has to show.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DoctorView {
    pub view: &'static str,
    pub state: CheckState,
    pub what: String,
}

/// All that `doctor` tells.
#[derive(Clone, Copy, Debug)]
pub struct DoctorReport<'a> {
    pub endpoint: &'a str,
    pub checks: &'a [Check],
    pub views: &'a [DoctorView],
}

const STATE_COLUMNS: usize = 9;
/// The longest name of a check.
const NAME_COLUMNS: usize = 19;

pub fn json(doctor: &DoctorReport<'_>, to: &mut dyn Write) -> io::Result<()> {
    let check = |check: &Check| {
        object()
            .with("check", check.check)
            .with("state", check.state.word())
            .with("what", &check.what)
            .with("next", check.next.as_deref())
    };
    let view = |view: &DoctorView| {
        object().with("view", view.view).with("state", view.state.word()).with("what", &view.what)
    };
    object()
        .with("schema", 1)
        .with("endpoint", doctor.endpoint)
        .with("checks", lines(doctor.checks.iter().map(check)))
        .with("views", lines(doctor.views.iter().map(view)))
        .write(to)
}

/// ```text
/// ok         sign-in             the Azure CLI (az)
/// missing    throughput          this sign-in may not read throughput (403)
///                                → use a read-only key or --resource-id
/// ```
pub fn text(doctor: &DoctorReport<'_>, style: Style, to: &mut dyn Write) -> io::Result<()> {
    let mut doc = Doc::text(style);
    doc.line(&visible(doctor.endpoint), "", "");
    doc.gap();
    for check in doctor.checks {
        let next = check.next.as_deref().filter(|_| check.state != CheckState::Ok);
        push_row(check.state, check.check, &check.what, next, &mut doc);
    }
    if !doctor.views.is_empty() {
        doc.raw("\nWhat the views have\n");
        for view in doctor.views {
            push_row(view.state, view.view, &view.what, None, &mut doc);
        }
    }
    doc.end(to)
}

fn push_row(state: CheckState, name: &str, what: &str, next: Option<&str>, doc: &mut Doc) {
    let word = left(state.word(), STATE_COLUMNS);
    let name = format!("  {}  ", left(name, NAME_COLUMNS));
    let indent = " ".repeat(STATE_COLUMNS + 2 + NAME_COLUMNS + 2);
    doc.painted(state.paint(), ["", &word, &name], what, &indent);
    if let Some(next) = next {
        doc.line(next, &format!("{indent}→ "), &format!("{indent}  "));
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::report::Colour;

    fn checks() -> Vec<Check> {
        let check = |check, state, what: &str, next: Option<&str>| Check {
            check,
            state,
            what: what.to_owned(),
            next: next.map(str::to_owned),
        };
        vec![
            check(
                "sign-in",
                CheckState::Ok,
                "the Azure CLI (az)",
                Some("not shown where all is well"),
            ),
            check(
                "throughput",
                CheckState::Missing,
                "this sign-in may not read throughput of \"shop\" (403): the service says so in many words",
                Some(
                    "use a read-only key, or give --resource-id so that the management plane is read",
                ),
            ),
            check(
                "metrics",
                CheckState::NotChecked,
                "no resource id is known",
                Some("give --resource-id"),
            ),
        ]
    }

    fn doctor<'a>(checks: &'a [Check], views: &'a [DoctorView]) -> DoctorReport<'a> {
        DoctorReport { endpoint: "https://contoso.documents.azure.com:443/", checks, views }
    }

    fn views() -> Vec<DoctorView> {
        vec![DoctorView {
            view: "heat",
            state: CheckState::Missing,
            what: "nothing: metrics are not read".to_owned(),
        }]
    }

    #[test]
    fn people_get_a_table() {
        let (checks, views) = (checks(), views());
        let mut out = Vec::new();
        text(&doctor(&checks, &views), Style::default(), &mut out).unwrap();
        let expected = "\
https://contoso.documents.azure.com:443/

ok         sign-in              the Azure CLI (az)
missing    throughput           this sign-in may not read throughput of \"shop\"
                                (403): the service says so in many words
                                → use a read-only key, or give --resource-id so
                                  that the management plane is read
not asked  metrics              no resource id is known
                                → give --resource-id

What the views have
missing    heat                 nothing: metrics are not read
";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn colour_changes_no_column() {
        let (checks, views) = (checks(), views());
        let style = Style { colour: Colour::On, ..Style::default() };
        let (mut plain, mut painted) = (Vec::new(), Vec::new());
        text(&doctor(&checks, &views), Style::default(), &mut plain).unwrap();
        text(&doctor(&checks, &views), style, &mut painted).unwrap();
        let mut painted = String::from_utf8(painted).unwrap();
        for code in ["\x1b[32m", "\x1b[2m", "\x1b[33m", "\x1b[31m", "\x1b[0m"] {
            painted = painted.replace(code, "");
        }
        assert_eq!(painted, String::from_utf8(plain).unwrap());
    }

    #[test]
    fn scripts_get_json() {
        let (checks, views) = (checks(), views());
        let mut out = Vec::new();
        json(&doctor(&checks, &views), &mut out).unwrap();
        let read: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(read["schema"], 1);
        assert_eq!(read["endpoint"], "https://contoso.documents.azure.com:443/");
        assert_eq!(read["checks"][1]["check"], "throughput");
        assert_eq!(read["checks"][1]["state"], "missing");
        assert_eq!(read["checks"][2]["state"], "not asked");
        assert_eq!(read["views"][0]["view"], "heat");
        let empty = doctor(&[], &[]);
        let mut out = Vec::new();
        json(&empty, &mut out).unwrap();
        assert!(serde_json::from_slice::<serde_json::Value>(&out).is_ok());
    }
}
