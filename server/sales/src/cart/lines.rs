//! The lines of a cart: when an addition merges into a line, and the limits.

use serde_json::{Map, Value};
use thiserror::Error;

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

/// The fields of a line that decide whether an addition merges into it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CartLine<'a> {
    /// None for a custom line.
    pub variant_id: Option<&'a str>,
    /// The line's own data; none and empty are equal.
    pub metadata: Option<&'a Map<String, Value>>,
    /// Whether its price was set by hand.
    pub(crate) has_custom_price: bool,
    pub quantity: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Addition {
    /// The line at this index grows to this quantity.
    Merge { index: usize, quantity: i64 },
    /// A new line with this quantity.
    New { quantity: i64 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuantityChange {
    Remove,
    /// The line gets this quantity.
    Set(i64),
}

/// Computes the effect of adding `added` to `lines`: a line merges if it has the same variant, the same metadata and no
/// custom price.
pub(crate) fn addition(lines: &[CartLine<'_>], added: CartLine<'_>) -> Result<Addition, LineError> {
    if added.quantity < 1 {
        return Err(LineError::TooFew { quantity: added.quantity, least: 1 });
    }
    if let Some((index, line)) = lines.iter().enumerate().find(|(_, line)| merges(line, &added)) {
        let quantity = within_limit(line.quantity.saturating_add(added.quantity))?;
        return Ok(Addition::Merge { index, quantity });
    }
    if lines.len() >= MAX_LINES {
        return Err(LineError::CartFull);
    }
    Ok(Addition::New { quantity: within_limit(added.quantity)? })
}

/// Computes the effect of setting a line's quantity; zero removes the line.
pub fn change(quantity: i64) -> Result<QuantityChange, LineError> {
    match quantity {
        ..0 => Err(LineError::TooFew { quantity, least: 0 }),
        0 => Ok(QuantityChange::Remove),
        1.. => within_limit(quantity).map(QuantityChange::Set),
    }
}

fn merges(line: &CartLine<'_>, added: &CartLine<'_>) -> bool {
    let data = |line: &CartLine<'_>| line.metadata.filter(|metadata| !metadata.is_empty()).cloned();
    line.variant_id.is_some()
        && line.variant_id == added.variant_id
        && !line.has_custom_price
        && !added.has_custom_price
        && data(line) == data(added)
}

fn within_limit(quantity: i64) -> Result<i64, LineError> {
    if quantity > MAX_LINE_QUANTITY { Err(LineError::TooMany { quantity }) } else { Ok(quantity) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::{
        Addition, CartLine, LineError, MAX_LINE_QUANTITY, MAX_LINES, QuantityChange, addition,
        change,
    };

    const PEN: CartLine<'static> =
        CartLine { variant_id: Some("pen"), metadata: None, has_custom_price: false, quantity: 2 };

    #[test]
    fn the_same_variant_with_the_same_metadata_and_no_custom_price_merges() {
        let empty = Map::new();
        let gift = json!({"gift": true}).as_object().cloned().unwrap();
        let engraved = CartLine { metadata: Some(&gift), ..PEN };
        let plain = CartLine { metadata: Some(&empty), ..PEN };
        let bespoke = CartLine { has_custom_price: true, ..PEN };
        let by_hand = CartLine { variant_id: None, ..PEN };
        for (line, added, merges) in [
            (PEN, PEN, true),
            (PEN, plain, true),
            (engraved, engraved, true),
            (PEN, engraved, false),
            (bespoke, PEN, false),
            (PEN, bespoke, false),
            (by_hand, by_hand, false),
            (PEN, CartLine { variant_id: Some("ink"), ..PEN }, false),
        ] {
            let expected = if merges {
                Addition::Merge { index: 0, quantity: 4 }
            } else {
                Addition::New { quantity: 2 }
            };
            assert_eq!(addition(&[line], added), Ok(expected), "{line:?} {added:?}");
        }
    }

    #[test]
    fn quantities_and_lines_have_limits() {
        let many = CartLine { quantity: MAX_LINE_QUANTITY, ..PEN };
        let quantity = MAX_LINE_QUANTITY + 2;
        assert_eq!(addition(&[PEN], many), Err(LineError::TooMany { quantity }));
        assert_eq!(addition(&[], many), Ok(Addition::New { quantity: MAX_LINE_QUANTITY }));
        let huge = CartLine { quantity: i64::MAX, ..PEN };
        assert_eq!(addition(&[PEN], huge), Err(LineError::TooMany { quantity: i64::MAX }));
        let none = CartLine { quantity: 0, ..PEN };
        assert_eq!(addition(&[PEN], none), Err(LineError::TooFew { quantity: 0, least: 1 }));
        let full = vec![CartLine { variant_id: Some("ink"), ..PEN }; MAX_LINES];
        assert_eq!(addition(&full, PEN), Err(LineError::CartFull));
        let full = vec![PEN; MAX_LINES];
        assert_eq!(addition(&full, PEN), Ok(Addition::Merge { index: 0, quantity: 4 }));
    }

    #[test]
    fn a_quantity_of_zero_removes_the_line() {
        assert_eq!(change(0), Ok(QuantityChange::Remove));
        assert_eq!(change(3), Ok(QuantityChange::Set(3)));
        assert_eq!(change(-1), Err(LineError::TooFew { quantity: -1, least: 0 }));
        assert!(change(MAX_LINE_QUANTITY + 1).is_err());
    }
}
