//! Starts the program once more with a variable that the SDK reads from the environment alone.
//!
//! Without it the SDK asks the address where machines in Azure learn who they are, which elsewhere is nobody's or somebody
//! else's. A program cannot safely change its own environment, but it can give one to its successor.

use std::process::Command;

const VARIABLE: &str = "COSMOS_DISABLE_IMDS";
/// Each round makes its tables on another thread than the one that drops them, and glibc would keep that memory: 10,000
/// containers took 250 MB instead of 128. Other allocators ignore these.
const ALLOCATOR: [(&str, &str); 3] = [
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_MMAP_THRESHOLD_", "65536"),
    ("MALLOC_TRIM_THRESHOLD_", "65536"),
];

/// Goes on as the successor, and comes back only where there is none: then the code to end with, or None to go on.
#[expect(
    clippy::disallowed_methods,
    reason = "the same program with the same arguments; nothing else depends on where it lies"
)]
pub fn without_machine_probe() -> Option<u8> {
    if std::env::var_os(VARIABLE).is_some() {
        return None;
    }
    // A program that cannot be started again goes on: the probe costs two seconds, not safety.
    let program = std::env::current_exe().ok()?;
    let mut arguments = std::env::args_os();
    let name = arguments.next();
    let mut command = Command::new(program);
    command.args(arguments).env(VARIABLE, "1").envs(ALLOCATOR);
    go_on(command, name)
}

#[cfg(unix)]
fn go_on(mut command: Command, name: Option<std::ffi::OsString>) -> Option<u8> {
    use std::os::unix::process::CommandExt;
    if let Some(name) = name {
        command.arg0(name);
    }
    // Comes back only with an error.
    let _ = command.exec();
    None
}

#[cfg(not(unix))]
fn go_on(mut command: Command, _: Option<std::ffi::OsString>) -> Option<u8> {
    let ended = command.status().ok()?;
    let code = ended.code().and_then(|code| u8::try_from(code).ok());
    Some(code.unwrap_or(crate::error::exit::INTERNAL))
}
