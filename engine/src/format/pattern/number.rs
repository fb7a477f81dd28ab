//! Patterns for numbers: `#,##0.00`, `0.0%`, `"≈ "0`.

use rust_decimal::Decimal;

use super::{PatternError, PatternPiece};
use crate::format::digits::{DigitLimits, MAX_DECIMALS, digits};
use crate::number;

/// A parsed number pattern.
#[derive(Debug)]
pub(super) struct NumberPattern {
    before: String,
    places: DigitLimits,
    after: String,
    is_percent: bool,
}

/// The digits of a pattern during parsing.
#[derive(Debug, Default)]
struct Digits {
    whole_hashes: usize,
    whole_zeros: usize,
    zero_decimals: u32,
    hash_decimals: u32,
    has_point: bool,
    is_grouped: bool,
    ends_with_comma: bool,
}

impl NumberPattern {
    pub(super) fn parse(pieces: &[PatternPiece]) -> Result<Self, PatternError> {
        let is_digit =
            |piece: &PatternPiece| matches!(piece, PatternPiece::Sign('0' | '#' | '.' | ','));
        let first = pieces.iter().position(is_digit).unwrap_or(pieces.len());
        let (before, rest) = pieces.split_at(first);
        let length = rest.iter().position(|piece| !is_digit(piece)).unwrap_or(rest.len());
        let (signs, after) = rest.split_at(length);
        if after.iter().any(|piece| matches!(piece, PatternPiece::Sign('0' | '#'))) {
            return Err(PatternError::TwoNumbers);
        }
        let mut read = Digits::default();
        for piece in signs {
            if let PatternPiece::Sign(sign) = piece {
                read.take(*sign)?;
            }
        }
        let places = read.places()?;
        let mut is_percent = false;
        let mut text = |pieces| literal(pieces, &mut is_percent);
        let (before, after) = (text(before)?, text(after)?);
        Ok(Self { before, places, after, is_percent })
    }

    pub(super) fn show(&self, number: Decimal) -> String {
        let hundredfold = self.is_percent.then(|| number::multiply(number, Decimal::ONE_HUNDRED));
        let shown = digits(hundredfold.and_then(Result::ok).unwrap_or(number), self.places);
        shown.between(&self.before, &self.after)
    }
}

impl Digits {
    fn take(&mut self, sign: char) -> Result<(), PatternError> {
        match (sign, self.has_point) {
            ('.', false) if self.ends_with_comma => return Err(PatternError::StrayComma),
            ('.', false) => self.has_point = true,
            ('.', true) => return Err(PatternError::TwoNumbers),
            (',', false) if self.whole_hashes == 0 && self.whole_zeros == 0 => {
                return Err(PatternError::StrayComma);
            }
            (',', false) => self.is_grouped = true,
            (',', true) => return Err(PatternError::StrayComma),
            ('#', false) if self.whole_zeros > 0 => return Err(PatternError::HashInsideZeros),
            ('#', false) => self.whole_hashes = self.whole_hashes.saturating_add(1),
            ('#', true) => self.hash_decimals = self.hash_decimals.saturating_add(1),
            (_, false) => self.whole_zeros = self.whole_zeros.saturating_add(1),
            (_, true) if self.hash_decimals > 0 => return Err(PatternError::HashInsideZeros),
            (_, true) => self.zero_decimals = self.zero_decimals.saturating_add(1),
        }
        self.ends_with_comma = sign == ',';
        Ok(())
    }

    fn places(&self) -> Result<DigitLimits, PatternError> {
        let max_decimals = self.zero_decimals.saturating_add(self.hash_decimals);
        if self.ends_with_comma {
            return Err(PatternError::StrayComma);
        }
        if max_decimals > MAX_DECIMALS {
            return Err(PatternError::TooManyDecimals);
        }
        Ok(DigitLimits {
            min_whole: self.whole_zeros,
            min_decimals: self.zero_decimals,
            max_decimals,
            is_grouped: self.is_grouped,
        })
    }
}

/// Returns the text around the digits; a percent sign in it is shown and recorded.
fn literal(pieces: &[PatternPiece], is_percent: &mut bool) -> Result<String, PatternError> {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            PatternPiece::Text(quoted) => text.push_str(quoted),
            PatternPiece::Sign('%') if *is_percent => return Err(PatternError::TwoPercents),
            PatternPiece::Sign(sign @ ('.' | ',' | ';')) => {
                return Err(PatternError::UnknownLetter(*sign));
            }
            PatternPiece::Sign(sign) if sign.is_alphanumeric() || sign.is_control() => {
                return Err(PatternError::UnknownLetter(*sign));
            }
            PatternPiece::Sign(sign) => {
                *is_percent |= *sign == '%';
                text.push(*sign);
            }
        }
    }
    Ok(text)
}
