//! `docs/FUNCTIONS.md` and `docs/ERRORS.md` are written from the tables that the engine itself reads.

use crate::invalid_formulas;
use std::fmt::Write;

use crate::generated_files::difference;
use quotient::diagnostics::{Code, CodeInfo, Severity};
use quotient::functions::{ALL, Family, FunctionSpec};

/// The head of the file of functions.
const FUNCTIONS_HEAD: &str = "\
# Functions

Generated from the code by `INSTA_UPDATE=always cargo test -p quotient-tests documents`; do not edit.

Names are case-insensitive. Arguments are positional or named: `round(x, digits: 2)`. In a signature,
`= 0` is a default value, and `…` may be repeated. The examples are computed over the corner shop of
`fixtures/stores/corner`, for February 2026, as of 15 March 2026.
";

/// The head of the file of codes.
const ERRORS_HEAD: &str = "\
# Errors and warnings

Generated from the code by `INSTA_UPDATE=always cargo test -p quotient-tests documents`; do not edit.

Codes are stable. `E…` is an error, which rejects the formula. `W…` is a warning: the formula runs, but may
not mean what was intended. Below each code are the invalid formulas of `fixtures/formulas/error`, as a
terminal shows them.
";

/// The chapters of the file of functions, in order.
const FAMILIES: [(Family, &str, &str); 8] = [
    (Family::Aggregates, "Aggregates", "Aggregation of many rows to one value."),
    (Family::Windows, "Windows", "The same formula in another period."),
    (Family::Groups, "Groups", "Comparisons between the groups of a result."),
    (Family::Numbers, "Numbers", "Arithmetic and rounding."),
    (Family::Conditions, "Conditions", "Conditional values and null handling."),
    (Family::Time, "Time", "Dates, instants and durations."),
    (Family::Texts, "Texts", "Text functions."),
    (Family::Lists, "Lists", "Several values from a context record."),
];

/// The chapters of the file of codes, by the codes' first digit.
const KINDS: [(&str, &str); 9] = [
    ("E1", "Syntax"),
    ("E2", "Names and arguments"),
    ("E3", "Types and units"),
    ("E4", "Rows, aggregates and dates"),
    ("E5", "Context records and comparisons"),
    ("E6", "Dependencies between metrics"),
    ("E7", "Limits"),
    ("E8", "Formula files"),
    ("W", "Warnings"),
];

#[test]
fn the_manual_of_functions_is_as_the_code_says() {
    let mut text = FUNCTIONS_HEAD.to_owned();
    contents(&mut text).expect("text grows");
    for (family, title, summary) in FAMILIES {
        write!(text, "\n## {title}\n\n{summary}\n").expect("text grows");
        for spec in of(family) {
            function(&mut text, spec).expect("text grows");
        }
    }

    let wrong = difference("docs/FUNCTIONS.md", &text);
    assert_eq!(wrong, None);
}

#[test]
fn the_manual_of_codes_is_as_the_code_says() {
    let drawn: Vec<_> = invalid_formulas::all();
    let mut text = ERRORS_HEAD.to_owned();
    for (start, title) in KINDS {
        write!(text, "\n## {title}\n").expect("text grows");
        for info in Code::ALL.iter().filter(|info| info.code.as_str().starts_with(start)) {
            code(&mut text, info, &drawn).expect("text grows");
        }
    }
    let shown = text.matches("\n### ").count();

    assert_eq!(shown, Code::ALL.len(), "a code belongs to no chapter");
    let wrong = difference("docs/ERRORS.md", &text);
    assert_eq!(wrong, None);
}

fn of(family: Family) -> impl Iterator<Item = &'static FunctionSpec> {
    ALL.iter().copied().filter(move |spec| spec.family == family)
}

/// A line for each family, its functions linked.
fn contents(text: &mut String) -> std::fmt::Result {
    writeln!(text)?;
    for (family, title, _) in FAMILIES {
        let links: Vec<_> = of(family).map(|spec| format!("[`{0}`](#{0})", spec.name)).collect();
        writeln!(text, "- [{title}](#{}): {}", title.to_lowercase(), links.join(", "))?;
    }
    Ok(())
}

fn function(text: &mut String, spec: &FunctionSpec) -> std::fmt::Result {
    let FunctionSpec { name, aliases, signature, summary, details, examples, exact, .. } = spec;
    write!(text, "\n### {name}\n\n```formula\n{signature}\n```\n\n{summary}\n\n{details}\n")?;
    if !exact {
        writeln!(text, "\nResults are rounded, to 28 digits at most, and marked as not exact.")?;
    }
    if !aliases.is_empty() {
        let spelt: Vec<_> = aliases.iter().map(|alias| format!("`{alias}`")).collect();
        writeln!(text, "\nAlso written {}.", spelt.join(", "))?;
    }
    writeln!(text, "\n| formula | result |\n|---|---|")?;
    for example in *examples {
        let formula = example.formula.replace('|', "\\|");
        writeln!(text, "| `{formula}` | {} |", example.result.replace('|', "\\|"))?;
    }
    Ok(())
}

fn code(
    text: &mut String,
    info: &CodeInfo,
    drawn: &[invalid_formulas::InvalidFormula],
) -> std::fmt::Result {
    let CodeInfo { code, title, explanation } = info;
    let severity = match code.severity() {
        Severity::Error => "",
        Severity::Warning => " (warning)",
    };
    write!(text, "\n### {code}: {title}{severity}\n\n{explanation}\n")?;
    for case in drawn.iter().filter(|case| case.code == code.as_str()) {
        write!(text, "\n```text\n{}```\n", case.drawn())?;
    }
    Ok(())
}
