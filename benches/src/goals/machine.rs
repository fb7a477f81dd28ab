//! The machine of a measurement, and the versions of the peers.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread::available_parallelism;

use crate::Failure;
use crate::peers::python;

/// The peers whose versions are in the lock file.
const LIBRARIES: &[&str] = &["zen-expression", "cel", "rhai", "fasteval", "exmex", "rust_decimal"];

/// Returns lines such as "processor: EPYC, 2 cores".
pub(crate) fn describe(target: &Path) -> Result<Vec<String>, Failure> {
    let mut versions = versions()?;
    versions.extend(python::versions(target));
    let cores = available_parallelism().map_or(0, std::num::NonZero::get);
    let processor = value_in("/proc/cpuinfo", "model name", ':');
    let system = value_in("/etc/os-release", "PRETTY_NAME", '=');
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().next().unwrap_or("unknown");
    Ok(vec![
        format!("processor: {}, {cores} cores", processor.as_deref().unwrap_or("unknown")),
        format!(
            "system: {}, {} {}",
            system.as_deref().unwrap_or(std::env::consts::OS),
            std::env::consts::OS,
            kernel.trim(),
        ),
        format!("compiler: {}, release profile", compiler()),
        format!("measured on {}, load {load} at the end", today()),
        format!("compared with {}", versions.join(", ")),
    ])
}

/// Returns the text after a word and a separator at the start of a line.
fn value_in(path: &str, word: &str, separator: char) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(word))?;
    let (_, value) = line.split_once(separator)?;
    Some(value.trim().trim_matches('"').to_owned())
}

fn compiler() -> String {
    let output = Command::new("rustc").arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    text.unwrap_or_else(|_absent| "rustc unknown".to_owned())
}

#[expect(clippy::disallowed_methods, reason = "a measurement has a date, a value has none")]
fn today() -> String {
    jiff::Zoned::now().date().to_string()
}

/// Returns the name and locked version of each library.
fn versions() -> Result<Vec<String>, Failure> {
    let lock = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.lock"))?;
    let mut versions = Vec::new();
    for name in LIBRARIES {
        let start = format!("name = \"{name}\"\nversion = \"");
        let version = lock.split_once(&start).and_then(|(_, rest)| rest.split_once('"'));
        let (version, _) = version.ok_or_else(|| format!("{name} is not locked"))?;
        versions.push(format!("{name} {version}"));
    }
    Ok(versions)
}
