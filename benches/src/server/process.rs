//! The server's process: start, resource use, stop.

use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::Failure;

/// The maximum time until a server answers.
const START_MAX: Duration = Duration::from_mins(1);
/// A server that uses at most this much processor time within [`QUIET_FOR`] is idle.
const QUIET_CPU: Duration = Duration::from_millis(20);
const QUIET_FOR: Duration = Duration::from_secs(1);
const QUIET_MAX: Duration = Duration::from_mins(2);
/// Ticks per second in which the system counts processor time; on Linux always 100.
const TICKS_PER_SECOND: u64 = 100;

/// The admin of a server that is started with [`ADMIN`].
pub(super) const EMAIL: &str = "bench@example.com";
pub(super) const PASSWORD: &str = "a password of the benchmark";
/// The settings of a server to which a visitor of its pages can log in.
pub(crate) const ADMIN: [&str; 4] = ["--admin-email", EMAIL, "--admin-password", PASSWORD];

/// Returns the path of the server's binary: that of `QUOTIENT_SERVER`, or else one that is built in the profile `dist`.
///
/// # Errors
/// If it cannot be built.
pub fn binary() -> Result<PathBuf, Failure> {
    if let Some(given) = std::env::var_os("QUOTIENT_SERVER") {
        return Ok(given.into());
    }
    let own = std::env::current_exe()?;
    let folder = own.parent().and_then(Path::parent).ok_or("a benchmark lies two folders deep")?;
    let mut build = Command::new(option_env!("CARGO").unwrap_or("cargo"));
    build.args(["build", "--quiet", "--package", "quotient-server", "--profile", "dist"]);
    // Cargo sets variables of the benchmark's own package: build scripts that read them would run again, and all that
    // depends on them.
    for (name, _) in std::env::vars_os() {
        let is_own = |start| name.to_str().is_some_and(|name| name.starts_with(start));
        if is_own("CARGO_PKG_") || is_own("CARGO_MANIFEST_") {
            build.env_remove(&name);
        }
    }
    if !build.status()?.success() {
        return Err("the server cannot be built".into());
    }
    Ok(folder.with_file_name("dist").join("quotient-server"))
}

/// Returns the size of the binary without debug information.
///
/// # Errors
/// If it cannot be copied.
pub fn size_stripped(binary: &Path) -> Result<u64, Failure> {
    let copy = binary.with_extension("stripped");
    fs::copy(binary, &copy)?;
    // Without the tool, the figure is the size of the whole file, which errs on the safe side.
    let _absent = Command::new("strip").arg(&copy).status();
    let size = fs::metadata(&copy)?.len();
    fs::remove_file(copy)?;
    Ok(size)
}

/// A loaded demo store, and the time of loading.
#[derive(Debug)]
pub struct Loaded {
    binary: PathBuf,
    folder: PathBuf,
    /// The wall-clock time of `demo load`.
    pub took: Duration,
}

/// The resident memory of a process, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct Resident {
    /// All resident memory.
    pub all: u64,
    /// Of it, pages of files: the program itself, which the system can reclaim.
    pub of_files: u64,
}

/// Keys of a store.
#[derive(Debug, Clone)]
pub struct Keys {
    /// The publishable key.
    pub publishable: String,
    /// The secret key.
    pub secret: String,
}

/// A running server; it is stopped when this is dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// The base URL, such as `http://127.0.0.1:9000`.
    pub url: String,
}

impl Process {
    /// Fills a new store with the demo data, or with its first invoices.
    ///
    /// # Errors
    /// If the command fails.
    pub fn load(binary: &Path, folder: &Path, invoices: Option<u32>) -> Result<Loaded, Failure> {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
        let start = Instant::now();
        let count = invoices.map(|count| count.to_string());
        let mut arguments = vec!["demo", "load"];
        if let Some(count) = &count {
            arguments.extend(["--invoices", count]);
        }
        command(binary, folder, &arguments)?;
        Ok(Loaded { binary: binary.to_owned(), folder: folder.to_owned(), took: start.elapsed() })
    }

    /// Returns a store that is already in a folder.
    pub fn on(binary: &Path, folder: &Path) -> Loaded {
        Loaded { binary: binary.to_owned(), folder: folder.to_owned(), took: Duration::ZERO }
    }

    /// Returns the address that it listens on.
    pub(super) fn address(&self) -> &str {
        self.url.trim_start_matches("http://")
    }

