//! The command line as people run it, over the corner store and the online retail data.
#![expect(clippy::unwrap_used, reason = "a test that cannot run a program has failed")]

use std::path::Path;
use std::process::Command;

/// What a run printed, and its exit code.
struct Outcome {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

/// Runs `evaluate` in the fixtures folder; arguments are separated by blanks.
fn evaluate(line: &str) -> Outcome {
    evaluate_words(&line.split_whitespace().collect::<Vec<_>>())
}

/// The same with arguments that hold blanks.
fn evaluate_words(words: &[&str]) -> Outcome {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    let output = Command::new(env!("CARGO_BIN_EXE_evaluate"))
        .args(words)
        .current_dir(fixtures)
        .output()
        .unwrap();
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A file in a folder of its own, gone when dropped.
struct Scratch(std::path::PathBuf);

impl Scratch {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("quotient-run-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    fn name(&self) -> String {
        self.0.display().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        std::fs::remove_file(&self.0).ok();
    }
}

const CORNER_FILE: &str = "stores/corner/corner.metrics";
const CORNER: &str = "stores/corner/corner.metrics --now 2026-04-01T00:00:00Z";

fn corner(line: &str) -> Outcome {
    evaluate(&format!("{CORNER} {line}"))
}

#[test]
fn answers_are_listed_by_category() {
    let outcome = corner("--from 2026-01-01 --to 2026-03-31");

    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(outcome.stdout);
}

#[test]
fn a_series_has_a_trend_and_a_comparison() {
    let outcome =
        corner("aov sales --from 2026-01-01 --to 2026-03-31 --by month --compare previous");

    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(outcome.stdout);
}

#[test]
fn groups_are_sorted_and_limited() {
    let outcome = corner("sales aov --group-by country --sort sales --limit 1 --format csv");

    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    assert_eq!(outcome.stdout.lines().count(), 2, "{}", outcome.stdout);
}

#[test]
fn json_has_exact_numbers_and_reasons() {
    let outcome = corner("aov --formula sales/0 --format json --from 2026-01-01 --to 2026-01-31");

    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(outcome.stdout);
}

#[test]
fn a_metric_is_explained_down_to_its_formulas() {
    let outcome = corner("--explain aov --from 2026-01-01 --to 2026-01-31");

    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(outcome.stdout);
}

/// November of the retail shop beside October.
fn november(line: &[&str]) -> Outcome {
    let own = ["online-retail/shop.metrics", "--from", "2011-11-01", "--to", "2011-11-30"];
    evaluate_words(&[&own, line].concat())
}

#[test]
fn a_change_is_split_over_its_inputs() {
    let outcome = november(&["--decompose", "aov"]);

    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(outcome.stdout);
}

#[test]
fn a_change_is_split_for_programs_too() {
    let outcome = november(&["--decompose", "aov", "--format", "json"]);

    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(outcome.stdout);
}

#[test]
fn two_answers_are_compared_cause_for_cause() {
    let outcome = november(&[
        "--diff",
        "aov",
        "--baseline",
        "2011-10-01..2011-10-31",
        "--where",
        "country = 'Germany'",
        "--baseline-where",
        "country = 'France'",
        "--baseline-timezone",
        "Pacific/Auckland",
    ]);

    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(outcome.stdout);
}

#[test]
fn what_could_be_written_is_listed() {
    let outcome = evaluate_words(&[
        "online-retail/shop.metrics",
        "--complete",
        "sum(sale_lines.amount where order.cust|",
    ]);

    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(outcome.stdout);
}

#[test]
fn names_that_fit_a_hole_are_listed() {
    let outcome = evaluate_words(&[CORNER_FILE, "--fits", "sales / ?", "--as", "currency"]);

    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(outcome.stdout);
}

#[test]
fn a_name_is_changed_in_the_whole_file() {
    let text = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures").join(CORNER_FILE),
    );
    let file = Scratch::new("renamed.metrics", &text.unwrap());

    let listed = evaluate(&format!("{} --rename sales=takings", file.name()));
    let written = evaluate(&format!("{} --rename sales=takings --write", file.name()));
    let check = evaluate(&format!("{} --check", file.name()));
    let again = evaluate(&format!("{} --rename sales=takings", file.name()));

    assert_eq!((listed.code, written.code, check.code), (Some(0), Some(0), Some(0)));
    assert!(listed.stdout.contains(": sales → takings\n"), "{}", listed.stdout);
    assert_eq!(listed.stdout, written.stdout);
    assert_eq!(again.code, Some(2));
    assert!(again.stderr.contains("nothing is called `sales`"), "{}", again.stderr);
}

#[test]
fn what_is_only_warned_of_is_said_beside_the_answer() {
    let file = Scratch::new(
        "warned.metrics",
        "source orders event\n    key id text\n    date at datetime\n    field status text\n",
    );
    let rows = Scratch::new("warned.csv", "id,at,status\na,2026-01-05T10:00:00Z,x\n");
    let outcome = evaluate_words(&[
        &file.name(),
        "--data",
        &format!("orders={}", rows.name()),
        "--formula",
        "count(orders where status = 'x' or status = 'y' and status = 'z')",
    ]);

    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("warning[W201]"), "{}", outcome.stderr);
    assert!(outcome.stdout.contains('1'), "{}", outcome.stdout);
}

