//! Changes of offers, with their audit entries.

use serde_json::{Value, json};

use super::offer::Offer;
use super::queries;
use crate::audit_log::{self, EntityType};
use crate::database::{Missing, Table as _, Tx};
use crate::error::PartnerError;
use crate::ids::{PartnerId, PartnerOfferId};
use crate::partners::Partner;

/// Returns an offer of a partner; another partner's offer is not found.
pub(super) fn find(
    tx: &Tx<'_>,
    partner_id: &PartnerId,
    id: &PartnerOfferId,
) -> Result<Offer, PartnerError> {
    let offer = Offer::find(tx, id)?.filter(|offer| offer.partner_id == *partner_id);
    Ok(offer.ok_or_else(|| Missing::new(Offer::TITLE, id))?)
}

pub(super) fn create(tx: &Tx<'_>, offer: &Offer, by: &str) -> Result<(), PartnerError> {
    Partner::require::<PartnerError>(tx, &offer.partner_id)?;
    offer
        .insert(tx)
        .map_err(|error| error.or_taken(|| PartnerError::CodeTaken(offer.code.clone())))?;
    set_promo_codes(tx, offer)?;
    record(tx, "create", (None, Some(offer)), (&offer.id, by))
}

pub(super) fn change(
    tx: &Tx<'_>,
    (before, offer): (&Offer, &Offer),
    by: &str,
) -> Result<(), PartnerError> {
    offer.update(tx)?;
    set_promo_codes(tx, offer)?;
    record(tx, "update", (Some(before), Some(offer)), (&offer.id, by))
}

/// Deletes an offer: its link stops working, its code stays reserved, and orders that it brought keep their
/// commission.
pub(super) fn delete(tx: &Tx<'_>, offer: &Offer, by: &str) -> Result<(), PartnerError> {
    Offer::remove::<PartnerError>(tx, &offer.id)?;
    queries::set_promo_codes(tx, &offer.id, &[])?;
    record(tx, "delete", (Some(offer), None), (&offer.id, by))
}

fn set_promo_codes(tx: &Tx<'_>, offer: &Offer) -> Result<(), PartnerError> {
    match queries::set_promo_codes(tx, &offer.id, &offer.promo_codes)? {
        Some(taken) => Err(PartnerError::PromoCodeTaken(taken)),
        None => Ok(()),
    }
}

fn record(
    tx: &Tx<'_>,
    action: &str,
    (before, after): (Option<&Offer>, Option<&Offer>),
    (id, actor_id): (&PartnerOfferId, &str),
) -> Result<(), PartnerError> {
    let entity = (EntityType::PartnerOffer, id.as_str());
    let states = (before.map(snapshot), after.map(snapshot));
    Ok(audit_log::record_change(tx, entity, action, states, actor_id)?)
}

fn snapshot(offer: &Offer) -> Value {
    json!({
        "partner_id": offer.partner_id,
        "code": offer.code,
        "landing_url": offer.landing_url,
        "window_days": offer.window_days,
        "attribution": offer.attribution,
        "terms": offer.terms(),
        "new_customers_only": offer.new_customers_only,
        "renewals": offer.renewals,
        "renewal_count": offer.renewal_count,
        "hold_days": offer.hold_days,
        "promo_codes": offer.promo_codes,
        "starts_at": offer.starts_at,
        "ends_at": offer.ends_at,
    })
}
