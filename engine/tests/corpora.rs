//! Every seed of the fuzz targets, and every input that once broke one, as an ordinary test.

#![expect(clippy::expect_used, reason = "a seed that cannot be read fails the test")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::fuzzing::TARGETS;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus")
}

/// The files of a folder by name.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into()).collect()
}

fn holds_of_every_seed(name: &str) {
    let (_, target) = TARGETS.into_iter().find(|(own, _)| *own == name).expect(name);
    let folder = corpus().join(name);
    let seeds = names(&folder);
    assert!(seeds.len() >= 10, "{name} has {} seeds", seeds.len());
    for seed in seeds {
        let bytes = std::fs::read(folder.join(&seed)).expect("a seed");
        let outcome = std::panic::catch_unwind(|| target(&bytes));
        assert!(outcome.is_ok(), "{name}/{seed} breaks its target");
    }
}

#[test]
fn any_text_is_read_checked_and_drawn() {
    holds_of_every_seed("parse");
}

#[test]
fn a_printed_formula_reads_as_the_same_tree() {
    holds_of_every_seed("print_parse");
}

#[test]
fn any_formula_over_any_rows_has_the_value_that_the_model_counts() {
    holds_of_every_seed("check_and_run");
}

#[test]
fn every_row_of_a_batch_has_the_value_of_scalar_evaluation() {
    holds_of_every_seed("columns_against_scalar");
}

#[test]
fn every_target_has_its_seeds_and_its_program() {
    let targets: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names(&corpus()), targets);
    let programs = names(&corpus().join("../fuzz_targets"));
    let programs: BTreeSet<String> =
        programs.iter().map(|file| file.trim_end_matches(".rs").to_owned()).collect();
    assert_eq!(programs, targets);
}
