//! The results of promotions.

use serde::Serialize;

use super::queries::goods::{self, Names};
use crate::MetricError;
use crate::compute::Granularity;
use crate::compute::range::{RangeView, ResolvedRange};
use crate::compute::standard_formulas::{RowIndex, StandardAnswers};
use crate::compute::view::ValueView;
use crate::database::Tx;
use crate::http::ToSchema;
use crate::routes::paging::page;

/// Uses, orders, revenue, discount, discount rate, average revenue, new customers.
const FORMULAS: &[&str] = &[
    "count(promotions where order.status != 'canceled')",
    "count_distinct(promotions.order_id where order.status != 'canceled')",
    "sum(promotions.order.subtotal where order.status != 'canceled')",
    "sum(promotions.amount where order.status != 'canceled')",
    "sum(promotions.amount where order.status != 'canceled') / sum(promotions.order.subtotal + promotions.order.discount_total where order.status != 'canceled')",
    "sum(promotions.order.subtotal where order.status != 'canceled') / count_distinct(promotions.order_id where order.status != 'canceled')",
    "count_distinct(promotions.order.customer_id where order.status != 'canceled' and created_at = order.customer.first_order_at)",
];

/// Orders with a promotion: count and revenue; the metric `aov` for orders with one, and without; the total discount.
const TOTALS: &[&str] = &[
    "count(orders where status != 'canceled' and promo_code is not null)",
    "sum(orders.subtotal where status != 'canceled' and promo_code is not null)",
    "(sum(items.subtotal where order.status != 'canceled' and order.promo_code is not null) - sum(items.discount where order.status != 'canceled' and order.promo_code is not null) - sum(refunds.subtotal where order.status != 'canceled' and order.promo_code is not null)) / count(orders where status != 'canceled' and promo_code is not null)",
    "(sum(items.subtotal where order.status != 'canceled' and order.promo_code is null) - sum(items.discount where order.status != 'canceled' and order.promo_code is null) - sum(refunds.subtotal where order.status != 'canceled' and order.promo_code is null)) / count(orders where status != 'canceled' and promo_code is null)",
    "sum(promotions.amount where order.status != 'canceled')",
];

/// A promotion or a promotion code.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct PromotionRow {
    /// The promotion's id; null in the report by code.
    promotion_id: Option<String>,
    /// The promotion's code; null if the promotion no longer exists.
    code: Option<String>,
    /// How often it was used.
    uses: ValueView,
    orders: ValueView,
    /// The goods of these orders after discounts, without tax.
    revenue: ValueView,
    discount: ValueView,
    /// The discount as a fraction of the revenue plus all discounts of these orders.
    discount_rate: ValueView,
    /// The revenue per order with it, before returns.
    average_revenue: ValueView,
    /// Customers whose first order used it.
    new_customers: ValueView,
}

/// The totals of all promotions. An order with several of them counts once.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct PromotionTotals {
    orders: ValueView,
    /// The goods of these orders after discounts, without tax.
    revenue: ValueView,
    discount: ValueView,
    /// The average order value, after returns, of orders with a promotion.
    average_order_value_with: ValueView,
    /// The average order value, after returns, of orders without a promotion.
    average_order_value_without: ValueView,
}

/// The results of promotions.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct PromotionReport {
    range: RangeView,
    /// A page of rows, the largest discount first.
    promotions: Vec<PromotionRow>,
    total: PromotionTotals,
    /// The number of rows.
    count: usize,
    /// The number of rows before the page.
    offset: u32,
    /// The maximum number of rows on the page.
    limit: u32,
}

pub(crate) fn read(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    is_by_code: bool,
) -> Result<PromotionReport, MetricError> {
    let field = if is_by_code { "code" } else { "promotion_id" };
    let grid = StandardAnswers::read(tx, range, FORMULAS, (Granularity::None, &[field]))?;
    let totals = StandardAnswers::whole(tx, range, TOTALS)?;
    let ranked = grid.ranked(3);
    let (limit, offset) = range.page;
    let page = page(&ranked, range.page);
    let codes =
        goods::names(tx, Names::PromotionCodes, page.iter().filter_map(|row| grid.key(*row)))?;
    let rows = page.iter().map(|row| {
        let key = grid.key(*row).map(str::to_owned);
        let code = key.as_ref().and_then(|key| codes.get(key)).cloned();
        let (promotion_id, code) = if is_by_code { (None, key) } else { (key, code) };
        promotion_row(promotion_id, code, &grid, *row)
    });
    Ok(PromotionReport {
        range: RangeView::of(range),
        promotions: rows.collect(),
        total: PromotionTotals {
            orders: totals.total(0),
            revenue: totals.total(1),
            discount: totals.total(4),
            average_order_value_with: totals.total(2),
            average_order_value_without: totals.total(3),
        },
        count: ranked.len(),
        offset,
        limit,
    })
}

fn promotion_row(
    promotion_id: Option<String>,
    code: Option<String>,
    grid: &StandardAnswers,
    row: RowIndex,
) -> PromotionRow {
    PromotionRow {
        promotion_id,
        code,
        uses: grid.view(0, row),
        orders: grid.view(1, row),
        revenue: grid.view(2, row),
        discount: grid.view(3, row),
        discount_rate: grid.view(4, row),
        average_revenue: grid.view(5, row),
        new_customers: grid.view(6, row),
    }
}
