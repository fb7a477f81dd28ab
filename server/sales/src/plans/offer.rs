//! How a product can be subscribed to, and the prices of its variants with a plan.

use serde::Serialize;

use super::discount::DiscountView;
use super::error::PlanError;
use super::plan::{Interval, Plan, SubscriptionKind, Unit};
use super::queries;
use crate::catalog::{self, PriceContextRequest, Sellable};
use crate::database::Tx;
use crate::http::ToSchema;
use crate::ids::{ProductId, SalesChannelId, SubscriptionPlanId, VariantId};
use crate::inventory::{self, Availability};
use crate::money::{Amount, Currency};
use crate::pricing;

/// The plans of a product.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SubscriptionOffer {
    product_id: ProductId,
    /// The oldest plan.
    default_plan_id: Option<SubscriptionPlanId>,
    plans: Vec<OfferedPlan>,
}

/// A plan with the prices of a product.
#[derive(Debug, Serialize, ToSchema)]
struct OfferedPlan {
    id: SubscriptionPlanId,
    name: String,
    kind: SubscriptionKind,
    interval: Unit,
    interval_count: i64,
    /// The frequencies that subscribers can change to.
    allowed_frequencies: Vec<Interval>,
    #[schema(value_type = Option<DiscountView>)]
    discount: Option<DiscountView>,
    trial_days: i64,
    /// The cycles before a customer can cancel.
    min_cycles: Option<i64>,
    /// The variants that have a price in the shopper's region.
    variants: Vec<OfferedVariant>,
}

/// The price of a variant with a plan and without one.
#[derive(Debug, Serialize, ToSchema)]
struct OfferedVariant {
    variant_id: VariantId,
    one_time_price: Amount,
    unit_price: Amount,
    /// The price without a plan minus the price with it.
    saving: Amount,
    currency_code: Currency,
    /// Whether it is in stock, or sold without stock.
    available: bool,
}

/// A variant with its price without a plan.
struct PricedVariant {
    variant_id: VariantId,
    price_minor: i64,
    available: bool,
}

/// Returns the offer of a product to a shopper; none without a plan. Prices are per piece.
///
/// # Errors
/// [`PlanError::Catalog`] if the product is not sold in the channels, or the shopper is nowhere.
pub(super) fn of_product(
    tx: &Tx<'_>,
    product_id: &ProductId,
    channels: &[SalesChannelId],
    place: &PriceContextRequest,
) -> Result<Option<SubscriptionOffer>, PlanError> {
    let sellables = catalog::sellables_of(tx, product_id, channels)?;
    let plans = queries::of_product(tx, product_id)?;
    if plans.is_empty() {
        return Ok(None);
    }
    let context = catalog::resolve_context(tx, place)?.context;
    let quantities: Vec<_> =
        sellables.iter().map(|sellable| (sellable.price_set_id.clone(), 1)).collect();
    let prices = pricing::calculate(tx, &context, &quantities)?;
    let ids: Vec<_> = sellables.iter().map(|sellable| sellable.variant_id.clone()).collect();
    let stock = inventory::availability(tx, &ids, channels)?;
    let is_available = |sellable: &Sellable| {
        sellable.allow_backorder
            || match stock.get(&sellable.variant_id) {
                Some(Availability::Unlimited) => true,
                Some(Availability::Pieces(pieces)) => *pieces > 0,
                None => false,
            }
    };
    let variants: Vec<PricedVariant> = sellables
        .iter()
        .zip(prices)
        .filter_map(|(sellable, price)| {
            Some(PricedVariant {
                variant_id: sellable.variant_id.clone(),
                price_minor: price?.calculated.amount_minor,
                available: is_available(sellable),
            })
        })
        .collect();
    let default_plan_id = plans.first().map(|plan| plan.id.clone());
    let offered = |plan: Plan| OfferedPlan::new(plan, &variants, context.currency);
    let plans = plans.into_iter().map(offered).collect::<Result<_, _>>()?;
    Ok(Some(SubscriptionOffer { product_id: product_id.clone(), default_plan_id, plans }))
}

impl OfferedPlan {
    fn new(plan: Plan, variants: &[PricedVariant], currency: Currency) -> Result<Self, PlanError> {
        let priced = |variant: &PricedVariant| {
            let unit_price_minor = plan.price(variant.price_minor, currency)?;
            let saving_minor = variant.price_minor.saturating_sub(unit_price_minor);
            Ok::<_, PlanError>(OfferedVariant {
                variant_id: variant.variant_id.clone(),
                one_time_price: currency.amount(variant.price_minor),
                unit_price: currency.amount(unit_price_minor),
                saving: currency.amount(saving_minor),
                currency_code: currency,
                available: variant.available,
            })
        };
        let variants = variants.iter().map(priced).collect::<Result<_, _>>()?;
        Ok(Self {
            discount: plan.discount.map(DiscountView::from),
            id: plan.id,
            name: plan.name,
            kind: plan.kind,
            interval: plan.unit,
            interval_count: plan.interval_count,
            allowed_frequencies: plan.allowed_frequencies,
            trial_days: plan.trial_days,
            min_cycles: plan.min_cycles,
            variants,
        })
    }
}
