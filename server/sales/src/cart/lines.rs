//! The lines of a cart: when an addition merges into a line, and the limits.

use thiserror::Error;

use super::contents::{Cart, Line, Metadata};
use crate::ids::VariantId;

/// Limit: lines in one cart.
pub(crate) const MAX_LINES: usize = 200;

/// Limit: pieces of one line.
pub(crate) const MAX_LINE_QUANTITY: i64 = 9_999;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LineError {
    #[error("a quantity of `{quantity}` is too small, at least {least} is expected")]
    TooFew { quantity: i64, least: i64 },
    #[error("a line holds at most {MAX_LINE_QUANTITY} pieces, not `{quantity}`")]
    TooMany { quantity: i64 },
    #[error("a cart holds at most {MAX_LINES} lines")]
    CartFull,
}

/// Returns the quantity of a line if it is within the limits.
pub(crate) fn checked(quantity: i64, least: i64) -> Result<i64, LineError> {
    if quantity < least {
        return Err(LineError::TooFew { quantity, least });
    }
    if quantity > MAX_LINE_QUANTITY { Err(LineError::TooMany { quantity }) } else { Ok(quantity) }
}

impl Cart {
    /// Adds a line, unless the cart is full.
    pub(crate) fn push(&mut self, line: Line) -> Result<(), LineError> {
        if self.lines.len() >= MAX_LINES {
            return Err(LineError::CartFull);
        }
        self.lines.push(line);
        Ok(())
    }
}

impl Line {
    /// Returns whether it grows when its variant is added with this data; none and empty are equal. A line of a bundle
    /// belongs to its bundle, a subscription is separate from a one-time purchase, and an offer has its own price.
    pub(crate) fn merges(&self, variant_id: &VariantId, metadata: Option<&Metadata>) -> bool {
        self.item.variant_id.as_ref() == Some(variant_id)
            && self.bundle_id.is_none()
            && self.plan_id.is_none()
            && !self.is_offer()
            && self.metadata.as_ref().filter(|data| !data.is_empty())
                == metadata.filter(|data| !data.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::{Line, LineError, MAX_LINE_QUANTITY, checked};
    use crate::cart::contents::Item;
    use crate::clock::Timestamp;
    use crate::ids::{CartBundleId, CartLineId, SubscriptionPlanId, VariantId};

    #[test]
    fn the_same_variant_with_the_same_metadata_merges() {
        let pen = VariantId::new();
        let item = Item { variant_id: Some(pen.clone()), ..Item::default() };
        let line = || Line::new(CartLineId::new(), 0, item.clone(), 2, Timestamp::from_millis(0));
        let by_hand = Line { item: Item::default(), ..line() };
        let bundled = Line { bundle_id: Some(CartBundleId::new()), ..line() };
        let planned = Line { plan_id: Some(SubscriptionPlanId::new()), ..line() };
        let (empty, gift) = (Map::new(), json!({"gift": true}).as_object().cloned().unwrap());
        let engraved = Line { metadata: Some(gift.clone()), ..line() };
        for (line, variant_id, metadata, merges) in [
            (line(), &pen, None, true),
            (line(), &pen, Some(&empty), true),
            (engraved, &pen, Some(&gift), true),
            (line(), &pen, Some(&gift), false),
            (line(), &VariantId::new(), None, false),
            (by_hand, &pen, None, false),
            (bundled, &pen, None, false),
            (planned, &pen, None, false),
        ] {
            assert_eq!(line.merges(variant_id, metadata), merges, "{line:?} {metadata:?}");
        }
    }

    #[test]
    fn quantities_have_limits() {
        let quantity = MAX_LINE_QUANTITY + 1;
        assert_eq!(checked(MAX_LINE_QUANTITY, 1), Ok(MAX_LINE_QUANTITY));
        assert_eq!(checked(quantity, 1), Err(LineError::TooMany { quantity }));
        assert_eq!(checked(0, 1), Err(LineError::TooFew { quantity: 0, least: 1 }));
        assert_eq!(checked(0, 0), Ok(0));
        assert_eq!(checked(-1, 0), Err(LineError::TooFew { quantity: -1, least: 0 }));
    }
}
