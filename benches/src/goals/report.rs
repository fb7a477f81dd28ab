//! The lines as an aligned table, on the terminal and in `benches/README.md`.

use std::fs;

use super::line::Measured;
use super::{Goal, Line};
use crate::Failure;

const HEADER: [&str; 8] =
    ["what", "compared with", "goal", "ratio", "quartiles", "quotient", "the other", "met"];
const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
/// The marks around the table in the file.
const MARKS: (&str, &str) = ("<!-- table: written by the benchmark -->\n", "<!-- end of table -->");

/// Prints that the answers of all contestants agree.
#[expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]
pub(crate) fn tested(lines: &[Line]) {
    let absent = lines.iter().filter(|line| line.measured.is_none()).count();
    println!("{} comparisons agree, {absent} peers not on this machine", lines.len());
}

#[expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]
pub(crate) fn print(lines: &[Line], machine: &[String]) {
    let table = table(lines);
    let widths: Vec<usize> = (0..HEADER.len()).map(|column| width(&table, column)).collect();
    println!();
    for row in &table {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        println!("{}", cells.join("  ").trim_end());
    }
    println!("\n{}", summary(lines));
    for line in machine {
        println!("{line}");
    }
}

/// Writes the table between its marks.
pub(super) fn write(lines: &[Line], machine: &[String]) -> Result<(), Failure> {
    replace(MARKS, &text(lines, machine))
}

/// Writes a text between two marks of `README.md`.
pub(crate) fn replace((start, end): (&str, &str), written: &str) -> Result<(), Failure> {
    let text = fs::read_to_string(README)?;
    let missing = || format!("README.md has no {}", start.trim());
    let (before, rest) = text.split_once(start).ok_or_else(missing)?;
    let (_, after) = rest.split_once(end).ok_or_else(|| format!("README.md has no {end}"))?;
    Ok(fs::write(README, format!("{before}{start}{written}\n{end}{after}"))?)
}

/// Formats the machine, the table, and the number of goals met.
pub(crate) fn text(lines: &[Line], machine: &[String]) -> String {
    let mut rows: Vec<String> =
        table(lines).iter().map(|row| format!("| {} |", row.join(" | "))).collect();
    rows.insert(1, "|---|---|---|--:|--:|--:|--:|---|".to_owned());
    let machine: Vec<String> = machine.iter().map(|line| format!("* {line}")).collect();
    format!("{}\n\n{}\n\n{}", machine.join("\n"), rows.join("\n"), summary(lines))
}

fn width(table: &[[String; 8]], column: usize) -> usize {
    let cells = table.iter().filter_map(|row| row.get(column));
    cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
}

fn table(lines: &[Line]) -> Vec<[String; 8]> {
    let mut table = vec![HEADER.map(str::to_owned)];
    table.extend(lines.iter().map(row));
    table
}

fn row(line: &Line) -> [String; 8] {
    let goal = match line.goal {
        Goal::Faster(times) => format!("{times}× faster"),
        Goal::Within(times) => format!("within {times}×"),
        Goal::Under(time) => format!("under {time:?}"),
        Goal::Shown => "–".to_owned(),
    };
    let met = match line.is_met() {
        Some(true) => "yes",
        Some(false) => "no",
        None => "–",
    };
    let [what, against, met] = [line.what.clone(), line.against.clone(), met.to_owned()];
    let Some(Measured { reached, ours, theirs }) = line.measured else {
        let [dash, other, another] = [(); 3].map(|()| "–".to_owned());
        return [what, against, goal, "not on this machine".to_owned(), dash, other, another, met];
    };
    let (measured, spread) = if theirs.is_some() {
        (format!("{:.2}×", reached.median), format!("{:.2} … {:.2}", reached.low, reached.high))
    } else {
        (time(reached.median), format!("{} … {}", time(reached.low), time(reached.high)))
    };
    let theirs = theirs.map_or_else(|| "–".to_owned(), time);
    [what, against, goal, measured, spread, time(ours), theirs, met]
}

/// Formats a time with three digits and a unit.
#[expect(clippy::float_arithmetic, reason = "a time is a measurement, not money")]
fn time(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        value if value < 1e3 => (value, "ns"),
        value if value < 1e6 => (value / 1e3, "µs"),
        value => (value / 1e6, "ms"),
    };
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$} {unit}")
}

fn summary(lines: &[Line]) -> String {
    let judged: Vec<bool> = lines.iter().filter_map(Line::is_met).collect();
    let met = judged.iter().filter(|met| **met).count();
    let absent = lines.iter().filter(|line| line.measured.is_none()).count();
    let absent = match absent {
        0 => String::new(),
        count => format!("; {count} peers are not on this machine"),
    };
    format!("{met} of {} goals met{absent}.", judged.len())
}
