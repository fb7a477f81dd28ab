//! `SUMIF` and related functions: an aggregate with `where`.

use super::Rewrite;
use super::arguments::{
    ArgumentPiece, LoosestOperator, loosest_operator, parenthesized, pieces, quoted, source_of,
    unquoted, without_source,
};
use crate::number;

pub(super) fn rewrite(name: &str, arguments: &[&str]) -> Option<Rewrite> {
    let rewrite = match name {
        "SUMIF" => single("sum", arguments),
        "SUMIFS" => plural("sum", arguments),
        "AVERAGEIF" | "AVGIF" => single("avg", arguments),
        "AVERAGEIFS" => plural("avg", arguments),
        "MEDIANIF" => single("median", arguments),
        "MINIF" => single("min", arguments),
        "MINIFS" => plural("min", arguments),
        "MAXIF" => single("max", arguments),
        "MAXIFS" => plural("max", arguments),
        "COUNTIF" | "COUNTIFS" | "COUNT_IF" => counting(arguments),
        _ => return None,
    };
    Some(Rewrite { aggregate: true, ..rewrite })
}

fn unfinished(function: &str, values: &str) -> Rewrite {
    Rewrite::near(format!("{function}({values} where …)"))
}

/// Rewrites `SUMIF(range, criterion, values)`.
fn single(function: &str, arguments: &[&str]) -> Rewrite {
    match arguments {
        // The ClickHouse form: the values, then a condition.
        [values, condition] if loosest_operator(condition) >= LoosestOperator::Comparison => {
            narrowed(function, values, &[(*condition).to_owned()])
        }
        [range, criterion] => with_pairs(function, range, &[range, criterion]),
        [range, criterion, values] => with_pairs(function, values, &[range, criterion]),
        [values, ..] => unfinished(function, values),
        [] => unfinished(function, "…"),
    }
}

/// Rewrites `SUMIFS(values, range, criterion, …)`.
fn plural(function: &str, arguments: &[&str]) -> Rewrite {
    match arguments {
        [values, pairs @ ..] => with_pairs(function, values, pairs),
        [] => unfinished(function, "…"),
    }
}

/// Rewrites `COUNTIF(range, criterion, …)`.
fn counting(arguments: &[&str]) -> Rewrite {
    let Some(source) = arguments.first().and_then(|first| source_of(first)) else {
        let conditions = conditions(arguments).unwrap_or_default().join(" and ");
        let conditions = if conditions.is_empty() { "…".to_owned() } else { conditions };
        return Rewrite::near(format!("count(… where {conditions})"));
    };
    match arguments {
        [condition] if loosest_operator(condition) >= LoosestOperator::Comparison => {
            narrowed("count", source, &[(*condition).to_owned()])
        }
        pairs => with_pairs("count", source, pairs),
    }
}

fn with_pairs(function: &str, values: &str, pairs: &[&str]) -> Rewrite {
    match conditions(pairs) {
        Some(conditions) => narrowed(function, values, &conditions),
        None => unfinished(function, values),
    }
}

/// Writes `function(values where conditions)`; the conditions omit the source of the values.
pub(super) fn narrowed(function: &str, values: &str, conditions: &[String]) -> Rewrite {
    let source = source_of(values).unwrap_or(values);
    let of_one_source = conditions.iter().all(|condition| {
        source_of(condition).is_none_or(|other| other.eq_ignore_ascii_case(source))
    });
    let conditions: Vec<String> =
        conditions.iter().map(|condition| without_source(condition, source)).collect();
    let text = format!("{function}({values} where {})", joined(&conditions));
    if of_one_source { Rewrite::exact(text) } else { Rewrite::near(text) }
}

/// Joins the conditions by `and`.
pub(super) fn joined(conditions: &[String]) -> String {
    match conditions {
        [only] => only.clone(),
        several => several
            .iter()
            .map(|condition| parenthesized(condition, LoosestOperator::Logic))
            .collect::<Vec<_>>()
            .join(" and "),
    }
}

/// Returns the condition of each range and criterion; `None` if a criterion is missing or there are
/// no pairs.
fn conditions(pairs: &[&str]) -> Option<Vec<String>> {
    let (pairs, rest) = pairs.as_chunks::<2>();
    if pairs.is_empty() || !rest.is_empty() {
        return None;
    }
    Some(pairs.iter().map(|[range, criterion]| condition(range, criterion)).collect())
}

fn condition(range: &str, criterion: &str) -> String {
    let range = parenthesized(range, LoosestOperator::Arithmetic);
    if let Some(text) = unquoted(criterion) {
        return compared(&range, &text);
    }
    // `">" & limit`: the operator is a text, the operand is not.
    let pieces = pieces(criterion);
    if let Some(ArgumentPiece::Quoted(operator)) = pieces.first()
        && let Some(rest) = criterion.strip_prefix(operator)
        && let Some(value) = rest.trim_start().strip_prefix('&')
        && let Some((operator, "")) = unquoted(operator).as_deref().and_then(split_operator)
    {
        let value = parenthesized(value.trim(), LoosestOperator::Comparison);
        return format!("{range} {operator} {value}");
    }
    format!("{range} = {}", parenthesized(criterion, LoosestOperator::Comparison))
}

/// Converts a criterion such as `>=100`, `<>`, `A*` or plain text.
fn compared(range: &str, criterion: &str) -> String {
    let (operator, value) = split_operator(criterion).unwrap_or(("=", criterion));
    match (operator, value) {
        ("=", "") => return format!("{range} is null"),
        ("!=", "") => return format!("{range} is not null"),
        _ => {}
    }
    if matches!(operator, "=" | "!=") && value.contains(['*', '?']) {
        let not = if operator == "=" { "" } else { "not " };
        let pattern = value.replace('*', "%").replace('?', "_");
        return format!("{range} {not}like {}", quoted(&pattern));
    }
    format!("{range} {operator} {}", literal(value))
}

fn split_operator(criterion: &str) -> Option<(&'static str, &str)> {
    const OPERATORS: [(&str, &str); 7] = [
        (">=", ">="),
        ("<=", "<="),
        ("<>", "!="),
        ("!=", "!="),
        (">", ">"),
        ("<", "<"),
        ("=", "="),
    ];
    OPERATORS.into_iter().find_map(|(written, operator)| {
        criterion.trim_start().strip_prefix(written).map(|value| (operator, value.trim()))
    })
}

/// Converts the text of a criterion to a literal: a number, a percentage, a day, a Boolean, or a
/// text.
fn literal(text: &str) -> String {
    let digits = text.strip_suffix('%').unwrap_or(text);
    if number::parse(digits).is_some() {
        return text.to_owned();
    }
    if text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false") {
        return text.to_ascii_lowercase();
    }
    if text.parse::<jiff::civil::Date>().is_ok() && text.len() == "2026-01-31".len() {
        return format!("@{text}");
    }
    quoted(text)
}
