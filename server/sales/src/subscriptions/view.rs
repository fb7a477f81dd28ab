//! Subscriptions in responses.

use serde::Serialize;
use serde_json::Value;

use super::cycle::{Cycle, CycleStatus, SkipReason};
use super::error::SubscriptionError;
use super::queries;
use super::status::SubscriptionStatus;
use super::subscription::{CancellationReason, Item, Shipping, Subscription};
use super::upcoming::{self, TotalsView, UpcomingView};
use crate::cart::contents::Address;
use crate::clock::Timestamp;
use crate::database::listing::ListQuery;
use crate::database::{Listable, Missing, Table as _, Tx};
use crate::http::{Resource, Selection, ToSchema};
use crate::ids::{
    ById, CustomerId, OrderId, ProductId, RegionId, SalesChannelId, SubscriptionId,
    SubscriptionItemId, SubscriptionPlanId, VariantId,
};
use crate::metadata::Metadata;
use crate::money::{Amount, Currency};
use crate::payments::methods::PaymentMethod;
use crate::payments::payment::Session;
use crate::payments::provider::AUTHENTICATION_REQUIRED;
use crate::plans::{SubscriptionKind, Unit};
use crate::resource::View;

/// Limit: past cycles that a subscription shows.
const CYCLES: i64 = 24;

/// A subscription.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[schema(as = Subscription)]
#[resource(name = "subscription", rows = Subscription, store = StoreSubscription)]
pub(super) struct SubscriptionView {
    pub(super) id: SubscriptionId,
    #[schema(inline, example = "active")]
    status: SubscriptionStatus,
    customer_id: CustomerId,
    /// The order that it began with.
    order_id: OrderId,
    sales_channel_id: Option<SalesChannelId>,
    region_id: Option<RegionId>,
    pub(super) currency_code: Currency,
    #[schema(inline)]
    items: Vec<ItemView>,
    #[schema(inline, example = "delivery")]
    kind: SubscriptionKind,
    #[schema(inline, example = "month")]
    interval: Unit,
    interval_count: i64,
    /// The anchor from which all due dates are computed.
    anchor: AnchorView,
    /// The number of the last cycle that began.
    cycle: i64,
    current_period_start: Option<Timestamp>,
    current_period_end: Option<Timestamp>,
    next_billing_at: Option<Timestamp>,
    trial_end: Option<Timestamp>,
    /// When it was first paid.
    started_at: Option<Timestamp>,
    paused_at: Option<Timestamp>,
    resume_at: Option<Timestamp>,
    cancel_at: Option<Timestamp>,
    canceled_at: Option<Timestamp>,
    #[schema(inline)]
    cancellation_reason: Option<CancellationReason>,
    ended_at: Option<Timestamp>,
    /// The number of cycles until it ends by itself; null for no end.
    cycles_left: Option<i64>,
    shipping_address: Option<Address>,
    /// The first of its shipping methods; null if nothing is sent.
    shipping_method: Option<Shipping>,
    payment_method: Option<MethodView>,
    /// The cost of the next cycle, before credit; null after the end, and in lists.
    totals: Option<TotalsView>,
    /// The balance spent on the next cycles before the method is charged.
    credit_balance: Amount,
    /// The monthly recurring revenue; after the end, the last value.
    mrr: Amount,
    /// The refusals of the open cycle; null if there are none.
    dunning: Option<DunningView>,
    /// The next cycles; null in lists.
    upcoming: Option<Vec<UpcomingView>>,
    /// The actions allowed at present.
    actions: Vec<&'static str>,
    metadata: Metadata,
    /// Incremented by each change; also the `ETag`.
    pub(super) version: i64,
    created_at: Timestamp,
    updated_at: Timestamp,
    /// The last cycles, newest first.
    #[field(extra)]
    #[schema(inline)]
    cycles: Vec<CycleView>,
}

/// An item of a subscription.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = SubscriptionItem)]
struct ItemView {
    id: SubscriptionItemId,
    variant_id: VariantId,
    product_id: ProductId,
    title: String,
    variant_title: Option<String>,
    thumbnail: Option<String>,
    quantity: i64,
    unit_price: Amount,
    plan_id: SubscriptionPlanId,
    /// The variant that replaces it with the next cycle, or has another price from then on.
    next_variant_id: Option<VariantId>,
    next_unit_price: Option<Amount>,
    /// When the replacement takes effect; null for the next cycle.
    next_from: Option<Timestamp>,
}

/// The first paid period.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = SubscriptionAnchor)]
struct AnchorView {
    at: Timestamp,
    /// The day of the month; 31 even where a month is shorter.
    day: i64,
    #[schema(example = "Europe/London")]
    timezone: String,
}

