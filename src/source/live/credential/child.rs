//! The programs that give tokens, `az`, `azd` and the user's own: without our secrets, bounded, and ended with all that they started.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use azure_identity::Executor;
use tokio::sync::oneshot;

use super::super::secret::OWN_VARIABLES;

/// Secrets of other ways to sign in, which these programs do not use.
pub(super) const SECRETS_OF_OTHERS: [&str; 2] =
    ["AZURE_CLIENT_SECRET", "AZURE_CLIENT_CERTIFICATE_PASSWORD"];
/// How often it is looked whether the program has ended or is to be ended: well within the time of a key press.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Tokens are some kilobytes; what is beyond is read and dropped, so that nobody waits for room in a pipe.
const MAX_OUTPUT_BYTES: u64 = 256 << 10;

/// Starts programs for the credentials.
#[derive(Debug)]
pub struct Programs;

#[async_trait::async_trait]
impl Executor for Programs {
    async fn run(&self, program: &OsStr, args: &[&OsStr]) -> io::Result<Output> {
        let command = command(program, args);
        let (wanted, is_wanted) = channel::<()>();
        let (done, output) = oneshot::channel();
        let thread =
            thread::Builder::new().name("sign-in program".to_owned()).spawn(move || {
                let _ = done.send(run(command, &is_wanted));
            })?;
        let _waiting = Waiting { wanted: Some(wanted), thread: Some(thread) };
        output.await.map_err(io::Error::other)?
    }
}

/// Somebody waits for a program. Whoever stops waiting ends it, and stays until it is ended: where this program itself
/// ends next, nobody else would be left to do it.
struct Waiting {
    wanted: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.wanted = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "who is signed in is known to az and azd alone, as the user set them up"
)]
pub(super) fn command(program: &OsStr, args: &[&OsStr]) -> Command {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for name in OWN_VARIABLES.iter().chain(&SECRETS_OF_OTHERS) {
        command.env_remove(name);
    }
    // A shell starts them, and they start others: a group of their own can be ended as a whole.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

fn run(mut command: Command, is_wanted: &Receiver<()>) -> io::Result<Output> {
    let mut child = command.spawn()?;
    let out = reader(child.stdout.take());
    let err = reader(child.stderr.take());
    let status = wait(&mut child, is_wanted)?;
    Ok(Output {
        status,
        stdout: whole(&out, &mut child, is_wanted)?,
        stderr: whole(&err, &mut child, is_wanted)?,
    })
}

/// All of a pipe. What the program started may live on and hold it: that is waited for no longer than for the program.
fn whole(
    pipe: &Receiver<Vec<u8>>,
    child: &mut Child,
    is_wanted: &Receiver<()>,
) -> io::Result<Vec<u8>> {
    loop {
        match pipe.recv_timeout(LOOK_EVERY) {
            Ok(bytes) => return Ok(bytes),
            Err(RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
            Err(RecvTimeoutError::Timeout) if is_left(is_wanted) => {
                end(child);
                return Err(left());
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

fn is_left(is_wanted: &Receiver<()>) -> bool {
    matches!(is_wanted.try_recv(), Err(std::sync::mpsc::TryRecvError::Disconnected))
}

fn left() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "the wait for it ended")
}

fn reader(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (send, receive) = channel();
    if let Some(mut pipe) = pipe {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.by_ref().take(MAX_OUTPUT_BYTES).read_to_end(&mut bytes);
            let _ = io::copy(&mut pipe, &mut io::sink());
            let _ = send.send(bytes);
        });
    }
    receive
}

fn wait(child: &mut Child, is_wanted: &Receiver<()>) -> io::Result<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if is_wanted.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Disconnected) {
            end(child);
            return Err(left());
        }
    }
}

/// Ends the program and everything it started.
fn end(child: &mut Child) {
    let id = child.id();
    let (program, args) = if cfg!(unix) {
        let kill = format!("kill -s KILL -- -{id}");
        ("/bin/sh", vec!["-c".to_owned(), kill])
    } else {
        let task = ["/T", "/F", "/PID"].map(str::to_owned);
        ("taskkill", [&task[..], &[id.to_string()]].concat())
    };
    let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
    // Its own child by number: nobody else has it before it is waited for, below.
    if let Ok(mut kills) = command(OsStr::new(program), &args).spawn() {
        let _ = kills.wait();
    }
    let _ = child.kill();
    let _ = child.wait();
}
