//! The table: what goes wrong, how it is played, what somebody reads of it, and the bounds it keeps.

use super::server::{At, Play};

/// What the account is taken for once the fault was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Left {
    /// Nothing was noticed, or it passed.
    Well,
    /// Some questions have no answer.
    Gaps,
    /// It does not answer at all.
    Lost,
}

/// One way of meeting the fault.
#[derive(Clone, Copy, Debug)]
pub struct Expected {
    /// Nothing is told where it is empty.
    pub says: &'static str,
    /// Requests that may meet the fault.
    pub requests: usize,
    pub left: Left,
}

/// What somebody does in the dialog once the fault has begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Does {
    /// Begins the sample.
    Begins,
    /// Asks the account again, behind the dialog.
    Refreshes,
}

#[derive(Clone, Debug)]
pub struct Row {
    pub name: &'static str,
    pub at: At,
    pub play: Play,
    pub start: Expected,
    pub refresh: Expected,
    pub dialog: Expected,
    pub does: Does,
}

fn says(status: u16, headers: &[(&'static str, &str)], body: &str) -> Play {
    let headers = headers.iter().map(|(n, v)| (*n, (*v).to_owned()));
    Play::Says(status, headers.collect(), body.to_owned())
}

fn refused(status: u16, sub: &str) -> Play {
    let body = r#"{"code":"X","message":"Something.\r\nActivityId: 1"}"#;
    says(status, &[("x-ms-substatus", sub)], body)
}

fn throttled(hint: &str) -> Play {
    let hint = [("x-ms-retry-after-ms", hint), ("x-ms-substatus", "3200")];
    says(429, &hint, "")
}

impl Row {
    /// `requests` may meet it at the start, with a refresh and in the dialog.
    fn new(
        name: &'static str,
        (at, play): (At, Play),
        says: &'static str,
        requests: [usize; 3],
    ) -> Self {
        let left = match at {
            At::Everything => Left::Lost,
            _ => Left::Gaps,
        };
        let [start, refresh, dialog] = requests.map(|requests| Expected {
            says,
            requests,
            left,
        });
        Self {
            name,
            at,
            play,
            start,
            refresh,
            dialog,
            does: match at {
                At::Account | At::Ranges => Does::Refreshes,
                _ => Does::Begins,
            },
        }
    }

    fn in_dialog(mut self, says: &'static str) -> Self {
        self.dialog.says = says;
        self
    }

    /// Nothing else is asked although only a part of the account has the fault.
    fn lost(mut self) -> Self {
        self.start.left = Left::Lost;
        self.refresh.left = Left::Lost;
        self
    }

    fn unnoticed(mut self) -> Self {
        for expected in [&mut self.start, &mut self.refresh, &mut self.dialog] {
            expected.left = Left::Well;
        }
        self
    }
}

pub fn rows() -> Vec<Row> {
    [refusals(), passing(), transport(), no_answers(), parts()].concat()
}

/// What stays so until somebody changes it.
fn refusals() -> Vec<Row> {
    use At::{Container, Data, Everything};
    let firewall = r#"{"code":"Forbidden","message":"Request originated from IP 10.1.2.3 through public internet. This is blocked by your Cosmos DB account firewall settings."}"#;
    let date = [("date", "Sun, 06 Nov 1994 08:49:37 GMT")];
    let clock = "minutes ahead of the clock of the service";
    // So the service says it to a signature of another hour.
    let late = r#"{"code":"Forbidden","message":"The authorization token is not valid at the current time."}"#;
    let long = "x".repeat(10_000);
    let hostile = format!("{{\"message\":\"a\\u001b[31mb\\u202ec{long}\"}}");
    let reader = "it needs the role Cosmos DB Built-in Data Reader";
    let row = Row::new;
    vec![
        row(
            "401",
            (Everything, refused(401, "0")),
            "credentials not accepted (401)",
            [1, 6, 1],
        ),
        row(
            "clock",
            (Everything, says(401, &date, "")),
            clock,
            [1, 6, 1],
        ),
        row(
            "clock, 403",
            (Everything, says(403, &date, late)),
            clock,
            [1, 6, 1],
        ),
        row(
            "clock, data",
            (Data, says(401, &date, "")),
            clock,
            [1, 6, 1],
        )
        .lost(),
        row(
            "clock, data 403",
            (Data, says(403, &date, late)),
            clock,
            [1, 6, 1],
        )
        .lost(),
        row("403", (Everything, refused(403, "5300")), reader, [1, 5, 1]),
        row("403 data", (Data, refused(403, "5300")), reader, [1, 5, 1]),
        row(
            "firewall",
            (Everything, says(403, &[], firewall)),
            "the firewall of the account refuses this machine (403): Request originated from IP 10.1.2.3",
            [1, 5, 1],
        ),
        row(
            "404 container",
            (Container, refused(404, "0")),
            "there is no such container shop/orders: it may have been deleted",
            [3, 2, 1],
        ),
        row(
            "hostile",
            (Data, says(400, &[], &hostile)),
            "␛[31mb\\u{202e}c",
            [1, 5, 2],
        ),
    ]
}

/// What the service gets over by itself.
fn passing() -> Vec<Row> {
    use At::{Data, Everything};
    let row = Row::new;
    let behind = "is behind press r to ask again";
    let refuses = "the service refuses more requests for now (429";
    let rests = "(429 twice)";
    let trouble = |code| match code {
        500 => "the service has trouble of its own (500)",
        502 => "the service has trouble of its own (502)",
        _ => "the service has trouble of its own (503)",
    };
    let fives = [500, 502, 503].map(|code| {
        let name = trouble(code);
        row(name, (Everything, refused(code, "0")), name, [3, 12, 3])
    });
    let others = [
        row("404/1002", (Data, refused(404, "1002")), behind, [2, 9, 3]),
        row(
            "408",
            (Data, refused(408, "0")),
            "waited too long",
            [2, 9, 3],
        ),
        row(
            "410",
            (Data, refused(410, "0")),
            "a partition is splitting or has moved (410)",
            [2, 9, 4],
        ),
        row(
            "410/1002",
            (Data, refused(410, "1002")),
            "a partition is splitting or has moved (410/1002)",
            [2, 9, 4],
        ),
        row(
            "429 with 50 ms",
            (Data, throttled("50")),
            refuses,
            [3, 10, 3],
        )
        .in_dialog(rests),
        row(
            "429 without a hint",
            (Data, says(429, &[], "")),
            refuses,
            [3, 10, 3],
        )
        .in_dialog(rests),
        row(
            "429 with 10 minutes",
            (Data, throttled("600000")),
            refuses,
            [3, 10, 3],
        )
        .in_dialog("sampling: 0 of"),
        row(
            "449",
            (Data, refused(449, "0")),
            "the service wants the request again, and again (449)",
            [2, 8, 3],
        ),
    ];
    fives.into_iter().chain(others).collect()
}

/// What never becomes an answer.
fn transport() -> Vec<Row> {
    use At::Everything;
    let row = Row::new;
    let cut = "ended the connection in the middle of the answer";
    let silent = "did not answer within 10 s";
    vec![
        row(
            "refused",
            (Everything, Play::Gone),
            "nothing answers at 127.0.0.1",
            [0, 0, 0],
        ),
        row("body cut", (Everything, Play::Cut), cut, [3, 12, 3]),
        row(
            "connection dropped",
            (Everything, Play::Drop),
            cut,
            [3, 12, 3],
        ),
        row("slow body", (Everything, Play::Drip), silent, [1, 12, 2]),
        row("silence", (Everything, Play::Hang), silent, [1, 12, 2]),
        row(
            "stale connections",
            (Everything, Play::Stale),
            "",
            [12, 12, 12],
        )
        .unnoticed(),
    ]
}

/// What is an answer, and not of this service.
fn no_answers() -> Vec<Row> {
    use At::Everything;
    let row = Row::new;
    let foreign = "the answer is not from Cosmos DB (a sign-in page or a proxy?)";
    let deep = format!("{{\"a\":{}", "[".repeat(100_000));
    let page = "<!DOCTYPE html><p>Sign in";
    vec![
        row(
            "truncated JSON",
            (Everything, says(200, &[], "{\"id\":")),
            foreign,
            [1, 5, 1],
        ),
        row(
            "deep JSON",
            (Everything, says(200, &[], &deep)),
            foreign,
            [1, 5, 1],
        ),
        row(
            "sign-in page",
            (Everything, says(200, &[], page)),
            foreign,
            [1, 5, 1],
        ),
        row(
            "empty body",
            (Everything, says(200, &[], "")),
            "gave an empty answer",
            [3, 12, 3],
        ),
    ]
}

/// One part of the account alone.
fn parts() -> Vec<Row> {
    use At::{Account, Ranges};
    let row = Row::new;
    let reader = "it needs the role Cosmos DB Built-in Data Reader";
    let refuses = "the service refuses more requests for now (429";
    let moved = "a partition is splitting or has moved (410/1002)";
    let cut = "ended the connection in the middle of the answer";
    let list = says(200, &[], "{\"PartitionKeyRanges\":7}");
    vec![
        row(
            "account 401",
            (Account, refused(401, "0")),
            "credentials not accepted (401)",
            [1, 1, 1],
        )
        .lost(),
        row(
            "account 403",
            (Account, refused(403, "5300")),
            reader,
            [1, 1, 1],
        )
        .lost(),
        row(
            "account 404",
            (Account, refused(404, "0")),
            "there is no account at 127.0.0.1",
            [1, 1, 1],
        ),
        row(
            "account 503",
            (Account, refused(503, "0")),
            "the service has trouble of its own (503)",
            [3, 3, 3],
        ),
        row("account dropped", (Account, Play::Drop), cut, [3, 3, 3]),
        row(
            "account 429",
            (Account, throttled("50")),
            refuses,
            [3, 3, 3],
        ),
        row(
            "ranges 403",
            (Ranges, refused(403, "5300")),
            reader,
            [1, 1, 1],
        ),
        row("ranges 429", (Ranges, throttled("50")), refuses, [2, 2, 2]),
        row(
            "ranges 410/1002",
            (Ranges, refused(410, "1002")),
            moved,
            [3, 3, 3],
        ),
        row(
            "ranges no list",
            (Ranges, list),
            "it lists no PartitionKeyRanges",
            [1, 1, 1],
        ),
    ]
}
