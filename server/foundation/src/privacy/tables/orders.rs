//! Orders, carts, payments, store credit and subscriptions. They are kept for accounting, with the id of a customer whom
//! no row identifies.

use super::{Erasure, PersonalTable};

pub(super) const TABLES: &[PersonalTable] = &[
    // Orders.
    PersonalTable {
        table: "orders",
        columns: &["customer_id", "email", "locale", "shipping_address", "billing_address", "province", "metadata"],
        rows: "customer_id = :customer",
        // The source of the visit is a figure and identifies nobody.
        erasure: Erasure::Change(
            "email = null, locale = null, shipping_address = null, billing_address = null, province = null,
             token_digest = null, metadata = case when metadata ->> '$.utm_source' is not null
                             then json_object('utm_source', metadata ->> '$.utm_source') end",
        ),
    },
    PersonalTable {
        table: "order_line",
        columns: &["metadata"],
        rows: of_orders!("order_id"),
        erasure: Erasure::Change("metadata = null"),
    },
    PersonalTable {
        table: "order_shipping_method",
        columns: &["metadata"],
        rows: of_orders!("order_id"),
        erasure: Erasure::Change("data = null, metadata = null"),
    },
    PersonalTable {
        table: "order_change",
        columns: &["actions"],
        rows: of_orders!("order_id"),
        // Corrections of e-mail and postal addresses contain the old ones.
        erasure: Erasure::Change("actions = '[]'"),
    },
    PersonalTable {
        table: "order_return",
        columns: &["metadata"],
        rows: of_orders!("order_id"),
        erasure: Erasure::Change("metadata = null"),
    },
    PersonalTable {
        table: "order_return_line",
        columns: &["note"],
        rows: "return_id in (select r.id from order_return r join orders o on o.id = r.order_id
                              where o.customer_id = :customer)",
        erasure: Erasure::Change("note = null, metadata = null"),
    },
    PersonalTable {
        table: "parcel",
        columns: &["tracking_number", "tracking_url"],
        rows: of_orders!("order_id"),
        erasure: Erasure::Keep("the carrier's number of a parcel, without an address"),
    },
    // Carts.
    PersonalTable {
        table: "cart",
        columns: &["customer_id", "email", "locale", "shipping_address", "billing_address", "metadata"],
        rows: "customer_id = :customer",
        erasure: Erasure::Change(
            "email = null, locale = null, shipping_address = null, billing_address = null, metadata = null",
        ),
    },
    PersonalTable {
        table: "cart_line",
        columns: &["metadata"],
        rows: "cart_id in (select id from cart where customer_id = :customer)",
        erasure: Erasure::Change("metadata = null"),
    },
    // Payments.
    PersonalTable {
        table: "account_holder",
        columns: &["customer_id", "external_id", "email", "metadata"],
        rows: "customer_id = :customer",
        erasure: Erasure::Change("external_id = '', email = null, data = null, metadata = null"),
    },
    PersonalTable {
        table: "payment_method",
        columns: &["reference", "card", "fingerprint"],
        rows: "account_holder_id in (select id from account_holder where customer_id = :customer)",
        erasure: Erasure::Change("reference = id, card = null, fingerprint = null"),
    },
    PersonalTable {
        table: "payment",
        columns: &["data", "metadata"],
        rows: of_orders!("order_id"),
        // What a refund needs is kept.
        erasure: Erasure::Change(
            "data = json_object('id', data ->> '$.id', 'status', data ->> '$.status'), metadata = null",
        ),
    },
    PersonalTable {
        table: "payment_session",
        columns: &["data", "context", "metadata"],
        rows: "payment_collection_id in (select c.id from orders o join payment_collection c on c.order_id = o.id
                                          where o.customer_id = :customer)
            or payment_collection_id in (select c.id from cart join payment_collection c on c.cart_id = cart.id
                                          where cart.customer_id = :customer)",
        erasure: Erasure::Change(
            "data = json_object('id', data ->> '$.id', 'status', data ->> '$.status'), context = '{}', metadata = null",
        ),
    },
    PersonalTable {
        table: "refund",
        columns: &["note"],
        rows: "payment_id in (select p.id from payment p join orders o on o.id = p.order_id
                               where o.customer_id = :customer)",
        erasure: Erasure::Change("note = null, metadata = null"),
    },
    // Store credit. The entries are kept for accounting; the account loses its customer.
    PersonalTable {
        table: "credit_account",
        columns: &["customer_id", "metadata"],
        rows: "customer_id = :customer",
        erasure: Erasure::Change("customer_id = null, metadata = null"),
    },
    PersonalTable {
        table: "credit_entry",
        columns: &["note", "actor_id"],
        rows: "account_id in (select id from credit_account where customer_id = :customer)",
        erasure: Erasure::Change("note = null"),
    },
    // Subscriptions.
    PersonalTable {
        table: "subscription",
        columns: &[
            "customer_id", "email", "locale", "cancellation_comment", "shipping_address", "billing_address",
            "next_shipping_address", "metadata",
        ],
        rows: "customer_id = :customer",
        erasure: Erasure::Change(
            "email = null, locale = null, cancellation_comment = null, shipping_address = null, billing_address = null,
             next_shipping_address = null, metadata = null",
        ),
    },
    PersonalTable {
        table: "subscription_adjustment",
        columns: &["note"],
        rows: "subscription_id in (select id from subscription where customer_id = :customer)",
        erasure: Erasure::Keep("written by the program, and the ledger does not change"),
    },
];
