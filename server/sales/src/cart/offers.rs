//! Offers: pieces of a variant at a special price, which is an adjustment of their line. The adjustment follows the list
//! price and covers only the accepted pieces; further pieces cost the list price. Promotions do not discount such a line
//! as well.

use serde::{Deserialize, Serialize};

use crate::proportion::{OutOfRange, PPM, multiply, portion, subtract};

/// The special price per piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfferPrice {
    /// The list price.
    None,
    /// A share off the list price, in millionths.
    PercentOff(i64),
    /// An amount off the list price, in minor units.
    AmountOff(i64),
    /// A price in minor units; never more than the list price.
    Fixed(i64),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferTerms {
    /// Which offer it is: the id of the press that accepts it, or of its button.
    pub reference: String,
    /// The pieces at the special price.
    pub quantity: i64,
    pub price: OfferPrice,
}

impl OfferPrice {
    /// Returns whether it is valid only in the currency of its offer.
    pub(super) fn is_amount(self) -> bool {
        match self {
            Self::None | Self::PercentOff(_) => false,
            Self::AmountOff(_) | Self::Fixed(_) => true,
        }
    }
}

impl OfferTerms {
    /// Returns the discount of a line with a number of pieces at a list price.
    pub(super) fn discount(&self, unit_price_minor: i64, quantity: i64) -> Result<i64, OutOfRange> {
        let pieces = self.quantity.min(quantity);
        let list_minor = multiply(unit_price_minor, pieces)?;
        let discount_minor = match self.price {
            OfferPrice::None => 0,
            OfferPrice::PercentOff(share) => portion(list_minor, share, PPM)?,
            OfferPrice::AmountOff(minor) => multiply(minor, pieces)?,
            OfferPrice::Fixed(minor) => subtract(list_minor, multiply(minor, pieces)?)?,
        };
        Ok(discount_minor.clamp(0, list_minor.max(0)))
    }
}
