//! The ledger of commissions. Entries are never changed: a new entry holds the difference to the present
//! commission.

use serde::{Deserialize, Serialize};

use super::queries;
use crate::clock::Timestamp;
use crate::database::{Record, Table as _, Tx, Word};
use crate::error::PartnerError;
use crate::http::ToSchema;
use crate::ids::{PartnerConversionId, PartnerEntryId, PartnerId, PartnerPayoutId};
use crate::money::Currency;
use crate::proportion::subtract;

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// The first entry of a conversion.
    Commission,
    /// Reverses the whole remainder.
    Reversal,
    /// The order has changed.
    Adjustment,
    /// A payout, which is negative.
    Payout,
}

#[derive(Debug, Clone, Record)]
#[record(table = "partner_entry e", title = "Partner entry")]
pub struct Entry {
    pub id: PartnerEntryId,
    pub partner_id: PartnerId,
    pub conversion_id: Option<PartnerConversionId>,
    pub payout_id: Option<PartnerPayoutId>,
    pub kind: EntryKind,
    pub currency: Currency,
    pub amount_minor: i64,
    /// What caused it: the event of the order, or the decision.
    pub cause: String,
    pub actor_id: Option<String>,
    #[column(once)]
    pub created_at: Timestamp,
}

/// Appends the present commission minus the sum of the entries; nothing if the difference is zero.
pub(super) fn append(
    tx: &Tx<'_>,
    (partner_id, id): (&PartnerId, &PartnerConversionId),
    (currency, target_minor): (Currency, i64),
    (cause, actor_id): (&str, Option<&str>),
) -> Result<(), PartnerError> {
    let (count, sum_minor) = queries::entry_sum(tx, id)?;
    let amount_minor = subtract(target_minor, sum_minor)?;
    if amount_minor == 0 {
        return Ok(());
    }
    let kind = match (count, target_minor) {
        (0, _) => EntryKind::Commission,
        (_, 0) => EntryKind::Reversal,
        (_, _) => EntryKind::Adjustment,
    };
    let entry = Entry {
        id: PartnerEntryId::new(),
        partner_id: partner_id.clone(),
        conversion_id: Some(id.clone()),
        payout_id: None,
        kind,
        currency,
        amount_minor,
        cause: cause.to_owned(),
        actor_id: actor_id.map(str::to_owned),
        created_at: tx.now(),
    };
    Ok(entry.insert(tx)?)
}
