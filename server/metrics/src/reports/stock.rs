//! Problems of costs and stock.

use serde::Serialize;

use super::queries::stock::{StockCheck, StockFinding};
use crate::MetricError;
use crate::clock::{DAY_MS, Timestamp};
use crate::compute::range::{RangeView, ResolvedRange};
use crate::database::Tx;
use crate::http::ToSchema;
use crate::money::{Amount, Currency};

/// The default target margin of sales, in percent.
pub(crate) const DEFAULT_TARGET_PERCENT: u32 = 20;
/// A cost has jumped if it exceeds this percentage of the previous one.
const JUMP_PERCENT: i64 = 120;
/// The time after which stock counts as unmoved, in milliseconds: 90 days.
const UNMOVED_MS: i64 = 90 * DAY_MS;
/// Millionths per percent.
const PPM_OF_PERCENT: i64 = 10_000;

/// A problem of a variant.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub(crate) struct CostAlert {
    /// The kind: `missing_cost`, `below_cost`, `below_target`, `cost_jump` or `unmoved`.
    #[schema(example = "below_cost")]
    kind: &'static str,
    variant_id: String,
    /// The variant's product.
    product_id: Option<String>,
    title: Option<String>,
    sku: Option<String>,
    /// The revenue, for sales.
    revenue: Option<Amount>,
    /// The cost, for sales; the new cost, for a jump.
    cost: Option<Amount>,
    /// The previous cost, for a jump.
    previous_cost: Option<Amount>,
    /// Units in stock, for unmoved stock; complete sets if a variant consists of several items.
    units: Option<i64>,
    /// The last sale, the day of the jump, or the last stock movement.
    at: Option<Timestamp>,
}

/// Problems of costs and stock.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct CostAlerts {
    range: RangeView,
    /// The target margin of sales, in percent.
    target_margin: u32,
    /// A page of alerts, grouped by kind in the order given at `kind`.
    alerts: Vec<CostAlert>,
    /// The number of alerts on all pages.
    count: u32,
    /// The number of alerts before the page.
    offset: u32,
    /// The maximum number of alerts on the page.
    limit: u32,
}

pub(crate) fn alerts(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    target_margin: u32,
) -> Result<CostAlerts, MetricError> {
    let currency = range.money()?;
    let margin_ppm = i64::from(target_margin).saturating_mul(PPM_OF_PERCENT);
    let since = range.asked.now.minus_ms(UNMOVED_MS).as_millis();
    let (limit, offset) = range.page;
    let (mut alerts, mut count, mut room, mut before) = (Vec::new(), 0_u32, limit, offset);
    let mut searches = vec![
        (StockCheck::WithoutCost, 0),
        (StockCheck::BelowMargin, margin_ppm),
        (StockCheck::Jumps, JUMP_PERCENT),
        (StockCheck::Unmoved, since),
    ];
    // Stock and its cost are of no sales channel, region or country; only sales are.
    if range.asked.filters.to_engine().is_some() {
        searches.retain(|(search, _)| *search == StockCheck::BelowMargin);
    }
    for (search, bound) in searches {
        let findings = search.page(tx, range, (bound, (room, before)))?;
        let all = search.count(tx, range, bound)?;
        count = count.saturating_add(all);
        before = before.saturating_sub(all);
        room = room.saturating_sub(u32::try_from(findings.len()).unwrap_or(u32::MAX));
        alerts.extend(findings.into_iter().map(|finding| alert(search, finding, currency)));
    }
    Ok(CostAlerts { range: RangeView::of(range), target_margin, alerts, count, offset, limit })
}

fn alert(search: StockCheck, finding: StockFinding, currency: Currency) -> CostAlert {
    let (value, other) = (amount(finding.value, currency), amount(finding.other, currency));
    match search {
        StockCheck::WithoutCost => CostAlert::of("missing_cost", finding),
        StockCheck::BelowMargin => {
            let is_loss = finding.value < finding.other;
            let kind = if is_loss { "below_cost" } else { "below_target" };
            CostAlert { revenue: value, cost: other, ..CostAlert::of(kind, finding) }
        }
        StockCheck::Jumps => {
            CostAlert { cost: value, previous_cost: other, ..CostAlert::of("cost_jump", finding) }
        }
        StockCheck::Unmoved => {
            CostAlert { units: finding.value, ..CostAlert::of("unmoved", finding) }
        }
    }
}

fn amount(minor: Option<i64>, currency: Currency) -> Option<Amount> {
    minor.map(|minor| currency.amount(minor))
}

impl CostAlert {
    fn of(kind: &'static str, finding: StockFinding) -> Self {
        Self {
            kind,
            variant_id: finding.variant_id,
            product_id: finding.product_id,
            title: finding.title,
            sku: finding.sku,
            at: finding.at,
            ..Self::default()
        }
    }
}
