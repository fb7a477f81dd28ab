//! Customers by themselves.

use rusqlite::{OptionalExtension as _, Row, named_params};

use crate::auth::Email;
use crate::customers::customer::Customer;
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::{self, CustomerId};

/// What admins can ask of the list.
pub(in crate::customers) static CUSTOMERS: Listing = Listing {
    plural: "customers",
    table: "customer c",
    id: "c.id",
    columns: &[
        Column::new("id", "c.id", Kind::Id),
        Column::new("email", "c.email", Kind::Text),
        Column::new("created_at", "c.created_at", Kind::Time),
        Column::filter("updated_at", "c.updated_at", Kind::Time),
        Column::filter("company_name", "c.company_name", Kind::Text),
        Column::filter("first_name", "c.first_name", Kind::Text),
        Column::filter("last_name", "c.last_name", Kind::Text),
        Column::filter("phone", "c.phone", Kind::Text),
        Column::filter("has_account", "c.has_account", Kind::Boolean),
        Column::filter("created_by", "c.created_by", Kind::Id),
        Column::filter(
            "groups",
            "c.id in (select customer_id from customer_group_member where customer_group_id in ({}))",
            Kind::Link,
        ),
    ],
    search: &["c.email", "c.first_name", "c.last_name", "c.company_name", "c.phone"],
    default_limit: 50,
    default_order: "-created_at",
    extra: &[],
};

const COLUMNS: &str = "c.id, c.email, c.company_name, c.first_name, c.last_name, c.phone, c.has_account, \
                       c.created_by, c.metadata, c.created_at, c.updated_at";

fn read(row: &Row<'_>) -> rusqlite::Result<Customer> {
    Ok(Customer {
        id: row.get(0)?,
        email: row.get(1)?,
        company_name: row.get(2)?,
        first_name: row.get(3)?,
        last_name: row.get(4)?,
        phone: row.get(5)?,
        has_account: row.get(6)?,
        created_by: row.get(7)?,
        metadata: row.get(8)?,
        created_at: row.get(9)?,
        updated_at: row.get(10)?,
        deleted_at: None,
        addresses: Vec::new(),
        groups: Vec::new(),
    })
}

/// A page of customers, and how many there are.
pub(in crate::customers) fn page(
    tx: &Tx<'_>,
    query: ListQuery,
) -> Result<(Vec<Customer>, u64), Error> {
    let query = query.narrow("c.deleted_at is null", []);
    Ok((query.page(tx, COLUMNS, read)?, query.count(tx)?))
}

pub(in crate::customers) fn find(tx: &Tx<'_>, id: &CustomerId) -> Result<Option<Customer>, Error> {
    let sql = format!("select {COLUMNS} from customer c where c.id = :id and c.deleted_at is null");
    Ok(tx.prepare_cached(&sql)?.query_row(named_params! { ":id": id }, read).optional()?)
}

pub(in crate::customers) fn guest(tx: &Tx<'_>, email: &Email) -> Result<Option<CustomerId>, Error> {
    let sql =
        "select id from customer where email = :email and has_account = 0 and deleted_at is null";
    let mut statement = tx.prepare_cached(sql)?;
    Ok(statement.query_row(named_params! { ":email": email }, |row| row.get(0)).optional()?)
}

pub(in crate::customers) fn insert(tx: &Tx<'_>, customer: &Customer) -> Result<(), Error> {
    let sql =
        "insert into customer (id, email, company_name, first_name, last_name, phone, has_account,
                                     created_by, metadata, created_at, updated_at)
               values (:id, :email, :company_name, :first_name, :last_name, :phone, :has_account,
                       :created_by, :metadata, :created_at, :updated_at)";
    tx.prepare_cached(sql)?.execute(named_params! {
        ":id": customer.id,
        ":email": customer.email,
        ":company_name": customer.company_name,
        ":first_name": customer.first_name,
        ":last_name": customer.last_name,
        ":phone": customer.phone,
        ":has_account": customer.has_account,
        ":created_by": customer.created_by,
        ":metadata": customer.metadata,
        ":created_at": customer.created_at,
        ":updated_at": customer.updated_at,
    })?;
    Ok(())
}

pub(in crate::customers) fn update(tx: &Tx<'_>, customer: &Customer) -> Result<(), Error> {
    let sql = "update customer set email = :email, company_name = :company_name, first_name = :first_name,
                      last_name = :last_name, phone = :phone, metadata = :metadata, updated_at = :updated_at
                where id = :id";
    tx.prepare_cached(sql)?.execute(named_params! {
        ":id": customer.id,
        ":email": customer.email,
        ":company_name": customer.company_name,
        ":first_name": customer.first_name,
        ":last_name": customer.last_name,
        ":phone": customer.phone,
        ":metadata": customer.metadata,
        ":updated_at": customer.updated_at,
    })?;
    Ok(())
}

pub(in crate::customers) fn delete(tx: &Tx<'_>, id: &CustomerId) -> Result<(), Error> {
    let sql = "update customer set deleted_at = :now, updated_at = :now where id = :id";
    tx.prepare_cached(sql)?.execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(())
}

/// The first of these ids that no customer has.
pub(in crate::customers) fn first_unknown(
    tx: &Tx<'_>,
    ids: &[CustomerId],
) -> Result<Option<String>, Error> {
    let sql = "select sent.value from json_each(:ids) sent
                where not exists (select 1 from customer where id = sent.value and deleted_at is null) limit 1";
    let mut statement = tx.prepare_cached(sql)?;
    Ok(statement
        .query_row(named_params! { ":ids": ids::list(ids.iter().map(CustomerId::as_str)) }, |row| {
            row.get(0)
        })
        .optional()?)
}
