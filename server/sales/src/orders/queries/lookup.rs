//! Statements that look up orders, who may see them, and what e-mails say of them.

use rusqlite::named_params;

use crate::auth::SecretDigest;
use crate::cart::totals::{Amounts, CartTotals};
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Filtered as _, FromRow, Named, Tx};
use crate::ids::{CustomerId, FulfillmentId, OrderId};
use crate::orders::order::Order;
use crate::statuses::{FulfillmentStatus, OrderStatus, PaymentStatus};

pub(crate) static STORE_ORDERS: Listing = Listing {
    plural: "orders",
    table: "orders o",
    tie_breaker: "o.id",
    columns: &[
        Column::new("id", "o.id", Kind::Id),
        Column::filter("status", "o.status", OrderStatus::KIND),
        Column::filter("payment_status", "o.payment_status", PaymentStatus::KIND),
        Column::filter("fulfillment_status", "o.fulfillment_status", FulfillmentStatus::KIND),
        Column::new("display_id", "o.display_id", Kind::Integer),
        Column::new("created_at", "o.placed_at", Kind::Time),
        Column::new("updated_at", "o.updated_at", Kind::Time),
    ],
    search: &[],
    default_limit: 50,
    default_order: "-created_at",
    extra: &[],
};

/// The columns that an [`Order`] is read from, of the table with the alias `o`.
pub(crate) const COLUMNS: &str =
    "o.id, o.display_id, o.customer_id, o.email, o.region_id, o.sales_channel_id, o.currency, o.locale,
     o.status, o.payment_status, o.fulfillment_status, o.version,
     o.item_subtotal_minor, o.item_tax_minor, o.item_discount_minor, o.item_total_minor,
     o.shipping_subtotal_minor, o.shipping_tax_minor, o.shipping_discount_minor, o.shipping_total_minor,
     o.subtotal_minor, o.discount_subtotal_minor, o.discount_tax_minor, o.tax_minor, o.original_total_minor,
     o.original_tax_minor, o.credit_line_minor, o.total_minor, o.paid_minor, o.refunded_minor, o.goodwill_minor,
     o.shipping_address, o.billing_address, o.metadata, o.placed_at, o.canceled_at, o.updated_at";

/// Returns the order with an id, whatever its status.
pub(crate) fn order(tx: &Tx<'_>, id: &OrderId) -> Result<Option<Order>, Error> {
    tx.sql(&format!("select {COLUMNS} from orders o where o.id = :id"))
        .first(named_params! { ":id": id }, Order::from_row)
}

/// Returns the order if it is an administrator's draft.
pub(crate) fn draft(tx: &Tx<'_>, id: &OrderId) -> Result<Option<Order>, Error> {
    tx.sql(&format!("select {COLUMNS} from orders o where o.id = :id and o.is_draft_order = 1"))
        .first(named_params! { ":id": id }, Order::from_row)
}

/// Returns a page of a customer's orders in sales channels, given as a JSON list of ids, and their total number, without
/// unplaced ones.
pub(crate) fn of_customer(
    tx: &Tx<'_>,
    customer: &CustomerId,
    channels: String,
    query: ListQuery,
) -> Result<(Vec<Order>, u64), Error> {
    let in_channels =
        "(o.sales_channel_id is null or o.sales_channel_id in (select value from json_each(?)))";
    let query = query
        .narrow(in_channels, [channels.into()])
        .narrow("o.customer_id = ?", [customer.as_str().to_owned().into()])
        .except("o.status = 'draft'");
    Ok((query.page(tx, COLUMNS, Order::from_row)?, query.count(tx)?))
}

