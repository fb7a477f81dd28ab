//! Tests that metrics never form a cycle, however concurrent edits meet.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use quotient_foundation::testing::rounds;

use super::*;

/// The number of metrics of each writer.
const OWN: u64 = 3;

/// Returns the next number of a pseudo-random sequence, the same in every run.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// Returns the metrics that a formula names by scanning its words: the metrics here are `left0`, `right2` …
fn named(formula: &str) -> BTreeSet<String> {
    let words = formula.split(|letter: char| !letter.is_ascii_alphanumeric());
    let is_metric = |word: &&str| word.starts_with("left") || word.starts_with("right");
    words.filter(is_metric).map(str::to_owned).collect()
}

/// Returns a cycle, if there is one.
fn cycle(formulas: &BTreeMap<String, String>) -> Option<Vec<String>> {
    fn follow(
        key: &str,
        formulas: &BTreeMap<String, String>,
        way: &mut Vec<String>,
        done: &mut BTreeSet<String>,
    ) -> bool {
        way.push(key.to_owned());
        if way.iter().rev().skip(1).any(|before| before == key) {
            return true;
        }
        let uses = formulas.get(key).map(|formula| named(formula)).unwrap_or_default();
        for used in uses {
            if !done.contains(&used) && follow(&used, formulas, way, done) {
                return true;
            }
        }
        way.pop();
        done.insert(key.to_owned());
        false
    }
    let mut done = BTreeSet::new();
    formulas.keys().find_map(|key| {
        let mut way = Vec::new();
        follow(key, formulas, &mut way, &mut done).then_some(way)
    })
}

#[test]
fn a_cycle_is_found_where_there_is_one() {
    let formulas = |rows: &[(&str, &str)]| {
        rows.iter().map(|(key, formula)| ((*key).to_owned(), (*formula).to_owned())).collect()
    };
    let chain = formulas(&[("left0", "right0 + right1"), ("right0", "right1"), ("right1", "1")]);
    assert_eq!(cycle(&chain), None);
    let round = formulas(&[("left0", "right0 + 1"), ("right0", "2 * right1"), ("right1", "left0")]);
    assert!(cycle(&round).is_some());
}

/// Returns the formulas in the table.
async fn formulas(store: &Store) -> BTreeMap<String, String> {
    let rows = store.db.read::<_, Error>(|tx| {
        let mut statement = tx.prepare("select key, formula from metric")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    });
    rows.await.unwrap()
}

/// Edits metrics of one side so that they name metrics of the other: closing a cycle needs both writers. Returns how
/// many edits succeeded, and how many were refused because of a cycle.
async fn write(
    store: Arc<Store>,
    own: &'static str,
    other: &'static str,
    edits: usize,
) -> (usize, usize) {
    let (mut made, mut refused) = (0_usize, 0_usize);
    let mut state = u64::try_from(own.len()).unwrap();
    for _ in 0..edits {
        let key = format!("{own}{}", next(&mut state) % OWN);
        let (first, second) = (next(&mut state) % OWN, next(&mut state) % OWN);
        let formula = match next(&mut state) % 3 {
            // Without a unit, so that no sum is refused because of units.
            0 => "1 + 1".to_owned(),
            1 => format!("{other}{first} + 1"),
            _ => format!("{other}{first} + {other}{second}"),
        };
        match store.say(&key, &formula).await {
            Ok(_) => made = made.saturating_add(1),
            Err(refusal) => {
                assert!(refusal.contains("itself"), "{key} = {formula}: {refusal}");
                refused = refused.saturating_add(1);
            }
        }
    }
    (made, refused)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn two_writers_with_thousands_of_edits_never_make_a_cycle_together() {
    race(rounds(500, 10_000)).await;
}

/// Runs two concurrent writers while a reader looks for cycles in the committed metrics.
async fn race(edits: usize) {
    let store = Arc::new(Store::open());
    for side in ["left", "right"] {
        for number in 0..OWN {
            store.make(&format!("{side}{number}"), "count(orders)").await.unwrap();
        }
    }
    let is_over = Arc::new(AtomicBool::new(false));
    let watching = {
        let (store, is_over) = (Arc::clone(&store), Arc::clone(&is_over));
        tokio::spawn(async move {
            let mut looks = 0_u64;
            while !is_over.load(Ordering::Relaxed) {
                assert_eq!(cycle(&formulas(&store).await), None);
                looks = looks.saturating_add(1);
                // Reads never yield on their own, and the writers need this thread too.
                tokio::task::yield_now().await;
            }
            looks
        })
    };

    let left = tokio::spawn(write(Arc::clone(&store), "left", "right", edits));
    let right = tokio::spawn(write(Arc::clone(&store), "right", "left", edits));
    let (left, right) = (left.await.unwrap(), right.await.unwrap());

    is_over.store(true, Ordering::Relaxed);
    assert!(watching.await.unwrap() > 0);
    assert_eq!(cycle(&formulas(&store).await), None);
    // Both writers succeeded and were rejected, each often.
    for (made, refused) in [left, right] {
        assert!(made > edits / 10 && refused > edits / 10, "{left:?} {right:?}");
    }
}
