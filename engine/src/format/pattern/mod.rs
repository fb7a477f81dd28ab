//! Display patterns as in spreadsheets: `#,##0.00`, `0.0%`, `yyyy-mm-dd hh:mm`.
//!
//! A pattern with a `0` or `#` outside quotes formats numbers, any other formats days and instants.
//! Literal text is in single or double quotes, or is a symbol or blank; `\` escapes the next
//! character.

mod clock;
mod number;

use jiff::tz::TimeZone;

use self::clock::ClockPattern;
use self::number::NumberPattern;
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
        (Pattern::Clock(pattern), Value::DateTime(at)) => Ok(pattern.show(zone.to_datetime(*at))),
        (Pattern::Number(_), _) => Err(PatternError::ShowsNumbers),
        (Pattern::Clock(_), _) => Err(PatternError::ShowsDates),
    }
}

/// Checks that a pattern is valid.
///
/// # Errors
/// [`PatternError`] with the reason.
pub fn check_pattern(pattern: &str) -> Result<(), PatternError> {
    understand(pattern).map(drop)
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

/// The reason why a pattern cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// The pattern has more than 200 characters.
    #[error("the pattern is longer than 200 characters")]
    TooLong,
    /// It has neither a digit nor a part of a date.
    #[error("the pattern shows nothing: it has neither `0` or `#` nor a part of a date")]
    ShowsNothing,
    /// A quote is unterminated, or a backslash is at the end.
    #[error("the pattern ends inside quoted text")]
    UnclosedQuote,
    /// A letter has no meaning here.
    #[error("`{0}` means nothing in this pattern; text stands in double quotes")]
    UnknownLetter(char),
    /// Digits occur in two places.
    #[error("the pattern has digits in two places")]
    TwoNumbers,
    /// `0#` before the point or `#0` after it.
    #[error("`#` stands outside of the zeros: `#,##0.0#`")]
    HashInsideZeros,
    /// A comma does not separate thousands.
    #[error("a comma stands between the digits before the point: `#,##0`")]
    StrayComma,
    /// It has more digits after the point than a number.
    #[error("the pattern has more than 28 digits after the point")]
    TooManyDecimals,
    /// `%` occurs twice.
    #[error("the pattern has `%` twice")]
    TwoPercents,
    /// The pattern is for numbers, but the value is not one.
    #[error("the pattern shows numbers")]
    ShowsNumbers,
    /// The pattern is for dates, but the value is not one.
    #[error("the pattern shows dates and times")]
    ShowsDates,
}
