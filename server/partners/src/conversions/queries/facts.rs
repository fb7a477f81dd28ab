//! Queries for what speaks against a conversion.

use rusqlite::named_params;

use crate::clock::Timestamp;
use crate::database::{self, Tx};
use crate::ids::{CustomerId, PartnerOfferId};

/// Returns the orders of an offer in a span of time, and how many of them were refunded, in full or in part.
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

/// Returns whether a customer has kept a card that a customer with an e-mail address has kept too.
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

/// Returns whether another customer, who has ordered before, has kept a card of this customer.
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
