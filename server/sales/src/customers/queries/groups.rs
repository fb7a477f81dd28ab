//! Groups, and who is in them.

use rusqlite::{OptionalExtension as _, Row, named_params};

use crate::customers::group::CustomerGroup;
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::{self, CustomerGroupId, CustomerId};

/// What admins can ask of the list.
pub(in crate::customers) static GROUPS: Listing = Listing {
    plural: "customer_groups",
    table: "customer_group g",
    id: "g.id",
    columns: &[
        Column::new("id", "g.id", Kind::Id),
        Column::new("name", "g.name", Kind::Text),
        Column::new("created_at", "g.created_at", Kind::Time),
        Column::new("updated_at", "g.updated_at", Kind::Time),
        Column::filter("created_by", "g.created_by", Kind::Id),
        Column::filter(
            "customers",
            "g.id in (select customer_group_id from customer_group_member where customer_id in ({}))",
            Kind::Link,
        ),
    ],
    search: &["g.name"],
    default_limit: 20,
    default_order: "name",
    extra: &[],
};

const COLUMNS: &str = "g.id, g.name, g.created_by, g.metadata, g.created_at, g.updated_at";

fn read(row: &Row<'_>) -> rusqlite::Result<CustomerGroup> {
    Ok(CustomerGroup {
        id: row.get(0)?,
        name: row.get(1)?,
        created_by: row.get(2)?,
        metadata: row.get(3)?,
        created_at: row.get(4)?,
        updated_at: row.get(5)?,
        deleted_at: None,
    })
}

/// A page of groups, and how many there are.
pub(in crate::customers) fn page(
    tx: &Tx<'_>,
    query: ListQuery,
) -> Result<(Vec<CustomerGroup>, u64), Error> {
    let query = query.narrow("g.deleted_at is null", []);
    Ok((query.page(tx, COLUMNS, read)?, query.count(tx)?))
}

pub(in crate::customers) fn find(
    tx: &Tx<'_>,
    id: &CustomerGroupId,
) -> Result<Option<CustomerGroup>, Error> {
    let sql =
        format!("select {COLUMNS} from customer_group g where g.id = :id and g.deleted_at is null");
    Ok(tx.prepare_cached(&sql)?.query_row(named_params! { ":id": id }, read).optional()?)
}

/// The groups of several customers, each with the customer.
pub(in crate::customers) fn of_customers(
    tx: &Tx<'_>,
    ids: &[CustomerId],
) -> Result<Vec<(CustomerId, CustomerGroup)>, Error> {
    let sql = format!(
        "select {COLUMNS}, member.customer_id from customer_group_member member
           join customer_group g on g.id = member.customer_group_id
          where member.customer_id in (select value from json_each(:ids)) order by g.name, g.id"
    );
    let mut statement = tx.prepare_cached(&sql)?;
    let rows = statement.query_map(
        named_params! { ":ids": ids::list(ids.iter().map(CustomerId::as_str)) },
        |row| Ok((row.get(6)?, read(row)?)),
    )?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(in crate::customers) fn ids_of(
    tx: &Tx<'_>,
    id: &CustomerId,
) -> Result<Vec<CustomerGroupId>, Error> {
    let sql =
        "select customer_group_id from customer_group_member where customer_id = :id order by 1";
    let mut statement = tx.prepare_cached(sql)?;
    let ids = statement.query_map(named_params! { ":id": id }, |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

pub(in crate::customers) fn insert(tx: &Tx<'_>, group: &CustomerGroup) -> Result<(), Error> {
    let sql = "insert into customer_group (id, name, created_by, metadata, created_at, updated_at)
               values (:id, :name, :created_by, :metadata, :created_at, :updated_at)";
    tx.prepare_cached(sql)?.execute(named_params! {
        ":id": group.id,
        ":name": group.name,
        ":created_by": group.created_by,
        ":metadata": group.metadata,
        ":created_at": group.created_at,
        ":updated_at": group.updated_at,
    })?;
    Ok(())
}

pub(in crate::customers) fn update(tx: &Tx<'_>, group: &CustomerGroup) -> Result<(), Error> {
    let sql =
        "update customer_group set name = :name, metadata = :metadata, updated_at = :updated_at
                where id = :id";
    tx.prepare_cached(sql)?.execute(named_params! {
        ":id": group.id,
        ":name": group.name,
        ":metadata": group.metadata,
        ":updated_at": group.updated_at,
    })?;
    Ok(())
}

pub(in crate::customers) fn delete(tx: &Tx<'_>, id: &CustomerGroupId) -> Result<(), Error> {
    let sql = "update customer_group set deleted_at = :now, updated_at = :now where id = :id";
    tx.prepare_cached(sql)?.execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(())
}

/// The first of these ids that no group has.
pub(in crate::customers) fn first_unknown(
    tx: &Tx<'_>,
    ids: &[CustomerGroupId],
) -> Result<Option<String>, Error> {
    let sql = "select sent.value from json_each(:ids) sent
                where not exists (select 1 from customer_group where id = sent.value and deleted_at is null)
                limit 1";
    let mut statement = tx.prepare_cached(sql)?;
    Ok(statement
        .query_row(
            named_params! { ":ids": ids::list(ids.iter().map(CustomerGroupId::as_str)) },
            |row| row.get(0),
        )
        .optional()?)
}

/// Puts each of the customers into each of the groups.
pub(in crate::customers) fn add_members(
    tx: &Tx<'_>,
    groups: &[CustomerGroupId],
    customers: &[CustomerId],
) -> Result<(), Error> {
    let sql = "insert or ignore into customer_group_member (customer_group_id, customer_id)
               select g.value, c.value from json_each(:groups) g, json_each(:customers) c";
    let parameters = named_params! { ":groups": ids::list(groups.iter().map(CustomerGroupId::as_str)), ":customers": ids::list(customers.iter().map(CustomerId::as_str)) };
    tx.prepare_cached(sql)?.execute(parameters)?;
    Ok(())
}

/// Takes each of the customers out of each of the groups.
pub(in crate::customers) fn remove_members(
    tx: &Tx<'_>,
    groups: &[CustomerGroupId],
    customers: &[CustomerId],
) -> Result<(), Error> {
    let sql = "delete from customer_group_member
                where customer_id in (select value from json_each(:customers))
                  and customer_group_id in (select value from json_each(:groups))";
    let parameters = named_params! { ":groups": ids::list(groups.iter().map(CustomerGroupId::as_str)), ":customers": ids::list(customers.iter().map(CustomerId::as_str)) };
    tx.prepare_cached(sql)?.execute(parameters)?;
    Ok(())
}

/// Empties a group.
pub(in crate::customers) fn remove_all(tx: &Tx<'_>, id: &CustomerGroupId) -> Result<(), Error> {
    tx.prepare_cached("delete from customer_group_member where customer_group_id = :id")?
        .execute(named_params! { ":id": id })?;
    Ok(())
}
