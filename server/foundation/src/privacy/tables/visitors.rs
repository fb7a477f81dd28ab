//! Visitors' actions: reviews, visits, wishes and consents. Daily counts are kept.

use super::{Erasure, PersonalTable};

/// The reviews of the person: a guest's review is identified by the order that it names.
macro_rules! of_author {
    () => {
        concat!(
            "customer_id = :customer or customer_id is null and ",
            of_orders!("order_reference"),
        )
    };
}

pub(super) const TABLES: &[PersonalTable] = &[
    PersonalTable {
        table: "review",
        columns: &[
            "customer_id", "order_reference", "verified_order_id", "title", "content", "first_name", "last_name",
            "response", "text_digest",
        ],
        rows: of_author!(),
        erasure: Erasure::Change(
            "customer_id = null, order_reference = null, verified_order_id = null, title = null, content = '',
             first_name = '', last_name = '', response = null, responded_at = null, text_digest = '', flags = '[]',
             status = 'rejected', reject_reason = 'personal_data'",
        ),
    },
    PersonalTable {
        table: "review_version",
        columns: &["title", "content", "first_name", "last_name"],
        rows: concat!("review_id in (select id from review where ", of_author!(), ")"),
        erasure: Erasure::Delete,
    },
    PersonalTable {
        table: "review_vote",
        columns: &["customer_id"],
        rows: "customer_id = :customer",
        erasure: Erasure::Keep("a vote counts, and its id leads to a customer whom no row names"),
    },
    PersonalTable {
        table: "visit",
        columns: &["customer_id", "locale", "referrer_host", "country", "device"],
        rows: "customer_id = :customer",
        erasure: Erasure::Change("customer_id = null, locale = null, referrer_host = null"),
    },
    PersonalTable {
        table: "visit_event",
        columns: &["customer_id", "visit_id", "cart_id", "properties"],
        rows: "customer_id = :customer or visit_id in (select id from visit where customer_id = :customer)",
        erasure: Erasure::Change("customer_id = null, visit_id = null, cart_id = null, properties = '{}'"),
    },
    PersonalTable {
        table: "wishlist_item",
        columns: &["customer_id", "visit_id", "holder"],
        rows: "customer_id = :customer",
        erasure: Erasure::Change("customer_id = null, visit_id = null, holder = id"),
    },
    PersonalTable {
        table: "sms_consent",
        columns: &[
            "customer_id", "cart_id", "phone", "phone_digest", "email", "consent_text", "locale", "withdrawn_text",
        ],
        rows: "customer_id = :customer or cart_id in (select id from cart where customer_id = :customer)",
        // The digest is kept and blocks the number: without the key, nobody can derive the number from it.
        erasure: Erasure::Detach {
            job: "sms.detach",
            payload: "json_object('phone', phone)",
            told: "synced_at is not null and phone like '+%'",
            changes: "customer_id = null, cart_id = null, phone = 'erased ' || id, email = null, consent_text = null,
             locale = null, code_digest = null, status = 'withdrawn', is_blocking = 1, withdrawn_text = null,
             withdrawn_at = coalesce(withdrawn_at, updated_at), withdrawn_by = coalesce(withdrawn_by, 'erasure')",
        },
    },
];
