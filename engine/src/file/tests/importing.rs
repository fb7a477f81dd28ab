//! Files that import files.

use std::collections::BTreeMap;

use super::line;
use crate::file::{Loaded, MAX_FILE_BYTES, load};

fn load_files(files: &[(&str, &str)]) -> (Loaded, Vec<String>) {
    let texts: BTreeMap<&str, &str> = files.iter().copied().collect();
    let mut read = Vec::new();
    let loaded = load(files[0].0, &mut |name| {
        read.push(name.to_owned());
        texts.get(name).map(|text| (*text).to_owned()).ok_or_else(|| "not found".to_owned())
    });
    (loaded, read)
}

fn findings(loaded: &Loaded) -> Vec<String> {
    let findings = loaded.findings.iter();
    findings
        .map(|(file, finding)| {
            let file = &loaded.files[*file];
            format!("{}: {}", file.name, line(&file.text, finding))
        })
        .collect()
}

#[test]
fn a_file_that_two_import_is_read_once_and_comes_first() {
    let (loaded, read) = load_files(&[
        ("shop/main.metrics", "use \"left.metrics\"\nuse \"./sub/right.metrics\"\nmetric m = b\n"),
        ("shop/left.metrics", "use \"base.metrics\"\nmetric l = b\n"),
        ("shop/sub/right.metrics", "use \"../base.metrics\"\nmetric r = b\n"),
        ("shop/base.metrics", "metric b = 1\nrates from \"../rates.csv\"\n"),
    ]);

    assert_eq!(findings(&loaded), Vec::<String>::new());
    assert_eq!(
        read,
        ["shop/main.metrics", "shop/left.metrics", "shop/base.metrics", "shop/sub/right.metrics"]
    );
    let keys: Vec<&str> = loaded.metrics.iter().map(|metric| metric.key.value.as_str()).collect();
    assert_eq!(keys, ["b", "l", "r", "m"]);
    assert_eq!(loaded.rates.as_deref(), Some("rates.csv"));
}

#[test]
fn a_cycle_is_reported_with_its_path() {
    let (loaded, _) = load_files(&[
        ("a.metrics", "use \"b.metrics\"\n"),
        ("b.metrics", "use \"c.metrics\"\n"),
        ("c.metrics", "use \"b.metrics\"\nmetric x = 1\n"),
    ]);

    assert_eq!(
        findings(&loaded),
        ["c.metrics: E803 [\"b.metrics\"] `b.metrics` imports itself: \
          b.metrics → c.metrics → b.metrics | move what both need into a third file"]
    );
    assert_eq!(loaded.metrics.len(), 1);
}

#[test]
fn a_file_that_is_missing_or_too_large_is_reported_where_it_is_imported() {
    let large = " ".repeat(MAX_FILE_BYTES + 1);
    let (loaded, _) = load_files(&[
        ("a.metrics", "use \"none.metrics\"\nuse \"large.metrics\"\nmetric x = 1\n"),
        ("large.metrics", &large),
    ]);

    assert_eq!(
        findings(&loaded),
        [
            "a.metrics: E803 [\"none.metrics\"] `none.metrics` cannot be read: not found | \
             the name is taken from the folder of the file that imports it",
            "a.metrics: E803 [\"large.metrics\"] `large.metrics` cannot be read: it is larger than \
             1048576 bytes | the name is taken from the folder of the file that imports it",
        ]
    );
    assert_eq!(loaded.metrics.len(), 1);
}

#[test]
fn a_first_file_that_is_missing_leaves_nothing_but_the_finding() {
    let loaded = load("none.metrics", &mut |_| Err("not found".to_owned()));

    assert_eq!(findings(&loaded).len(), 1);
    assert_eq!(loaded.files.len(), 1);
}

#[test]
fn imports_end_at_a_limit() {
    let mut count = 0;

    let loaded = load("0.metrics", &mut |_| {
        count += 1;
        Ok(format!("use \"{count}.metrics\"\n"))
    });

    assert!(
        findings(&loaded).last().unwrap().contains("deeper than 32"),
        "{:?}",
        findings(&loaded)
    );
}

#[test]
fn two_metrics_have_two_titles() {
    let (loaded, _) = load_files(&[("a.metrics", "metric a \"X\" = 1\nmetric b \"x\" = 2\n")]);

    assert_eq!(
        findings(&loaded),
        ["a.metrics: E211 [\"x\"] `x` is declared twice | rename or remove one of them"]
    );
}

#[test]
fn the_same_name_in_two_files_names_the_first() {
    let (loaded, _) = load_files(&[
        ("a.metrics", "use \"b.metrics\"\nmetric X = 1\n"),
        ("b.metrics", "\nmetric x = 1\n"),
    ]);

    assert_eq!(
        findings(&loaded),
        ["a.metrics: E211 [X] `X` is declared twice | it is declared first in `b.metrics`, line 2"]
    );
}
