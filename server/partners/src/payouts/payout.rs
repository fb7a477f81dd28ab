//! A payout.

use serde::Serialize;
use serde_json::json;

use super::queries;
use crate::audit_log::{self, EntityType};
use crate::clock::Timestamp;
use crate::conversions::{
    Conversion, ConversionStatus, Entry, EntryKind, queries as conversions, record_entry,
};
use crate::database::{Record, Table as _, Tx};
use crate::error::PartnerError;
use crate::events;
use crate::http::{Resource, ToSchema};
use crate::ids::{PartnerConversionId, PartnerEntryId, PartnerId, PartnerPayoutId};
use crate::money::{Amount, Currency};
use crate::proportion::{subtract, sum};

/// A stored payout.
#[derive(Debug, Clone, Record)]
#[record(table = "partner_payout y", title = "Partner payout")]
#[record(list(plural = "partner_payouts", order = "-created_at", limit = 50))]
pub struct Payout {
    #[column(filter)]
    pub id: PartnerPayoutId,
    #[column(filter)]
    pub partner_id: PartnerId,
    pub currency: Currency,
    pub amount_minor: i64,
    pub entry_count: i64,
    pub up_to: Timestamp,
    pub created_by: String,
    #[column(once, filter, order)]
    pub created_at: Timestamp,
}

/// A payment to a partner.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "partner payout", key = "partner_payout", rows = Payout, error = PartnerError)]
#[schema(as = PartnerPayout)]
pub(super) struct PayoutView {
    id: PartnerPayoutId,
    partner_id: PartnerId,
    currency_code: Currency,
    amount: Amount,
    /// The number of ledger entries that it pays.
    entry_count: i64,
    /// Covers the conversions decided up to this instant.
    up_to: Timestamp,
    /// The admin or API key that made the payout.
    created_by: String,
    created_at: Timestamp,
}

impl From<Payout> for PayoutView {
    fn from(payout: Payout) -> Self {
        Self {
            id: payout.id,
            partner_id: payout.partner_id,
            currency_code: payout.currency,
            amount: payout.currency.amount(payout.amount_minor),
            entry_count: payout.entry_count,
            up_to: payout.up_to,
            created_by: payout.created_by,
            created_at: payout.created_at,
        }
    }
}

/// Pays what a partner is owed in a currency for conversions decided up to an instant.
///
/// # Errors
/// [`PartnerError::NothingToPay`]; [`PartnerError::Negative`] if refunds exceed the commissions earned since.
pub(super) fn pay(
    tx: &Tx<'_>,
    (partner_id, currency): (&PartnerId, Currency),
    up_to: Timestamp,
    by: &str,
) -> Result<PartnerPayoutId, PartnerError> {
    queries::require_partner(tx, partner_id)?;
    let entries = conversions::payable_entries(tx, partner_id, currency, up_to)?;
    let amount_minor = sum(entries.iter().map(|entry| entry.amount_minor))?;
    if entries.is_empty() {
        return Err(PartnerError::NothingToPay(partner_id.clone()));
    }
    if amount_minor < 0 {
        let owed = currency.amount(subtract(0, amount_minor)?);
        return Err(PartnerError::Negative { partner: partner_id.clone(), owed });
    }
    let payout = Payout {
        id: PartnerPayoutId::new(),
        partner_id: partner_id.clone(),
        currency,
        amount_minor,
        entry_count: i64::try_from(entries.len()).unwrap_or(i64::MAX),
        up_to,
        created_by: by.to_owned(),
        created_at: tx.now(),
    };
    payout.insert(tx)?;
    queries::insert_entries(tx, &payout.id, &entries)?;
    settle(tx, &entries, by)?;
    if amount_minor > 0 {
        record_payment(tx, &payout)?;
    }
    record(tx, &payout)?;
    Ok(payout.id)
}

/// Marks the approved conversions of the entries as paid.
fn settle(tx: &Tx<'_>, entries: &[Entry], by: &str) -> Result<(), PartnerError> {
    let ids: std::collections::BTreeSet<&PartnerConversionId> =
        entries.iter().filter_map(|entry| entry.conversion_id.as_ref()).collect();
    for before in Conversion::find_all(tx, ids)? {
        if before.status != ConversionStatus::Approved {
            continue;
        }
        let paid = Conversion {
            status: ConversionStatus::Paid,
            decided_by: Some(by.to_owned()),
            decided_at: tx.now(),
            ..before.clone()
        };
        paid.update(tx)?;
        record_entry(tx, "pay", Some(json!({ "status": before.status })), &paid, by)?;
    }
    Ok(())
}

fn record_payment(tx: &Tx<'_>, payout: &Payout) -> Result<(), PartnerError> {
    let entry = Entry {
        id: PartnerEntryId::new(),
        partner_id: payout.partner_id.clone(),
        conversion_id: None,
        payout_id: Some(payout.id.clone()),
        kind: EntryKind::Payout,
        currency: payout.currency,
        amount_minor: subtract(0, payout.amount_minor)?,
        cause: "payout".to_owned(),
        actor_id: Some(payout.created_by.clone()),
        created_at: tx.now(),
    };
    Ok(entry.insert(tx)?)
}

fn record(tx: &Tx<'_>, payout: &Payout) -> Result<(), PartnerError> {
    let amount = payout.currency.amount(payout.amount_minor);
    let after = json!({
        "partner_id": payout.partner_id,
        "amount_minor": payout.amount_minor,
        "currency": payout.currency,
        "entry_count": payout.entry_count,
    });
    let entity = (EntityType::PartnerPayout, payout.id.as_str());
    audit_log::record_change(tx, entity, "create", (None, Some(after)), &payout.created_by)?;
    let payload = json!({
        "id": payout.id,
        "partner_id": payout.partner_id,
        "currency_code": payout.currency,
        "amount": amount,
    });
    Ok(events::record(tx, "partner.payout_made", &payload)?)
}
