//! The address books.

use rusqlite::types::Value;
use rusqlite::{OptionalExtension as _, Row, named_params};

use crate::customers::address::Address;
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::{self, CustomerAddressId, CustomerId};

/// What can be asked of one customer's addresses.
pub(in crate::customers) static ADDRESSES: Listing = Listing {
    plural: "addresses",
    table: "customer_address a",
    id: "a.id",
    columns: &[
        Column::new("id", "a.id", Kind::Id),
        Column::new("created_at", "a.created_at", Kind::Time),
        Column::filter("address_name", "a.address_name", Kind::Text),
        Column::filter("city", "a.city", Kind::Text),
        Column::filter("country_code", "a.country", Kind::Text),
        Column::filter("postal_code", "a.postal_code", Kind::Text),
        Column::filter("is_default_shipping", "a.is_default_shipping", Kind::Boolean),
        Column::filter("is_default_billing", "a.is_default_billing", Kind::Boolean),
    ],
    search: &[
        "a.address_name",
        "a.company",
        "a.first_name",
        "a.last_name",
        "a.address_1",
        "a.city",
    ],
    default_limit: 50,
    default_order: "created_at",
    extra: &[],
};

const COLUMNS: &str = "a.id, a.customer_id, a.address_name, a.is_default_shipping, a.is_default_billing, a.company, \
                       a.first_name, a.last_name, a.address_1, a.address_2, a.city, a.country, a.province, \
                       a.postal_code, a.phone, a.metadata, a.created_at, a.updated_at";

fn read(row: &Row<'_>) -> rusqlite::Result<Address> {
    Ok(Address {
        id: row.get(0)?,
        customer_id: row.get(1)?,
        address_name: row.get(2)?,
        is_default_shipping: row.get(3)?,
        is_default_billing: row.get(4)?,
        company: row.get(5)?,
        first_name: row.get(6)?,
        last_name: row.get(7)?,
        address_1: row.get(8)?,
        address_2: row.get(9)?,
        city: row.get(10)?,
        country_code: row.get(11)?,
        province: row.get(12)?,
        postal_code: row.get(13)?,
        phone: row.get(14)?,
        metadata: row.get(15)?,
        created_at: row.get(16)?,
        updated_at: row.get(17)?,
    })
}

/// A page of one customer's addresses, and how many there are.
pub(in crate::customers) fn page(
    tx: &Tx<'_>,
    customer_id: &CustomerId,
    query: ListQuery,
) -> Result<(Vec<Address>, u64), Error> {
    let query = query.narrow("a.customer_id = ?", [Value::Text(customer_id.as_str().to_owned())]);
    Ok((query.page(tx, COLUMNS, read)?, query.count(tx)?))
}

/// The addresses of several customers.
pub(in crate::customers) fn of_customers(
    tx: &Tx<'_>,
    ids: &[CustomerId],
) -> Result<Vec<Address>, Error> {
    let sql = format!(
        "select {COLUMNS} from customer_address a
          where a.customer_id in (select value from json_each(:ids)) order by a.created_at, a.id"
    );
    let mut statement = tx.prepare_cached(&sql)?;
    let addresses = statement
        .query_map(named_params! { ":ids": ids::list(ids.iter().map(CustomerId::as_str)) }, read)?;
    Ok(addresses.collect::<Result<_, _>>()?)
}

pub(in crate::customers) fn find(
    tx: &Tx<'_>,
    customer_id: &CustomerId,
    id: &CustomerAddressId,
) -> Result<Option<Address>, Error> {
    let sql = format!(
        "select {COLUMNS} from customer_address a where a.id = :id and a.customer_id = :customer_id"
    );
    let parameters = named_params! { ":id": id, ":customer_id": customer_id };
    Ok(tx.prepare_cached(&sql)?.query_row(parameters, read).optional()?)
}

pub(in crate::customers) fn count(tx: &Tx<'_>, customer_id: &CustomerId) -> Result<u32, Error> {
    let sql = "select count(*) from customer_address where customer_id = :customer_id";
    let mut statement = tx.prepare_cached(sql)?;
    Ok(statement.query_row(named_params! { ":customer_id": customer_id }, |row| row.get(0))?)
}

/// Takes the marks of a default from the other addresses, as far as this one has them.
pub(in crate::customers) fn clear_defaults(tx: &Tx<'_>, address: &Address) -> Result<(), Error> {
    let sql = "update customer_address
                  set is_default_shipping = is_default_shipping and not :is_default_shipping,
                      is_default_billing = is_default_billing and not :is_default_billing, updated_at = :now
                where customer_id = :customer_id and id <> :id
                  and (is_default_shipping and :is_default_shipping or is_default_billing and :is_default_billing)";
    tx.prepare_cached(sql)?.execute(named_params! {
        ":id": address.id,
        ":customer_id": address.customer_id,
        ":is_default_shipping": address.is_default_shipping,
        ":is_default_billing": address.is_default_billing,
        ":now": tx.now(),
    })?;
    Ok(())
}

pub(in crate::customers) fn insert(tx: &Tx<'_>, address: &Address) -> Result<(), Error> {
    let sql = "insert into customer_address
                 (id, customer_id, address_name, is_default_shipping, is_default_billing, company, first_name,
                  last_name, address_1, address_2, city, country, province, postal_code, phone, metadata,
                  created_at, updated_at)
               values (:id, :customer_id, :address_name, :is_default_shipping, :is_default_billing, :company,
                       :first_name, :last_name, :address_1, :address_2, :city, :country, :province, :postal_code,
                       :phone, :metadata, :updated_at, :updated_at)";
    write(tx, sql, address)
}

pub(in crate::customers) fn update(tx: &Tx<'_>, address: &Address) -> Result<(), Error> {
    let sql = "update customer_address
                  set address_name = :address_name, is_default_shipping = :is_default_shipping,
                      is_default_billing = :is_default_billing, company = :company, first_name = :first_name,
                      last_name = :last_name, address_1 = :address_1, address_2 = :address_2, city = :city,
                      country = :country, province = :province, postal_code = :postal_code, phone = :phone,
                      metadata = :metadata, updated_at = :updated_at
                where id = :id and customer_id = :customer_id";
    write(tx, sql, address)
}

fn write(tx: &Tx<'_>, sql: &str, address: &Address) -> Result<(), Error> {
    tx.prepare_cached(sql)?.execute(named_params! {
        ":id": address.id,
        ":customer_id": address.customer_id,
        ":address_name": address.address_name,
        ":is_default_shipping": address.is_default_shipping,
        ":is_default_billing": address.is_default_billing,
        ":company": address.company,
        ":first_name": address.first_name,
        ":last_name": address.last_name,
        ":address_1": address.address_1,
        ":address_2": address.address_2,
        ":city": address.city,
        ":country": address.country_code,
        ":province": address.province,
        ":postal_code": address.postal_code,
        ":phone": address.phone,
        ":metadata": address.metadata,
        ":updated_at": address.updated_at,
    })?;
    Ok(())
}

pub(in crate::customers) fn delete(tx: &Tx<'_>, id: &CustomerAddressId) -> Result<(), Error> {
    tx.prepare_cached("delete from customer_address where id = :id")?
        .execute(named_params! { ":id": id })?;
    Ok(())
}
