//! Statements that find the price context of a shopper.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::{CartId, CustomerGroupId, CustomerId, RegionId};
use crate::money::Currency;

/// Returns the given region, otherwise that of the cart, of the country or of the store; with its currency.
pub(crate) fn region(
    tx: &Tx<'_>,
    region_id: Option<&RegionId>,
    cart_id: Option<&CartId>,
    country: Option<&str>,
) -> Result<Option<(RegionId, Currency)>, Error> {
    tx.sql(
        "select id, currency
           from region
          where deleted_at is null
            and id = coalesce(:region_id, (select region_id from cart where id = :cart_id),
                              (select region_id from region_country where country = :country),
                              (select default_region_id from store limit 1))",
    )
    .first(
        named_params! {
            ":region_id": region_id, ":cart_id": cart_id, ":country": country,
        },
        |row| Ok((row.get(0)?, row.get(1)?)),
    )
}

/// Returns the groups of the given customer, otherwise of the cart's customer.
pub(crate) fn groups(
    tx: &Tx<'_>,
    customer_id: Option<&CustomerId>,
    cart_id: Option<&CartId>,
) -> Result<Vec<CustomerGroupId>, Error> {
    tx.sql(
        "select member.customer_group_id
           from customer_group_member member
           join customer_group g on g.id = member.customer_group_id
          where member.customer_id = coalesce(:customer_id, (select customer_id from cart where id = :cart_id))
            and g.deleted_at is null",
    )
    .all(named_params! { ":customer_id": customer_id, ":cart_id": cart_id }, |row| row.get(0))
}