/// The method that is charged.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = SubscriptionPaymentMethod)]
struct MethodView {
    reference: String,
    provider_id: String,
    brand: Option<Value>,
    last4: Option<Value>,
    exp_month: Option<Value>,
    exp_year: Option<Value>,
}

/// The refusals of the open cycle.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = SubscriptionDunning)]
struct DunningView {
    /// The number of scheduled attempts so far.
    attempt: i64,
    next_attempt_at: Option<Timestamp>,
    #[schema(example = "card_declined")]
    last_reason: Option<String>,
    /// The authentication of the card; null unless needed, and for everybody except the customer.
    action: Option<Authentication>,
}

/// What authenticates the card.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = SubscriptionDunningAction)]
struct Authentication {
    /// Always `authenticate`.
    #[serde(rename = "type")]
    #[schema(example = "authenticate")]
    kind: &'static str,
    provider_id: String,
    /// The secret of the refused payment, for the provider's script. Once the card is authenticated, the cycle is paid.
    client_secret: String,
}

/// A cycle that has begun or is skipped.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = SubscriptionCycle)]
struct CycleView {
    number: i64,
    #[schema(inline, example = "paid")]
    status: CycleStatus,
    /// Why it is skipped.
    #[schema(inline)]
    skip_reason: Option<SkipReason>,
    due_at: Timestamp,
    paid_at: Option<Timestamp>,
    total: Option<Amount>,
    order_id: Option<OrderId>,
    attempts: i64,
}

impl From<Subscription> for SubscriptionView {
    fn from(subscription: Subscription) -> Self {
        let currency = subscription.currency;
        let actions = subscription.actions();
        let dunning = subscription.dunning_reason.clone().map(|reason| DunningView {
            attempt: subscription.dunning_attempt,
            next_attempt_at: subscription.dunning_next_at,
            last_reason: Some(reason),
            action: None,
        });
        let cycles_left = subscription.cycles_left();
        Self {
            id: subscription.id,
            status: subscription.status,
            customer_id: subscription.customer_id,
            order_id: subscription.order_id,
            sales_channel_id: subscription.sales_channel_id,
            region_id: subscription.region_id,
            currency_code: currency,
            items: subscription.items.into_iter().map(|item| item_view(item, currency)).collect(),
            kind: subscription.kind,
            interval: subscription.unit,
            interval_count: subscription.interval_count,
            anchor: AnchorView {
                at: subscription.anchor_at,
                day: subscription.anchor_day,
                timezone: subscription.time_zone,
            },
            cycle: subscription.cycle,
            current_period_start: subscription.current_period_start,
            current_period_end: subscription.current_period_end,
            next_billing_at: subscription.next_billing_at,
            trial_end: subscription.trial_end,
            started_at: subscription.started_at,
            paused_at: subscription.paused_at,
            resume_at: subscription.resume_at,
            cancel_at: subscription.cancel_at,
            canceled_at: subscription.canceled_at,
            cancellation_reason: subscription.cancellation_reason,
            ended_at: subscription.ended_at,
            cycles_left,
            shipping_address: subscription.shipping_address,
            shipping_method: subscription.shipping_methods.into_iter().next(),
            payment_method: None,
            totals: None,
            credit_balance: currency.amount(subscription.credit_balance_minor),
            mrr: currency.amount(subscription.mrr_minor),
            dunning,
            upcoming: None,
            actions,
            metadata: subscription.metadata,
            version: subscription.version,
            created_at: subscription.created_at,
            updated_at: subscription.updated_at,
            cycles: Vec::new(),
        }
    }
}

impl SubscriptionView {
    /// Adds the authentication of the last card that the open cycle was charged to and that awaits its holder; only for
    /// the customer.
    pub(super) fn reveal_action(&mut self, tx: &Tx<'_>) -> Result<(), SubscriptionError> {
        let Some(dunning) = &mut self.dunning else { return Ok(()) };
        let Some(cycle) = queries::open_cycle(tx, &self.id)? else { return Ok(()) };
        let attempt = queries::last_refused_for(tx, &cycle.id, AUTHENTICATION_REQUIRED)?;
        let session_id = attempt.and_then(|attempt| attempt.payment_session_id);
        let session = session_id.map(|id| Session::find(tx, &id)).transpose()?.flatten();
        dunning.action = session.and_then(|session| {
            let client_secret = session.data.get("client_secret")?.as_str()?.to_owned();
            let kind = "authenticate";
            Some(Authentication { kind, provider_id: session.provider_id, client_secret })
        });
        Ok(())
    }
}

