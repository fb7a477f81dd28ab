//! Queries for erasures.

use rusqlite::named_params;

use super::erase::ErasureRequest;
use crate::clock::Timestamp;
use crate::database::{Error, Record as _, Tx};
use crate::ids::{CreditAccountId, CustomerId, OrderId, PaymentMethodId};
use crate::money::Currency;

/// Limit: erasures of one run of the job.
const MAX_DUE: u32 = 100;

/// Returns a customer's order that is neither delivered nor closed.
pub(super) fn open_order(tx: &Tx<'_>, id: &CustomerId) -> Result<Option<OrderId>, Error> {
    let sql =
        "select id from orders where customer_id = :id and status in ('pending', 'requires_action')
                  and fulfillment_status <> 'delivered' and payment_status <> 'refunded'
                order by placed_at limit 1";
    tx.sql(sql).first(named_params! { ":id": id }, |row| row.get(0))
}

/// Returns the balances of a customer's store credit that are above zero.
pub(super) fn balances(
    tx: &Tx<'_>,
    id: &CustomerId,
) -> Result<Vec<(CreditAccountId, Currency, i64)>, Error> {
    let sql = "select id, currency, balance_minor from credit_account where customer_id = :id and balance_minor > 0";
    tx.sql(sql).all(named_params! { ":id": id }, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
}

pub(super) fn methods(tx: &Tx<'_>, id: &CustomerId) -> Result<Vec<PaymentMethodId>, Error> {
    let sql = "select m.id from account_holder h
                 join payment_method m on m.account_holder_id = h.id and m.deleted_at is null
                where h.customer_id = :id order by m.id";
    tx.sql(sql).all(named_params! { ":id": id }, |row| row.get(0))
}

pub(super) fn due(tx: &Tx<'_>, at: Timestamp) -> Result<Vec<ErasureRequest>, Error> {
    let rest = "where e.due_at <= :at order by e.due_at limit :limit";
    ErasureRequest::select(tx, rest, named_params! { ":at": at, ":limit": MAX_DUE })
}