#[test]
fn a_record_needs_no_data() {
    let record = Scratch::new("record.json", r#"{ "sales": "10.00", "order_count": 4 }"#);

    let outcome = corner(&format!("aov --context {}", record.name()));

    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    assert!(outcome.stdout.contains("$2.50"), "{}", outcome.stdout);
}

#[test]
fn what_is_not_there_is_answered_with_what_is() {
    for (line, says, hint) in [
        ("avo", "there is no metric `avo`", "did you mean `aov`?"),
        ("--group-by contry", "there is no dimension `contry`", "did you mean `country`?"),
        ("--data order=x.csv", "there is no source `order`", "did you mean `orders`?"),
        ("--from 2026-02-01 --timezone Europe/Lodon", "unknown time zone", "`Europe/London`?"),
        ("--currency EURO", "`EURO` is no currency", "three letters"),
        ("--from 2026-02-01 --to 2026-01-01", "before it starts", ""),
        ("sales --group-by country --sort aov", "not among the metrics", "add it"),
    ] {
        let outcome = corner(line);

        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "{line}");
        assert!(outcome.stderr.contains(says), "{line}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(hint), "{line}: {}", outcome.stderr);
    }
    let missing = evaluate("stores/corner/korner.metrics");
    assert_eq!(missing.code, Some(2));
    assert!(
        missing.stderr.contains("did you mean `stores/corner/corner.metrics`?"),
        "{}",
        missing.stderr
    );
}

#[test]
fn a_wrong_formula_is_marked() {
    let outcome = corner("--formula sales/ordr_count");

    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""));
    assert!(outcome.stderr.contains("error[E203]"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("^^^^^^^^^^"), "{}", outcome.stderr);
    assert!(!outcome.stderr.contains('\u{1b}'), "no colours in a pipe: {}", outcome.stderr);
}

#[test]
fn a_wrong_file_is_refused_with_all_its_findings() {
    let file = Scratch::new(
        "wrong.metrics",
        "store\n    curency USD\nmetric a = 1 +\nmetric b = 2\n    example {} = 3\n",
    );

    let run = evaluate(&file.name());
    let check = evaluate(&format!("{} --check", file.name()));

    assert_eq!((run.code, check.code), (Some(1), Some(1)));
    assert!(run.stderr.contains("E801") && run.stderr.contains("E102"), "{}", run.stderr);
    assert!(check.stderr.contains("E804"), "{}", check.stderr);
}

#[test]
fn a_broken_line_of_data_is_named_with_its_place() {
    let rows = Scratch::new(
        "orders.csv",
        "id,created_at,customer_id,country,status,total\n\
         o1,2026-01-05T10:00:00Z,c1,DE,completed,40.00\n\
         o2,2026-01-06T10:00:00Z,c1,DE,completed,forty\n",
    );
    let header = Scratch::new("header.csv", "id,created_at\n");

    let broken = corner(&format!("--data orders={}", rows.name()));
    let lacking = corner(&format!("--data orders={}", header.name()));
    let missing = corner("--data orders=none.csv");

    let codes = [broken.code, lacking.code, missing.code];
    assert_eq!(codes, [Some(3), Some(3), Some(3)], "{} {}", broken.stderr, lacking.stderr);
    let place = format!("{}:3: column `total`: `forty` is not", rows.name());
    assert!(broken.stderr.contains(&place), "{}", broken.stderr);
    assert!(lacking.stderr.contains("customer_id"), "{}", lacking.stderr);
    assert!(missing.stderr.contains("there is no such file"), "{}", missing.stderr);
}

#[test]
fn a_file_is_checked_and_printed() {
    let check = evaluate("online-retail/shop.metrics --check");
    assert_eq!(check.code, Some(0), "{}", check.stderr);
    assert!(check.stdout.ends_with("all is well\n"), "{}", check.stdout);

    let printed = evaluate("online-retail/shop.metrics --fmt");
    let file = Scratch::new("shop.metrics", &printed.stdout);
    let again = evaluate(&format!("{} --fmt", file.name()));
    assert_eq!(again.stdout, printed.stdout);
}

#[test]
fn packed_data_is_found_beside_its_formula_file() {
    let outcome = evaluate("online-retail/shop.metrics order_count --format csv");

    assert_eq!(outcome.stdout, "order_count\n19959\n");
}

#[test]
fn the_help_names_the_exit_codes() {
    let help = evaluate("--help");

    assert_eq!(help.code, Some(0));
    assert!(help.stdout.contains("Exit codes:"), "{}", help.stdout);
}
