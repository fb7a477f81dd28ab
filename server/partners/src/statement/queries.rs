//! Queries for statements.

use rusqlite::named_params;

use crate::database::{self, FromRow, Tx};
use crate::ids::PartnerId;
use crate::money::Currency;

#[derive(Debug, FromRow)]
pub(super) struct Sums {
    pub(super) currency: Currency,
    pub(super) pending_minor: i64,
    pub(super) approved_minor: i64,
    pub(super) paid_minor: i64,
    pub(super) balance_minor: i64,
}

pub(super) fn sums(tx: &Tx<'_>, id: &PartnerId) -> Result<Vec<Sums>, database::Error> {
    let sql = "select e.currency,
                      sum(case when v.status = 'pending' then e.amount_minor else 0 end) as pending_minor,
                      sum(case when v.status = 'approved' then e.amount_minor else 0 end) as approved_minor,
                      sum(case when e.kind = 'payout' then -e.amount_minor else 0 end) as paid_minor,
                      sum(e.amount_minor) as balance_minor
                 from partner_entry e left join partner_conversion v on v.id = e.conversion_id
                where e.partner_id = :id group by e.currency order by e.currency";
    tx.sql(sql).all(named_params! { ":id": id }, Sums::from_row)
}
