//! The first step of a completion: one write checks and claims the cart and reserves everything its order needs.

use std::collections::BTreeSet;

use super::error::CheckoutError;
use super::queries;
use crate::auth::SecretDigest;
use crate::cart;
use crate::cart::contents::{Cart, Line};
use crate::catalog::{self, Sellable};
use crate::credit::{self, NewEntry};
use crate::customers::AccountHolder;
use crate::database::Tx;
use crate::ids::{
    ById, CartId, CartLineId, CreditAccountId, CustomerId, OrderId, OrderLineId, PaymentMethodId,
    VariantId,
};
use crate::orders::order::NewOrder;
use crate::payments::methods::{self, SavedCharge};
use crate::payments::payment::Session;
use crate::payments::renewals;
use crate::statuses::SessionStatus;
use crate::subscriptions::create::{self, NewSubscribe, Subscribe};
use crate::{orders, payments, regions};

#[derive(Debug)]
pub(crate) enum ClaimOutcome {
    Completed(OrderId),
    AwaitsPayment(Box<PendingOrder>),
    /// The cart differs from what the shopper agreed to, so nothing was reserved; contains the message for the
    /// shopper.
    CartChanged(String),
    /// The store credit was spent elsewhere, so nothing was reserved; the cart's credit is reduced to what is
    /// left.
    CreditSpent,
}

/// An order that awaits its payment.
#[derive(Debug, Clone)]
pub(super) struct PendingOrder {
    pub(super) cart_id: CartId,
    pub(super) order_id: OrderId,
    pub(super) session: Session,
    /// The saved method to charge, if the shopper named one.
    pub(super) saved: Option<SavedCharge>,
    /// The account holder for whom the session's method is saved for renewals.
    pub(super) holder: Option<AccountHolder>,
}

/// Claims a cart, or returns the outcome of an earlier claim. The token will show the order to its guest. A cart with
/// plans is subscribed.
pub(super) fn claim(
    tx: &Tx<'_>,
    cart: Cart,
    token: SecretDigest,
    subscribe: &NewSubscribe,
) -> Result<ClaimOutcome, CheckoutError> {
    let cart_id = &cart.id.clone();
    if let Some(found) = find_outcome(tx, cart_id)? {
        return Ok(found);
    }
    let sellables = check_items(tx, &cart)?;
    let agreed = cart;
    let cart = cart::renewed(tx, &agreed)?;
    if cart.totals.credit_line_total < agreed.totals.credit_line_total
        && cart.totals.all.total == agreed.totals.all.total
    {
        return Ok(ClaimOutcome::CreditSpent);
    }
    if let Some(message) = difference(&agreed, &cart) {
        return Ok(ClaimOutcome::CartChanged(message));
    }
    check_shipping(&sellables, &cart)?;
    let subscribe = create::resolve(tx, &cart, subscribe)?;
    let (cart, later) = match &subscribe {
        Some(subscribe) => create::due_now(tx, cart, subscribe)?,
        None => (cart, BTreeSet::new()),
    };
    let total_minor = cart.totals.total;
    if total_minor < 0 {
        return Err(CheckoutError::TooMuchCredit);
    }
    let session =
        if total_minor > 0 { Some(session_of(tx, &cart, subscribe.as_ref())?) } else { None };
    let order = place_draft(tx, &cart, &later)?;
    orders::access::grant(tx, &order.id, token)?;
    let session_id = session.as_ref().map(|session| &session.id);
    queries::claim(tx, cart_id, &order.id, session_id, subscribe.as_ref())?;
    let (cart_id, order_id) = (cart.id, order.id);
    let Some(session) = session else {
        if subscribe.is_some() {
            payments::end_sessions(tx, &cart_id)?;
        }
        payments::complete_free(tx, &cart_id, &order_id, cart.currency)?;
        confirm(tx, &cart_id, &order_id, None)?;
        return Ok(ClaimOutcome::Completed(order_id));
    };
    let pending = pending_order(tx, cart_id, order_id, session, subscribe.as_ref())?;
    Ok(ClaimOutcome::AwaitsPayment(Box::new(pending)))
}

fn pending_order(
    tx: &Tx<'_>,
    cart_id: CartId,
    order_id: OrderId,
    session: Session,
    subscribe: Option<&Subscribe>,
) -> Result<PendingOrder, CheckoutError> {
    let (mut saved, mut holder) = (None, None);
    match subscribe {
        Some(Subscribe { method_id: Some(method_id), .. }) => {
            saved = methods::charge_of(tx, method_id, session.id.as_str())?;
        }
        Some(_) => holder = holder_of_session(tx, &cart_id, &session)?,
        None => {}
    }
    Ok(PendingOrder { cart_id, order_id, session, saved, holder })
}

/// Returns the account holder for whom a session's method is saved.
fn holder_of_session(
    tx: &Tx<'_>,
    cart_id: &CartId,
    session: &Session,
) -> Result<Option<AccountHolder>, CheckoutError> {
    let Some(customer_id) = cart::load(tx, cart_id)?.customer_id else { return Ok(None) };
    Ok(methods::holder_of(tx, &customer_id, &session.provider_id)?)
}

