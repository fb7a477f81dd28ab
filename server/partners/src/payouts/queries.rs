//! Queries for payouts.

use rusqlite::named_params;

use super::payout::Payout;
use crate::clock::Timestamp;
use crate::conversions::{Entry, EntryKind};
use crate::database::{self, FromRow, Missing, Record as _, Table as _, Tx};
use crate::error::PartnerError;
use crate::ids::{OrderId, PartnerConversionId, PartnerEntryId, PartnerId, PartnerPayoutId};
use crate::money::Currency;
use crate::partners::Partner;

/// Checks that a partner exists, including deleted ones who are still owed something.
pub(super) fn require_partner(tx: &Tx<'_>, id: &PartnerId) -> Result<(), PartnerError> {
    let bound = named_params! { ":id": id };
    match Partner::select_one(tx, "where p.id = :id", bound)? {
        Some(_) => Ok(()),
        None => Err(Missing::new(Partner::TITLE, id).into()),
    }
}

pub(super) fn insert_entries(
    tx: &Tx<'_>,
    payout: &PartnerPayoutId,
    entries: &[Entry],
) -> Result<(), database::Error> {
    for entry in entries {
        tx.insert(
            "partner_payout_entry",
            named_params! { ":entry_id": entry.id, ":payout_id": payout },
        )?;
    }
    Ok(())
}

/// Returns the names of partners, including deleted ones.
pub(super) fn names(
    tx: &Tx<'_>,
    payouts: &[Payout],
) -> Result<Vec<(PartnerId, String)>, database::Error> {
    let ids = crate::ids::list(payouts.iter().map(|payout| &payout.partner_id));
    tx.sql("select id, name from partner where id in (select value from json_each(:ids))")
        .all(named_params! { ":ids": ids }, |row| Ok((row.get(0)?, row.get(1)?)))
}

#[derive(Debug, FromRow)]
pub(super) struct PaidEntry {
    pub(super) id: PartnerEntryId,
    pub(super) conversion_id: PartnerConversionId,
    pub(super) order_id: OrderId,
    pub(super) code: String,
    pub(super) kind: EntryKind,
    pub(super) currency: Currency,
    pub(super) amount_minor: i64,
    pub(super) created_at: Timestamp,
}

pub(super) fn entries(
    tx: &Tx<'_>,
    id: &PartnerPayoutId,
) -> Result<Vec<PaidEntry>, database::Error> {
    let sql = "select e.id, e.conversion_id, v.order_id, o.code, e.kind, e.currency, e.amount_minor, e.created_at
                 from partner_payout_entry paid
                 join partner_entry e on e.id = paid.entry_id
                 join partner_conversion v on v.id = e.conversion_id
                 join partner_offer o on o.id = v.offer_id
                where paid.payout_id = :id order by e.created_at, e.id";
    tx.sql(sql).all(named_params! { ":id": id }, PaidEntry::from_row)
}