fn item_view(item: Item, currency: Currency) -> ItemView {
    ItemView {
        id: item.id,
        variant_id: item.variant_id,
        product_id: item.product_id,
        title: item.title,
        variant_title: item.variant_title,
        thumbnail: item.thumbnail,
        quantity: item.quantity,
        unit_price: currency.amount(item.unit_price_minor),
        plan_id: item.plan_id,
        next_unit_price: item.next.as_ref().map(|next| currency.amount(next.unit_price_minor)),
        next_from: item.next.as_ref().and_then(|next| next.from),
        next_variant_id: item.next.map(|next| next.variant_id),
    }
}

fn method_view(method: PaymentMethod) -> MethodView {
    let field = |name: &str| method.card.as_ref().and_then(|card| card.get(name)).cloned();
    MethodView {
        brand: field("brand"),
        last4: field("last4"),
        exp_month: field("exp_month"),
        exp_year: field("exp_year"),
        reference: method.reference,
        provider_id: method.provider_id,
    }
}

fn cycle_view(cycle: Cycle, currency: Currency) -> CycleView {
    CycleView {
        number: cycle.number,
        status: cycle.status,
        skip_reason: cycle.skip_reason,
        due_at: cycle.due_at,
        paid_at: cycle.paid_at,
        total: cycle.total_minor.map(|total| currency.amount(total)),
        order_id: cycle.order_id,
        attempts: cycle.attempt_count,
    }
}

/// Returns the views of subscriptions; `is_whole` adds the next bill, which costs some statements each.
pub(super) fn views(
    tx: &Tx<'_>,
    subscriptions: Vec<Subscription>,
    is_whole: bool,
) -> Result<Vec<SubscriptionView>, SubscriptionError> {
    let items = queries::items(tx, subscriptions.iter().map(|found| &found.id))?;
    let mut items = ById::grouped_by(items, |item| &item.subscription_id);
    let ids: Vec<_> =
        subscriptions.iter().filter_map(|found| found.payment_method_id.clone()).collect();
    let methods: ById<_> = PaymentMethod::find_all(tx, &ids)?
        .into_iter()
        .map(|method| (method.id.clone(), method))
        .collect();
    let mut views = Vec::with_capacity(subscriptions.len());
    for mut subscription in subscriptions {
        subscription.items = items.take(&subscription.id);
        let method = subscription.payment_method_id.as_ref().and_then(|id| methods.get(id));
        let mut view = SubscriptionView::from(subscription.clone());
        view.payment_method = method.cloned().map(method_view);
        if is_whole {
            let (totals, upcoming) = upcoming::read(tx, &subscription)?;
            (view.totals, view.upcoming) = (totals, Some(upcoming));
        }
        views.push(view);
    }
    Ok(views)
}

/// Returns a subscription with its next bill.
pub(super) fn whole(
    tx: &Tx<'_>,
    id: &SubscriptionId,
) -> Result<SubscriptionView, SubscriptionError> {
    let subscription = Subscription::require::<SubscriptionError>(tx, id)?;
    let view = views(tx, vec![subscription], true)?.pop();
    Ok(view.ok_or_else(|| Missing::new(Subscription::TITLE, id))?)
}

/// Adds the last cycles to subscriptions.
fn add_cycles(tx: &Tx<'_>, views: &mut [SubscriptionView]) -> Result<(), SubscriptionError> {
    let cycles = queries::last_cycles(tx, views.iter().map(|view| &view.id), CYCLES)?;
    let mut cycles = ById::grouped_by(cycles, |cycle| &cycle.subscription_id);
    for view in views {
        let shown = cycles.take(&view.id).into_iter();
        view.cycles = shown.map(|cycle| cycle_view(cycle, view.currency_code)).collect();
    }
    Ok(())
}

impl View for SubscriptionView {
    type Row = Subscription;
    type Error = SubscriptionError;

    fn show(
        tx: &Tx<'_>,
        id: &SubscriptionId,
        selection: &Selection,
    ) -> Result<Self, SubscriptionError> {
        let mut view = whole(tx, id)?;
        if selection.wants("cycles") {
            add_cycles(tx, std::slice::from_mut(&mut view))?;
        }
        Ok(view)
    }

    fn page(
        tx: &Tx<'_>,
        query: ListQuery,
        selection: &Selection,
    ) -> Result<(Vec<Self>, u64), SubscriptionError> {
        let (rows, count) = <Subscription as Listable>::page(tx, query)?;
        let mut views = views(tx, rows, false)?;
        if selection.wants("cycles") {
            add_cycles(tx, &mut views)?;
        }
        Ok((views, count))
    }
}