/// Returns the session whose method is saved although nothing is paid now, with its account holder.
pub(super) fn setup_session(
    tx: &Tx<'_>,
    cart: Cart,
    subscribe: &NewSubscribe,
) -> Result<Option<(AccountHolder, Session)>, CheckoutError> {
    if subscribe.method_reference.is_some() || !create::has_plans(&cart) {
        return Ok(None);
    }
    let Some(resolved) = create::resolve(tx, &cart, subscribe)? else { return Ok(None) };
    let (cart, _) = create::due_now(tx, cart, &resolved)?;
    if cart.totals.total > 0 {
        return Ok(None);
    }
    let Some((_, Some(session))) = payments::newest(tx, &cart.id)? else { return Ok(None) };
    let holder = holder_of_session(tx, &cart.id, &session)?;
    Ok(holder.map(|holder| (holder, session)))
}

/// Returns the session that pays for a cart. For a subscription, it must save its method for later renewals, or the
/// shopper names a saved one.
fn session_of(
    tx: &Tx<'_>,
    cart: &Cart,
    subscribe: Option<&Subscribe>,
) -> Result<Session, CheckoutError> {
    let Some(subscribe) = subscribe else { return session(tx, cart) };
    if let Some(method_id) = &subscribe.method_id {
        let method = methods::find(tx, method_id)?;
        let (total_minor, provider_id) = (cart.totals.total, &method.provider_id);
        return Ok(renewals::open_for_cart(tx, &cart.id, total_minor, cart.currency, provider_id)?);
    }
    let session = session(tx, cart)?;
    subscribe.check_provider(&session.provider_id)?;
    let usage = session.data.get("setup_future_usage").and_then(serde_json::Value::as_str);
    let is_saved =
        usage == Some("off_session") && holder_of_session(tx, &cart.id, &session)?.is_some();
    if is_saved { Ok(session) } else { Err(CheckoutError::MethodNotSaved) }
}

/// Checks that a cart has items and that all of them are still sold.
fn check_items(tx: &Tx<'_>, cart: &Cart) -> Result<ById<Sellable>, CheckoutError> {
    if cart.lines.is_empty() {
        return Err(CheckoutError::NoItems);
    }
    let sellables = catalog::sellables_by_id(tx, &cart.variant_ids())?;
    check_sold(&sellables, cart)?;
    Ok(sellables)
}

/// Checks that nothing but the payment is missing.
pub(super) fn check_payable(tx: &Tx<'_>, cart: &Cart) -> Result<(), CheckoutError> {
    let sellables = check_items(tx, cart)?;
    check_shipping(&sellables, cart)
}

/// Returns the outcome of an earlier claim of the cart that is still in effect.
pub(super) fn find_outcome(
    tx: &Tx<'_>,
    cart_id: &CartId,
) -> Result<Option<ClaimOutcome>, CheckoutError> {
    let Some(row) = queries::completion(tx, cart_id)? else { return Ok(None) };
    let order_id = row.order_id;
    match row.session_id {
        Some(session_id) if !row.is_done => {
            let session = payments::session(tx, &session_id)?;
            let pending =
                pending_order(tx, cart_id.clone(), order_id, session, row.subscribe.as_ref())?;
            Ok(Some(ClaimOutcome::AwaitsPayment(Box::new(pending))))
        }
        Some(_) | None => Ok(Some(ClaimOutcome::Completed(order_id))),
    }
}

/// Reserves everything the order needs and writes it as a draft.
fn place_draft(
    tx: &Tx<'_>,
    cart: &Cart,
    later: &BTreeSet<CartLineId>,
) -> Result<NewOrder, CheckoutError> {
    let order = orders::of_cart(tx, cart)?;
    // Lines of subscriptions that begin later are part of the order, but none of them is shipped yet.
    let held: BTreeSet<&OrderLineId> = cart
        .lines
        .iter()
        .zip(&order.lines)
        .filter(|(line, _)| !later.contains(&line.id))
        .map(|(_, line)| &line.id)
        .collect();
    orders::place_draft(tx, &order, |line| held.contains(&line.id))?;
    debit(tx, cart)?;
    Ok(order)
}

/// Debits the accounts that pay a part of the cart.
fn debit(tx: &Tx<'_>, cart: &Cart) -> Result<(), CheckoutError> {
    let actor_id = cart.customer_id.as_ref().map_or("", CustomerId::as_str);
    for (account, entry) in credit_entries(cart) {
        credit::debit(tx, &account, cart.currency, NewEntry { actor_id, ..entry })?;
    }
    Ok(())
}

