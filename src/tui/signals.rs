//! Signals as values: which one came, and what the program does for it.

use std::io;

/// What a signal asks for.
#[cfg_attr(
    windows,
    expect(dead_code, reason = "nothing stops a program there, and its size comes as input")
)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// The program is to end with this code.
    End(u8),
    /// As Ctrl-Z, from outside.
    Stop,
    /// It goes on after it was stopped.
    Continue,
    /// The window has another size.
    Resized,
}

#[cfg(unix)]
pub use unix::{Signals, stop};

#[cfg(windows)]
pub use windows::{Signals, stop};

#[cfg(unix)]
mod unix {
    use std::io;

    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
    use tokio::signal::unix::{Signal as Stream, SignalKind, signal};

    use super::Signal;

    /// The code of a program that a signal ended.
    const ENDED_BY: u8 = 128;

    /// The signals that end, stop and continue the program and tell of its window, from now on.
    #[derive(Debug)]
    pub struct Signals {
        term: Stream,
        hup: Stream,
        int: Stream,
        quit: Stream,
        tstp: Stream,
        cont: Stream,
        winch: Stream,
    }

    impl Signals {
        pub fn new() -> io::Result<Self> {
            let on = |number| signal(SignalKind::from_raw(number));
            Ok(Self {
                term: on(SIGTERM)?,
                hup: on(SIGHUP)?,
                int: on(SIGINT)?,
                quit: on(SIGQUIT)?,
                tstp: on(SIGTSTP)?,
                cont: on(SIGCONT)?,
                winch: on(SIGWINCH)?,
            })
        }

        pub async fn next(&mut self) -> Signal {
            tokio::select! {
                biased;
                Some(()) = self.term.recv() => end(SIGTERM),
                Some(()) = self.hup.recv() => end(SIGHUP),
                Some(()) = self.int.recv() => end(SIGINT),
                Some(()) = self.quit.recv() => end(SIGQUIT),
                Some(()) = self.tstp.recv() => Signal::Stop,
                Some(()) = self.cont.recv() => Signal::Continue,
                Some(()) = self.winch.recv() => Signal::Resized,
                else => std::future::pending().await,
            }
        }
    }

    fn end(number: i32) -> Signal {
        Signal::End(ENDED_BY.saturating_add(u8::try_from(number).unwrap_or_default()))
    }

    /// Stops the program as the shell expects it; comes back when it is continued.
    pub fn stop() -> io::Result<()> {
        signal_hook::low_level::emulate_default_handler(SIGTSTP)
    }
}

#[cfg(windows)]
mod windows {
    use std::io;

    use tokio::signal::windows::{
        CtrlBreak, CtrlC, CtrlClose, CtrlLogoff, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close,
        ctrl_logoff, ctrl_shutdown,
    };

    use super::Signal;

    /// The codes of the same ends elsewhere: interrupted, hung up, asked to end.
    const INTERRUPTED: u8 = 130;
    const HUNG_UP: u8 = 129;
    const ENDED: u8 = 143;

    /// What ends the program, from now on. In raw mode Ctrl-C comes as a key.
    #[derive(Debug)]
    pub struct Signals {
        interrupt: CtrlC,
        interrupt_key: CtrlBreak,
        close: CtrlClose,
        logoff: CtrlLogoff,
        shutdown: CtrlShutdown,
    }

    impl Signals {
        pub fn new() -> io::Result<Self> {
            Ok(Self {
                interrupt: ctrl_c()?,
                interrupt_key: ctrl_break()?,
                close: ctrl_close()?,
                logoff: ctrl_logoff()?,
                shutdown: ctrl_shutdown()?,
            })
        }

        pub async fn next(&mut self) -> Signal {
            tokio::select! {
                biased;
                Some(()) = self.close.recv() => Signal::End(HUNG_UP),
                Some(()) = self.logoff.recv() => Signal::End(ENDED),
                Some(()) = self.shutdown.recv() => Signal::End(ENDED),
                Some(()) = self.interrupt.recv() => Signal::End(INTERRUPTED),
                Some(()) = self.interrupt_key.recv() => Signal::End(INTERRUPTED),
                else => std::future::pending().await,
            }
        }
    }

    pub fn stop() -> io::Result<()> {
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }
}

/// Whether stopping works here at all.
pub fn can_stop() -> Result<(), io::Error> {
    if cfg!(unix) { Ok(()) } else { Err(io::Error::from(io::ErrorKind::Unsupported)) }
}
