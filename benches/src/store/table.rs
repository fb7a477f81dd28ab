//! The table of the size of the rollups, and the output of both tables.

#![expect(clippy::float_arithmetic, reason = "sizes and their ratios are measurements, not money")]

use super::effort::{FEW, MANY};
use super::served::Counted;
use crate::Failure;
use crate::goals::{Line, report};

/// The marks around the tables in `README.md`.
const MARKS: (&str, &str) = ("<!-- store: written by the benchmark -->\n", "<!-- end of store -->");

/// The goal for the size of the rollups, in per cent of the rows.
const SHARE_MAX: f64 = 2.0;
const MIB: f64 = 1_048_576.0;

#[expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]
pub(super) fn print(counted: &[Counted]) {
    println!("\n{}", text(counted));
}

/// Writes the tables between their marks.
pub(super) fn write(
    lines: &[Line],
    machine: &[String],
    counted: &[Counted],
) -> Result<(), Failure> {
    report::replace(MARKS, &format!("{}\n\n{}\n", report::text(lines, machine), text(counted)))
}

fn text(counted: &[Counted]) -> String {
    let row = |what: &str, of: &dyn Fn(Counted) -> String, goal: &str| {
        let mut own: Vec<String> = counted.iter().map(|counted| of(*counted)).collect();
        own.resize(2, "–".to_owned());
        format!("| {what} | {} | {goal} |", own.join(" | "))
    };
    let mib = |bytes: i64| format!("{:.1} MiB", number(bytes) / MIB);
    let share = |counted: Counted, of: i64| number(counted.rollups) / number(of) * 100.0;
    let judged = |counted: Counted| {
        let share = share(counted, counted.rows);
        format!("{share:.1} %, {}", if share <= SHARE_MAX { "met" } else { "not met" })
    };
    [
        format!("| the rollups of a store | {FEW} | {MANY} | goal |"),
        "|---|--:|--:|--:|".to_owned(),
        row("built from the rows in", &|own| format!("{:.1} s", own.wall.as_secs_f64()), "–"),
        row("in processor time", &|own| format!("{:.1} s", own.cpu.as_secs_f64()), "–"),
        row("orders and their lines", &|own| mib(own.rows), "–"),
        row("the same with their indexes", &|own| mib(own.indexed), "–"),
        row("rollups with their indexes", &|own| mib(own.rollups), "–"),
        row("rollups beside orders and lines", &judged, &format!("{SHARE_MAX} %")),
        row(
            "rollups beside orders and lines with their indexes",
            &|own| format!("{:.1} %", share(own, own.indexed)),
            "–",
        ),
    ]
    .join("\n")
}

/// Converts bytes to a float for a ratio.
fn number(bytes: i64) -> f64 {
    i32::try_from(bytes / 1_024).map_or(f64::NAN, f64::from) * 1_024.0
}
