//! Display patterns as in spreadsheets: `#,##0.00`, `0.0%`, `yyyy-mm-dd hh:mm`.
//!
//! A pattern with a `0` or `#` outside quotes formats numbers, any other formats days and instants.
//! Literal text is in single or double quotes, or is a symbol or blank; `\` escapes the next
//! character.

mod clock;
mod error;
mod number;

use jiff::tz::TimeZone;

pub use error::PatternError;

use self::clock::ClockPattern;
use self::number::NumberPattern;
use super::time::wall_clock;
use crate::types::{Type, Value};

/// Limit: characters of a pattern. The text of a value is at most ten times as long.
const MAX_CHARACTERS: usize = 200;

enum Pattern {
    Number(NumberPattern),
    Clock(ClockPattern),
}

/// A piece of a pattern: literal text, or a character with a meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
enum PatternPiece {
    Text(String),
    Sign(char),
}

/// Formats the value by a pattern; an instant is shown in `zone`.
///
/// # Errors
/// [`PatternError`] if the pattern is invalid or for values of another type.
pub fn pattern(pattern: &str, value: &Value, zone: &TimeZone) -> Result<String, PatternError> {
    match (understand(pattern)?, value) {
        (Pattern::Number(pattern), Value::Number(number)) => Ok(pattern.show(*number)),
        (Pattern::Clock(pattern), Value::Date(day)) => Ok(pattern.show(day.at(0, 0, 0, 0))),
        (Pattern::Clock(pattern), Value::DateTime(at)) => Ok(pattern.show(wall_clock(*at, zone))),
        (Pattern::Number(_), _) => Err(PatternError::ShowsNumbers),
        (Pattern::Clock(_), _) => Err(PatternError::ShowsDates),
    }
}

/// Checks that a pattern is valid.
///
/// # Errors
/// [`PatternError`] with the reason.
pub fn check_pattern(pattern: &str) -> Result<(), PatternError> {
    understand(pattern).map(|_pattern| ())
}

/// Checks that a pattern is valid and formats values of a type.
pub(crate) fn check_pattern_of(pattern: &str, ty: &Type) -> Result<(), PatternError> {
    match (understand(pattern)?, ty) {
        (_, Type::Null)
        | (Pattern::Number(_), Type::Quantity(_))
        | (Pattern::Clock(_), Type::Date | Type::DateTime) => Ok(()),
        (Pattern::Number(_), _) => Err(PatternError::ShowsNumbers),
        (Pattern::Clock(_), _) => Err(PatternError::ShowsDates),
    }
}

fn understand(pattern: &str) -> Result<Pattern, PatternError> {
    if pattern.chars().nth(MAX_CHARACTERS).is_some() {
        return Err(PatternError::TooLong);
    }
    let pieces = pieces(pattern)?;
    if pieces.iter().any(|piece| matches!(piece, PatternPiece::Sign('0' | '#'))) {
        NumberPattern::parse(&pieces).map(Pattern::Number)
    } else {
        ClockPattern::parse(&pieces).map(Pattern::Clock)
    }
}

fn pieces(pattern: &str) -> Result<Vec<PatternPiece>, PatternError> {
    let mut pieces = Vec::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' | '\'' => {
                let mut text = String::new();
                loop {
                    match characters.next() {
                        Some(next) if next == character => break,
                        Some(next) => text.push(next),
                        None => return Err(PatternError::UnclosedQuote),
                    }
                }
                pieces.push(PatternPiece::Text(text));
            }
            '\\' => {
                let next = characters.next().ok_or(PatternError::UnclosedQuote)?;
                pieces.push(PatternPiece::Text(next.to_string()));
            }
            other => pieces.push(PatternPiece::Sign(other)),
        }
    }
    Ok(pieces)
}
