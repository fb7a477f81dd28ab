//! Power failures: of the data written but not synced, any part may be lost. And kills during syncs.
//!
//! A tracer records what the server writes and when it syncs. From the recording, the files are reconstructed as a
//! power failure at any instant could leave them.

#![expect(clippy::arithmetic_side_effects, reason = "the numbers of a recording are small")]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use quotient_server::database::temporary;
use quotient_server::testing::rounds;

use super::clients::{Acknowledged, Client, shop_during};
use super::faults::copy;
use super::process::{Process, has_tracer, wait};

/// The unit in which a disk writes.
const SECTOR: usize = 512;

/// The orders that are placed before the power fails.
const ORDERS: usize = 12;

/// The syncs of a start: a kill comes later.
const STARTED: usize = 60;

/// An event of the record.
enum Event {
    Write { file: String, offset: usize, bytes: Vec<u8> },
    Truncate { file: String, length: usize },
    SyncBegins { file: String, thread: String },
    SyncEnds { thread: String },
}

/// A disk: what is safe on it, and what was written since. A sync saves what was written before it began.
struct Disk {
    safe: BTreeMap<String, Vec<u8>>,
    unsynced: Vec<Event>,
    /// The number of unsynced events when a thread's sync began.
    syncs: BTreeMap<String, (String, usize)>,
}

impl Disk {
    fn note(&mut self, event: Event) {
        match event {
            Event::SyncBegins { file, thread } => {
                self.syncs.insert(thread, (file, self.unsynced.len()));
            }
            Event::SyncEnds { thread } => {
                let Some((file, count)) = self.syncs.remove(&thread) else { return };
                let (mut synced, mut rest) = (Vec::new(), Vec::new());
                for (index, event) in std::mem::take(&mut self.unsynced).into_iter().enumerate() {
                    let is_synced = index < count && event.file() == Some(&file);
                    if is_synced { synced.push(event) } else { rest.push(event) }
                }
                self.unsynced = rest;
                // The other syncs in progress began before fewer events.
                for (_, begun) in self.syncs.values_mut() {
                    *begun = begun.saturating_sub(synced.len());
                }
                for event in synced {
                    event.apply(&mut self.safe, |_sector| true);
                }
            }
            change @ (Event::Write { .. } | Event::Truncate { .. }) => self.unsynced.push(change),
        }
    }

    /// Writes the files as a power failure leaves them: unsynced changes are there, absent, or torn.
    fn fail(&self, folder: &Path, chance: &mut Chance) {
        let mut files = self.safe.clone();
        for event in &self.unsynced {
            match chance.below(3) {
                0 => {}
                1 => event.apply(&mut files, |_sector| true),
                _ => event.apply(&mut files, |_sector| chance.below(2) == 0),
            }
        }
        for (name, bytes) in files {
            let mut options = File::options();
            let file = options.write(true).create_new(true).mode(0o600).open(folder.join(name));
            file.and_then(|mut file| file.write_all(&bytes)).expect("a file");
        }
    }
}

impl Event {
    fn file(&self) -> Option<&str> {
        match self {
            Self::Write { file, .. } | Self::Truncate { file, .. } => Some(file),
            Self::SyncBegins { .. } | Self::SyncEnds { .. } => None,
        }
    }

    /// Applies a change, except for the lost sectors.
    fn apply(&self, files: &mut BTreeMap<String, Vec<u8>>, mut is_kept: impl FnMut(usize) -> bool) {
        match self {
            Self::Write { file, offset, bytes } => {
                let file = files.entry(file.clone()).or_default();
                let end = offset.checked_add(bytes.len()).expect("a small file");
                file.resize(file.len().max(end), 0);
                for (index, sector) in bytes.chunks(SECTOR).enumerate() {
                    if is_kept(index) {
                        let at = index.saturating_mul(SECTOR).saturating_add(*offset);
                        file[at..][..sector.len()].copy_from_slice(sector);
                    }
                }
            }
            Self::Truncate { file, length } => {
                files.entry(file.clone()).or_default().resize(*length, 0);
            }
            Self::SyncBegins { .. } | Self::SyncEnds { .. } => {}
        }
    }
}

/// Numbers that are the same in each run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % limit
    }
}

