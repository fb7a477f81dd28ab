//! Complete sets of a bundle, and each line's share of the discount.

use super::bundle::Bundle;
use crate::ids::BundleItemId;
use crate::money::Currency;
use crate::proportion::{OutOfRange, multiply, split, sum};

/// A line of a cart that fills a slot of a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece<'a> {
    pub slot: &'a BundleItemId,
    pub quantity: i64,
    pub unit_price_minor: i64,
}

/// Returns the discount of each line of one instance of a bundle, in their order.
///
/// Pieces of complete sets get the bundle's price, and all others their regular price, so that removing a line needs no
/// special rule. Optional slots are extras at their own price.
pub fn discounts(
    bundle: &Bundle,
    pieces: &[Piece<'_>],
    currency: Currency,
) -> Result<Vec<i64>, OutOfRange> {
    let set_count = complete_sets(bundle, pieces);
    // In the order of the slots, so that the last penny does not depend on the order in which they were filled.
    let (mut places, mut weights) = (Vec::new(), Vec::new());
    for slot in bundle.items.iter().filter(|slot| !slot.is_optional) {
        let mut left = multiply(set_count, slot.quantity)?;
        let own = pieces.iter().enumerate().filter(|(_, piece)| *piece.slot == slot.id);
        for (place, piece) in own {
            let taken = piece.quantity.min(left);
            left = left.saturating_sub(taken);
            places.push(place);
            weights.push(multiply(taken, piece.unit_price_minor)?);
        }
    }
    let original_minor = sum(weights.iter().copied())?;
    let discount = bundle.pricing().discount(original_minor, set_count, currency)?;
    let mut discounts = vec![0; pieces.len()];
    for (place, part) in places.into_iter().zip(split(discount.unwrap_or(0), &weights)?) {
        if let Some(own) = discounts.get_mut(place) {
            *own = part;
        }
    }
    Ok(discounts)
}

/// Returns the number of complete sets: of all slots that are not optional.
pub fn complete_sets(bundle: &Bundle, pieces: &[Piece<'_>]) -> i64 {
    let of_slots = bundle.items.iter().filter(|slot| !slot.is_optional).map(|slot| {
        let own = pieces.iter().filter(|piece| *piece.slot == slot.id);
        let quantity = own.fold(0_i64, |sum, piece| sum.saturating_add(piece.quantity));
        quantity.checked_div(slot.quantity).unwrap_or(0)
    });
    of_slots.min().unwrap_or(0)
}

#[cfg(test)]
#[expect(clippy::arithmetic_side_effects, reason = "overflow fails a test")]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bundles::bundle::{BundleStatus, Slot};
    use crate::bundles::pricing::{Amounts, PricingType};
    use crate::clock::Timestamp;
    use crate::ids::{BundleProductId, ProductId};
    use crate::metadata::Metadata;

    /// Returns a bundle of a pot, two cups, and a spoon that is optional.
    fn tea(pricing_type: PricingType, percent_ppm: Option<i64>, amount: i64) -> Bundle {
        let slot = |seed: u128, quantity: i64, is_optional: bool| Slot {
            id: BundleItemId::seeded(0, seed),
            title: String::new(),
            product_id: ProductId::seeded(0, seed),
            quantity,
            is_optional,
            default_variant_id: None,
        };
        Bundle {
            id: BundleProductId::seeded(0, 1),
            title: "Tea".to_owned(),
            handle: "tea".to_owned(),
            description: None,
            product_id: None,
            status: BundleStatus::Published,
            pricing_type,
            percent_ppm,
            amounts: Amounts::from([(usd(), amount)]),
            sales_channel_ids: Vec::new(),
            metadata: Metadata::default(),
            items: vec![slot(1, 1, false), slot(2, 2, false), slot(3, 1, true)],
            created_at: Timestamp::from_millis(0),
            updated_at: Timestamp::from_millis(0),
        }
    }

    fn usd() -> Currency {
        Currency::from_code("usd").unwrap()
    }

    fn piece(bundle: &Bundle, slot: usize, quantity: i64, unit_price_minor: i64) -> Piece<'_> {
        Piece { slot: &bundle.items[slot].id, quantity, unit_price_minor }
    }

    #[test]
    fn only_complete_sets_get_the_price_of_the_bundle() {
        let tea = tea(PricingType::PercentOff, Some(100_000), 0);
        let of = |pots: i64, cups: i64| {
            discounts(&tea, &[piece(&tea, 0, pots, 3_000), piece(&tea, 1, cups, 1_000)], usd())
        };
        assert_eq!(of(1, 2), Ok(vec![300, 200]));
        assert_eq!(of(1, 1), Ok(vec![0, 0]));
        assert_eq!(of(2, 3), Ok(vec![300, 200]), "the rest costs what it costs alone");
        assert_eq!(of(2, 4), Ok(vec![600, 400]));
    }

    #[test]
    fn two_variants_fill_a_slot_together_and_extras_have_their_own_price() {
        let tea = tea(PricingType::Fixed, None, 4_000);
        let pieces = [
            piece(&tea, 0, 1, 3_000),
            piece(&tea, 1, 1, 1_000),
            piece(&tea, 1, 1, 1_001),
            piece(&tea, 2, 1, 500),
        ];
        assert_eq!(discounts(&tea, &pieces, usd()), Ok(vec![601, 200, 200, 0]));
        let gbp = Currency::from_code("gbp").unwrap();
        assert_eq!(
            discounts(&tea, &pieces, gbp),
            Ok(vec![0, 0, 0, 0]),
            "no price in this currency"
        );
    }

    /// Returns the number of random carts.
    fn carts() -> ProptestConfig {
        let count = quotient_foundation::testing::rounds(256, 1_000_000);
        ProptestConfig::with_cases(u32::try_from(count).unwrap())
    }

    proptest! {
        #![proptest_config(carts())]

        #[test]
        fn the_parts_add_up_and_no_line_costs_less_than_nothing(
            quantities in prop::array::uniform4(0_i64..20),
            prices in prop::array::uniform4(0_i64..100_000),
            percent in 0_i64..=1_000_000,
        ) {
            let tea = tea(PricingType::PercentOff, Some(percent), 0);
            let slots = [0, 1, 1, 2];
            let pieces: Vec<_> =
                slots.iter().zip(quantities).zip(prices).map(|((slot, quantity), price)| piece(&tea, *slot, quantity, price)).collect();
            let parts = discounts(&tea, &pieces, usd()).unwrap();
            let sets = quantities[0].min(i64::midpoint(quantities[1], quantities[2]));
            let first = quantities[1].min(sets * 2);
            let original = sets * prices[0] + first * prices[1] + (sets * 2 - first) * prices[2];
            prop_assert_eq!(parts.iter().sum::<i64>(), crate::proportion::portion(original, percent, 1_000_000).unwrap());
            for (part, piece) in parts.iter().zip(&pieces) {
                prop_assert!((0..=piece.quantity * piece.unit_price_minor).contains(part));
            }
        }

        #[test]
        fn sets_cost_what_the_bundle_says_in_whatever_order_its_slots_are_filled(
            quantities in prop::array::uniform3(0_i64..20), prices in prop::array::uniform3(0_i64..20),
            order in Just([0, 1, 2]).prop_shuffle(), kind in 0..4, value in 0_i64..1_000_000,
        ) {
            let sets = quantities[0].min(quantities[1] / 2);
            let list = sets * (prices[0] + 2 * prices[1]);
            let small = value % 50;
            let (tea, price) = match kind {
                0 => (tea(PricingType::Sum, None, 0), list),
                1 => (tea(PricingType::AmountOff, None, small), (list - sets * small).max(0)),
                2 => (tea(PricingType::Fixed, None, small), list.min(sets * small)),
                _ => {
                    let off = (list * value * 2 + 1_000_000) / 2_000_000;
                    (tea(PricingType::PercentOff, Some(value), 0), list - off)
                }
            };
            let pieces = |order: [usize; 3]| order.map(|slot| piece(&tea, slot, quantities[slot], prices[slot]));
            let parts = discounts(&tea, &pieces([0, 1, 2]), usd()).unwrap();
            prop_assert_eq!(list - parts.iter().sum::<i64>(), price);
            let shuffled = discounts(&tea, &pieces(order), usd()).unwrap();
            prop_assert_eq!(shuffled, order.map(|slot| parts[slot]));
        }
    }
}
