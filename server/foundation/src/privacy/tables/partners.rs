//! Partners: the orders that they brought.

use super::{Erasure, PersonalTable};

pub(super) const TABLES: &[PersonalTable] = &[
    PersonalTable {
        table: "partner_conversion",
        columns: &["order_id", "click_id"],
        rows: of_orders!("order_id"),
        erasure: Erasure::Keep("ids, which lead to an order that names nobody"),
    },
    PersonalTable {
        table: "partner_click",
        columns: &["visitor", "sub1", "sub2", "sub3", "referrer_host"],
        rows:
            "id in (select v.click_id from partner_conversion v join orders o on o.id = v.order_id
                       where o.customer_id = :customer)",
        erasure: Erasure::Change("visitor = id, referrer_host = null"),
    },
];
