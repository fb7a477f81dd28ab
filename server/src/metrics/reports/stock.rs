//! What is odd about costs and stock.

use serde::Serialize;
use utoipa::ToSchema;

use crate::clock::Timestamp;
use crate::database::Tx;
use crate::metrics::MetricError;
use crate::metrics::boards::RangeView;
use crate::metrics::boards::range::Board;
use crate::metrics::queries::stock::{self, Asked, Finding};
use crate::money::{Amount, Currency};

/// The margin that sales are to have when nobody says, in percent.
pub(in crate::metrics) const DEFAULT_TARGET_PERCENT: u32 = 20;
/// Costs that are more than this part of the one before have jumped, in percent.
const JUMP_PERCENT: i64 = 120;
/// How long stock may lie, in milliseconds: 90 days.
const UNMOVED_MS: i64 = 90 * 24 * 60 * 60 * 1_000;
/// Millionths in a percent.
const PPM_OF_PERCENT: i64 = 10_000;

/// Something odd about a variant.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(in crate::metrics) struct CostAlert {
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
pub(in crate::metrics) struct CostAlerts {
    /// What it is of.
    range: RangeView,
    /// The margin that sales are to have, in percent.
    target_margin: u32,
    /// The first hundred of each kind.
    alerts: Vec<CostAlert>,
    /// How many are shown.
    count: usize,
}

/// Looks for what is odd.
pub(in crate::metrics) fn alerts(
    tx: &Tx<'_>,
    board: &Board,
    target_margin: u32,
) -> Result<CostAlerts, MetricError> {
    let ((start, end), currency) = (board.instants(), board.money()?);
    let asked = Asked { currency: board.currency_code(), start, end };
    let bound = i64::from(target_margin).saturating_mul(PPM_OF_PERCENT);
    let mut alerts = Vec::new();
    for found in stock::without_cost(tx, &asked)? {
        alerts.push(CostAlert::of("missing_cost", found));
    }
    for found in stock::below_margin(tx, &asked, bound)? {
        let is_loss = found.value < found.other;
        let kind = if is_loss { "below_cost" } else { "below_target" };
        let (revenue, cost) = (amount(found.value, currency), amount(found.other, currency));
        alerts.push(CostAlert { revenue, cost, ..CostAlert::of(kind, found) });
    }
    for found in stock::jumps(tx, &asked, JUMP_PERCENT)? {
        let (cost, previous_cost) = (amount(found.value, currency), amount(found.other, currency));
        alerts.push(CostAlert { cost, previous_cost, ..CostAlert::of("cost_jump", found) });
    }
    let since = board.now.plus_ms(UNMOVED_MS.saturating_neg());
    for found in stock::unmoved(tx, &asked, since)? {
        alerts.push(CostAlert { units: found.value, ..CostAlert::of("unmoved", found) });
    }
    Ok(CostAlerts { range: RangeView::of(board), target_margin, count: alerts.len(), alerts })
}

fn amount(minor: Option<i64>, currency: Currency) -> Option<Amount> {
    minor.map(|minor| currency.amount(minor))
}

impl CostAlert {
    fn of(kind: &'static str, found: Finding) -> Self {
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
