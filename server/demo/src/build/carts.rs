//! Carts: one for every order, and abandoned ones.

use super::{Buyer, OrderContext};
use crate::DemoError;
use crate::cart::{self, ImportedCart, ImportedLine};
use crate::clock::{MINUTE_MS, Timestamp};
use crate::database::Tx;
use crate::ids::{CartId, CartLineId};
use crate::plan::PlannedOrder;
use crate::seed::Seed;

/// Orders per abandoned cart.
const ORDERS_A_LEFT_CART: i64 = 2;
/// The maximum number of products in an abandoned cart.
const LEFT_LINES: i64 = 3;
/// The maximum number of pieces of each product.
const LEFT_PIECES: i64 = 6;

/// Writes the cart that becomes the `index`th order.
pub(super) fn completed(
    tx: &Tx<'_>,
    context: &OrderContext<'_>,
    (index, order): (u64, &PlannedOrder),
    buyer: &Buyer,
) -> Result<CartId, DemoError> {
    let mut seed = Seed::of("cart", index);
    let at = minutes_before(order.at, seed.between(4, 90));
    let id = CartId::seeded(at.as_millis(), seed.id());
    let cart = ImportedCart {
        customer_id: Some(buyer.id.clone()),
        completed_at: Some(order.at),
        ..empty(context, order, id.clone())
    };
    cart::import(&tx.at(at), cart)?;
    Ok(id)
}

/// Writes an abandoned cart before some orders: a buyer in the same country adds some of the same products.
pub(super) fn left(
    tx: &Tx<'_>,
    context: &OrderContext<'_>,
    (index, order): (u64, &PlannedOrder),
) -> Result<(), DemoError> {
    let mut seed = Seed::of("left cart", index);
    if seed.between(1, ORDERS_A_LEFT_CART) > 1 {
        return Ok(());
    }
    let at = minutes_before(order.at, seed.between(4, 300));
    let at_ms = at.as_millis();
    let id = CartId::seeded(at_ms, seed.id());
    let mut goods: Vec<usize> = Vec::new();
    for _ in 0..seed.between(1, LEFT_LINES) {
        let good = seed.pick(&order.lines).and_then(|line| line.good);
        goods.extend(good.filter(|good| !goods.contains(good)));
    }
    let mut lines = Vec::with_capacity(goods.len());
    for place in goods {
        let (Some(good), Some(product)) =
            (context.goods.all.get(place), context.products.get(place))
        else {
            continue;
        };
        lines.push(ImportedLine {
            id: CartLineId::seeded(at_ms, seed.id()),
            item: product.item(good),
            quantity: seed.between(1, LEFT_PIECES),
            unit_price_minor: good.price_minor,
        });
    }
    Ok(cart::import(&tx.at(at), ImportedCart { lines, ..empty(context, order, id) })?)
}

fn empty(context: &OrderContext<'_>, order: &PlannedOrder, id: CartId) -> ImportedCart {
    ImportedCart {
        id,
        region_id: context.places.regions.of(order.place.region).clone(),
        sales_channel_id: context.places.channel(order.is_wholesale).clone(),
        customer_id: None,
        currency: context.currencies.gbp,
        lines: Vec::new(),
        completed_at: None,
    }
}

fn minutes_before(at: Timestamp, minutes: i64) -> Timestamp {
    at.minus_ms(minutes.saturating_mul(MINUTE_MS))
}
