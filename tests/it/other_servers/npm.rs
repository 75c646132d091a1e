//! `@vercel/cosmosdb-server`, which npm installs: `cargo test --test it npm -- --ignored`.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{doctor, is_looked_at};

const PACKAGE: &str = "@vercel/cosmosdb-server@1.0.1";
/// It brings some hundred packages.
const INSTALLED_WITHIN: Duration = Duration::from_secs(180);
const READY_WITHIN: Duration = Duration::from_secs(60);
const DOCUMENTS: u32 = 30;

/// Ends with the value.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn is_there(program: &str) -> bool {
    let asked = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    asked.is_ok_and(|status| status.success())
}

/// The program of the server, installed once for all runs in one build folder.
fn installed() -> Result<PathBuf, String> {
    for program in ["npm", "node"] {
        if !is_there(program) {
            return Err(format!("{program} is missing"));
        }
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cosmosdb-server");
    let program = folder.join("node_modules/.bin/cosmosdb-server");
    let whole = folder.join("whole");
    if whole.is_file() {
        return Ok(program);
    }
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let install = Command::new("npm")
        .args([
            "install",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            "--fetch-retries=1",
            "--prefix",
        ])
        .args([folder.as_os_str(), PACKAGE.as_ref()])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut install = Running(install.map_err(|e| e.to_string())?);
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = install.0.try_wait().map_err(|e| e.to_string())? {
            break status;
        }
        if begun.elapsed() > INSTALLED_WITHIN {
            return Err(format!("npm did not install {PACKAGE} in time"));
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    if !status.success() {
        return Err(format!("npm could not install {PACKAGE}"));
    }
    std::fs::write(&whole, PACKAGE).map_err(|e| e.to_string())?;
    Ok(program)
}

/// A running server, and the port it listens at.
fn started(program: &Path, more: &[&str]) -> Result<(Running, u16), String> {
    let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
    let port = port.map_err(|e| e.to_string())?.port();
    let child = Command::new("node")
        .arg(program)
        .args(["--host", "127.0.0.1", "-p", &port.to_string()])
        .args(more)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut server = Running(child.map_err(|e| e.to_string())?);
    let (said, ready) = std::sync::mpsc::channel();
    let out = server.0.stdout.take().unwrap();
    std::thread::spawn(move || {
        for line in BufReader::new(out).lines().map_while(Result::ok) {
            let _ = said.send(line);
        }
    });
    match ready.recv_timeout(READY_WITHIN) {
        Ok(line) if line.contains("Ready") => Ok((server, port)),
        other => Err(format!("it did not start: {other:?}")),
    }
}

/// A container with some documents, written by this test and not by the program.
fn fill(endpoint: &str) {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_all().build().unwrap();
    runtime.block_on(async {
        let client = reqwest::Client::builder()
            .no_proxy()
            .tls_danger_accept_invalid_certs(true)
            .build()
            .unwrap();
        let post = async |path: &str, body: String, key: &str| {
            let asked = client
                .post(format!("{endpoint}/{path}"))
                .header("content-type", "application/json")
                .header("x-ms-documentdb-partitionkey", key)
                .body(body);
            let status = asked.send().await.unwrap().status();
            assert!(status.is_success(), "{path}: {status}");
        };
        post("dbs", r#"{"id":"shop"}"#.to_owned(), "[]").await;
        let container =
            r#"{"id":"orders","partitionKey":{"paths":["/tenantId"],"kind":"Hash","version":2}}"#;
        post("dbs/shop/colls", container.to_owned(), "[]").await;
        for n in 0..DOCUMENTS {
            let body = format!(r#"{{"id":"{n}","tenantId":"t{}"}}"#, n % 7);
            post("dbs/shop/colls/orders/docs", body, &format!(r#"["t{}"]"#, n % 7)).await;
        }
    });
}

#[test]
#[ignore = "needs npm, node and a network"]
fn a_server_that_others_wrote_is_looked_at_as_far_as_it_tells() {
    let program = installed().unwrap();
    let (_server, port) = started(&program, &[]).unwrap();
    let endpoint = format!("https://127.0.0.1:{port}");
    fill(&endpoint);
    let (code, text) = doctor(&endpoint);
    assert_eq!(code, Some(1), "{text}");
    assert!(!text.contains("failed"), "{text}");
    is_looked_at(&endpoint, "RU so far", "30 documents for");

    // In plain text it names an address with TLS as its region all the same: nothing is asked there.
    let (_plain, port) = started(&program, &["--no-ssl"]).unwrap();
    let (code, text) = doctor(&format!("http://127.0.0.1:{port}"));
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("none: the account is empty"), "{text}");
}
