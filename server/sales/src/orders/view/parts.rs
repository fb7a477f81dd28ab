//! The views of taxes and adjustments of lines and shipping methods.

use serde::Serialize;

use crate::cart::totals::{Amounts, ChargeTotals};
use crate::clock::Timestamp;
use crate::http::{Resource, ToSchema};
use crate::ids::{OrderLineId, OrderShippingMethodId, PromotionId};
use crate::money::{Amount, Currency};
use crate::orders::order::{Adjustment, Order, TaxLine};
use crate::proportion::split;
use crate::taxes::LINE_PROVIDER;
use crate::taxes::rates::to_percent;

/// A tax.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "tax_line")]
pub(crate) struct TaxLineView {
    #[schema(example = "ordlitxl_01JD2Q8Z5M6T3W9XKCV4B7N0RE_0")]
    id: String,
    code: Option<String>,
    /// The name of the rate.
    description: String,
    /// The rate in per cent.
    rate: Amount,
    #[schema(example = "system")]
    provider_id: &'static str,
    /// The country that levies the tax.
    country_code: Option<String>,
    /// The province that levies the tax.
    province: Option<String>,
    /// The tax after discounts.
    total: Amount,
    /// The tax before discounts.
    subtotal: Amount,
    #[serde(flatten)]
    owner: OwnerView,
}

/// A promotion's discount.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "adjustment")]
pub(crate) struct AdjustmentView {
    #[schema(example = "ordliadj_01JD2Q8Z5M6T3W9XKCV4B7N0RE_0")]
    id: String,
    promotion_id: Option<PromotionId>,
    code: Option<String>,
    amount: Amount,
    is_tax_inclusive: bool,
    /// The discount without tax.
    subtotal: Amount,
    /// The discount with tax.
    total: Amount,
    #[serde(flatten)]
    owner: OwnerView,
}

/// The owner of a tax or a discount, and its times.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "owner")]
pub(super) struct OwnerView {
    #[serde(skip_serializing_if = "Option::is_none")]
    item_id: Option<OrderLineId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shipping_method_id: Option<OrderShippingMethodId>,
    /// When the order was placed.
    created_at: Timestamp,
    /// When the order last changed.
    updated_at: Timestamp,
    /// Always null.
    deleted_at: Option<Timestamp>,
}

impl OwnerView {
    pub(super) fn of_line(line: &OrderLineId, order: &Order) -> Self {
        Self { item_id: Some(line.clone()), ..Self::of_order(order) }
    }

    pub(super) fn of_method(method: &OrderShippingMethodId, order: &Order) -> Self {
        Self { shipping_method_id: Some(method.clone()), ..Self::of_order(order) }
    }

    fn of_order(order: &Order) -> Self {
        Self {
            item_id: None,
            shipping_method_id: None,
            created_at: order.placed_at,
            updated_at: order.updated_at,
            deleted_at: None,
        }
    }

    /// Returns the id of a part, derived from its owner and its index.
    fn part_id(&self, of_line: &str, of_method: &str, index: usize) -> String {
        let line = self.item_id.as_ref().map(|id| (of_line, id.as_str()));
        let method = self.shipping_method_id.as_ref().map(|id| (of_method, id.as_str()));
        let (prefix, owner) = line.or(method).unwrap_or_default();
        let owner = owner.split_once('_').map_or(owner, |(_, ulid)| ulid);
        format!("{prefix}_{owner}_{index}")
    }
}

