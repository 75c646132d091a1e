//! The table: what goes wrong, how it is played, what somebody reads of it, and the bounds it keeps.

use crate::account_server::{At, Play};

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
pub enum Step {
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
    pub does: Step,
}

/// What goes wrong: its name, which requests meet it, what they meet, what somebody reads of it, and how many requests may
/// meet it at the start, with a refresh and in the dialog. Behind these `lost`: nothing else is asked although only a part
/// of the account has the fault; `unnoticed`; or what the dialog says instead.
const FAULTS: &str = r#"
401                 | everything | 401/0                 | credentials not accepted (401)                                    | 1 6 1
clock               | everything | 401 dated             | minutes ahead of the clock of the service                         | 1 6 1
clock, 403          | everything | 403 dated with LATE   | minutes ahead of the clock of the service                         | 1 6 1
clock, data         | data       | 401 dated             | minutes ahead of the clock of the service                         | 1 6 1 | lost
clock, data 403     | data       | 403 dated with LATE   | minutes ahead of the clock of the service                         | 1 6 1 | lost
403                 | everything | 403/5300              | it needs the role Cosmos DB Built-in Data Reader                  | 1 5 1
403 data            | data       | 403/5300              | it needs the role Cosmos DB Built-in Data Reader                  | 1 5 1
firewall            | everything | 403 with FIREWALL     | the firewall of the account refuses this machine (403): Request originated from IP 10.1.2.3 | 1 5 1
wrong key           | everything | 401 with {"message":"The MAC signature found in the HTTP request is not the same as the computed signature."} | the key is not one of this account | 1 6 1
keys off            | everything | 401/5202 with {"message":"Local Authorization is disabled. Use an AAD token to authorize all requests."} | the account does not take keys | 1 6 1
other tenant        | everything | 401/5007 with {"message":"not trusted by this database account: issued by [aaaaaaaa-0000-4000-8000-00000000000a], trusted [bbbbbbbb-0000-4000-8000-00000000000b]"} | connect with --tenant bbbbbbbb-0000-4000-8000-00000000000b | 1 6 1
other audience      | everything | 401/5008 with {"message":"Provided AAD token is intended for [https://contoso.documents.azure.com/]."} | the token is for another service or cloud | 1 6 1
token over          | everything | 401/5006              | the token is invalid or has expired                               | 1 6 1
no role             | everything | 403/5301 with {"message":"Request is blocked because principal [aaaaaaaa-0000-4000-8000-00000000000a] does not have required RBAC permissions to perform action [Microsoft.DocumentDB/databaseAccounts/readMetadata] on resource [/]."} | --principal-id 'aaaaaaaa-0000-4000-8000-00000000000a' | 1 5 1
network path        | everything | 403 with {"message":"Request originated from client VNET through private endpoint."} | the account refuses the network path | 1 5 1
perimeter           | everything | 403 with {"message":"Request is blocked by network security perimeter."} | an inbound rule of the perimeter lets it in | 1 5 1
no permission       | everything | 403 with {"message":"Insufficient permissions provided in the authorization header for the corresponding request."} | the key or resource token does not cover it | 1 5 1
region away         | everything | 403/3                 | the region does not serve the account now                         | 1 5 1
old protocol        | everything | 400 with {"message":"Invalid API version. Ensure a valid x-ms-version header value is passed."} | update this program | 1 5 2
merge               | everything | 400 with {"message":"The client does not support partition merge."} | partition merge is on | 1 5 2
404 container       | container  | 404/0                 | there is no such container shop/orders: it may have been deleted  | 3 2 1
hostile             | data       | 400 with HOSTILE      | ␛[31mb\u{202e}c                                                   | 1 5 2

500                 | everything | 500/0                 | the service failed (500)                                          | 3 12 3
502                 | everything | 502/0                 | the service failed (502)                                          | 3 12 3
503                 | everything | 503/0                 | the service failed (503)                                          | 3 12 3
404/1002            | data       | 404/1002              | is behind try again                                               | 2 9 3
408                 | data       | 408/0                 | the service timed out on                                          | 2 9 3
410                 | data       | 410/0                 | a partition is splitting or has moved (410)                       | 2 9 4
410/1002            | data       | 410/1002              | a partition has split, merged or moved (410/1002)                 | 2 9 4
429 with 50 ms      | data       | 429/3200 after 50     | the service throttles requests (429                               | 3 10 3 | (429 twice)
429 without a hint  | data       | 429                   | the service throttles requests (429                               | 3 10 3 | (429 twice)
429 with 10 minutes | data       | 429/3200 after 600000 | the service throttles requests (429                               | 3 10 3 | sampling: 0 of
429 gateway         | data       | 429/3201              | the service throttles requests (429/3201                          | 3 10 3 | (429 twice)
429 bucket          | data       | 429/3212              | the service throttles requests (429/3212                          | 3 10 3 | (429 twice)
429 split           | data       | 429/3088              | a partition is splitting                                          | 3 10 3 | (429 twice)
429 region          | data       | 429/3092              | the servers of the region lack resources                          | 3 10 3 | (429 twice)
449                 | data       | 449/0                 | must be retried (449)                                             | 2 8 3

refused             | everything | gone                  | nothing answers at 127.0.0.1                                      | 0 0 0
body cut            | everything | cut                   | ended the connection in the middle of the answer                  | 3 12 3
connection dropped  | everything | drop                  | ended the connection in the middle of the answer                  | 3 12 3
slow body           | everything | drip                  | did not answer within 10 s                                        | 1 12 2
silence             | everything | hang                  | did not answer within 10 s                                        | 1 12 2
stale connections   | everything | stale                 |                                                                   | 12 12 12 | unnoticed

truncated JSON      | everything | 200 with {"id":       | the answer is not from Cosmos DB (a sign-in page or a proxy?)     | 1 5 1
deep JSON           | everything | 200 with DEEP         | the answer is not from Cosmos DB (a sign-in page or a proxy?)     | 1 5 1
sign-in page        | everything | 200 with <!DOCTYPE html><p>Sign in | the answer is not from Cosmos DB (a sign-in page or a proxy?) | 1 5 1
empty body          | everything | 200                   | gave an empty answer                                              | 3 12 3

account 401         | account    | 401/0                 | credentials not accepted (401)                                    | 1 1 1 | lost
account 403         | account    | 403/5300              | it needs the role Cosmos DB Built-in Data Reader                  | 1 1 1 | lost
account 404         | account    | 404/0                 | there is no account at 127.0.0.1                                  | 1 1 1
account 503         | account    | 503/0                 | the service failed (503)                                          | 3 3 3
account dropped     | account    | drop                  | ended the connection in the middle of the answer                  | 3 3 3
account 429         | account    | 429/3200 after 50     | the service throttles requests (429                               | 3 3 3
ranges 403          | ranges     | 403/5300              | it needs the role Cosmos DB Built-in Data Reader                  | 1 1 1
ranges 429          | ranges     | 429/3200 after 50     | the service throttles requests (429                               | 2 2 2
ranges 410/1002     | ranges     | 410/1002              | a partition has split, merged or moved (410/1002)                 | 3 3 3
ranges no list      | ranges     | 200 with {"PartitionKeyRanges":7} | it lists no PartitionKeyRanges                        | 1 1 1
"#;

pub fn rows() -> Vec<Row> {
    let lines = FAULTS.lines().filter(|line| !line.is_empty());
    lines.map(row).collect()
}

fn row(line: &'static str) -> Row {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let [name, at, play, says, requests, further @ ..] = cells.as_slice() else {
        panic!("{line}");
    };
    let at = match *at {
        "everything" => At::Everything,
        "account" => At::Account,
        "data" => At::Data,
        "container" => At::Container,
        "ranges" => At::Ranges,
        other => panic!("{other}"),
    };
    let further = further.first().copied().unwrap_or_default();
    let left = match further {
        "unnoticed" => Left::Well,
        "lost" => Left::Lost,
        _ if at == At::Everything => Left::Lost,
        _ => Left::Gaps,
    };
    let in_dialog = match further {
        "" | "lost" | "unnoticed" => says,
        other => other,
    };
    let mut requests = requests.split(' ').map(|most| most.parse().unwrap());
    let mut expected = |says| Expected { says, requests: requests.next().unwrap(), left };
    Row {
        name,
        at,
        play: Play::read(play),
        start: expected(says),
        refresh: expected(says),
        dialog: expected(in_dialog),
        does: match at {
            At::Account | At::Ranges => Step::Refreshes,
            _ => Step::Begins,
        },
    }
}
