//! `cargo run --example emulator`: an account on this machine to try the program with, until Ctrl-C.
#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a tool of the tests, which prints where it listens and ends where it cannot"
)]

#[path = "mod.rs"]
#[expect(dead_code, reason = "the tests ask more of the server than this program does")]
mod emulator;

use std::thread;
use std::time::Duration;

use clap::Parser;
use cosmoscope::source::scenario;
use emulator::filling::DATABASE;
use emulator::{PLANS, Server, Settings};

/// A Cosmos DB account on this machine, in memory, filled with documents of the built-in scenarios.
#[derive(Debug, Parser)]
struct Options {
    /// Where to listen on 127.0.0.1; 0 takes any port that is free.
    #[arg(long, default_value_t = 8081)]
    port: u16,
    /// Documents in each container.
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    documents: u64,
    /// Splits the first partition of each container after this long.
    #[arg(long, value_name = "SECONDS")]
    split_after: Option<u64>,
    /// Refuses requests beyond the RU/s of a partition, as the service does.
    #[arg(long)]
    throttle: bool,
    /// Statistics tell this many times what is stored, so that bars have something to show.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    times: u32,
    /// Documents that are added to each container a second, so that there is something to watch.
    #[arg(long, value_name = "N", default_value_t = 5)]
    grow: usize,
}

/// Documents that are added to a container at most: all of them stay in memory.
const MOST_MORE: u64 = 100_000;

fn main() {
    let options = Options::parse();
    let server = Server::start(Settings {
        port: options.port,
        throttle: options.throttle,
        times: options.times,
    });
    server.create_database(DATABASE);
    for plan in PLANS {
        plan.make(&server, DATABASE, options.documents);
        let partitions = server.partitions(DATABASE, plan.name).len();
        let plural = if partitions == 1 { "" } else { "s" };
        println!(
            "{DATABASE}/{}: {} documents, {partitions} partition{plural}",
            plan.name, options.documents
        );
    }
    println!("listening at {}", server.endpoint);
    println!("cosmoscope connect {} --emulator", server.endpoint);
    let mut more = PLANS.map(|plan| {
        let (scenario, container) = plan.from;
        let all = scenario::documents(scenario, container, options.documents + MOST_MORE);
        let skipped = usize::try_from(options.documents).unwrap_or(usize::MAX);
        (plan, all.expect("a built-in scenario").skip(skipped))
    });
    for second in 1.. {
        thread::sleep(Duration::from_secs(1));
        for (plan, more) in &mut more {
            for document in more.take(options.grow) {
                server.insert(DATABASE, plan.name, &document);
            }
        }
        if options.split_after != Some(second) {
            continue;
        }
        for plan in PLANS {
            server.split(DATABASE, plan.name, 0);
            let partitions = server.partitions(DATABASE, plan.name);
            println!("{DATABASE}/{}: split, partitions {}", plan.name, partitions.join(" "));
        }
    }
}
