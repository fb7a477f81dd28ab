//! Queries for entries of the ledger.

use rusqlite::named_params;

use crate::clock::Timestamp;
use crate::conversions::ledger::Entry;
use crate::database::{self, Record as _, Tx};
use crate::ids::{PartnerConversionId, PartnerId};
use crate::money::Currency;

/// Returns the number and the sum of the entries of a conversion.
pub(crate) fn sum(tx: &Tx<'_>, id: &PartnerConversionId) -> Result<(i64, i64), database::Error> {
    let sql = "select count(*), coalesce(sum(amount_minor), 0) from partner_entry where conversion_id = :id";
    tx.sql(sql).one(named_params! { ":id": id }, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Returns the entries of a partner that are not paid out, of conversions that were decided on up to an instant.
pub(crate) fn payable(
    tx: &Tx<'_>,
    (partner, currency): (&PartnerId, Currency),
    up_to: Timestamp,
) -> Result<Vec<Entry>, database::Error> {
    let rest = "where e.partner_id = :partner and e.currency = :currency and e.conversion_id is not null
                  and not exists (select 1 from partner_payout_entry where entry_id = e.id)
                  and exists (select 1 from partner_conversion
                               where id = e.conversion_id and status <> 'pending' and decided_at <= :up_to)
                order by e.created_at, e.id";
    let bound = named_params! { ":partner": partner, ":currency": currency, ":up_to": up_to };
    Entry::select(tx, rest, bound)
}