    /// Returns the processor time used so far, in user and system mode.
    ///
    /// # Errors
    /// If the system does not report it.
    pub fn cpu(&self) -> Result<Duration, Failure> {
        let text = fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        // The name in brackets may contain spaces; user and system time are the 12th and 13th words after it.
        let (_, words) = text.rsplit_once(')').ok_or("an unknown form of stat")?;
        let words: Vec<&str> = words.split_whitespace().collect();
        let mut ticks = 0_u64;
        for word in words.get(11..13).ok_or("an unknown form of stat")? {
            ticks = ticks.saturating_add(word.parse()?);
        }
        Ok(Duration::from_millis(ticks.saturating_mul(1_000 / TICKS_PER_SECOND)))
    }

    /// Waits until the server is idle, such as after building the rollups of a new store.
    ///
    /// # Errors
    /// If it never is.
    pub fn wait_until_idle(&self) -> Result<(), Failure> {
        let start = Instant::now();
        while start.elapsed() < QUIET_MAX {
            let before = self.cpu()?;
            thread::sleep(QUIET_FOR);
            if self.cpu()?.saturating_sub(before) <= QUIET_CPU {
                return Ok(());
            }
        }
        Err("the server never rests".into())
    }

    /// Returns the resident memory.
    ///
    /// # Errors
    /// If the system does not report it.
    pub fn resident(&self) -> Result<Resident, Failure> {
        let text = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let bytes = |name: &str| -> Result<u64, Failure> {
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            let kib = line.and_then(|line| line.split_whitespace().next());
            Ok(kib.ok_or("an unknown form of status")?.parse::<u64>()?.saturating_mul(1_024))
        };
        Ok(Resident { all: bytes("VmRSS:")?, of_files: bytes("RssFile:")? })
    }

    /// Tells the server to stop and waits for it.
    ///
    /// # Errors
    /// If its exit code is not 0.
    pub fn stop(mut self) -> Result<(), Failure> {
        Command::new("kill").arg(self.child.id().to_string()).status()?;
        let status = self.child.wait()?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("the server ended with {status}").into())
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // After a regular stop, the process has already ended.
        let _ended = self.child.kill();
    }
}

impl Loaded {
    /// Creates a publishable and a secret key.
    ///
    /// # Errors
    /// If they cannot be created.
    pub fn keys(&self) -> Result<Keys, Failure> {
        let made = |kind: &str, prefix: &str| -> Result<String, Failure> {
            let text =
                command(&self.binary, &self.folder, &["keys", "create", "bench", "--type", kind])?;
            let word = text.split_whitespace().find(|word| word.starts_with(prefix));
            Ok(word.ok_or("no key was printed")?.to_owned())
        };
        Ok(Keys { publishable: made("publishable", "pk_")?, secret: made("secret", "sk_")? })
    }

    /// Starts a server on the store and returns the time to its first response.
    ///
    /// # Errors
    /// If it does not answer in time.
    pub fn start(&self) -> Result<(Process, Duration), Failure> {
        self.start_with(&[])
    }

    /// Like [`Loaded::start`], with settings.
    ///
    /// # Errors
    /// If it does not answer in time.
    pub fn start_with(&self, settings: &[&str]) -> Result<(Process, Duration), Failure> {
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let start = Instant::now();
        let child = Command::new(&self.binary)
            .current_dir(&self.folder)
            .args(["--listen", &address.to_string(), "--log", "error"])
            .args(["--store-per-minute", "100000000", "--admin-per-minute", "100000000"])
            .args(settings)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()?;
        let process = Process { child, url: format!("http://{address}") };
        let ready = format!("{}/health/ready", process.url);
        while start.elapsed() < START_MAX {
            if ureq::get(&ready).call().is_ok() {
                return Ok((process, start.elapsed()));
            }
            thread::sleep(Duration::from_millis(2));
        }
        Err("the server does not answer".into())
    }
}

/// Runs a command of the binary and returns its output.
fn command(binary: &Path, folder: &Path, arguments: &[&str]) -> Result<String, Failure> {
    let output =
        Command::new(binary).current_dir(folder).args(arguments).stdin(Stdio::null()).output()?;
    if !output.status.success() {
        std::io::stderr().write_all(&output.stderr)?;
        return Err(format!("{arguments:?} failed").into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
