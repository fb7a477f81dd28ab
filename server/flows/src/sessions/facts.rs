//! The record that conditions read, built from the rows of a session, its cart or order, and its
//! customer.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::error::SessionError;
use super::path::Facts;
use super::queries;
use super::session::Session;
use crate::cart;
use crate::database::{Tx, Word as _};
use crate::ids::{FlowId, OrderId};
use crate::money::Currency;
use crate::orders;

/// The side of a split test: a person is always on the same side.
pub(crate) fn bucket(flow: &FlowId, person: &str) -> i64 {
    let digest = Sha256::digest(format!("{flow}:{person}").as_bytes());
    let number = digest
        .iter()
        .take(6)
        .fold(0_i64, |number, byte| number.saturating_mul(256).saturating_add(i64::from(*byte)));
    number.checked_rem(100).unwrap_or(0)
}

pub(crate) fn of_session(tx: &Tx<'_>, session: &Session) -> Result<Facts, SessionError> {
    let mut facts = match (&session.order_id, &session.cart_id) {
        (Some(order), _) => of_order(tx, order)?,
        (None, Some(cart_id)) => of_cart(tx, &cart::load(tx, cart_id)?)?,
        (None, None) => Facts::default(),
    };
    let progress = queries::progress(tx, &session.id)?;
    facts.set("accepted_total", money(session.upsell_total_minor, session.currency));
    facts.set("accepted_count", progress.accepted_count);
    facts.set("declined_count", progress.declined_count);
    facts.set("step", progress.step);
    facts.set("last_action", progress.last_action);
    facts.set("bucket", session.bucket);
    facts.set("currency", session.currency.upper());
    facts.set("flow_kind", session.kind.as_str());
    if let Some(locale) = &session.locale {
        facts.set("locale", locale.as_str());
    }
    for (name, value) in &session.context {
        facts.set(name, value.clone());
    }
    for (key, value) in queries::answers(tx, &session.id)? {
        facts.set(&format!("answer_{key}"), value);
    }
    Ok(facts)
}

pub(crate) fn of_order(tx: &Tx<'_>, id: &OrderId) -> Result<Facts, SessionError> {
    let order = orders::addition::placed(tx, id)?;
    let mut facts = Facts::default();
    let totals = &order.totals;
    facts.set("order_total", money(totals.total, order.currency));
    facts.set("order_subtotal", money(totals.all.subtotal, order.currency));
    let lines = queries::order_lines(tx, id)?;
    set_lines(tx, &mut facts, &lines)?;
    facts.set("promo_codes", queries::order_codes(tx, id)?);
    let address = order.shipping_address.as_ref();
    facts.set("country", address.and_then(|address| address.country_code.clone()));
    facts.set("province", address.and_then(|address| address.province.clone()));
    facts.set("locale", order.locale.clone());
    let place = (order.region_id.as_ref(), order.sales_channel_id.as_ref());
    set_names(&mut facts, queries::names(tx, place)?);
    let person = queries::person(tx, order.customer_id.as_ref(), Some(id))?;
    set_person(&mut facts, &person);
    Ok(facts)
}

pub(crate) fn of_cart(tx: &Tx<'_>, cart: &cart::contents::Cart) -> Result<Facts, SessionError> {
    let mut facts = Facts::default();
    facts.set("cart_total", money(cart.totals.total, cart.currency));
    let line = |line: &cart::contents::Line| queries::LineRow {
        sku: line.item.variant_sku.clone(),
        product_id: line.item.product_id.as_ref().map(ToString::to_string),
        quantity: line.quantity,
    };
    let lines: Vec<_> = cart.lines.iter().map(line).collect();
    set_lines(tx, &mut facts, &lines)?;
    facts.set("promo_codes", cart.promo_codes.clone());
    let address = cart.shipping_address.as_ref();
    facts.set("country", address.and_then(|address| address.country_code.clone()));
    facts.set("province", address.and_then(|address| address.province.clone()));
    facts.set("locale", cart.locale.clone());
    let place = (cart.region_id.as_ref(), cart.sales_channel_id.as_ref());
    set_names(&mut facts, queries::names(tx, place)?);
    // Anybody can type the e-mail address of a guest: what that guest bought before tells nothing of who does.
    let customer = cart.customer_id.as_ref().filter(|_| cart.has_account);
    set_person(&mut facts, &queries::person(tx, customer, None)?);
    Ok(facts)
}

fn set_lines(
    tx: &Tx<'_>,
    facts: &mut Facts,
    lines: &[queries::LineRow],
) -> Result<(), SessionError> {
    let count = lines.iter().fold(0_i64, |count, line| count.saturating_add(line.quantity));
    let products: Vec<&String> = lines.iter().filter_map(|line| line.product_id.as_ref()).collect();
    let skus: Vec<&String> = lines.iter().filter_map(|line| line.sku.as_ref()).collect();
    facts.set("item_count", count);
    facts.set("skus", json!(skus));
    facts.set("category_handles", queries::category_handles(tx, &json!(products).to_string())?);
    facts.set("product_ids", json!(products));
    Ok(())
}

fn set_names(facts: &mut Facts, (region, channel): (Option<String>, Option<String>)) {
    facts.set("region", region);
    facts.set("sales_channel", channel);
}

fn set_person(facts: &mut Facts, person: &queries::PersonRow) {
    facts.set("is_guest", !person.has_account);
    facts.set("is_subscriber", person.is_subscriber);
    facts.set("orders_before", person.orders_before);
    facts.set("is_first_order", person.orders_before == 0);
}

pub(crate) fn money(minor: i64, currency: Currency) -> Value {
    json!({ "amount": currency.amount(minor), "currency": currency.upper() })
}

#[cfg(test)]
mod tests {
    use super::bucket;
    use crate::ids::FlowId;

    #[test]
    fn a_person_is_always_on_the_same_side_and_the_sides_are_even() {
        let flow: FlowId = "flow_01JD2Q8Z5M6T3W9XKCV4B7N001".parse().expect("an id");
        let sides: Vec<i64> =
            (0..10_000).map(|number| bucket(&flow, &number.to_string())).collect();

        assert_eq!(bucket(&flow, "7"), sides[7]);
        assert!(sides.iter().all(|side| (0..100).contains(side)));
        let first_half = sides.iter().filter(|side| **side < 50).count();
        assert!((4_800..5_200).contains(&first_half), "{first_half}");
    }
}
