//! The one integration binary: each module looks at the product from outside.
#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reads files, starts the program and may panic"
)]

#[cfg_attr(not(unix), expect(dead_code, reason = "the terminal tests ask more of it"))]
mod account_server;
mod agreement;
mod at_azure;
mod blank_rows;
mod browser;
mod bucket_code;
mod cli;
mod diagnosis;
mod documents;
#[path = "../emulator/mod.rs"]
#[expect(dead_code, unused_imports, reason = "the program beside the tests asks more of it")]
mod emulator;
mod epk;
mod faults;
#[cfg(target_os = "linux")]
mod front;
#[cfg(unix)]
mod frozen;
mod halves;
mod heat;
mod hostile;
mod house;
mod http;
mod import;
mod lessons;
mod live;
mod live_azure;
mod monkey;
mod mutations;
mod other_servers;
mod pictures;
#[cfg(unix)]
mod printed;
mod pty;
mod questions;
mod random;
mod readme;
mod recordings;
mod replay;
#[cfg(target_os = "linux")]
mod resident;
mod routing;
mod samples;
mod sampling;
mod screens;
mod stage;
mod trial;
mod whole_account;
