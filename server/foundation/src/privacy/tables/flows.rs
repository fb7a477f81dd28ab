//! Flows: sessions, presses and answers. Figures stay.

use super::{Erasure, PersonalTable};

pub(super) const TABLES: &[PersonalTable] = &[
    PersonalTable {
        table: "flow_session",
        columns: &["customer_id", "context", "locale", "address_digest"],
        rows: "customer_id = :customer or order_id in (select id from orders where customer_id = :customer)",
        erasure: Erasure::Change("customer_id = null, context = '{}', locale = null, address_digest = null"),
    },
    PersonalTable {
        table: "flow_press",
        columns: &["reason", "answer", "conditions", "charge"],
        rows: "session_id in (select id from flow_session where customer_id = :customer)
            or session_id in (select s.id from orders o join flow_session s on s.order_id = o.id
                               where o.customer_id = :customer)",
        // The charge of a claimed press is kept until it is settled, which deletes it.
        erasure: Erasure::Change("reason = null, answer = null, conditions = null"),
    },
    PersonalTable {
        table: "flow_answer",
        columns: &["value"],
        rows: "press_id in (select p.id from flow_session s join flow_press p on p.session_id = s.id
                             where s.customer_id = :customer)
            or press_id in (select p.id from orders o join flow_session s on s.order_id = o.id
                              join flow_press p on p.session_id = s.id where o.customer_id = :customer)",
        erasure: Erasure::Delete,
    },
];