/// Builds the views of taxes. `left` contains the amounts without returned pieces, if there are
/// any.
pub(super) fn tax_views(
    owner: &OwnerView,
    taxes: Vec<TaxLine>,
    parts: Option<&ChargeTotals>,
    left: Option<&Amounts>,
    currency: Currency,
) -> Vec<TaxLineView> {
    let part = |index: usize| parts.and_then(|parts| parts.tax_lines.get(index));
    let mut totals: Vec<i64> = taxes.iter().map(|tax| tax.amount_minor).collect();
    let mut subtotals: Vec<i64> = totals
        .iter()
        .enumerate()
        .map(|(index, total)| part(index).map_or(*total, |part| part.subtotal))
        .collect();
    if let Some(left) = left {
        totals = split(left.tax_total, &totals).unwrap_or(totals);
        subtotals = split(left.original_tax_total, &subtotals).unwrap_or(subtotals);
    }
    taxes
        .into_iter()
        .zip(totals.into_iter().zip(subtotals))
        .enumerate()
        .map(|(index, (tax, (total, subtotal)))| TaxLineView {
            id: owner.part_id("ordlitxl", "ordsmtxl", index),
            code: tax.code,
            description: tax.name,
            rate: to_percent(tax.rate_ppm).into(),
            provider_id: LINE_PROVIDER,
            country_code: tax.country,
            province: tax.province,
            total: currency.amount(total),
            subtotal: currency.amount(subtotal),
            owner: owner.clone(),
        })
        .collect()
}

pub(super) fn adjustment_views(
    owner: &OwnerView,
    adjustments: Vec<Adjustment>,
    parts: Option<&ChargeTotals>,
    currency: Currency,
) -> Vec<AdjustmentView> {
    let part = |index: usize| parts.and_then(|parts| parts.adjustments.get(index));
    adjustments
        .into_iter()
        .enumerate()
        .map(|(index, adjustment)| {
            let amount = adjustment.amount_minor;
            AdjustmentView {
                id: owner.part_id("ordliadj", "ordsmadj", index),
                promotion_id: adjustment.promotion_id,
                code: adjustment.code,
                amount: currency.amount(amount),
                is_tax_inclusive: adjustment.is_tax_inclusive,
                subtotal: currency.amount(part(index).map_or(amount, |part| part.subtotal)),
                total: currency.amount(part(index).map_or(amount, |part| part.total)),
                owner: owner.clone(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::cart::totals;

    #[test]
    fn a_line_shows_its_tax_before_and_after_its_discount() {
        let usd = Currency::from_code("usd").unwrap();
        let taxes = vec![TaxLine {
            code: Some("nv".to_owned()),
            name: "Sales tax".to_owned(),
            rate_ppm: 72_500,
            amount_minor: 170,
            country: Some("us".to_owned()),
            province: None,
        }];
        let adjustments = vec![Adjustment {
            promotion_id: None,
            code: Some("TEN".to_owned()),
            amount_minor: 260,
            is_tax_inclusive: false,
        }];
        let charge = totals::Charge {
            unit_price_minor: 1_299,
            quantity: 2,
            is_tax_inclusive: false,
            rates_ppm: vec![72_500],
            adjustments: adjustments.iter().map(totals::Adjustment::from).collect(),
        };
        let parts = totals::charge(&charge).ok();
        let at = Timestamp::from_millis(0);
        let owner = OwnerView {
            item_id: Some("ordli_01JD2Q8Z5M6T3W9XKCV4B7N0RE".parse().unwrap()),
            shipping_method_id: None,
            created_at: at,
            updated_at: at,
            deleted_at: None,
        };
        let taxes = tax_views(&owner, taxes, parts.as_ref(), None, usd);
        let adjustments = adjustment_views(&owner, adjustments, parts.as_ref(), usd);
        assert_eq!(
            json!([taxes, adjustments]),
            json!([
                [{
                    "id": "ordlitxl_01JD2Q8Z5M6T3W9XKCV4B7N0RE_0", "code": "nv",
                    "description": "Sales tax", "rate": 7.25, "provider_id": "system",
                    "country_code": "us", "province": null, "total": 1.7, "subtotal": 1.88,
                    "item_id": "ordli_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "deleted_at": null,
                    "created_at": "1970-01-01T00:00:00.000Z", "updated_at": "1970-01-01T00:00:00.000Z",
                }],
                [{
                    "id": "ordliadj_01JD2Q8Z5M6T3W9XKCV4B7N0RE_0", "promotion_id": null,
                    "code": "TEN", "amount": 2.6, "is_tax_inclusive": false, "subtotal": 2.6,
                    "total": 2.78,
                    "item_id": "ordli_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "deleted_at": null,
                    "created_at": "1970-01-01T00:00:00.000Z", "updated_at": "1970-01-01T00:00:00.000Z",
                }],
            ])
        );
    }
}
