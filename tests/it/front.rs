//! The hosts of Azure on this machine: a proxy that the real program goes through, with `--proxy`, and that speaks TLS for
//! the hosts it knows with a certificate that the program is told to trust. Nothing leaves this machine, nothing in the
//! program is otherwise than with a real account, and a host that is not expected fails the test.
//!
//! Only where the trusted certificates are read from a file that `SSL_CERT_FILE` names.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use portable_pty::CommandBuilder;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

/// The wish for a connection: a line and a few headers.
const MAX_HEAD: usize = 4096;

/// For connections to end, on a busy machine.
const MOST_WAITING: Duration = Duration::from_secs(10);

/// What the hosts show of themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shows {
    Trusted,
    SelfSigned,
    /// Nothing: it ends.
    Over,
}

/// Every connection holds the token of the state in which it was made: who gives a state up waits for them by it.
type State = (Shows, Arc<()>);

struct Shared {
    /// Host and port as the program asks for them, and who answers in its place.
    hosts: BTreeMap<String, String>,
    strangers: Mutex<Vec<String>>,
}

pub struct Front {
    address: String,
    shared: Arc<Shared>,
    shows: watch::Sender<State>,
    thread: Option<JoinHandle<()>>,
}

fn folder() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/data/tls");
    folder.display().to_string()
}

fn acceptor(name: &str) -> TlsAcceptor {
    let read = |file: &str| std::fs::read(format!("{}/{file}.der", folder())).unwrap();
    let key = PrivatePkcs8KeyDer::from(read(&format!("{name}-key")));
    let chain = vec![CertificateDer::from(read(name))];
    let config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(chain, PrivateKeyDer::from(key))
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

impl Front {
    /// `hosts` are names, each with the address on this machine that answers in its place.
    pub fn start(hosts: &[(&str, &str)]) -> Self {
        let hosts = hosts.iter().map(|(host, place)| {
            let place = place.trim_start_matches("http://").to_owned();
            (format!("{host}:443"), place)
        });
        let shared = Arc::new(Shared { hosts: hosts.collect(), strangers: Mutex::default() });
        let (shows, state) = watch::channel((Shows::Trusted, Arc::default()));
        let (ready, address) = std::sync::mpsc::channel();
        let all = Arc::clone(&shared);
        let thread = std::thread::spawn(move || {
            let mut builder = tokio::runtime::Builder::new_current_thread();
            let runtime = builder.enable_all().build().unwrap();
            runtime.block_on(async move {
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                ready.send(listener.local_addr().unwrap()).unwrap();
                all.listen(&listener, state).await;
            });
        });
        let address: SocketAddr = address.recv().unwrap();
        Self { address: format!("http://{address}"), shared, shows, thread: Some(thread) }
    }

    /// Makes a program go through here, and trust what is shown here.
    pub fn settle(&self, command: &mut CommandBuilder) {
        for name in ["http_proxy", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"]
        {
            command.env_remove(name);
        }
        command.env("HTTPS_PROXY", &self.address);
        command.env("SSL_CERT_FILE", format!("{}/authority.pem", folder()));
        command.env_remove("SSL_CERT_DIR");
    }

    /// From now on: connections that there were have ended when this comes back.
    pub fn show(&self, shows: Shows) {
        let (_, before) = self.shows.send_replace((shows, Arc::default()));
        let begun = Instant::now();
        while Arc::strong_count(&before) > 1 {
            assert!(begun.elapsed() < MOST_WAITING, "connections did not end");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[track_caller]
    pub fn assert_no_strangers(&self) {
        let strangers = self.shared.strangers();
        assert!(strangers.is_empty(), "{strangers:?}");
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        let _ = self.shows.send((Shows::Over, Arc::default()));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn strangers(&self) -> std::sync::MutexGuard<'_, Vec<String>> {
        self.strangers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn listen(self: Arc<Self>, listener: &TcpListener, mut shows: watch::Receiver<State>) {
        let (trusted, other) = (acceptor("trusted"), acceptor("self-signed"));
        loop {
            let accepted = tokio::select! {
                over = shows.wait_for(|(shows, _)| *shows == Shows::Over) => {
                    drop(over);
                    return;
                }
                accepted = listener.accept() => accepted,
            };
            let Ok((stream, _)) = accepted else { continue };
            let mut until = shows.clone();
            let (now, token) = until.borrow_and_update().clone();
            let tls = match now {
                Shows::SelfSigned => other.clone(),
                Shows::Trusted | Shows::Over => trusted.clone(),
            };
            let shared = Arc::clone(&self);
            tokio::spawn(async move {
                tokio::select! {
                    // A client that goes away in the middle is its own affair.
                    _ = shared.lead(stream, tls) => {}
                    _ = until.changed() => {}
                }
                drop(token);
            });
        }
    }

    /// `CONNECT host:443`, then TLS, then whoever answers in place of the host.
    async fn lead(&self, mut stream: TcpStream, tls: TlsAcceptor) -> io::Result<()> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") && head.len() < MAX_HEAD {
            head.push(stream.read_u8().await?);
        }
        let head = String::from_utf8_lossy(&head).into_owned();
        let mut words = head.split(' ');
        let place = match (words.next(), words.next()) {
            (Some("CONNECT"), Some(host)) => self.hosts.get(host),
            _ => None,
        };
        let Some(place) = place else {
            self.strangers().push(head);
            return stream.write_all(b"HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\n").await;
        };
        stream.write_all(b"HTTP/1.1 200 Fine\r\n\r\n").await?;
        let mut stream = tls.accept(stream).await?;
        let mut there = TcpStream::connect(place).await?;
        copy_bidirectional(&mut stream, &mut there).await?;
        Ok(())
    }
}
