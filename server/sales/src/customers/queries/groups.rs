//! Statements on groups and their members.

use rusqlite::named_params;

use crate::customers::Customer;
use crate::customers::group::CustomerGroup;
use crate::database::{Error, Link, Record as _, Tx};
use crate::ids::{self, CustomerGroupId, CustomerId};

pub(crate) const MEMBERS: Link =
    Link::new("customer_group_member", "customer_group_id", "customer_id");

/// Returns the groups of several customers, each with the customer's id.
pub(crate) fn of_customers(
    tx: &Tx<'_>,
    ids: &[CustomerId],
) -> Result<Vec<(CustomerId, CustomerGroup)>, Error> {
    let from = "customer_group_member member join customer_group g on g.id = member.customer_group_id
                where member.customer_id in (select value from json_each(:ids)) order by g.name, g.id";
    let ids = ids::list(ids);
    CustomerGroup::select_by(tx, "member.customer_id", from, named_params! { ":ids": ids })
}

/// Returns the members of several groups, each with the group's id.
pub(crate) fn members(
    tx: &Tx<'_>,
    ids: &[CustomerGroupId],
) -> Result<Vec<(CustomerGroupId, Customer)>, Error> {
    let from = "customer_group_member member join customer c on c.id = member.customer_id
                where member.customer_group_id in (select value from json_each(:ids)) and c.deleted_at is null
                order by c.created_at, c.id";
    let ids = ids::list(ids);
    Customer::select_by(tx, "member.customer_group_id", from, named_params! { ":ids": ids })
}
