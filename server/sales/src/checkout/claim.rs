//! The first step of a completion: one write checks and claims the cart and reserves everything its order needs.

use std::collections::{BTreeMap, BTreeSet};

use super::convert::{self, OrderFacts};
use super::error::CheckoutError;
use super::queries;
use crate::auth::SecretDigest;
use crate::cart;
use crate::cart::contents::{Cart, Line};
use crate::catalog::{self, Sellable};
use crate::credit::{self, NewEntry, STORE_CREDIT};
use crate::database::Tx;
use crate::ids::{CartId, CreditAccountId, CustomerId, OrderId, VariantId};
use crate::inventory::{self, LineQuantity};
use crate::orders::order::NewOrder;
use crate::payments::payment::Session;
use crate::promotions::Use;
use crate::statuses::SessionStatus;
use crate::{orders, payments, pricing, promotions, regions};

#[derive(Debug)]
pub(super) enum ClaimOutcome {
    /// The cart is already this order.
    Completed(OrderId),
    /// The order awaits its payment.
    AwaitsPayment(Box<Attempt>),
    /// The cart differs from what the shopper agreed to, so nothing was reserved; holds the message for the shopper.
    CartChanged(String),
    /// The store credit was spent elsewhere, so nothing was reserved; the cart's credit is cut to what is left.
    CreditSpent,
}

/// An order that awaits its payment.
#[derive(Debug, Clone)]
pub(super) struct Attempt {
    pub(super) cart_id: CartId,
    pub(super) order_id: OrderId,
    /// The session that pays for it.
    pub(super) session: Session,
}

/// Claims a cart, or returns the outcome of an earlier claim. The token will show the order to its guest.
pub(super) fn claim(
    tx: &Tx<'_>,
    cart: Cart,
    token: SecretDigest,
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
    let total_minor = cart.totals.total;
    if total_minor < 0 {
        return Err(CheckoutError::TooMuchCredit);
    }
    check_shipping(&sellables, &cart)?;
    let session = if total_minor > 0 { Some(session(tx, &cart)?) } else { None };
    let order = place_draft(tx, &cart)?;
    orders::access::grant(tx, &order.id, token)?;
    queries::claim(tx, cart_id, &order.id, session.as_ref().map(|session| &session.id))?;
    let Some(session) = session else {
        payments::free(tx, cart_id, &order.id, cart.currency)?;
        confirm(tx, cart_id, &order.id)?;
        return Ok(ClaimOutcome::Completed(order.id));
    };
    let (cart_id, order_id) = (cart.id, order.id);
    Ok(ClaimOutcome::AwaitsPayment(Box::new(Attempt { cart_id, order_id, session })))
}

/// Checks that a cart has items and that all of them are still sold.
fn check_items(tx: &Tx<'_>, cart: &Cart) -> Result<BTreeMap<VariantId, Sellable>, CheckoutError> {
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
            let cart_id = cart_id.clone();
            Ok(Some(ClaimOutcome::AwaitsPayment(Box::new(Attempt { cart_id, order_id, session }))))
        }
        Some(_) | None => Ok(Some(ClaimOutcome::Completed(order_id))),
    }
}

/// Reserves everything the order needs and writes it as a draft.
fn place_draft(tx: &Tx<'_>, cart: &Cart) -> Result<NewOrder, CheckoutError> {
    let channel = cart.sales_channel_id.as_ref().ok_or(CheckoutError::Missing("sales channel"))?;
    let order = order_of(tx, cart)?;
    let quantities: Vec<LineQuantity> = order
        .lines
        .iter()
        .filter_map(|line| {
            let variant_id = line.item.variant_id.clone()?;
            Some(LineQuantity { line_id: line.id.clone(), variant_id, quantity: line.quantity })
        })
        .collect();
    inventory::reserve(tx, &order.id, &quantities, channel)?;
    let uses: Vec<Use> = order
        .promotions
        .iter()
        .map(|promotion| Use {
            promotion_id: promotion.promotion_id.clone(),
            amount_minor: promotion.amount_minor,
        })
        .collect();
    promotions::redeem(tx, &uses)?;
    debit(tx, cart)?;
    orders::place(tx, &order)?;
    Ok(order)
}

/// Returns the draft of the order that a cart becomes, without writing it.
pub(super) fn order_of(tx: &Tx<'_>, cart: &Cart) -> Result<NewOrder, CheckoutError> {
    let promotions = convert::promotion_ids(cart);
    let promotions: serde_json::Value =
        promotions.iter().map(crate::ids::PromotionId::as_str).collect();
    let known = OrderFacts {
        unit_costs: pricing::unit_costs(tx, &cart.variant_ids(), cart.currency)?,
        campaigns: queries::campaigns(tx, &promotions.to_string())?,
        placed_at: tx.now(),
    };
    convert::draft(cart, &known)
}

/// Debits the accounts that pay a part of the cart.
fn debit(tx: &Tx<'_>, cart: &Cart) -> Result<(), CheckoutError> {
    for (account, amount_minor) in accounts(cart) {
        let entry = NewEntry {
            amount_minor,
            reference: "cart",
            reference_id: cart.id.as_str(),
            note: None,
            actor_id: cart.customer_id.as_ref().map_or("", CustomerId::as_str),
        };
        credit::debit(tx, &account, cart.currency, entry)?;
    }
    Ok(())
}

/// Confirms the draft as an order and completes the cart.
pub(super) fn confirm(
    tx: &Tx<'_>,
    cart_id: &CartId,
    order_id: &OrderId,
) -> Result<(), CheckoutError> {
    orders::confirm(tx, order_id)?;
    orders::settle(tx, order_id)?;
    queries::complete_cart(tx, cart_id)?;
    queries::finish(tx, cart_id)?;
    Ok(())
}

/// Reverses [`debit`] by a new entry.
pub(super) fn refund_credit(tx: &Tx<'_>, cart: &Cart) -> Result<(), CheckoutError> {
    for (account, amount_minor) in accounts(cart) {
        let entry = NewEntry {
            amount_minor,
            reference: "cart",
            reference_id: cart.id.as_str(),
            note: Some("the payment of the rest failed"),
            actor_id: "",
        };
        credit::credit(tx, &account, entry)?;
    }
    Ok(())
}

/// Returns the accounts that pay a part of the cart. A claimed cart cannot change, so the result is stable.
fn accounts(cart: &Cart) -> impl Iterator<Item = (CreditAccountId, i64)> {
    cart.credit_lines
        .iter()
        .filter(|line| line.reference == STORE_CREDIT)
        .filter_map(|line| Some((line.reference_id.parse().ok()?, line.amount_minor)))
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
fn check_sold(sellables: &BTreeMap<VariantId, Sellable>, cart: &Cart) -> Result<(), CheckoutError> {
    let gone: Vec<String> = cart
        .lines
        .iter()
        .filter_map(variant)
        .filter(|variant| !sellables.contains_key(variant))
        .map(|variant| variant.to_string())
        .collect();
    if !gone.is_empty() {
        return Err(CheckoutError::NotSold(gone.join(", ")));
    }
    Ok(())
}

/// Checks that everything that needs shipping has a shipping method.
fn check_shipping(
    sellables: &BTreeMap<VariantId, Sellable>,
    cart: &Cart,
) -> Result<(), CheckoutError> {
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
