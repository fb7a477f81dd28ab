//! Sources that do not cover all days, and the results for single days.

use std::fmt::Write;

use super::shop::{Shop, TestRequest, check_all};

const FILE: &str = "
source visits event
    key id text
    date at datetime
    covers @2026-01-10 to @2026-01-20
    field country text

dimension country
    visits country
";

fn shop() -> Shop {
    let rows = "id,at,country\nv1,2026-01-12 00:00:00,DE\nv2,2026-01-15 00:00:00,FR";
    Shop::new(FILE, &[("visits", rows)])
}

#[test]
fn values_over_days_or_keys_are_null_outside_of_the_coverage() {
    let shop = shop();
    let formulas = [
        "sum(count(visits) per day)",
        "avg(count(visits) per week)",
        "sum(count(visits) per country)",
        "max(count(visits) per day, country)",
        "count(count(visits) per country)",
    ];
    let uncovered = formulas.map(|formula| (formula, "null(no_coverage)"));
    check_all(&uncovered, |formula| shop.over(formula, "2026-01-01", "2026-01-09"));
    check_all(&uncovered, |formula| shop.over(formula, "2026-01-21", "2026-01-31"));
    // A day of the period is covered, without any rows.
    check_all(
        &[
            ("sum(count(visits) per day)", "0"),
            ("sum(count(visits) per country)", "0"),
            ("avg(count(visits) per day)", "0"),
            ("avg(count(visits) per country)", "null(no_rows)"),
        ],
        |formula| shop.over(formula, "2026-01-09", "2026-01-10"),
    );
}

#[test]
fn a_group_without_rows_of_its_own_is_null_where_none_is_covered() {
    let by_country = TestRequest {
        days: Some(("2026-01-01", "2026-01-31")),
        by: Some(crate::calendar::TimeUnit::Week),
        group_by: vec!["country"],
        ..TestRequest::default()
    };
    let answer = shop().ask("sum(count(visits) per country)", &by_country);
    assert_eq!(
        answer.grouped(),
        "DE=null(no_coverage) FR=null(no_coverage) DE=0 FR=0 DE=1 FR=1 DE=0 FR=0 \
         DE=null(no_coverage) FR=null(no_coverage)"
    );
}

#[test]
fn a_doubling_chain_of_metrics_is_searched_once_for_coverage() {
    let mut file = format!("{FILE}\nmetric m0 = count(visits)\n");
    for number in 1..=60 {
        let before = number - 1;
        writeln!(file, "metric m{number} = m{before} + m{before}").unwrap();
    }
    let shop = Shop::new(&file, &[("visits", "id,at,country\nv1,2026-01-12 00:00:00,DE")]);
    let formula = "sum(m60 per country)";
    assert_eq!(shop.over(formula, "2026-01-01", "2026-01-09"), "null(no_coverage)");
}
