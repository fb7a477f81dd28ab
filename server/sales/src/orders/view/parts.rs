//! The views of taxes and adjustments of lines and shipping methods.

use rust_decimal::Decimal;
use serde::Serialize;
use utoipa::ToSchema;

use crate::cart::totals::{self, Amounts, Charge, ChargeTotals, TotalsError};
use crate::http::Resource;
use crate::ids::PromotionId;
use crate::money::{Amount, Currency};
use crate::orders::order::{Adjustment, TaxLine};
use crate::proportion::split;
use crate::taxes::LINE_PROVIDER;

/// A tax.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "tax_line")]
pub(crate) struct TaxLineView {
    #[schema(example = "ordlitxl_01JD2Q8Z5M6T3W9XKCV4B7N0RE_0")]
    id: String,
    /// The code of the rate.
    code: Option<String>,
    /// The name of the rate.
    description: String,
    /// The rate in per cent.
    rate: Amount,
    /// The tax provider.
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
}

/// Computes the amounts of each tax before discounts and of each adjustment with and without tax from the stored ones.
pub(in crate::orders) fn parts(
    (unit_price_minor, quantity): (i64, i64),
    is_tax_inclusive: bool,
    taxes: &[TaxLine],
    adjustments: &[Adjustment],
) -> Result<ChargeTotals, TotalsError> {
    let charge = Charge {
        unit_price_minor,
        quantity,
        is_tax_inclusive,
        rates_ppm: taxes.iter().map(|tax| tax.rate_ppm).collect(),
        adjustments: adjustments
            .iter()
            .map(|adjustment| totals::Adjustment {
                amount_minor: adjustment.amount_minor,
                is_tax_inclusive: adjustment.is_tax_inclusive,
            })
            .collect(),
    };
    totals::charge(&charge)
}

/// Builds the views of taxes. `left` has the amounts without returned pieces, if there are any.
pub(super) fn tax_views(
    (prefix, owner): (&str, &str),
    taxes: Vec<TaxLine>,
    (parts, left): (Option<&ChargeTotals>, Option<&Amounts>),
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
            id: part_id(prefix, owner, index),
            code: tax.code,
            description: tax.name,
            rate: percent(tax.rate_ppm),
            provider_id: LINE_PROVIDER,
            country_code: tax.country,
            province: tax.province,
            total: currency.amount(total),
            subtotal: currency.amount(subtotal),
        })
        .collect()
}

pub(super) fn adjustment_views(
    (prefix, owner): (&str, &str),
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
                id: part_id(prefix, owner, index),
                promotion_id: adjustment.promotion_id,
                code: adjustment.code,
                amount: currency.amount(amount),
                is_tax_inclusive: adjustment.is_tax_inclusive,
                subtotal: currency.amount(part(index).map_or(amount, |part| part.subtotal)),
                total: currency.amount(part(index).map_or(amount, |part| part.total)),
            }
        })
        .collect()
}

/// Returns the id of a part, derived from its owner and its index.
fn part_id(prefix: &str, owner: &str, index: usize) -> String {
    let owner = owner.split_once('_').map_or(owner, |(_, ulid)| ulid);
    format!("{prefix}_{owner}_{index}")
}

/// Converts a rate to per cent.
fn percent(rate_ppm: i64) -> Amount {
    Decimal::new(rate_ppm, 4).into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

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
        let parts = parts((1_299, 2), false, &taxes, &adjustments).ok();
        let of_line = "ordli_01JD2Q8Z5M6T3W9XKCV4B7N0RE";
        let taxes = tax_views(("ordlitxl", of_line), taxes, (parts.as_ref(), None), usd);
        let adjustments = adjustment_views(("ordliadj", of_line), adjustments, parts.as_ref(), usd);
        assert_eq!(
            json!([taxes, adjustments]),
            json!([
                [{
                    "id": "ordlitxl_01JD2Q8Z5M6T3W9XKCV4B7N0RE_0", "code": "nv",
                    "description": "Sales tax", "rate": 7.25, "provider_id": "system",
                    "country_code": "us", "province": null, "total": 1.7, "subtotal": 1.88,
                }],
                [{
                    "id": "ordliadj_01JD2Q8Z5M6T3W9XKCV4B7N0RE_0", "promotion_id": null,
                    "code": "TEN", "amount": 2.6, "is_tax_inclusive": false, "subtotal": 2.6,
                    "total": 2.78,
                }],
            ])
        );
    }
}
