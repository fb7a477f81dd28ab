//! Attributes an order: finds the click, the promotion code or the subscription that brought it, and any objections.

use super::attribution;
use super::conversion::{Conversion, ConversionStatus, Via};
use super::fraud::{self, Facts};
use super::queries::orders::OrderFacts;
use super::queries::{self, orders};
use crate::clicks::{self, Click};
use crate::clock::DAY_MS;
use crate::database::{Table as _, Tx};
use crate::error::PartnerError;
use crate::ids::{OrderId, PartnerConversionId, PartnerOfferId};
use crate::offers::{self, Attribution, Offer, RenewalRule};
use crate::partners::Partner;

/// How long after placing it an order can still be stamped, in milliseconds.
const STAMP_MS: i64 = DAY_MS;

/// The number of days over which a code's refunds are counted.
const REFUND_DAYS: i64 = 30;

/// The longest possible window of an offer, in milliseconds.
const MAX_WINDOW_MS: i64 = 365 * DAY_MS;

#[derive(Debug)]
struct Source {
    offer: Offer,
    click: Option<Click>,
    via: Via,
    /// Whether it renews a paid subscription.
    is_renewal: bool,
}

/// Returns the conversion of an order, if a partner brought it. Writes nothing.
pub(super) fn attribute(
    tx: &Tx<'_>,
    order: &OrderFacts,
    event_ms: i64,
) -> Result<Option<Conversion>, PartnerError> {
    if order.is_canceled || event_ms.saturating_sub(order.placed_at.as_millis()) > STAMP_MS {
        return Ok(None);
    }
    let source = match orders::renewal(tx, &order.id)? {
        Some((first, number)) => of_renewal(tx, &first, number)?,
        None => match of_click(tx, order)? {
            Some(source) => Some(source),
            None => of_promo_code(tx, order)?,
        },
    };
    let Some(Source { offer, click, via, is_renewal }) = source else { return Ok(None) };
    let Some(partner) = Partner::find(tx, &offer.partner_id)? else { return Ok(None) };
    let facts = facts(tx, order, (&partner, &offer), click.as_ref())?;
    // The first order has been checked already.
    let is_checked = via == Via::Renewal;
    let rejection = fraud::rejection(&facts).filter(|_| !is_checked);
    let flags = if is_checked { Vec::new() } else { fraud::flags(&facts) };
    let hold_ms = offer.hold_days.saturating_mul(DAY_MS);
    Ok(Some(Conversion {
        id: PartnerConversionId::new(),
        order_id: order.id.clone(),
        partner_id: partner.id,
        terms: offer.terms(),
        offer_id: offer.id,
        click_id: click.map(|click| click.id),
        via,
        status: rejection.map_or(ConversionStatus::Pending, |_| ConversionStatus::Rejected),
        currency: order.currency,
        base_minor: 0,
        commission_minor: 0,
        lines: Vec::new(),
        flags: if rejection.is_some() { Vec::new() } else { flags },
        reason: rejection.map(str::to_owned),
        decided_by: None,
        is_new_customer: facts.is_new_customer,
        is_renewal,
        placed_at: order.placed_at,
        due_at: order.placed_at.plus_ms(hold_ms),
        paid_at: None,
        decided_at: tx.now(),
        created_at: tx.now(),
        updated_at: tx.now(),
    }))
}

/// A renewal is attributed like the first order of its subscription, regardless of the window. `number` counts renewals
/// from 1; it is 0 for the first payment after a trial, which earns a commission under every offer.
fn of_renewal(tx: &Tx<'_>, first: &OrderId, number: i64) -> Result<Option<Source>, PartnerError> {
    let Some(before) = queries::of_order(tx, first)? else { return Ok(None) };
    let offer = Offer::find(tx, &before.offer_id)?;
    let is_earned = |offer: &Offer| match offer.renewals {
        RenewalRule::None => number == 0,
        RenewalRule::FirstN => offer.renewal_count.is_some_and(|count| number <= count),
        RenewalRule::All => true,
    };
    let is_sound = before.status != ConversionStatus::Rejected;
    let Some(offer) = offer.filter(|offer| is_sound && is_earned(offer)) else { return Ok(None) };
    let click = before.click_id.map(|id| Click::find(tx, &id)).transpose()?.flatten();
    Ok(Some(Source { offer, click, via: Via::Renewal, is_renewal: number > 0 }))
}

