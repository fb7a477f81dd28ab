//! What is odd about costs and stock.

use serde::Serialize;
use utoipa::ToSchema;

use super::queries::stock::{StockCheck, StockFinding, StockQuery};
use crate::MetricError;
use crate::clock::Timestamp;
use crate::compute::range::RangeView;
use crate::compute::range::ResolvedRange;
use crate::database::Tx;
use crate::money::{Amount, Currency};

/// The margin that sales are to have when nobody says, in percent.
pub(crate) const DEFAULT_TARGET_PERCENT: u32 = 20;
/// Costs that are more than this part of the one before have jumped, in percent.
const JUMP_PERCENT: i64 = 120;
/// How long stock may lie, in milliseconds: 90 days.
const UNMOVED_MS: i64 = 90 * 24 * 60 * 60 * 1_000;
/// Millionths in a percent.
const PPM_OF_PERCENT: i64 = 10_000;

/// Something odd about a variant.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct CostAlert {
    /// What is odd: `missing_cost`, `below_cost`, `below_target`, `cost_jump` or `unmoved`.
    #[schema(example = "below_cost")]
    kind: &'static str,
    /// The variant.
    variant_id: String,
    /// Its product.
    product_id: Option<String>,
    /// What it is called.
    title: Option<String>,
    /// Its number in the warehouse.
    sku: Option<String>,
    /// What it brought, for sales.
    revenue: Option<Amount>,
    /// What it cost, for sales; the new cost, for a jump.
    cost: Option<Amount>,
    /// The cost before, for a jump.
    previous_cost: Option<Amount>,
    /// Pieces in stock, where they do not move.
    units: Option<i64>,
    /// The last sale, the day of the jump, or the last move of stock.
    at: Option<Timestamp>,
}

/// What is odd about costs and stock.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct CostAlerts {
    /// What it is of.
    range: RangeView,
    /// The margin that sales are to have, in percent.
    target_margin: u32,
    /// A page, kind by kind in the order in which the kinds are named.
    alerts: Vec<CostAlert>,
    /// How many there are on all pages.
    count: u32,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

pub(crate) fn alerts(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    target_margin: u32,
) -> Result<CostAlerts, MetricError> {
    let ((start, end), currency) = (range.instants(), range.money()?);
    let query = StockQuery { currency: range.currency_code(), start, end };
    let margin_ppm = i64::from(target_margin).saturating_mul(PPM_OF_PERCENT);
    let since = range.now.plus_ms(UNMOVED_MS.saturating_neg()).as_millis();
    let (limit, offset) = range.page;
    let (mut alerts, mut count, mut room, mut before) = (Vec::new(), 0_u32, limit, offset);
    for (search, bound) in [
        (StockCheck::WithoutCost, 0),
        (StockCheck::BelowMargin, margin_ppm),
        (StockCheck::Jumps, JUMP_PERCENT),
        (StockCheck::Unmoved, since),
    ] {
        let found = search.page(tx, &query, (bound, (room, before)))?;
        let all = search.count(tx, &query, bound)?;
        count = count.saturating_add(all);
        before = before.saturating_sub(all);
        room = room.saturating_sub(u32::try_from(found.len()).unwrap_or(u32::MAX));
        alerts.extend(found.into_iter().map(|found| alert(search, found, currency)));
    }
    Ok(CostAlerts { range: RangeView::of(range), target_margin, alerts, count, offset, limit })
}

fn alert(search: StockCheck, found: StockFinding, currency: Currency) -> CostAlert {
    let (value, other) = (amount(found.value, currency), amount(found.other, currency));
    match search {
        StockCheck::WithoutCost => CostAlert::of("missing_cost", found),
        StockCheck::BelowMargin => {
            let is_loss = found.value < found.other;
            let kind = if is_loss { "below_cost" } else { "below_target" };
            CostAlert { revenue: value, cost: other, ..CostAlert::of(kind, found) }
        }
        StockCheck::Jumps => {
            CostAlert { cost: value, previous_cost: other, ..CostAlert::of("cost_jump", found) }
        }
        StockCheck::Unmoved => CostAlert { units: found.value, ..CostAlert::of("unmoved", found) },
    }
}

fn amount(minor: Option<i64>, currency: Currency) -> Option<Amount> {
    minor.map(|minor| currency.amount(minor))
}

impl CostAlert {
    fn of(kind: &'static str, found: StockFinding) -> Self {
        Self {
            kind,
            variant_id: found.variant_id,
            product_id: found.product_id,
            title: found.title,
            sku: found.sku,
            revenue: None,
            cost: None,
            previous_cost: None,
            units: None,
            at: found.at,
        }
    }
}
