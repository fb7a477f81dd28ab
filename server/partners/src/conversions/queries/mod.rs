//! Queries for conversions, their entries, and what speaks against them.

pub(super) mod orders;

use rusqlite::named_params;

use super::conversion::Conversion;
use super::ledger::Entry;
use crate::clock::Timestamp;
use crate::database::{self, Record as _, Tx};
use crate::ids::{CustomerId, OrderId, PartnerConversionId, PartnerId, PartnerOfferId};
use crate::money::Currency;

/// Limit: conversions that one run of the job approves.
const MAX_DUE: u32 = 200;

pub(super) fn of_order(tx: &Tx<'_>, id: &OrderId) -> Result<Option<Conversion>, database::Error> {
    Conversion::select_one(tx, "where v.order_id = :order", named_params! { ":order": id })
}

/// Returns conversions that can be approved: paid, held long enough, and without findings.
pub(super) fn due(tx: &Tx<'_>, at: Timestamp) -> Result<Vec<Conversion>, database::Error> {
    let rest = "where v.status = 'pending' and v.paid_at is not null and v.flags = '[]' and v.due_at <= :at
                order by v.due_at limit :limit";
    Conversion::select(tx, rest, named_params! { ":at": at, ":limit": MAX_DUE })
}

pub(crate) fn entry_sum(
    tx: &Tx<'_>,
    id: &PartnerConversionId,
) -> Result<(i64, i64), database::Error> {
    let sql = "select count(*), coalesce(sum(amount_minor), 0) from partner_entry where conversion_id = :id";
    tx.sql(sql).one(named_params! { ":id": id }, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Returns a partner's unpaid entries of conversions decided up to an instant.
pub(crate) fn payable_entries(
    tx: &Tx<'_>,
    partner: &PartnerId,
    currency: Currency,
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

/// Returns the orders of an offer in a time span, and how many of them were refunded, in full or in part.
pub(crate) fn refunds(
    tx: &Tx<'_>,
    offer: &PartnerOfferId,
    (since, until): (Timestamp, Timestamp),
) -> Result<(i64, i64), database::Error> {
    let sql = "select count(*), count(case when o.refunded_minor > 0 then 1 end)
                 from partner_conversion v join orders o on o.id = v.order_id
                where v.offer_id = :offer and v.placed_at between :since and :until";
    let bound = named_params! { ":offer": offer, ":since": since, ":until": until };
    tx.sql(sql).one(bound, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Returns whether a customer has saved the same card as a customer with an e-mail address.
pub(crate) fn shares_card(
    tx: &Tx<'_>,
    customer: &CustomerId,
    email: &str,
) -> Result<bool, database::Error> {
    let sql = "select 1 from account_holder own
                 join payment_method card on card.account_holder_id = own.id and card.deleted_at is null
                 join payment_method other on other.fingerprint = card.fingerprint
                 join account_holder holder on holder.id = other.account_holder_id
                 join customer c on c.id = holder.customer_id
                where own.customer_id = :customer and c.email = :email";
    tx.sql(sql).exists(named_params! { ":customer": customer, ":email": email })
}

/// Returns whether another customer, who has ordered before, has saved one of this customer's
/// cards.
pub(crate) fn is_known_card(
    tx: &Tx<'_>,
    customer: &CustomerId,
    before: Timestamp,
) -> Result<bool, database::Error> {
    let sql = "select 1 from account_holder own
                 join payment_method card on card.account_holder_id = own.id and card.deleted_at is null
                 join payment_method other on other.fingerprint = card.fingerprint
                 join account_holder holder on holder.id = other.account_holder_id
                where own.customer_id = :customer and holder.customer_id <> :customer
                  and exists (select 1 from orders o where o.customer_id = holder.customer_id
                               and o.placed_at < :before and o.status not in ('draft', 'canceled'))";
    tx.sql(sql).exists(named_params! { ":customer": customer, ":before": before })
}

/// Returns the address lines and postal codes of the customers with an e-mail address.
pub(crate) fn addresses(
    tx: &Tx<'_>,
    email: &str,
) -> Result<Vec<(String, String)>, database::Error> {
    let sql = "select a.address_1, a.postal_code from customer c
                 join customer_address a on a.customer_id = c.id
                where c.email = :email and c.deleted_at is null and a.address_1 is not null
                  and a.postal_code is not null";
    tx.sql(sql).all(named_params! { ":email": email }, |row| Ok((row.get(0)?, row.get(1)?)))
}