impl FromRow for CartTotals {
    fn from_named(row: &Named<'_, '_>) -> rusqlite::Result<Self> {
        let part = |subtotal, tax, discount, total| -> rusqlite::Result<Amounts> {
            let (subtotal, tax) = (row.get(subtotal)?, row.get(tax)?);
            Ok(amounts(subtotal, row.get(discount)?, tax, row.get(total)?))
        };
        let items = part(
            "item_subtotal_minor",
            "item_tax_minor",
            "item_discount_minor",
            "item_total_minor",
        )?;
        let shipping = part(
            "shipping_subtotal_minor",
            "shipping_tax_minor",
            "shipping_discount_minor",
            "shipping_total_minor",
        )?;
        let all = Amounts {
            subtotal: row.get("subtotal_minor")?,
            discount_subtotal: row.get("discount_subtotal_minor")?,
            discount_tax_total: row.get("discount_tax_minor")?,
            tax_total: row.get("tax_minor")?,
            original_total: row.get("original_total_minor")?,
            original_tax_total: row.get("original_tax_minor")?,
            ..Amounts::default()
        };
        Ok(Self {
            all: Amounts {
                discount_total: all.discount_subtotal.saturating_add(all.discount_tax_total),
                total: items.total.saturating_add(shipping.total),
                ..all
            },
            items,
            shipping,
            credit_line_total: row.get("credit_line_minor")?,
            total: row.get("total_minor")?,
        })
    }
}

/// Derives all amounts from the four stored ones, whose range was checked when they were written.
fn amounts(subtotal: i64, discount_total: i64, tax_total: i64, total: i64) -> Amounts {
    let original_total = total.saturating_add(discount_total);
    let original_tax_total = original_total.saturating_sub(subtotal);
    let discount_tax_total = original_tax_total.saturating_sub(tax_total);
    Amounts {
        subtotal,
        discount_subtotal: discount_total.saturating_sub(discount_tax_total),
        discount_tax_total,
        discount_total,
        tax_total,
        total,
        original_tax_total,
        original_total,
    }
}

/// Stores the digest of the token that shows an order to its guest.
pub fn grant(tx: &Tx<'_>, id: &OrderId, token: SecretDigest) -> Result<(), Error> {
    tx.sql("update orders set token_digest = :token where id = :id")
        .run(named_params! { ":token": token, ":id": id })
}

/// Returns whether an order was placed with this token.
pub fn is_granted(tx: &Tx<'_>, id: &OrderId, token: SecretDigest) -> Result<bool, Error> {
    tx.sql("select 1 from orders where id = :id and token_digest = :token")
        .exists(named_params! { ":token": token, ":id": id })
}

/// Returns whether a customer has an account, rather than being a guest.
pub(crate) fn has_account(tx: &Tx<'_>, id: &CustomerId) -> Result<bool, Error> {
    let found = tx
        .sql("select has_account from customer where id = :id")
        .first(named_params! { ":id": id }, |row| row.get(0))?;
    Ok(found.unwrap_or(false))
}

/// Returns whether e-mails about an order are disabled.
pub(crate) fn is_muted(tx: &Tx<'_>, id: &OrderId) -> Result<bool, Error> {
    tx.sql("select no_notification from orders where id = :id")
        .one(named_params! { ":id": id }, |row| row.get(0))
}

/// Returns the titles and quantities of the goods in a parcel.
pub(crate) fn parcel(tx: &Tx<'_>, id: &FulfillmentId) -> Result<Vec<(String, i64)>, Error> {
    tx.sql(
        "select l.title, p.quantity from fulfillment f
           join fulfillment_line p on p.fulfillment_id = f.id
           join order_line l on l.order_id = f.order_id and l.id = p.line_id
          where f.id = :id order by l.position",
    )
    .all(named_params! { ":id": id }, |row| Ok((row.get(0)?, row.get(1)?)))
}

pub(crate) fn tracking_numbers(tx: &Tx<'_>, id: &FulfillmentId) -> Result<Vec<String>, Error> {
    tx.sql(
        "select tracking_number from fulfillment_label
          where fulfillment_id = :id and tracking_number <> '' order by position",
    )
    .all(named_params! { ":id": id }, |row| row.get(0))
}
