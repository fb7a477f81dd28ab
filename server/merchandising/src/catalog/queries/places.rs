//! Statements that find the price context of a shopper.

use rusqlite::named_params;

use crate::catalog::shopper::PriceContextRequest;
use crate::database::{Error, Tx};
use crate::ids::{CustomerGroupId, CustomerId, RegionId};
use crate::money::Currency;

/// Returns the given region, otherwise that of the cart, of the country or of the store; with its currency. A cart of
/// another customer's account counts as unknown, and one whose region is deleted has none.
pub(crate) fn region(
    tx: &Tx<'_>,
    sent: &PriceContextRequest,
) -> Result<Option<(RegionId, Currency)>, Error> {
    tx.sql(
        "select id, currency
           from region
          where deleted_at is null
            and id = coalesce(:region_id,
                              (select cart.region_id from cart join region of_cart on of_cart.id = cart.region_id
                                where cart.id = :cart_id and of_cart.deleted_at is null
                                  and not exists (select 1 from customer
                                                   where customer.id = cart.customer_id and has_account = 1
                                                     and customer.id is not :customer_id)),
                              (select region_id from region_country where country = :country),
                              (select default_region_id from store limit 1))",
    )
    .first(
        named_params! {
            ":region_id": sent.region_id, ":cart_id": sent.cart_id, ":country": sent.country,
            ":customer_id": sent.customer_id,
        },
        |row| Ok((row.get(0)?, row.get(1)?)),
    )
}

pub(crate) fn groups(tx: &Tx<'_>, customer: &CustomerId) -> Result<Vec<CustomerGroupId>, Error> {
    tx.sql(
        "select member.customer_group_id
           from customer_group_member member
           join customer_group g on g.id = member.customer_group_id
          where member.customer_id = :customer and g.deleted_at is null",
    )
    .all(named_params! { ":customer": customer }, |row| row.get(0))
}
