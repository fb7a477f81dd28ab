//! What a cell of the wrong type probably means, and how to have it read.

use rust_decimal::Decimal;

use super::read::ColumnReader;
use crate::calendar::TimeUnit;
use crate::number::{self, to_plain};

/// What other programs write for missing values, in lower case.
const NULLS: [&str; 12] =
    ["null", "(null)", "nan", "n/a", "#n/a", "na", "none", "nil", "undefined", "-", "--", "\\n"];

/// Returns what to do about a cell that `reader` rejects; `None` if unknown.
pub(super) fn help(reader: &ColumnReader, cell: &str) -> Option<String> {
    let inner = cell.trim();
    if inner.is_empty() {
        return Some("leave the cell empty if it has no value".to_owned());
    }
    if NULLS.contains(&inner.to_lowercase().as_str()) {
        return Some(format!("if it means a missing value, declare it: null \"{cell}\""));
    }
    if inner != cell && reader.reads(inner) {
        return Some(format!("remove the blanks: `{inner}`"));
    }
    match reader {
        ColumnReader::Number(_) => of_number(inner),
        ColumnReader::Instant(_) | ColumnReader::Date(_)
            if inner.len() > 8 && inner.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            Some("Unix time is not supported".to_owned())
        }
        ColumnReader::Bool(_) => Some("write true, false, yes, no, 1 or 0".to_owned()),
        ColumnReader::Instant(_) | ColumnReader::Date(_) | ColumnReader::Text(_) => None,
    }
}

fn of_number(cell: &str) -> Option<String> {
    if let Some(number) = number::parse_scientific(cell) {
        return Some(format!("write it without an exponent: {}", to_plain(number)));
    }
    if let Some(percent) = cell.strip_suffix('%').and_then(|digits| number::parse(digits.trim())) {
        let share = number::divide(percent, Decimal::ONE_HUNDRED).ok()?;
        return Some(format!("write a percentage as a fraction: {}", to_plain(share)));
    }
    let joined = without_separators(cell);
    if let Some(number) = joined.and_then(|digits| number::parse(&digits)) {
        return Some(format!(
            "write it without thousands separators and with a decimal point: {}",
            to_plain(number)
        ));
    }
    if let Some(seconds) = in_seconds(cell) {
        return Some(format!("write a length of time as its seconds: {}", to_plain(seconds)));
    }
    let is_unit = |letter: char| {
        letter.is_alphabetic()
            || letter.is_whitespace()
            || ['$', '€', '£', '¥', '\''].contains(&letter)
    };
    let digits = cell.trim_matches(is_unit);
    if digits.len() < cell.len() && number::parse(digits).is_some() {
        return Some(format!(
            "write only the number, {digits}; the type of the field gives the unit"
        ));
    }
    let is_long = cell.bytes().filter(u8::is_ascii_digit).count() > 28;
    let is_plain =
        cell.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+'));
    (is_long && is_plain).then(|| "it has more than 28 digits".to_owned())
}

/// Returns the seconds of `2 days`.
fn in_seconds(cell: &str) -> Option<Decimal> {
    let (count, unit) = cell.split_once(' ')?;
    let seconds = TimeUnit::from_name(unit.trim())?.seconds()?;
    number::multiply(number::parse(count)?, Decimal::from(seconds)).ok()
}

/// Returns a number without thousands separators, and with a point before its decimals. Of commas
/// and points, the last one precedes decimals, unless it is followed by exactly three digits.
fn without_separators(cell: &str) -> Option<String> {
    let (at, mark) = cell.char_indices().rfind(|(_, letter)| matches!(letter, ',' | '.'))?;
    let decimals = cell.get(at.saturating_add(1)..)?;
    let is_alone = cell.matches(mark).count() == 1;
    let has_other = cell.contains(if mark == ',' { '.' } else { ',' });
    let is_decimal = is_alone && (mark == '.' || has_other || decimals.len() != 3);
    let digits = |text: &str| text.replace([',', '.', '\u{a0}', '\u{202f}', ' ', '\''], "");
    let whole = digits(cell.get(..at)?);
    Some(if is_decimal { format!("{whole}.{decimals}") } else { format!("{whole}{decimals}") })
}
