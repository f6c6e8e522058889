//! Processes with little memory, files that block, and work that must end.

use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

/// Runs an ignored test of this program in a process with `kibibytes` of address space (`ulimit -v`): more than
/// that cannot be allocated.
///
/// # Panics
///
/// If the test fails, or there is no such test.
pub fn passes_in_little_memory(kibibytes: usize, test: &str) {
    let script = format!("ulimit -v {kibibytes}; exec \"$0\" --ignored --exact {test} --nocapture");
    let program = std::env::current_exe().expect("a test has a program");
    let run = Command::new("sh")
        .args(["-c", &script])
        .arg(program)
        .output()
        .expect("there is a shell");
    let [out, err] = [&run.stdout, &run.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(run.status.success(), "{}: {out}{err}", run.status);
    assert!(out.contains("1 passed"), "{out}");
}

/// Makes a pipe at `path`, to which nobody writes. Opening it for reading blocks.
///
/// # Panics
///
/// If it cannot be made.
pub fn make_pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.is_ok_and(|made| made.success()), "{}", path.display());
}

/// What `work` returns, which runs on a thread of its own.
///
/// # Panics
///
/// If `work` panics, or takes longer than `limit`.
pub fn within<R: Send + 'static>(limit: Duration, work: impl FnOnce() -> R + Send + 'static) -> R {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(work()));
    receiver
        .recv_timeout(limit)
        .unwrap_or_else(|error| panic!("not done in {limit:?}: {error}"))
}
