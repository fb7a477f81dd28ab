//! The real protocol over a map, under a model checker that chooses the order in which threads run: readers, writers and failures in
//! many random schedules.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::catch_unwind;
use std::sync::Mutex as Notes;

use shuttle::rand::Rng;
use shuttle::sync::atomic::{AtomicU64, Ordering};
use shuttle::sync::{Arc, Condvar, Mutex};
use shuttle::thread;

use super::locks::{Lock, Locks};
use super::protocol::{Protocol, Store};
use crate::data::{Read, Stamp, Touch, Versions};

const SCHEDULES: usize = 3_000;
const READERS: usize = 3;
const READS: usize = 3;
const WRITERS: usize = 2;

/// Locks of the model checker, which may switch threads at each operation.
struct ModelLocks;

struct ModelledLock<T> {
    value: Mutex<T>,
    changed: Condvar,
}

impl Locks for ModelLocks {
    type Lock<T: Send> = ModelledLock<T>;
}

impl<T> Lock<T> for ModelledLock<T> {
    fn new(value: T) -> Self {
        Self { value: Mutex::new(value), changed: Condvar::new() }
    }

    fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        work(&mut self.value.lock().unwrap())
    }

    fn change<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let done = work(&mut self.value.lock().unwrap());
        self.changed.notify_all();
        done
    }

    fn wait_while(&self, mut is_busy: impl FnMut(&mut T) -> bool) {
        let mut value = self.value.lock().unwrap();
        while is_busy(&mut value) {
            value = self.changed.wait(value).unwrap();
        }
    }
}

/// An atom and the version of its rows.
type Key = (u8, Stamp);
/// The values read from the two parts of the rows.
type Result = (u64, u64);

#[derive(Default)]
struct Map(Mutex<BTreeMap<Key, Result>>);

impl Store for Map {
    type Key = Key;
    type Result = Result;

    fn get(&self, key: &Key) -> Option<Result> {
        self.0.lock().unwrap().get(key).copied()
    }

    fn keep(&self, key: Key, result: Result) {
        self.0.lock().unwrap().insert(key, result);
    }
}

/// Rows that a writer changes in two steps, and records for the assertions.
struct SharedStore {
    protocol: Protocol<ModelLocks, Map>,
    rows: (AtomicU64, AtomicU64),
    /// The last state written; locked for the whole of a write.
    writing: Mutex<u64>,
    /// The state of the rows at each version.
    states: Notes<BTreeMap<Stamp, u64>>,
    computing: Notes<BTreeSet<Key>>,
    checks: bool,
}

/// Returns the version of the rows that readers read.
fn stamp_of(versions: &Versions) -> Option<Stamp> {
    let day = jiff::civil::date(2026, 2, 3);
    versions.stamp(&[Read::Days("refunds".into())], (day, day))
}

fn touches() -> Vec<Touch> {
    let day = jiff::civil::date(2026, 2, 3);
    vec![Touch::Changed("Refunds".to_owned(), day..=day)]
}

impl SharedStore {
    fn new(checks: bool) -> Self {
        Self {
            protocol: Protocol::new(Map::default()),
            rows: (AtomicU64::new(0), AtomicU64::new(0)),
            writing: Mutex::new(0),
            states: Notes::new(BTreeMap::from([(Stamp::default(), 0)])),
            computing: Notes::new(BTreeSet::new()),
            checks,
        }
    }

    fn stamp(&self) -> Option<Stamp> {
        self.protocol.versions(stamp_of)
    }

    fn write(&self) {
        let mut writing = self.writing.lock().unwrap();
        let state = writing.saturating_add(1);
        *writing = state;
        self.protocol.begin(&touches());
        self.rows.0.store(state, Ordering::SeqCst);
        self.rows.1.store(state, Ordering::SeqCst);
        // Recorded under the version that the end of the write creates, before anyone can read it.
        let next = self.protocol.versions(|versions| {
            let mut after = versions.clone();
            after.end(&touches());
            stamp_of(&after).expect("no other writer")
        });
        self.states.lock().unwrap().insert(next, state);
        self.protocol.end(&touches());
        drop(writing);
        // No read from here on may return an older state.
        let (stamp, found) = self.read(0);
        assert!(found.0 >= state && found.1 >= state, "{found:?} after {state} at {stamp:?}");
    }

    fn compute(&self, missing: &[Key]) -> Option<Vec<Result>> {
        for key in missing {
            assert!(self.computing.lock().unwrap().insert(*key), "computed twice at once");
        }
        let first = self.rows.0.load(Ordering::SeqCst);
        let second = self.rows.1.load(Ordering::SeqCst);
        for key in missing {
            self.computing.lock().unwrap().remove(key);
        }
        let fails = shuttle::rand::thread_rng().gen_bool(0.2);
        (!fails).then(|| missing.iter().map(|_| (first, second)).collect())
    }

    /// Reads an atom as an evaluation does; a cached result must be of exactly the requested state.
    fn read(&self, atom: u8) -> (Option<Stamp>, Result) {
        let now = || (self.rows.0.load(Ordering::SeqCst), self.rows.1.load(Ordering::SeqCst));
        let Some(stamp) = self.stamp() else { return (None, now()) };
        let holds = |versions: &Versions| !self.checks || stamp_of(versions) == Some(stamp);
        let mut computed = false;
        let mut compute = |missing: &[Key]| {
            computed = true;
            self.compute(missing)
        };
        let found = self.protocol.fetch(&[(atom, stamp)], &holds, &mut compute);
        let result = found.into_iter().flatten().next();
        if let Some(kept) = result.filter(|_| !computed) {
            let state = self.states.lock().unwrap().get(&stamp).copied();
            assert_eq!(Some(kept), state.map(|state| (state, state)), "kept under {stamp:?}");
        }
        (Some(stamp), result.unwrap_or_else(now))
    }
}

fn run(checks: bool) {
    shuttle::check_random(
        move || {
            let shared = Arc::new(SharedStore::new(checks));
            let readers = (0..READERS).map(|_| {
                let shared = Arc::clone(&shared);
                thread::spawn(move || {
                    for _ in 0..READS {
                        let atom = shuttle::rand::thread_rng().gen_range(0..2);
                        shared.read(atom);
                    }
                })
            });
            let writers = (0..WRITERS).map(|_| {
                let shared = Arc::clone(&shared);
                thread::spawn(move || shared.write())
            });
            let threads: Vec<_> = readers.chain(writers).collect();
            for thread in threads {
                thread.join().unwrap();
            }
            assert_eq!(shared.protocol.in_flight(), 0);
        },
        SCHEDULES,
    );
}

#[test]
fn no_order_of_steps_caches_answers_of_another_version() {
    run(true);
}

#[test]
fn without_the_second_look_at_the_versions_some_order_does() {
    let outcome = catch_unwind(|| run(false));
    assert!(outcome.is_err(), "the model does not see what the second look is for");
}
