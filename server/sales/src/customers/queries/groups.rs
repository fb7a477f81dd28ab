//! Statements on groups and their members.

use rusqlite::named_params;

use crate::customers::Customer;
use crate::customers::group::CustomerGroup;
use crate::database::{Cells, Error, Record as _, Tx};
use crate::ids::{self, CustomerGroupId, CustomerId};

/// Returns the groups of several customers, each with the customer's id.
pub(in crate::customers) fn of_customers(
    tx: &Tx<'_>,
    ids: &[CustomerId],
) -> Result<Vec<(CustomerId, CustomerGroup)>, Error> {
    let sql = format!(
        "select member.customer_id, {} from customer_group_member member
           join customer_group g on g.id = member.customer_group_id
          where member.customer_id in (select value from json_each(:ids)) order by g.name, g.id",
        CustomerGroup::COLUMNS
    );
    let ids = ids::list(ids.iter().map(CustomerId::as_str));
    tx.sql(&sql).all(named_params! { ":ids": ids }, |row| {
        let mut cells = Cells::new(row);
        Ok((cells.take()?, CustomerGroup::read_cells(&mut cells)?))
    })
}

/// Returns the members of several groups, each with the group's id.
pub(in crate::customers) fn members(
    tx: &Tx<'_>,
    ids: &[CustomerGroupId],
) -> Result<Vec<(CustomerGroupId, Customer)>, Error> {
    let sql = format!(
        "select member.customer_group_id, {} from customer_group_member member
           join customer c on c.id = member.customer_id
          where member.customer_group_id in (select value from json_each(:ids)) and c.deleted_at is null
          order by c.created_at, c.id",
        Customer::COLUMNS
    );
    let ids = ids::list(ids.iter().map(CustomerGroupId::as_str));
    tx.sql(&sql).all(named_params! { ":ids": ids }, |row| {
        let mut cells = Cells::new(row);
        Ok((cells.take()?, Customer::read_cells(&mut cells)?))
    })
}

pub(in crate::customers) fn ids_of(
    tx: &Tx<'_>,
    id: &CustomerId,
) -> Result<Vec<CustomerGroupId>, Error> {
    let sql =
        "select customer_group_id from customer_group_member where customer_id = :id order by 1";
    tx.sql(sql).all(named_params! { ":id": id }, |row| row.get(0))
}

/// Returns the first of these ids that no group has.
pub(in crate::customers) fn first_unknown(
    tx: &Tx<'_>,
    ids: &[CustomerGroupId],
) -> Result<Option<String>, Error> {
    let sql = "select sent.value from json_each(:ids) sent
                where not exists (select 1 from customer_group where id = sent.value and deleted_at is null)
                limit 1";
    tx.sql(sql).first(
        named_params! { ":ids": ids::list(ids.iter().map(CustomerGroupId::as_str)) },
        |row| row.get(0),
    )
}

/// Adds each customer to each group.
pub(in crate::customers) fn add_members(
    tx: &Tx<'_>,
    groups: &[CustomerGroupId],
    customers: &[CustomerId],
) -> Result<(), Error> {
    let sql = "insert or ignore into customer_group_member (customer_group_id, customer_id)
               select g.value, c.value from json_each(:groups) g, json_each(:customers) c";
    let parameters = named_params! { ":groups": ids::list(groups.iter().map(CustomerGroupId::as_str)), ":customers": ids::list(customers.iter().map(CustomerId::as_str)) };
    tx.sql(sql).run(parameters)
}

/// Removes each customer from each group.
pub(in crate::customers) fn remove_members(
    tx: &Tx<'_>,
    groups: &[CustomerGroupId],
    customers: &[CustomerId],
) -> Result<(), Error> {
    let sql = "delete from customer_group_member
                where customer_id in (select value from json_each(:customers))
                  and customer_group_id in (select value from json_each(:groups))";
    let parameters = named_params! { ":groups": ids::list(groups.iter().map(CustomerGroupId::as_str)), ":customers": ids::list(customers.iter().map(CustomerId::as_str)) };
    tx.sql(sql).run(parameters)
}

/// Removes all members of a group.
pub(in crate::customers) fn remove_all(tx: &Tx<'_>, id: &CustomerGroupId) -> Result<(), Error> {
    tx.sql("delete from customer_group_member where customer_group_id = :id")
        .run(named_params! { ":id": id })
}
