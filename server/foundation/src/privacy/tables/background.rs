//! What runs in the background.

use super::{Erasure, PersonalTable};

pub(super) const TABLES: &[PersonalTable] = &[
    PersonalTable {
        table: "event",
        columns: &["payload"],
        rows: "name = 'auth.password_reset' and payload ->> '$.entity_id' = lower(:email)",
        erasure: Erasure::Change("payload = '{}'"),
    },
    PersonalTable {
        table: "job",
        columns: &["key", "payload"],
        rows: "kind = 'auth.send_reset' and key = 'customer ' || lower(:email)",
        erasure: Erasure::Delete,
    },
    PersonalTable {
        table: "webhook_delivery",
        columns: &["body", "headers"],
        rows: concat!(
            of_orders!("order_id"),
            " or receiver = 'sms-provider' and exists
                (select 1 from sms_consent s
                  where (s.customer_id = :customer
                         or s.cart_id in (select id from cart where customer_id = :customer))
                    and instr(webhook_delivery.body, cast(s.phone as blob)) > 0)"
        ),
        erasure: Erasure::Change("body = null, headers = '{}', effect = '{}', last_error = null"),
    },
    PersonalTable {
        table: "idempotency_key",
        columns: &["body"],
        rows: "instr(body, cast(:email as blob)) > 0 or instr(body, cast(:customer as blob)) > 0",
        erasure: Erasure::Delete,
    },
];
