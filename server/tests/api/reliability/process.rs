//! The built program as a process of its own, perhaps under something that makes its files fail.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server that runs; it is killed with this value.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Where it answers.
    pub(super) url: String,
}

impl Process {
    /// Starts it on a database.
    pub(super) fn start(path: &Path) -> Self {
        Self::start_under(&[], path)
    }

    /// Starts it as the last arguments of another command, which must become it.
    pub(super) fn start_under(wrapper: &[&str], path: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        drop(listener);
        let program = env!("CARGO_BIN_EXE_quotient-server");
        let mut words = wrapper.iter().copied().chain([program]);
        let child = Command::new(words.next().expect("a program"))
            .args(words)
            .args(["--database", &path.display().to_string(), "--listen", &address.to_string()])
            .args(["--store-per-minute", "100000000", "--log", "off", "--empty=true"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("the server starts");
        let server = Self { child, url: format!("http://{address}") };
        let ready = format!("{}/health/ready", server.url);
        wait("the server does not answer", || ureq::get(&ready).call().is_ok());
        server
    }

    /// The number of the process.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends it at once, whatever it does.
    pub(super) fn kill(&mut self) {
        self.child.kill().expect("the server is there to be killed");
        self.child.wait().expect("it ends");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It has ended already where a test has killed it.
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}

/// Waits until something holds, and not for ever.
#[track_caller]
pub(super) fn wait(complaint: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_mins(1), "{complaint}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a command is there and ends well.
pub(super) fn succeeds(words: &[&str]) -> bool {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
