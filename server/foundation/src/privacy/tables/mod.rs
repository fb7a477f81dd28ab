//! The tables with personal data: which of their rows are about a person, and what happens to them.
//!
//! Each domain has a file here. A table comes after those that its condition reads, because an erasure starts with the last
//! one. `:customer` is the customer's id, `:email` the e-mail address.

/// The orders of the person.
macro_rules! of_orders {
    ($column:literal) => {
        concat!($column, " in (select id from orders where customer_id = :customer)")
    };
}

mod background;
mod customers;
mod flows;
mod orders;
mod others;
mod partners;
mod visitors;

pub use others::OTHERS;

/// A table with personal data.
#[derive(Debug, Clone, Copy)]
pub struct PersonalTable {
    pub table: &'static str,
    /// The columns with data about the person.
    pub columns: &'static [&'static str],
    pub rows: &'static str,
    pub erasure: Erasure,
}

/// What happens to the rows of an erased person.
#[derive(Debug, Clone, Copy)]
pub enum Erasure {
    Delete,
    /// The assignments that remove what identifies the person.
    Change(&'static str),
    /// Like [`Erasure::Change`]; before it, a job is scheduled for each row that was reported to another system. Its key
    /// is the row's id, and its payload, which is deleted with the job, is how that system identifies the person.
    Detach {
        job: &'static str,
        /// The expression of the payload.
        payload: &'static str,
        /// The condition of the rows that were reported to another system.
        told: &'static str,
        changes: &'static str,
    },
    /// They identify nobody without the other tables: why.
    Keep(&'static str),
}

/// How to identify the rows of a table that has to be read in full to find those of a person.
#[derive(Debug)]
pub struct Scan {
    pub table: &'static str,
    /// The expression of a row's key.
    pub key: &'static str,
    /// The condition that a row's key is in the JSON array `:found`.
    pub is_found: &'static str,
    /// The creation time of a row.
    pub age: &'static str,
    /// The index of that time.
    pub index: &'static str,
}

/// The tables that have to be read in full.
pub const SCANS: &[Scan] = &[
    Scan {
        table: "webhook_delivery",
        key: "id",
        is_found: "id in (select value from json_each(:found))",
        age: "received_at",
        index: "webhook_delivery_by_receipt",
    },
    Scan {
        table: "idempotency_key",
        key: "json_array(principal, key)",
        is_found: "(principal, key) in (select value ->> 0, value ->> 1 from json_each(:found))",
        age: "created_at",
        index: "idempotency_key_by_age",
    },
];

impl PersonalTable {
    /// Returns how its rows are identified, if it has to be read in full.
    pub fn scan(&self) -> Option<&'static Scan> {
        SCANS.iter().find(|scan| scan.table == self.table)
    }

    /// Returns the columns that a customer's own export leaves out.
    pub fn for_staff(&self) -> &'static [&'static str] {
        FOR_STAFF.iter().find(|(table, _)| *table == self.table).map_or(&[], |(_, columns)| columns)
    }
}

/// Columns that an export leaves out: secrets, and what payment providers store.
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

/// Columns that a customer's own export leaves out, by table: costs and commissions of the store, and what it decides
/// about its partners.
pub const FOR_STAFF: &[(&str, &[&str])] = &[
    ("orders", &["cost_minor"]),
    ("order_line", &["unit_cost_minor"]),
    (
        "partner_conversion",
        &[
            "partner_id",
            "offer_id",
            "via",
            "status",
            "currency",
            "base_minor",
            "commission_minor",
            "lines",
            "flags",
            "reason",
            "decided_by",
            "is_new_customer",
            "is_renewal",
            "terms",
            "placed_at",
            "due_at",
            "paid_at",
            "decided_at",
            "updated_at",
        ],
    ),
];

/// Tables that may have very many rows about a person, whose erasure harms nothing if the person stays after all.
pub const LONG: &[&str] = &["visit_event"];

/// Tables that an export leaves out: registering with an e-mail address does not prove ownership, and the paths of
/// requests that contain it lead to carts of guests.
pub const NOT_EXPORTED: &[&str] = &["idempotency_key"];

/// All tables with personal data, by domain.
const DOMAINS: &[&[PersonalTable]] = &[
    customers::TABLES,
    orders::TABLES,
    visitors::TABLES,
    flows::TABLES,
    partners::TABLES,
    background::TABLES,
];

/// Returns all tables with personal data, in their order.
pub fn all() -> impl DoubleEndedIterator<Item = &'static PersonalTable> {
    DOMAINS.iter().copied().flatten()
}
