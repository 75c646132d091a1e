//! Answers of any length: what is too long is not read to its end, and the program stays small whatever comes.

use std::io::Write;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use cosmoscope::source::answers::{Inquiry, Kind, Obstacle};
use cosmoscope::source::live::account::AccountReader;
use cosmoscope::source::live::target::Pace;

use super::stage::{failed, of, run, target, token};
use crate::account_server::account;
use crate::http;

/// As long as the answer that once took 3 GiB of memory.
const ENDLESS: u64 = 1536 << 20;
/// What is read of an answer, and what stands in buffers on the way: how much that is, each system decides.
const MOST_SENT: u64 = 256 << 20;

/// Answers the account as it should be, and everything else with `answer`; counts the bytes that were taken.
fn server(answer: fn(&mut dyn Write) -> std::io::Result<()>) -> (String, Arc<AtomicU64>) {
    let sent: Arc<AtomicU64> = Arc::default();
    let counted = Arc::clone(&sent);
    let endpoint = http::start(move |request, stream, own| {
        // Who has read enough closes the connection.
        let _ = serve(&request.path, stream, &counted, own, answer);
    });
    (endpoint, sent)
}

fn serve(
    path: &str,
    mut stream: TcpStream,
    sent: &AtomicU64,
    own: &str,
    answer: fn(&mut dyn Write) -> std::io::Result<()>,
) -> std::io::Result<()> {
    stream.write_all(b"HTTP/1.1 200 X\r\nconnection: close\r\n\r\n")?;
    if path == "/" {
        return stream.write_all(account(own).as_bytes());
    }
    if path.ends_with("/colls") {
        return stream.write_all(br#"{"DocumentCollections":[{"id":"orders"}]}"#);
    }
    answer(&mut CountingStream(stream, sent))
}

struct CountingStream<'s>(TcpStream, &'s AtomicU64);

impl Write for CountingStream<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.0.write(bytes)?;
        self.1.fetch_add(written as u64, Ordering::SeqCst);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

fn endless(out: &mut dyn Write) -> std::io::Result<()> {
    out.write_all(b"{\"id\":\"")?;
    let part = vec![b'x'; 1 << 16];
    for _ in 0..ENDLESS >> 16 {
        out.write_all(&part)?;
    }
    out.write_all(b"\"}")
}

#[test]
fn an_answer_without_end_is_read_no_further_than_the_limit() {
    for (inquiry, limit) in [
        (Inquiry::account(Kind::Databases), "longer than 8 MiB"),
        (of(Kind::Container, "orders"), "longer than 32 MiB"),
        (of(Kind::Ranges, "orders"), "longer than 8 MiB"),
        (of(Kind::Offer, "orders"), "longer than 32 MiB"),
    ] {
        let (endpoint, sent) = server(endless);
        run(async {
            let account = AccountReader::open(&target(&endpoint), token(), Pace::default()).await;
            let trouble = failed(account.unwrap().ask(&inquiry).await);
            assert_eq!(trouble.obstacle, Obstacle::Unbelievable, "{trouble:?}");
            assert!(trouble.what.contains(limit), "{trouble:?}");
        });
        let sent = sent.load(Ordering::SeqCst);
        assert!(sent < MOST_SENT, "{inquiry:?}: {sent} bytes");
    }
}

/// Small entries cost the most memory for their bytes: a list of them just below the limit of lists.
#[cfg(target_os = "linux")]
fn many_databases(out: &mut dyn Write) -> std::io::Result<()> {
    let entries = vec![r#"{"id":"a"}"#; (7 << 20) / 11].join(",");
    write!(out, r#"{{"Databases":[{entries}]}}"#)
}

/// Answers every question about a container with one that has very many partitions of nothing.
#[cfg(target_os = "linux")]
fn many_partitions(out: &mut dyn Write) -> std::io::Result<()> {
    out.write_all(
        br#"{"id":"orders","_rid":"ehszALxRRgA=","_self":"dbs/a/colls/b/","partitionKey":{"paths":["/a"],"kind":"Hash","version":2},"statistics":[{}"#,
    )?;
    let part = ",{}".repeat(1 << 15);
    for _ in 0..(31 << 20) / part.len() {
        out.write_all(part.as_bytes())?;
    }
    out.write_all(b"]}")
}

#[cfg(target_os = "linux")]
#[test]
fn the_program_stays_small_over_any_answer() {
    use std::process::{Command, Stdio};

    use crate::resident::most_resident_kib;

    for (answer, place) in [
        (endless as fn(&mut dyn Write) -> _, &[][..]),
        (endless, &["--database", "shop", "--container", "orders"]),
        (many_databases, &[]),
        (many_partitions, &["--database", "shop", "--container", "orders"]),
    ] {
        let (endpoint, _) = server(answer);
        let mut child = Command::new(env!("CARGO_BIN_EXE_cosmoscope"))
            .args(["doctor", &endpoint, "--emulator"])
            .args(place)
            .env_remove("COSMOSCOPE_KEY")
            .env_remove("AZURE_COSMOS_CONNECTION_STRING")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut peak_kib = 0;
        while child.try_wait().unwrap().is_none() {
            peak_kib = most_resident_kib(child.id()).unwrap_or(peak_kib);
            thread::sleep(std::time::Duration::from_millis(5));
        }
        assert!(peak_kib > 0, "nothing was measured");
        assert!(peak_kib <= 128 << 10, "{place:?}: {peak_kib} KiB");
    }
}
