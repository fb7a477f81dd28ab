//! Queries for statements.

use rusqlite::named_params;

use super::view::BalanceView;
use crate::database::{self, FromRow, Tx};
use crate::ids::PartnerId;

pub(super) fn balances(tx: &Tx<'_>, id: &PartnerId) -> Result<Vec<BalanceView>, database::Error> {
    let sql = "select e.currency as currency_code,
                      amount(sum(case when v.status = 'pending' then e.amount_minor else 0 end), e.currency) as pending,
                      amount(sum(case when v.status = 'approved' then e.amount_minor else 0 end), e.currency) as approved,
                      amount(sum(case when e.kind = 'payout' then -e.amount_minor else 0 end), e.currency) as paid,
                      amount(sum(e.amount_minor), e.currency) as balance
                 from partner_entry e left join partner_conversion v on v.id = e.conversion_id
                where e.partner_id = :id group by e.currency order by e.currency";
    tx.sql(sql).all(named_params! { ":id": id }, BalanceView::from_row)
}
