//! Ratings from the approved reviews of a product. Changes of reviews update the table.

use rust_decimal::Decimal;
use serde::Serialize;

use crate::http::ToSchema;
use crate::money::Amount;

/// The average of the approved reviews, and their number.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProductRating {
    /// With two decimals, half away from zero; null without reviews.
    #[schema(example = 4.67)]
    pub average: Option<Amount>,
    #[schema(example = 12)]
    pub count: i64,
}

impl ProductRating {
    /// Returns the rating of reviews with this sum.
    pub fn of(sum: i64, count: i64) -> Self {
        Self { average: average(sum, count), count }
    }
}

/// Returns the exact sum divided by the count, with two decimals, half away from zero; none without
/// reviews.
pub fn average(sum: i64, count: i64) -> Option<Amount> {
    let doubled = count.checked_mul(2)?;
    let hundredths = sum.checked_mul(200)?.checked_add(count)?.checked_div(doubled)?;
    Some(Decimal::new(hundredths, 2).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_average_has_two_decimals_half_away_from_zero() {
        for (sum, count, expected) in [
            (0, 0, None),
            (5, 1, Some("5")),
            (14, 3, Some("4.67")),
            (13, 3, Some("4.33")),
            (9, 8, Some("1.13")),
        ] {
            let found = average(sum, count).map(Amount::text);
            assert_eq!(found.as_deref(), expected, "{sum} by {count}");
        }
    }
}
