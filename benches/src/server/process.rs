//! The server's process: started, asked how it is, stopped.

use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::Failure;

/// How long a server may take until it answers.
const START_MAX: Duration = Duration::from_mins(1);
/// Ticks a second in which the system counts processor time; Linux has had 100 for ever.
const TICKS_PER_SECOND: u64 = 100;

/// The server's binary in the profile `dist`, or `dev` beside an unoptimised benchmark; built if it is not there.
///
/// # Errors
/// When it cannot be built.
pub fn binary() -> Result<PathBuf, Failure> {
    let own = std::env::current_exe()?;
    let folder = own.parent().and_then(Path::parent).ok_or("a benchmark lies two folders deep")?;
    let is_optimised = folder.ends_with("release");
    let mut build = Command::new(option_env!("CARGO").unwrap_or("cargo"));
    build.args(["build", "--quiet", "--package", "quotient-server"]);
    // What cargo tells a benchmark of its own package: build scripts that look at it would run again, and all that follows.
    for (name, _) in std::env::vars_os() {
        let is_own = |start| name.to_str().is_some_and(|name| name.starts_with(start));
        if is_own("CARGO_PKG_") || is_own("CARGO_MANIFEST_") {
            build.env_remove(&name);
        }
    }
    if is_optimised {
        build.args(["--profile", "dist"]);
    }
    if !build.status()?.success() {
        return Err("the server cannot be built".into());
    }
    let folder = if is_optimised { folder.with_file_name("dist") } else { folder.to_path_buf() };
    Ok(folder.join("quotient-server"))
}

/// How large the binary is without what debuggers read.
///
/// # Errors
/// When it cannot be copied.
pub fn size_stripped(binary: &Path) -> Result<u64, Failure> {
    let copy = binary.with_extension("stripped");
    fs::copy(binary, &copy)?;
    // Without the tool the figure is that of the whole file, which errs on the safe side.
    let _absent = Command::new("strip").arg(&copy).status();
    let size = fs::metadata(&copy)?.len();
    fs::remove_file(copy)?;
    Ok(size)
}

/// A demo store that was loaded, and how long that took.
#[derive(Debug)]
pub struct Loaded {
    binary: PathBuf,
    folder: PathBuf,
    /// The time of `demo load`, by the clock on the wall.
    pub took: Duration,
}

/// Memory of a process that is resident, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct Resident {
    /// All of it.
    pub all: u64,
    /// Pages of files in it: the program itself, which the system takes back when it needs them.
    pub of_files: u64,
}

/// Keys of a store.
#[derive(Debug, Clone)]
pub struct Keys {
    /// The publishable one.
    pub publishable: String,
    /// The secret one.
    pub secret: String,
}

/// A server that runs; it is stopped with this value.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// Where it answers, such as `http://127.0.0.1:9000`.
    pub url: String,
}

impl Process {
    /// Fills a new store with the demo data, or with its first invoices.
    ///
    /// # Errors
    /// When the command fails.
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

    /// A store that is in a folder already.
    pub fn on(binary: &Path, folder: &Path) -> Loaded {
        Loaded { binary: binary.to_owned(), folder: folder.to_owned(), took: Duration::ZERO }
    }

    /// Processor time used so far, by the program and by the system for it.
    ///
    /// # Errors
    /// Where the system does not tell.
    pub fn cpu(&self) -> Result<Duration, Failure> {
        let text = fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        // The name in brackets may hold blanks; user and system time are the 12th and 13th words after it.
        let (_, words) = text.rsplit_once(')').ok_or("an unknown form of stat")?;
        let words: Vec<&str> = words.split_whitespace().collect();
        let mut ticks = 0_u64;
        for word in words.get(11..13).ok_or("an unknown form of stat")? {
            ticks = ticks.saturating_add(word.parse()?);
        }
        Ok(Duration::from_millis(ticks.saturating_mul(1_000 / TICKS_PER_SECOND)))
    }

    /// Memory that is resident.
    ///
    /// # Errors
    /// Where the system does not tell.
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
    /// When it ends with another code than 0.
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
        // It has ended already when it was stopped in good order.
        let _ended = self.child.kill();
    }
}

impl Loaded {
    /// A publishable and a secret key.
    ///
    /// # Errors
    /// When they cannot be made.
    pub fn keys(&self) -> Result<Keys, Failure> {
        let made = |kind: &str, prefix: &str| -> Result<String, Failure> {
            let text =
                command(&self.binary, &self.folder, &["keys", "create", "bench", "--type", kind])?;
            let word = text.split_whitespace().find(|word| word.starts_with(prefix));
            Ok(word.ok_or("no key was printed")?.to_owned())
        };
        Ok(Keys { publishable: made("publishable", "pk_")?, secret: made("secret", "sk_")? })
    }

    /// Starts a server on the store; gives how long it took to its first answer.
    ///
    /// # Errors
    /// When it does not answer in time.
    pub fn start(&self) -> Result<(Process, Duration), Failure> {
        self.start_with(&[])
    }

    /// As [`Loaded::start`], with settings of its own.
    ///
    /// # Errors
    /// When it does not answer in time.
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

/// Runs a command of the binary; gives what it prints.
fn command(binary: &Path, folder: &Path, arguments: &[&str]) -> Result<String, Failure> {
    let output =
        Command::new(binary).current_dir(folder).args(arguments).stdin(Stdio::null()).output()?;
    if !output.status.success() {
        std::io::stderr().write_all(&output.stderr)?;
        return Err(format!("{arguments:?} failed").into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
