//! The SQL of customers, addresses and groups.

use rusqlite::named_params;

use super::address::Address;
use super::group::CustomerGroup;
use super::{AccountHolder, Customer, CustomerOrder};
use crate::auth::Email;
use crate::database::{Error, FromRow as _, Link, Record as _, Tx};
use crate::ids::{self, CustomerGroupId, CustomerId, SubscriptionId};

/// Limit: orders that are returned with their customer.
const MAX_ORDERS: usize = 50;

pub(crate) fn guest(tx: &Tx<'_>, email: &Email) -> Result<Option<CustomerId>, Error> {
    let sql =
        "select id from customer where email = :email and has_account = 0 and deleted_at is null";
    tx.sql(sql).first(named_params! { ":email": email }, |row| row.get(0))
}

/// Returns a subscription of a customer that has not ended.
pub fn subscription(tx: &Tx<'_>, id: &CustomerId) -> Result<Option<SubscriptionId>, Error> {
    tx.sql("select id from subscription where customer_id = :customer and ended_at is null limit 1")
        .first(named_params! { ":customer": id }, |row| row.get(0))
}

/// Returns the newest orders of a customer in these channels, given as a JSON array of ids.
pub(crate) fn orders(
    tx: &Tx<'_>,
    id: &CustomerId,
    channels: &str,
) -> Result<Vec<CustomerOrder>, Error> {
    let sql = format!(
        "select id, display_id, status, payment_status, fulfillment_status, email, currency, region_id,
                sales_channel_id, canceled_at, placed_at, updated_at
           from orders
          where customer_id = :customer and status <> 'draft'
            and (sales_channel_id is null or sales_channel_id in (select value from json_each(:channels)))
          order by placed_at desc, id desc limit {MAX_ORDERS}"
    );
    let parameters = named_params! { ":customer": id, ":channels": channels };
    tx.sql(&sql).all(parameters, CustomerOrder::from_row)
}

pub(crate) fn addresses_of(tx: &Tx<'_>, ids: &[CustomerId]) -> Result<Vec<Address>, Error> {
    let rest =
        "where a.customer_id in (select value from json_each(:ids)) order by a.created_at, a.id";
    let ids = ids::list(ids);
    Address::select(tx, rest, named_params! { ":ids": ids })
}

/// Returns the records of several customers at payment providers.
pub(crate) fn account_holders_of(
    tx: &Tx<'_>,
    ids: &[CustomerId],
) -> Result<Vec<AccountHolder>, Error> {
    let rest = "where h.customer_id in (select value from json_each(:ids)) order by h.id";
    let ids = ids::list(ids);
    AccountHolder::select(tx, rest, named_params! { ":ids": ids })
}

pub(crate) fn address_count(tx: &Tx<'_>, customer_id: &CustomerId) -> Result<u32, Error> {
    let sql = "select count(*) from customer_address where customer_id = :customer_id";
    tx.sql(sql).one(named_params! { ":customer_id": customer_id }, |row| row.get(0))
}

/// Clears the default flags that this address has from the customer's other addresses.
pub(crate) fn clear_defaults(tx: &Tx<'_>, address: &Address) -> Result<(), Error> {
    let sql = "update customer_address
                  set is_default_shipping = is_default_shipping and not :is_default_shipping,
                      is_default_billing = is_default_billing and not :is_default_billing, updated_at = :now
                where customer_id = :customer_id and id <> :id
                  and (is_default_shipping and :is_default_shipping or is_default_billing and :is_default_billing)";
    tx.sql(sql).run(named_params! {
        ":id": address.id,
        ":customer_id": address.customer_id,
        ":is_default_shipping": address.is_default_shipping,
        ":is_default_billing": address.is_default_billing,
        ":now": tx.now(),
    })
}

pub(crate) const MEMBERS: Link =
    Link::new("customer_group_member", "customer_group_id", "customer_id");

/// Returns the groups of several customers, each with the customer's id.
pub(crate) fn groups_of(
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