/// The click that the order is stamped with must count, whichever click the order is credited to.
fn of_click(tx: &Tx<'_>, order: &OrderFacts) -> Result<Option<Source>, PartnerError> {
    let Some(id) = order.click_id() else { return Ok(None) };
    let Some(stamped) = Click::find(tx, &id)? else { return Ok(None) };
    let offer = offers::queries::all(tx, &[&stamped.offer_id])?.pop();
    let offer = offer.filter(|offer| offer.counts(stamped.clicked_at, order.placed_at));
    let Some(offer) = offer else { return Ok(None) };
    let first = match offer.attribution {
        Attribution::Last => None,
        Attribution::First => {
            let span = (order.placed_at.minus_ms(MAX_WINDOW_MS), order.placed_at);
            let clicks = clicks::queries::of_visitor(tx, &stamped.visitor, span)?;
            let ids: Vec<&PartnerOfferId> = clicks.iter().map(|click| &click.offer_id).collect();
            let offers = offers::queries::all(tx, &ids)?;
            attribution::first(clicks, &offers, order.placed_at)
        }
    };
    // Of a visitor with very many clicks, not all are read.
    let (click, offer) = first.unwrap_or((stamped, offer));
    Ok(Some(Source { offer, click: Some(click), via: Via::Click, is_renewal: false }))
}

fn of_promo_code(tx: &Tx<'_>, order: &OrderFacts) -> Result<Option<Source>, PartnerError> {
    for code in orders::promo_codes(tx, &order.id)? {
        let offer = offers::queries::of_promo_code(tx, &code)?;
        if let Some(offer) = offer.filter(|offer| offer.ran_at(order.placed_at)) {
            let (click, via, is_renewal) = (None, Via::PromoCode, false);
            return Ok(Some(Source { offer, click, via, is_renewal }));
        }
    }
    Ok(None)
}

fn facts(
    tx: &Tx<'_>,
    order: &OrderFacts,
    (partner, offer): (&Partner, &Offer),
    click: Option<&Click>,
) -> Result<Facts, PartnerError> {
    let day = (order.placed_at.minus_ms(DAY_MS), order.placed_at);
    let month = (order.placed_at.minus_ms(REFUND_DAYS.saturating_mul(DAY_MS)), order.placed_at);
    let clicks = click.map(|click| clicks::queries::count_of_visitor(tx, &click.visitor, day));
    let clicks = clicks.transpose()?.unwrap_or(0);
    let (orders, refunded) = queries::refunds(tx, &offer.id, month)?;
    let email = partner.email.as_str();
    let (shares_card, is_known_card) = match &order.customer_id {
        Some(customer) => (
            queries::shares_card(tx, customer, email)?,
            offer.new_customers_only && queries::is_known_card(tx, customer, order.placed_at)?,
        ),
        None => (false, false),
    };
    let own = queries::addresses(tx, email)?;
    let shares_address = order.address_key().is_some_and(|key| {
        own.iter().any(|(line, code)| (fraud::plain(line), fraud::plain(code)) == key)
    });
    let age_ms =
        click.map(|click| order.placed_at.as_millis().saturating_sub(click.clicked_at.as_millis()));
    Ok(Facts {
        partner_email: email.to_owned(),
        emails: [&order.email, &order.customer_email].into_iter().flatten().cloned().collect(),
        shares_card,
        shares_address,
        age_ms,
        clicks,
        orders,
        refunded,
        new_customers_only: offer.new_customers_only,
        is_new_customer: orders::is_first(tx, order)?,
        is_known_card,
    })
}
