//! The built program as a separate process, optionally with failing files.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A running server; dropping it kills it.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    /// The URL that it listens on.
    pub(crate) url: String,
    /// The address that it listens on.
    pub(crate) address: SocketAddr,
}

impl Process {
    /// Starts it on a database.
    pub(super) fn start(path: &Path) -> Self {
        Self::start_under(&[], path)
    }

    /// Starts it as the last arguments of another command, which must exec it.
    pub(super) fn start_under(wrapper: &[&str], path: &Path) -> Self {
        Self::start_with(wrapper, path, &["--store-per-minute", "100000000"])
    }

    /// Starts it with more arguments. `QUOTIENT_SERVER` names another build of the program.
    #[expect(clippy::disallowed_methods, reason = "it is for the person who runs the tests")]
    pub(crate) fn start_with(wrapper: &[&str], path: &Path, arguments: &[&str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        drop(listener);
        let program = std::env::var("QUOTIENT_SERVER");
        let program = program.as_deref().unwrap_or(env!("CARGO_BIN_EXE_quotient-server"));
        let mut words = wrapper.iter().copied().chain([program]);
        let child = Command::new(words.next().expect("a program"))
            .args(words)
            .args(["--database", &path.display().to_string(), "--listen", &address.to_string()])
            .arg("--empty=true")
            .args(if arguments.contains(&"--log") { &[][..] } else { &["--log", "off"] })
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("the server starts");
        let server = Self { child, url: format!("http://{address}"), address };
        let ready = format!("{}/health/ready", server.url);
        wait("the server does not answer", || ureq::get(&ready).call().is_ok());
        server
    }

    /// Returns the process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends it the stop signal, and waits for its end.
    pub(crate) fn stop(&mut self) -> ExitStatus {
        assert!(succeeds(&["kill", "-TERM", &self.id().to_string()]), "the signal is sent");
        self.child.wait().expect("it ends")
    }

    /// Kills it at once.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("the server is there to be killed");
        self.child.wait().expect("it ends");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A test may have killed it already.
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}

/// Waits until a condition holds, with a time limit.
#[track_caller]
pub(crate) fn wait(complaint: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_mins(1), "{complaint}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Returns whether there is an `strace` that may trace.
pub(super) fn has_tracer() -> bool {
    succeeds(&["strace", "-qq", "-o", "/dev/null", "true"])
}

/// Returns whether a command exists and succeeds.
pub(super) fn succeeds(words: &[&str]) -> bool {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
