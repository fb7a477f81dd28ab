//! What can be answered of customers, addresses and groups, on each surface.

use crate::customers::queries::{addresses, customers, groups};
use crate::database::listing::Listing;
use crate::http::{Listed, Relation, Resource, Shape};

static ADDRESS: Shape = Shape {
    name: "address",
    defaults: &[
        "id",
        "address_name",
        "is_default_shipping",
        "is_default_billing",
        "customer_id",
        "company",
        "first_name",
        "last_name",
        "address_1",
        "address_2",
        "city",
        "country_code",
        "province",
        "postal_code",
        "phone",
        "metadata",
        "created_at",
        "updated_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[],
};

static GROUP: Shape = Shape {
    name: "customer group",
    defaults: &["id", "name", "created_by", "metadata", "created_at", "updated_at", "deleted_at"],
    extras: &[],
    computed: &[],
    relations: &[],
};

static STORE_CUSTOMER: Shape = Shape {
    name: "customer",
    defaults: &[
        "id",
        "email",
        "company_name",
        "first_name",
        "last_name",
        "phone",
        "metadata",
        "has_account",
        "created_at",
        "updated_at",
        "deleted_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[Relation::default("addresses", &ADDRESS)],
};

const ADMIN_DEFAULTS: &[&str] = &[
    "id",
    "email",
    "company_name",
    "first_name",
    "last_name",
    "phone",
    "metadata",
    "has_account",
    "created_by",
    "created_at",
    "updated_at",
    "deleted_at",
];

/// In a list the address book must be asked for.
static ADMIN_LISTED_CUSTOMER: Shape = Shape {
    name: "customer",
    defaults: ADMIN_DEFAULTS,
    extras: &[],
    computed: &[],
    relations: &[
        Relation::on_request("addresses", &ADDRESS),
        Relation::on_request("groups", &GROUP),
    ],
};

static ADMIN_CUSTOMER: Shape = Shape {
    name: "customer",
    defaults: ADMIN_DEFAULTS,
    extras: &[],
    computed: &[],
    relations: &[Relation::default("addresses", &ADDRESS), Relation::on_request("groups", &GROUP)],
};

/// A customer as they see themselves.
#[derive(Debug)]
pub(super) struct StoreCustomer;

impl Resource for StoreCustomer {
    const SHAPE: &'static Shape = &STORE_CUSTOMER;
}

/// A customer as admins see them.
#[derive(Debug)]
pub(super) struct AdminCustomer;

impl Resource for AdminCustomer {
    const SHAPE: &'static Shape = &ADMIN_CUSTOMER;
}

/// The customers as admins list them.
#[derive(Debug)]
pub(super) struct AdminCustomers;

impl Resource for AdminCustomers {
    const SHAPE: &'static Shape = &ADMIN_LISTED_CUSTOMER;
}

impl Listed for AdminCustomers {
    const LISTING: &'static Listing = &customers::CUSTOMERS;
}

/// Addresses of one customer's book.
#[derive(Debug)]
pub(super) struct Addresses;

impl Resource for Addresses {
    const SHAPE: &'static Shape = &ADDRESS;
}

impl Listed for Addresses {
    const LISTING: &'static Listing = &addresses::ADDRESSES;
}

/// The groups of customers.
#[derive(Debug)]
pub(super) struct Groups;

impl Resource for Groups {
    const SHAPE: &'static Shape = &GROUP;
}

impl Listed for Groups {
    const LISTING: &'static Listing = &groups::GROUPS;
}
