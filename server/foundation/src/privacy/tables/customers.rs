//! Customers, and how they log in.

use super::{Erasure, PersonalTable};

pub(super) const TABLES: &[PersonalTable] = &[
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
];
