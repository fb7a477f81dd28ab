//! Why a pattern cannot be used.

/// Why a pattern cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// Over 200 characters.
    #[error("the pattern is longer than 200 characters")]
    TooLong,
    /// Neither a digit nor a part of a date.
    #[error("the pattern shows nothing: it has neither `0` or `#` nor a part of a date")]
    ShowsNothing,
    /// A quote without its partner, or a backslash at the end.
    #[error("the pattern ends inside quoted text")]
    UnclosedQuote,
    /// A letter that means nothing here.
    #[error("`{0}` means nothing in this pattern; text stands in double quotes")]
    UnknownLetter(char),
    /// Digits in two places.
    #[error("the pattern has digits in two places")]
    TwoNumbers,
    /// `0#` before the point or `#0` after it.
    #[error("`#` stands outside of the zeros: `#,##0.0#`")]
    HashInsideZeros,
    /// A comma that parts no thousands.
    #[error("a comma stands between the digits before the point: `#,##0`")]
    StrayComma,
    /// More digits after the point than a number has.
    #[error("the pattern has more than 28 digits after the point")]
    TooManyDecimals,
    /// `%` twice.
    #[error("the pattern has `%` twice")]
    TwoPercents,
    /// A pattern for numbers, and a value that is none.
    #[error("the pattern shows numbers")]
    ShowsNumbers,
    /// A pattern for dates, and a value that is none.
    #[error("the pattern shows dates and times")]
    ShowsDates,
}
