//! Background work.

use super::{Erasure, PersonalTable};

/// How webhooks identify the person: by id, by their accounts and cards at payment providers, and by e-mail address. An
/// order belongs to its customer, whoever else has registered with the address.
macro_rules! names_the_person {
    () => {
        concat!(
            "instr(body, cast(:customer as blob)) > 0
             or order_id is null and contains_address(body, :email)
             or exists
            (select 1 from account_holder h left join payment_method m on m.account_holder_id = h.id
              where h.customer_id = :customer
                and (instr(webhook_delivery.body, cast('\"' || h.external_id || '\"' as blob)) > 0
                     or instr(webhook_delivery.body, cast('\"' || m.reference || '\"' as blob)) > 0))"
        )
    };
}

/// An order of the person by its id, or by the number by which the warehouse knows it, in an object or a form.
macro_rules! names_an_order {
    () => {
        "exists
            (select 1 from orders o
              where o.customer_id = :customer and instr(webhook_delivery.body, cast(o.id as blob)) > 0)
         or receiver = 'warehouse-integration' and
            (select ltrim(case when json_valid(text) then text ->> '$.cust_ref'
                               else substr(form, 1, instr(form || '&', '&') - 1) end, '#')
               from (select text, replace(substr(text, instr(text, 'cust_ref=') + 9), '%23', '#') as form
                       from (select cast(webhook_delivery.body as text) as text)))
            in (select cast(o.display_id as text) from orders o where o.customer_id = :customer)"
    };
}

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
                    and instr(webhook_delivery.body, cast(s.phone as blob)) > 0)
              or direction = 'inbound' and (",
            names_the_person!(),
            " or order_id is null and (",
            names_an_order!(),
            "))"
        ),
        erasure: Erasure::Change("body = null, headers = '{}', effect = '{}', last_error = null"),
    },
    PersonalTable {
        table: "idempotency_key",
        columns: &["body"],
        rows: "instr(body, cast(:customer as blob)) > 0 or contains_address(body, :email)",
        erasure: Erasure::Delete,
    },
];