/// Confirms the draft as an order, starts its subscriptions and completes the cart. `method_id` is the method saved
/// from the payment.
pub(super) fn confirm(
    tx: &Tx<'_>,
    cart_id: &CartId,
    order_id: &OrderId,
    method_id: Option<PaymentMethodId>,
) -> Result<(), CheckoutError> {
    orders::confirm(tx, order_id)?;
    orders::settle(tx, order_id)?;
    let subscribe = queries::completion(tx, cart_id)?.and_then(|row| row.subscribe);
    if let Some(mut subscribe) = subscribe {
        subscribe.method_id = subscribe.method_id.or(method_id);
        create::begin(tx, &cart::load(tx, cart_id)?, order_id, &subscribe)?;
    }
    queries::complete_cart(tx, cart_id)?;
    queries::finish(tx, cart_id)?;
    Ok(())
}

/// Reverses [`debit`] by a new entry.
pub(super) fn refund_credit(tx: &Tx<'_>, cart: &Cart) -> Result<(), CheckoutError> {
    let note = Some("the payment of the rest failed");
    for (account, entry) in credit_entries(cart) {
        credit::credit(tx, &account, NewEntry { note, ..entry })?;
    }
    Ok(())
}

/// Returns the accounts that pay a part of the cart, with the entries for it. A claimed cart cannot change, so the result
/// is stable.
fn credit_entries(cart: &Cart) -> impl Iterator<Item = (CreditAccountId, NewEntry<'_>)> {
    cart.paying_credit().filter_map(|line| {
        let (amount_minor, reference_id) = (line.amount_minor, cart.id.as_str());
        let entry =
            NewEntry { amount_minor, reference: "cart", reference_id, note: None, actor_id: "" };
        Some((line.reference_id.parse().ok()?, entry))
    })
}

/// Describes how the refreshed cart differs in price or contents from the agreed one; none if it does not.
fn difference(agreed: &Cart, cart: &Cart) -> Option<String> {
    let (before, now) = (agreed.totals.total, cart.totals.total);
    if (before, agreed.currency) != (now, cart.currency) {
        let (before, now) = (agreed.currency.amount(before), cart.currency.amount(now));
        return Some(format!(
            "The cart costs {} now, not {}: begin a new payment session",
            now.text(),
            before.text()
        ));
    }
    let is_same =
        agreed.lines.iter().map(|line| &line.id).eq(cart.lines.iter().map(|line| &line.id))
            && agreed.shipping_methods.len() == cart.shipping_methods.len();
    (!is_same).then(|| "The cart has changed: some of it is not offered any more".to_owned())
}

fn variant(line: &Line) -> Option<VariantId> {
    line.item.variant_id.clone()
}

/// Checks that everything in the cart is still sold.
fn check_sold(sellables: &ById<Sellable>, cart: &Cart) -> Result<(), CheckoutError> {
    let gone: Vec<String> = cart
        .lines
        .iter()
        .filter_map(variant)
        .filter(|variant| sellables.get(variant).is_none())
        .map(|variant| variant.to_string())
        .collect();
    if !gone.is_empty() {
        return Err(CheckoutError::NotSold(gone.join(", ")));
    }
    Ok(())
}

/// Checks that everything that needs shipping has a shipping method.
fn check_shipping(sellables: &ById<Sellable>, cart: &Cart) -> Result<(), CheckoutError> {
    let chosen: BTreeSet<_> = cart
        .shipping_methods
        .iter()
        .filter_map(|method| method.shipping_profile_id.as_ref())
        .collect();
    for line in cart.lines.iter().filter(|line| line.item.requires_shipping) {
        let profile =
            variant(line).and_then(|variant| sellables.get(&variant)?.shipping_profile_id.as_ref());
        let is_covered = match profile {
            Some(profile) => chosen.contains(profile),
            None => !cart.shipping_methods.is_empty(),
        };
        if !is_covered {
            return Err(CheckoutError::NoShippingMethod);
        }
    }
    Ok(())
}

/// Returns the session that pays for the cart: the newest one, if it is usable.
fn session(tx: &Tx<'_>, cart: &Cart) -> Result<Session, CheckoutError> {
    let (_, session) = payments::newest(tx, &cart.id)?.ok_or(CheckoutError::NoCollection)?;
    let session = session.filter(|session| may_pay(session.status));
    let session = session.ok_or(CheckoutError::NoSession)?;
    if (session.amount_minor, session.currency) != (cart.totals.total, cart.currency) {
        return Err(CheckoutError::AnotherAmount {
            total: cart.currency.amount(cart.totals.total),
            session: session.currency.amount(session.amount_minor),
        });
    }
    let region = cart.region_id.as_ref().ok_or(CheckoutError::Missing("region"))?;
    if !regions::payment_providers(tx, region)?.contains(&session.provider_id) {
        return Err(CheckoutError::ProviderDisabled(session.provider_id));
    }
    Ok(session)
}

fn may_pay(status: SessionStatus) -> bool {
    match status {
        SessionStatus::Pending
        | SessionStatus::RequiresMore
        | SessionStatus::Authorized
        | SessionStatus::Captured
        | SessionStatus::PendingAuthorization => true,
        SessionStatus::Error | SessionStatus::Canceled => false,
    }
}
