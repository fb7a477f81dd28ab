//! The attributes that rules may name, by the kind of the rule.

use super::promotion::RuleKind;
use super::rules::{Rule, RuleError};

/// The attributes of a line.
const OF_LINE: &[&str] = &[
    "product.categories.id",
    "product.collection_id",
    "product.id",
    "product.tags.id",
    "product.type_id",
    "sku",
    "unit_price",
    "variant_id",
];

/// The attributes of a shipping method.
const OF_METHOD: &[&str] = &["amount", "name", "shipping_option_id"];

/// The attributes of a cart, beside those of its lines.
const OF_CART: &[&str] = &[
    "currency_code",
    "customer.groups.id",
    "customer.id",
    "customer_id",
    "email",
    "item_quantity",
    "item_subtotal",
    "region.id",
    "region_id",
    "sales_channel_id",
    "shipping_address.country_code",
    "shipping_address.province",
    "subtotal",
];

/// Rejects a rule on an unknown attribute: `ne` would always hold, and the other operators never.
pub(super) fn check(rule: &Rule, kind: RuleKind) -> Result<(), RuleError> {
    let more = match kind {
        RuleKind::Rule => OF_CART,
        RuleKind::Target => OF_METHOD,
        RuleKind::Buy => &[],
    };
    let known = [OF_LINE, more].concat();
    if known.contains(&rule.attribute()) {
        return Ok(());
    }
    let (attribute, known) = (rule.attribute().to_owned(), known.join(", "));
    Err(RuleError::UnknownAttribute { attribute, known })
}