/// Reads the record of a tracer. A line is `thread time call(fd<path>, …) = result`; where threads take turns, a call has
/// a line for its beginning and one for its end.
fn record(path: &Path) -> Vec<(SystemTime, Event)> {
    let mut events = Vec::new();
    for line in BufReader::new(File::open(path).expect("the record")).lines() {
        let line = line.expect("a line");
        let Some((thread, rest)) = line.split_once(' ') else { continue };
        let Some((time, call)) = rest.trim_start().split_once(' ') else { continue };
        let thread = thread.to_owned();
        let Ok(seconds) = time.parse::<f64>() else { continue };
        let at = SystemTime::UNIX_EPOCH + Duration::from_secs_f64(seconds);
        if call.starts_with("<... f") {
            events.push((at, Event::SyncEnds { thread }));
            continue;
        }
        let Some((name, arguments)) = call.split_once('(') else { continue };
        let Some((target, rest)) = arguments.split_once('>') else { continue };
        let target = String::from_utf8(unescaped(target)).expect("a path");
        let file = target.rsplit('/').next().expect("a name").to_owned();
        let number = |text: &str| text.trim_matches([' ', ',', ')']).parse::<usize>().ok();
        match name {
            "pwrite64" => {
                let mut parts = rest.split('"');
                let (bytes, rest) = (parts.nth(1).expect("data"), parts.next().expect("a place"));
                let offset = rest.split([',', ')', '<']).nth(2).and_then(number).expect("a place");
                events.push((at, Event::Write { file, offset, bytes: unescaped(bytes) }));
            }
            "ftruncate" => {
                let length = rest.split([')', '<']).next().and_then(number).expect("a length");
                events.push((at, Event::Truncate { file, length }));
            }
            _sync => {
                events.push((at, Event::SyncBegins { file, thread: thread.clone() }));
                if !call.contains("unfinished") {
                    events.push((at, Event::SyncEnds { thread }));
                }
            }
        }
    }
    events
}

/// Returns the bytes of `\x41\x42`.
fn unescaped(text: &str) -> Vec<u8> {
    let bytes = text.split("\\x").skip(1).map(|byte| byte.get(..2).unwrap_or_default());
    bytes.map(|byte| u8::from_str_radix(byte, 16).expect("a byte")).collect()
}

#[tokio::test]
async fn a_power_failure_at_any_instant_loses_nothing_that_was_acknowledged() {
    if !has_tracer() {
        return println!("not tested: there is no strace that may trace");
    }
    let (folder, path, store) = copy().await;
    let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
    let before = std::fs::read(&path).expect("the database");
    let log = folder.path().join("writes.log");
    let acknowledged = Arc::new(Acknowledged::default());
    let (of_server, list, output) = (path.clone(), Arc::clone(&acknowledged), log.clone());
    let life = tokio::task::spawn_blocking(move || {
        let tracer = ["strace", "-D", "-f", "-y", "-ttt", "-xx", "-s", "1000000", "-qq", "-o"];
        let calls = ["-e", "trace=pwrite64,ftruncate,fsync,fdatasync"];
        let output = output.display().to_string();
        let wrapper = [&tracer[..], &[output.as_str()], &calls].concat();
        let mut server = Process::start_under(&wrapper, &of_server);
        let orders = rounds(ORDERS, 4 * ORDERS);
        shop_during(&server.url, &store, &list, || {
            wait("nothing is ordered", || list.order_count() >= orders);
        });
        server.kill();
    });
    life.await.expect("a life of the server");

    let is_store = |file: &str| file == name || file == format!("{name}-wal");
    let events: Vec<_> =
        record(&log).into_iter().filter(|(_, event)| event.file().is_none_or(is_store)).collect();
    let failures = rounds(12, 400);
    let mut disk = Disk {
        safe: BTreeMap::from([(name.clone(), before)]),
        unsynced: Vec::new(),
        syncs: BTreeMap::new(),
    };
    let (mut chance, mut failed) = (Chance(1), 0_usize);
    let count = events.len();
    assert!(count > 10 * ORDERS, "only {count} events were recorded");
    for (index, (at, event)) in events.into_iter().enumerate() {
        disk.note(event);
        let due = index.saturating_add(1).saturating_mul(failures) / count;
        if due > failed {
            failed = due;
            let place = temporary::folder().expect("a folder");
            disk.fail(place.path(), &mut chance);
            let when = format!("after event {index} of {count}");
            acknowledged.verify_until(at, &place.path().join(&name), &when).await;
        }
    }
    assert_eq!(failed, failures);
}

#[tokio::test]
async fn a_kill_at_any_sync_loses_nothing_that_was_acknowledged() {
    if !has_tracer() {
        return println!("not tested: there is no strace that may trace");
    }
    let (_folder, path, store) = copy().await;
    let acknowledged = Arc::new(Acknowledged::default());
    for round in 0..rounds(3, 12) {
        let (of_server, store, list) = (path.clone(), store.clone(), Arc::clone(&acknowledged));
        let life = tokio::task::spawn_blocking(move || {
            let at = STARTED.saturating_add(round);
            let kill = format!("inject=fsync,fdatasync:signal=SIGKILL:when={at}");
            let tracer = ["strace", "-D", "-f", "-qq", "-o", "/dev/null"];
            let wrapper = [&tracer[..], &["-e", "trace=fsync,fdatasync", "-e", &kill]].concat();
            let server = Process::start_under(&wrapper, &of_server);
            let reader = Client::new(&server.url);
            shop_during(&server.url, &store, &list, || {
                wait("the server lives on", || reader.get("/health/live").is_none());
            });
        });
        life.await.expect("a life of the server");
        acknowledged.verify(&path, &format!("after a kill at sync {round} of shopping")).await;
    }
}
