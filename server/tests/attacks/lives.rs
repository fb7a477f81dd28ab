//! Lives of a server that is killed repeatedly: how each begins, and what it leaves in its database and at its provider.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use quotient_server::check;
use quotient_server::clock::Clock;
use quotient_server::database::{Db, Error, temporary};
use quotient_server::state::database_options;
use quotient_server::testing::rounds;

use super::wire::Wire;
use crate::reliability::process::Process;

const CLIENTS: u16 = 8;

/// Limit: time to wait for the answers of one life.
const MAX_LIFE: Duration = Duration::from_secs(20);

/// Limit: time until a server has ended what the last kill interrupted.
const MAX_SETTLING: Duration = Duration::from_secs(30);

/// Limits that no client reaches.
const LIMITS: [&str; 6] = [
    "--store-per-minute",
    "100000000",
    "--admin-per-minute",
    "100000000",
    "--flow-presses-per-minute",
    "100000000",
];

/// A movement of money at the provider.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Movement {
    pub(super) kind: String,
    pub(super) key: String,
    pub(super) amount_minor: i64,
}

/// Starts the program with a ledger of its payment provider.
pub(super) fn start(path: &Path, ledger: &Path) -> Process {
    let ledger = ledger.display().to_string();
    Process::start_with(&[], path, &[&LIMITS[..], &["--sandbox-ledger", &ledger]].concat())
}

/// One life: clients act until a number of responses have arrived and the server is killed, or until their action
/// reports that they are done.
pub(super) fn live_and_die(
    server: &mut Process,
    (answers, enough): (&AtomicUsize, usize),
    act: impl Fn(&mut Wire) -> bool + Sync,
) {
    let enough = answers.load(Ordering::Relaxed).saturating_add(enough);
    let (is_dead, address, act) = (AtomicBool::new(false), server.address, &act);
    std::thread::scope(|scope| {
        for client in 0..CLIENTS {
            let is_dead = &is_dead;
            scope.spawn(move || {
                let mut wire = Wire::open(client + 16, address).expect("a connection");
                while !is_dead.load(Ordering::Relaxed) && act(&mut wire) {}
            });
        }
        let begun = Instant::now();
        while answers.load(Ordering::Relaxed) < enough && begun.elapsed() < MAX_LIFE {
            std::thread::sleep(Duration::from_millis(1));
        }
        server.kill();
        is_dead.store(true, Ordering::Relaxed);
    });
}

/// Returns the number of kills.
#[expect(clippy::disallowed_methods, reason = "it is for the person who runs the tests")]
pub(super) fn kills() -> usize {
    std::env::var("QUOTIENT_KILLS")
        .map_or_else(|_unset| rounds(6, 500), |kills| kills.parse().expect("a number"))
}

/// Audits what a kill left, and returns the texts that a statement finds there. Reads a copy, so that the server itself
/// recovers the file.
pub(super) async fn audit(path: &Path, cycle: usize, sql: &'static str) -> Vec<String> {
    let folder = temporary::folder().expect("a folder");
    let copy = folder.path().join("store.db");
    for suffix in ["", "-wal"] {
        let name = |path: &Path| format!("{}{suffix}", path.display());
        std::fs::copy(name(path), name(&copy)).expect("a copy");
    }
    let db = Db::open(&database_options(&copy, Clock::system())).expect("the copy opens");
    let findings = check::check(&db).await.expect("the audit runs");
    assert!(findings.is_empty(), "after kill {cycle}: {findings:#?}");
    let found = texts_in(&db, sql).await;
    db.close().await;
    found
}

async fn texts_in(db: &Db, sql: &'static str) -> Vec<String> {
    let texts = db.read::<_, Error>(move |tx| {
        let mut statement = tx.prepare(sql)?;
        let texts = statement.query_map([], |row| row.get(0))?;
        Ok(texts.collect::<Result<_, _>>()?)
    });
    texts.await.expect("texts")
}

/// Returns the texts that a statement finds in the books.
pub(super) async fn texts(path: &Path, sql: &'static str) -> Vec<String> {
    let db = Db::open(&database_options(path, Clock::system())).expect("the database opens");
    let texts = texts_in(&db, sql).await;
    db.close().await;
    texts
}

/// Counts rows in the database.
pub(super) async fn counted(path: &Path, sql: &'static str) -> i64 {
    let db = Db::open(&database_options(path, Clock::system())).expect("the database opens");
    let count = db.read::<_, Error>(move |tx| Ok(tx.query_row(sql, [], |row| row.get(0))?));
    let count = count.await.expect("a count");
    db.close().await;
    count
}

/// Waits until a statement counts nothing in the database of a running server.
pub(super) async fn settled(path: &Path, sql: &'static str) {
    let begun = Instant::now();
    while counted(path, sql).await > 0 {
        assert!(begun.elapsed() < MAX_SETTLING, "something is still open: {sql}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Returns the provider's movements; repeated requests count once.
pub(super) fn movements(ledger: &Path) -> BTreeSet<Movement> {
    let text = std::fs::read_to_string(ledger).expect("the ledger");
    let movement = |line: &str| {
        let mut words = line.split('\t');
        Some(Movement {
            kind: words.next()?.to_owned(),
            key: words.next()?.to_owned(),
            amount_minor: words.next()?.parse().ok()?,
        })
    };
    text.lines().map(|line| movement(line).expect("a movement")).collect()
}
