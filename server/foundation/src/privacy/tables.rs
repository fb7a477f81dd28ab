//! The tables with personal data: which of their rows are about a person, and what becomes of these.
//!
//! A table comes after those that its condition reads, because an erasure begins with the last. `:customer` is the id of the
//! customer, `:email` the e-mail address.

/// A table with personal data.
#[derive(Debug, Clone, Copy)]
pub struct PersonalTable {
    pub table: &'static str,
    /// The columns that say something about the person.
    pub columns: &'static [&'static str],
    /// The condition of the rows that are about the person.
    pub rows: &'static str,
    pub erasure: Erasure,
}

/// What becomes of the rows of a person who is erased.
#[derive(Debug, Clone, Copy)]
pub enum Erasure {
    Delete,
    /// The assignments that remove what names the person.
    Change(&'static str),
    /// They name nobody without the other tables: why.
    Keep(&'static str),
}

/// Columns that an export leaves out: secrets, and what payment providers keep.
pub const SECRET: &[&str] = &[
    "password_hash",
    "hash",
    "token_hash",
    "token_digest",
    "body_sha256",
    "data",
    "context",
    "fingerprint",
    "number",
];

/// The orders of the person.
macro_rules! of_orders {
    ($column:literal) => {
        concat!($column, " in (select id from orders where customer_id = :customer)")
    };
}

/// All tables with personal data.
pub const TABLES: &[PersonalTable] = &[
    // Customers.
    PersonalTable {
        table: "customer",
        columns: &["email", "first_name", "last_name", "company_name", "phone", "metadata"],
        rows: "id = :customer",
        erasure: Erasure::Change(
            "email = 'erased+' || lower(substr(id, 5)) || '@erased.invalid', first_name = null, last_name = null,
             company_name = null, phone = null, metadata = null",
        ),
    },
    PersonalTable {
        table: "customer_erasure",
        columns: &["customer_id"],
        rows: "customer_id = :customer",
        erasure: Erasure::Delete,
    },
    PersonalTable {
        table: "customer_address",
        columns: &[
            "customer_id", "address_name", "company", "first_name", "last_name", "address_1", "address_2", "city",
            "province", "postal_code", "phone", "metadata",
        ],
        rows: "customer_id = :customer",
        erasure: Erasure::Delete,
    },
    PersonalTable {
        table: "customer_group_member",
        columns: &["customer_id"],
        rows: "customer_id = :customer",
        erasure: Erasure::Delete,
    },
    PersonalTable {
        table: "customer_note",
        columns: &["customer_id", "note"],
        rows: "customer_id = :customer",
        erasure: Erasure::Delete,
    },
    PersonalTable {
        table: "identity",
        columns: &["email"],
        rows: "actor_id = :customer and actor_type = 'customer'",
        erasure: Erasure::Delete,
    },
    PersonalTable {
        table: "login_address",
        columns: &["address"],
        rows: "identity_id in (select id from identity where actor_id = :customer)",
        erasure: Erasure::Delete,
    },
    // Orders. They stay for the books, with the id of a customer whom no row names.
    PersonalTable {
        table: "orders",
        columns: &["customer_id", "email", "locale", "shipping_address", "billing_address", "province", "metadata"],
        rows: "customer_id = :customer",
        // Where the visit came from is a figure, and names nobody.
        erasure: Erasure::Change(
            "email = null, locale = null, shipping_address = null, billing_address = null, token_digest = null,
             metadata = case when metadata ->> '$.utm_source' is not null
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
        // Corrections of e-mail addresses and addresses have the old ones.
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
    PersonalTable {
        table: "webhook_delivery",
        columns: &["body", "headers"],
        rows: of_orders!("order_id"),
        erasure: Erasure::Change("body = null, headers = '{}', effect = '{}', last_error = null"),
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
        // What a refund needs stays.
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
    // Store credit. The entries stay for the books; the account loses its customer.
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
    // Partners.
    PersonalTable {
        table: "partner_conversion",
        columns: &["order_id", "click_id"],
        rows: of_orders!("order_id"),
        erasure: Erasure::Keep("ids, which lead to an order that names nobody"),
    },
    PersonalTable {
        table: "partner_click",
        columns: &["visitor", "sub1", "sub2", "sub3", "referrer_host"],
        rows: "id in (select v.click_id from partner_conversion v join orders o on o.id = v.order_id
                       where o.customer_id = :customer)",
        erasure: Erasure::Change("visitor = id, referrer_host = null"),
    },
    // What runs in the background.
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
        table: "idempotency_key",
        columns: &["body"],
        rows: "instr(body, cast(:email as blob)) > 0 or instr(body, cast(:customer as blob)) > 0",
        erasure: Erasure::Delete,
    },
];

/// Columns whose name looks personal and that say nothing about customers, and why.
pub const OTHERS: &[(&str, &[&str])] = &[
    (
        "the name of something that the store has or does",
        &[
            "campaign.name",
            "cart_shipping_method.name",
            "customer_group.name",
            "event.name",
            "fulfillment_set.name",
            "metric.name",
            "metric_alert.name",
            "metric_data_version.name",
            "metric_report.name",
            "metric_rollup_table.name",
            "metric_version.name",
            "order_line_tax.name",
            "order_shipping_method.name",
            "order_shipping_tax.name",
            "placeholder.display_name",
            "product_category.name",
            "region.name",
            "sales_channel.name",
            "service_zone.name",
            "shipping_option.name",
            "shipping_profile.name",
            "stock_location.name",
            "store.name",
            "subscription_plan.name",
            "tax_rate.name",
        ],
    ),
    (
        "a place of the store, or of all its customers",
        &[
            "geo_zone.city",
            "geo_zone.postal_expression",
            "geo_zone.province",
            "order_line_tax.province",
            "order_shipping_tax.province",
            "stock_location.address_1",
            "stock_location.address_2",
            "stock_location.city",
            "stock_location.company",
            "stock_location.phone",
            "stock_location.postal_code",
            "stock_location.province",
            "tax_region.province",
        ],
    ),
    (
        "an administrator, who is removed as a user",
        &["invite.email", "user.email", "user.first_name", "user.last_name"],
    ),
    ("a partner, who is not a customer", &["partner.email", "partner.name"]),
    (
        "written by an administrator about a metric",
        &["metric_alert_history.note", "metric_version.note"],
    ),
    ("a count, or a flag", &["partner_conversion.is_new_customer"]),
    ("a place in a file", &["metric_rollup_page.address"]),
    ("the id of a group", &["customer_group_member.customer_group_id"]),
];
