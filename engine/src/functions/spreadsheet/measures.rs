//! DAX measures: `CALCULATE` and its date functions.

use super::Rewrite;
use super::arguments::{ArgumentPiece, LoosestOperator, call_of, loosest_operator, pieces};
use super::conditional::{joined, narrowed};
use super::dates;
use crate::functions::{Behaviour, find};

pub(super) fn rewrite(name: &str, arguments: &[&str]) -> Option<Rewrite> {
    if name == "CALCULATE" {
        return Some(match arguments {
            [value, filters @ ..] => calculated(value, filters),
            [] => Rewrite::near("(… where …)"),
        });
    }
    let to_date = match name {
        "TOTALYTD" => "ytd",
        "TOTALQTD" => "qtd",
        "TOTALMTD" => "mtd",
        _ => return window(name, arguments, "…").map(Rewrite::near),
    };
    Some(match arguments {
        [value] | [value, _] => Rewrite::exact(format!("{to_date}({value})")),
        [value, ..] => Rewrite::near(format!("{to_date}({value})")),
        [] => Rewrite::near(format!("{to_date}(…)")),
    })
}

/// Applies a DAX date function to a value as a window.
fn window(name: &str, arguments: &[&str], value: &str) -> Option<String> {
    Some(match name.to_ascii_uppercase().as_str() {
        "SAMEPERIODLASTYEAR" | "PREVIOUSYEAR" => format!("last_year({value})"),
        "PREVIOUSMONTH" => format!("last_month({value})"),
        "PREVIOUSQUARTER" => format!("shift({value}, -1 quarter)"),
        "PREVIOUSDAY" => format!("shift({value}, -1 day)"),
        "DATESYTD" => format!("ytd({value})"),
        "DATESQTD" => format!("qtd({value})"),
        "DATESMTD" => format!("mtd({value})"),
        "DATEADD" | "PARALLELPERIOD" => {
            let span = match arguments {
                [_, count, unit] => dates::span(count, unit),
                _ => None,
            };
            format!("shift({value}, {})", span.unwrap_or_else(|| "…".to_owned()))
        }
        "ALL" | "ALLSELECTED" | "REMOVEFILTERS" | "ALLEXCEPT" => format!("total({value})"),
        _ => return None,
    })
}

fn calculated(value: &str, filters: &[&str]) -> Rewrite {
    let mut conditions = Vec::new();
    let mut windows = Vec::new();
    for filter in filters {
        match call_of(filter) {
            Some((name, inner)) if window(name, &inner, "").is_some() => {
                windows.push((name, inner));
            }
            Some(("FILTER" | "filter" | "Filter", inner)) => {
                conditions.extend(inner.get(1).map(|condition| (*condition).to_owned()));
            }
            _ => conditions.push((*filter).to_owned()),
        }
    }
    let mut rewrite = filtered(value, &conditions);
    for (name, inner) in windows {
        if let Some(text) = window(name, &inner, &rewrite.text) {
            rewrite.complete &= !text.contains('…');
            rewrite.text = text;
        }
    }
    rewrite
}

fn filtered(value: &str, conditions: &[String]) -> Rewrite {
    if conditions.is_empty() {
        return Rewrite::exact(value);
    }
    let are_conditions = conditions
        .iter()
        .all(|condition| loosest_operator(condition) >= LoosestOperator::Comparison);
    let rewrite = match call_of(value) {
        Some((name, inner)) if is_plain_aggregate(name, &inner) => {
            narrowed(&name.to_ascii_lowercase(), &inner.concat(), conditions)
        }
        _ => Rewrite::exact(format!("({value} where {})", joined(conditions))),
    };
    Rewrite { complete: rewrite.complete && are_conditions, ..rewrite }
}

/// Returns whether the call is an aggregate of one argument without a condition.
fn is_plain_aggregate(name: &str, arguments: &[&str]) -> bool {
    let [argument] = arguments else { return false };
    let is_aggregate =
        find(name).is_some_and(|spec| matches!(spec.behaviour, Behaviour::Aggregate(_)));
    let has_clause = pieces(argument).iter().any(|piece| {
        matches!(piece, ArgumentPiece::Word(word)
            if ["where", "per", "dated"].iter().any(|clause| word.eq_ignore_ascii_case(clause)))
    });
    is_aggregate && !has_clause
}
