//! Branches and named values: `IFS`, `SWITCH`, `LET`. Writing to a `String` cannot fail, so the
//! results of `write!` are dropped.

use std::fmt::Write as _;

use super::Rewrite;
use super::arguments::{LoosestOperator, call_of, parenthesized};

pub(super) fn rewrite(name: &str, arguments: &[&str]) -> Option<Rewrite> {
    match name {
        "IFS" | "MULTIIF" => Some(case(None, arguments)),
        "SWITCH" | "DECODE" => Some(match arguments {
            [subject, rest @ ..] if is_true(subject) => case(None, rest),
            [subject, rest @ ..] => case(Some(subject), rest),
            [] => case(None, &[]),
        }),
        "LET" => Some(named(arguments)),
        _ => None,
    }
}

/// `TRUE()` as the subject: each branch has a condition of its own.
fn is_true(subject: &str) -> bool {
    subject.eq_ignore_ascii_case("true")
        || call_of(subject).is_some_and(|(name, _)| name.eq_ignore_ascii_case("true"))
}

/// Writes `case when … then … end`; an unpaired last argument is the default.
fn case(subject: Option<&str>, branches: &[&str]) -> Rewrite {
    let (pairs, rest) = branches.as_chunks::<2>();
    if pairs.is_empty() {
        return Rewrite::near("case when … then … else … end");
    }
    let mut text = "case".to_owned();
    for [when, then] in pairs {
        let condition = match subject {
            Some(subject) => format!(
                "{} = {}",
                parenthesized(subject, LoosestOperator::Comparison),
                parenthesized(when, LoosestOperator::Comparison)
            ),
            None => (*when).to_owned(),
        };
        let _ = write!(text, " when {condition} then {then}");
    }
    for otherwise in rest {
        let _ = write!(text, " else {otherwise}");
    }
    text.push_str(" end");
    Rewrite::exact(text)
}

/// Writes `let name = value; …` and the formula.
fn named(arguments: &[&str]) -> Rewrite {
    let (pairs, [formula]) = arguments.as_chunks::<2>() else {
        return Rewrite { only_whole: true, ..Rewrite::near("let name = …; …") };
    };
    let mut text = String::new();
    for [name, value] in pairs {
        let _ = write!(text, "let {name} = {value}; ");
    }
    text.push_str(formula);
    Rewrite { only_whole: true, ..Rewrite::exact(text) }
}
