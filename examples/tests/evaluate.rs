//! The command line as people run it, over the corner store and the online retail data.
#![expect(clippy::unwrap_used, reason = "a test that cannot run a program has failed")]

use std::path::Path;

use crate::commands::{Outcome, Scratch, evaluate, evaluate_words};

const CORNER_FILE: &str = "stores/corner/corner.metrics";
const CORNER: &str = "stores/corner/corner.metrics --now 2026-04-01T00:00:00Z";

fn corner(line: &str) -> Outcome {
    evaluate(&format!("{CORNER} {line}"))
}

#[test]
fn the_present_is_known_to_the_second() {
    let outcome = evaluate("stores/corner/corner.metrics --from 2026 --to 9998");
    let (first, _) = outcome.stdout.split_once('\n').unwrap();
    let (_, present) = first.split_once("known until ").unwrap();
    assert_eq!(present.len(), "2026-03-15T12:30:00".len(), "{first}");
}

#[test]
fn metrics_and_dimensions_are_listed() {
    let outcome = corner("--list");

    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(outcome.stdout);
    let one = corner("--list aov").stdout;
    assert_eq!(one.lines().count(), 2, "{one}");
}

#[test]
fn periods_are_named_by_months_and_by_their_length() {
    let days = corner("sales --from 2026-01-01 --to 2026-02-28").stdout;
    assert_eq!(corner("sales --from 2026-01 --to 2026-02").stdout, days);
    let to_march = "sales --now 2026-03-10T12:00:00Z";
    let ten = corner(&format!("{to_march} --from 2026-03-01 --to 2026-03-10")).stdout;
    assert_eq!(corner(&format!("{to_march} --last 10d")).stdout, ten);
    let months = corner(&format!("{to_march} --from 2026-01-11 --to 2026-03-10")).stdout;
    assert_eq!(corner(&format!("{to_march} --last 2m")).stdout, months);
    let two = corner("sales --now 2026-02-28T12:00:00Z --from 2026-01 --to 2026-02").stdout;
    assert_eq!(corner("sales --now 2026-02-28T12:00:00Z --last 2m").stdout, two);
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
    let outcome = corner("sales aov --group-by country --top 1 --sort sales --format csv");

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

/// November of the retail shop compared with October.
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

const NOVEMBER: &str =
    "online-retail/shop.metrics --from 2011-11-01 --to 2011-11-30 --now 2012-01-01T00:00:00Z";

/// November of the shop, with arguments that contain blanks.
fn november_of(words: &[&str]) -> String {
    let words: Vec<&str> = NOVEMBER.split_whitespace().chain(words.iter().copied()).collect();
    let outcome = evaluate_words(&words);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    outcome.stdout
}

#[test]
fn the_largest_groups_are_above_the_others_and_the_total() {
    let groups = ["--group-by", "country", "--top", "3 by gross_revenue with others", "--totals"];
    let metrics = ["gross_revenue", "revenue_share", "aov"];

    insta::assert_snapshot!(november_of(&[&metrics[..], &groups].concat()));
}

#[test]
fn expressions_dimensions_and_buckets_are_crossed() {
    let size = "if(amount > 500 GBP, 'big', 'small') as size, country";
    let near =
        ["--where", "country in (:one, :two)", "--param", "one=Germany", "--param", "two=France"];
    let crossed = ["order_count", "--group-by", size, "--totals", "--pivot"];
    let weeks = ["gross_revenue", "aov", "--group-by", "country", "--by", "week", "--pivot"];

    insta::assert_snapshot!(november_of(&[&crossed[..], &near].concat()));
    insta::assert_snapshot!(november_of(&[&weeks[..], &near, &["--format", "csv"]].concat()));
}

#[test]
fn groups_are_chosen_by_a_condition_and_sorted_by_several_keys() {
    let having = ["--having", "aov > :least and order_count < 5", "--param", "least=600 GBP"];
    let groups =
        ["--group-by", "country", "--sort", "order_count desc, country", "--format", "csv"];

    assert_eq!(
        november_of(&[&["order_count"][..], &having, &groups].concat()),
        "country,order_count\nAustria,2\nDenmark,2\nJapan,2\nPoland,2\nMalta,1\n"
    );
}

#[test]
fn a_condition_that_is_wrong_is_shown_in_its_own_text() {
    for (option, condition, code, shown) in [
        ("--where", "countri = 'Germany'", 1, "did you mean `country`?"),
        ("--where", "country = :country", 1, "give the parameter `country` a value"),
        ("--where", "country = ", 1, "a value is missing"),
        ("--having", "aovv > 1", 1, "did you mean `aov`?"),
        ("--having", "aov", 1, "a condition is true or false"),
        ("--top", "many", 2, "expected a number of groups"),
        ("--param", "land=Germany", 2, "no condition has the parameter `:land`"),
    ] {
        let words = ["aov", "--group-by", "country", option, condition];
        let words: Vec<&str> = NOVEMBER.split_whitespace().chain(words).collect();
        let outcome = evaluate_words(&words);
        assert_eq!(outcome.code, Some(code), "{condition}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(shown), "{condition}: {}", outcome.stderr);
    }
}

#[test]
fn completions_are_listed() {
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
    let file = Scratch::new("renamed.metrics", text.unwrap());

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
fn warnings_are_printed_beside_the_answer() {
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
fn unknown_names_are_answered_with_known_ones() {
    for (line, says, hint) in [
        ("avo", "there is no metric `avo`", "did you mean `aov`?"),
        ("--group-by contry", "there is no dimension `contry`", "did you mean `country`?"),
        ("--data order=x.csv", "there is no source `order`", "did you mean `orders`?"),
        ("--from 2026-02-01 --timezone Europe/Lodon", "unknown time zone", "`Europe/London`?"),
        ("--currency EURO", "`EURO` is no currency", "three letters"),
        ("--from 2026-02-01 --to 2026-01-01", "before it starts", ""),
        ("sales --group-by country --sort aov", "not among the metrics", "add it"),
        ("sales --group-by country --sort nope", "not among the metrics", "by sales, country"),
        ("sales --group-by status", "no dimension `status`", "did you mean `orders.status`?"),
        ("sales --from feb", "expected a day or a month", "2011-10"),
        ("sales --last month", "expected a number and d, w, m, q or y", "30d"),
        ("sales --last 30d --from 2026-01-01", "cannot be used with", ""),
        ("--list --formula sales", "cannot be used with", ""),
        ("--explain aov --format csv", "answers in rows", "--format json"),
    ] {
        let outcome = corner(line);

        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "{line}");
        assert!(outcome.stderr.contains(says), "{line}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(hint), "{line}: {}", outcome.stderr);
    }
    let dated = evaluate("stores/corner/corner.metrics --now 2026-03-01");
    assert_eq!(dated.code, Some(2));
    assert!(dated.stderr.contains("expected an instant, for example"), "{}", dated.stderr);
    let missing = evaluate("stores/corner/korner.metrics");
    assert_eq!(missing.code, Some(2));
    assert!(
        missing.stderr.contains("did you mean `stores/corner/corner.metrics`?"),
        "{}",
        missing.stderr
    );
}

#[test]
fn names_are_looked_up_before_files_are_read() {
    let file = Scratch::new(
        "unread.metrics",
        "source o event from \"there_is_no.csv\"\n    key id text\n    date at datetime\n\
         metric n = count(o)\n",
    );
    for (words, code) in [
        ("nope", 2),
        ("n --group-by nope", 2),
        ("n --group-by o.id --sort nope", 2),
        ("--explain nope", 2),
        ("--formula 1+1", 0),
        ("n", 3),
    ] {
        let outcome = evaluate(&format!("{} {words}", file.name()));
        assert_eq!(outcome.code, Some(code), "{words}: {}", outcome.stderr);
    }
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
    assert!(check.stderr.ends_with("\n3 errors\n"), "{}", check.stderr);
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
fn a_month_with_partial_data_is_compared_with_the_same_number_of_days() {
    let december = "online-retail/shop.metrics order_count --from 2011-12-01 --to 2011-12-31";
    let over = |rest: &str| evaluate(&format!("{december} {rest}")).stdout;

    let before = over("--compare previous");
    assert!(before.contains("known until 2011-12-10T00:00:00"), "{before}");
    assert!(
        before.contains("819") && before.contains("781") && before.contains("4.9%"),
        "{before}"
    );
    let year = over("--compare last_year");
    assert!(year.contains("834") && year.contains("-1.8%"), "{year}");
    assert_eq!(over("--format csv"), "order_count,as_of\n819,2011-12-10T00:00:00\n");
    let json: serde_json::Value = serde_json::from_str(&over("--format json")).unwrap();
    let period = serde_json::json!({
        "from": "2011-12-01", "to": "2011-12-31", "partial": true, "as_of": "2011-12-10T00:00:00Z"
    });
    assert_eq!(json["period"], period);
    assert_eq!(json["rows"][0]["values"]["order_count"]["period"], period);
}

/// A store with one row a day, and a request to it.
fn daily(arguments: &[&str]) -> String {
    let first: jiff::civil::Date = "2026-01-01".parse().unwrap();
    let days = first.series(jiff::Span::new().days(1)).take(69);
    let rows: Vec<String> = days.map(|day| format!("{day},{day} 12:00:00\n")).collect();
    let rows = Scratch::new("days.csv", format!("id,at\n{}", rows.concat()));
    let file = format!(
        "source o event from \"{}\"\n    key id text\n    date at datetime\n    \
         covers @2026-01-01 to @2026-03-10\nmetric n = count(o)\nmetric g = growth(n)\n",
        rows.name()
    );
    let file = Scratch::new("daily.metrics", &file);
    let name = file.name();
    let words: Vec<&str> =
        std::iter::once(name.as_str()).chain(arguments.iter().copied()).collect();
    let outcome = evaluate_words(&words);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    outcome.stdout
}

#[test]
fn every_window_ends_where_the_data_does() {
    let march = ["--from", "2026-03-01", "--to", "2026-03-31", "--now", "2026-04-15T00:00:00Z"];
    let formulas = ["g", "trailing(n, 7 days)", "n / days_in(period)", "avg(n per day)"];
    let mut words: Vec<&str> = formulas.iter().flat_map(|text| ["--formula", *text]).collect();
    words.extend(march);
    words.extend(["--format", "csv"]);

    assert_eq!(daily(&words).lines().last(), Some("0,7,1,1,2026-03-11T00:00:00"));
}

#[test]
fn a_period_that_has_not_begun_is_null_and_invisible_to_windows() {
    let formulas =
        ["n", "lifetime(n)", "running(n)", "trailing(n, 7 days)", "mtd(n)", "avg(n per day)"];
    let mut words: Vec<&str> = formulas.iter().flat_map(|text| ["--formula", *text]).collect();
    words.extend(["--from", "2026-02-01", "--to", "2026-03-31", "--by", "month"]);
    words.extend(["--now", "2026-01-11T00:00:00Z"]);
    let json = daily(&[&words[..], &["--format", "json"]].concat());
    let csv = daily(&[&words[..], &["--format", "csv"], &["--timezone", "UTC"]].concat());

    assert!(
        csv.ends_with(
            "2026-02,,10,,7,10,,2026-01-11T00:00:00\n2026-03,,10,,7,10,,2026-01-11T00:00:00\n"
        ),
        "{csv}"
    );
    assert!(json.contains("\"null_reason\": \"not_yet\""), "{json}");
    assert!(json.contains("\"as_of\": \"2026-01-11T00:00:00Z\""), "{json}");
}

#[test]
fn a_day_at_the_end_of_a_short_month_is_compared_with_one_day() {
    let words = ["--formula", "last_month(n)", "--from", "2026-02-28", "--to", "2026-02-28"];

    assert_eq!(daily(&[&words[..], &["--format", "csv"]].concat()), "last_month(n)\n1\n");
}

#[test]
fn the_shop_is_shown_by_day() {
    let outcome = evaluate("online-retail/shop.metrics --by day --format csv");

    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    assert_eq!(outcome.stdout.lines().count(), 375);
    assert!(outcome.stdout.contains("\n2011-12-09,"), "{}", outcome.stdout);
}

#[test]
fn a_metric_that_exceeds_a_limit_is_named_and_the_others_are_answered() {
    let shop = "online-retail/shop.metrics";
    let formula = ["--formula", "avg(count(orders) per minute)", "--format", "csv"];
    let outcome = evaluate_words(&[&[shop, "order_count"][..], &formula].concat());

    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("avg(count(orders) per minute)"), "{}", outcome.stderr);
    assert_eq!(outcome.stdout, "order_count\n19959\n");

    let alone = evaluate_words(&[&[shop][..], &formula].concat());
    assert_eq!((alone.code, alone.stdout.as_str()), (Some(1), ""));
    for part in ["E707", "more than 20000 minutes"] {
        assert!(alone.stderr.contains(part), "{}", alone.stderr);
    }
}

#[test]
fn the_help_names_the_exit_codes() {
    let help = evaluate("--help");

    assert_eq!(help.code, Some(0));
    assert!(help.stdout.contains("Exit codes:"), "{}", help.stdout);
}
