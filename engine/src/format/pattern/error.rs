//! Errors of patterns.

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
