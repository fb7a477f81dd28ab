//! Statements for the admin lists and corrections of orders.

use rusqlite::named_params;

use super::insert::{ChargeKind, ChargeOwner};
use super::lookup::COLUMNS;
use crate::auth::Email;
use crate::cart::totals::{Amounts, CartTotals};
use crate::comparable_amount;
use crate::customers::Customer;
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Filtered as _, FromRow, Record as _, Stored, Tx, text_index};
use crate::ids::{OrderId, ShippingProfileId};
use crate::money::Currency;
use crate::orders::admin::fulfillments::{FulfillmentItemView, FulfillmentView, LabelView};
use crate::orders::order::{Address, Metadata, Order};
use crate::statuses::{FulfillmentStatus, OrderStatus, PaymentStatus};

/// A total that compares with totals in other currencies.
const TOTAL: &str = comparable_amount!("o.total_minor", "o.currency");

pub(crate) static ADMIN_ORDERS: Listing = Listing {
    plural: "orders",
    table: "orders o",
    tie_breaker: "o.id",
    columns: &[
        Column::new("id", "o.id", Kind::Id),
        Column::new("display_id", "o.display_id", Kind::Integer),
        Column::filter("status", "o.status", OrderStatus::KIND),
        Column::filter("payment_status", "o.payment_status", PaymentStatus::KIND),
        Column::filter("fulfillment_status", "o.fulfillment_status", FulfillmentStatus::KIND),
        Column::filter("region_id", "o.region_id", Kind::Id),
        Column::filter("sales_channel_id", "o.sales_channel_id", Kind::Id),
        Column::filter("customer_id", "o.customer_id", Kind::Id),
        Column::filter("email", "o.email", Email::KIND),
        Column::filter("currency_code", "o.currency", Currency::KIND),
        Column::filter("total", TOTAL, Kind::Money { digits: comparable_amount::DIGITS }),
        Column::new("created_at", "o.placed_at", Kind::Time),
        Column::new("updated_at", "o.updated_at", Kind::Time),
    ],
    search: &["cast(o.display_id as text)", "o.email"],
    default_limit: 15,
    default_order: "-created_at",
    extra: &[],
};

pub(crate) static ADMIN_DRAFT_ORDERS: Listing = Listing {
    plural: "draft_orders",
    columns: &[
        Column::new("id", "o.id", Kind::Id),
        Column::new("display_id", "o.display_id", Kind::Integer),
        Column::filter("region_id", "o.region_id", Kind::Id),
        Column::filter("sales_channel_id", "o.sales_channel_id", Kind::Id),
        Column::filter("customer_id", "o.customer_id", Kind::Id),
        Column::filter("email", "o.email", Email::KIND),
        Column::filter("currency_code", "o.currency", Currency::KIND),
        Column::filter("total", TOTAL, Kind::Money { digits: comparable_amount::DIGITS }),
        Column::new("created_at", "o.placed_at", Kind::Time),
        Column::new("updated_at", "o.updated_at", Kind::Time),
    ],
    ..ADMIN_ORDERS
};

/// Returns a page of orders and their total number, without unplaced ones.
pub(crate) fn page(tx: &Tx<'_>, query: ListQuery) -> Result<(Vec<Order>, u64), Error> {
    let query = text_index::ORDERS.narrow(tx, query.except("o.status = 'draft'"))?;
    Ok((query.page(tx, COLUMNS, Order::from_row)?, query.count(tx)?))
}

/// Returns a page of administrators' drafts and their total number.
pub(crate) fn drafts(tx: &Tx<'_>, query: ListQuery) -> Result<(Vec<Order>, u64), Error> {
    let query = query.narrow("o.is_draft_order = 1", []);
    Ok((query.page(tx, COLUMNS, Order::from_row)?, query.count(tx)?))
}

/// The fields of an order that admins can change.
#[derive(Debug)]
pub(crate) struct Details<'a> {
    /// The address for notifications about the order.
    pub(crate) email: Option<&'a str>,
    pub(crate) shipping_address: Option<&'a Address>,
    pub(crate) billing_address: Option<&'a Address>,
    pub(crate) metadata: Option<&'a Metadata>,
}

/// Updates the fields that an admin changed.
pub(crate) fn set_details(tx: &Tx<'_>, id: &OrderId, details: &Details<'_>) -> Result<(), Error> {
    tx.sql(
        "update orders
            set email = :email, shipping_address = :shipping_address, billing_address = :billing_address,
                metadata = :metadata, updated_at = :now
          where id = :id",
    )
    .run(named_params! {
        ":id": id,
        ":email": details.email,
        ":shipping_address": details.shipping_address.map(Stored),
        ":billing_address": details.billing_address.map(Stored),
        ":metadata": details.metadata.map(Stored),
        ":now": tx.now(),
    })
}

/// Assigns an order to another customer.
pub(crate) fn set_customer(tx: &Tx<'_>, id: &OrderId, customer: &Customer) -> Result<(), Error> {
    tx.sql("update orders set customer_id = :customer_id, email = :email, updated_at = :now where id = :id")
        .run(named_params! {
            ":id": id, ":customer_id": customer.id, ":email": customer.email, ":now": tx.now(),
        })
}

pub(crate) fn shipping_profiles(
    tx: &Tx<'_>,
    id: &OrderId,
) -> Result<Vec<ShippingProfileId>, Error> {
    tx.sql(
        "select distinct product.shipping_profile_id from order_line line
           join product on product.id = line.product_id
          where line.order_id = :id and product.shipping_profile_id is not null
          order by product.shipping_profile_id",
    )
    .all(named_params! { ":id": id }, |row| row.get(0))
}

/// Lowers an order's total by a credit.
pub(crate) fn add_credit(tx: &Tx<'_>, id: &OrderId, amount_minor: i64) -> Result<(), Error> {
    tx.sql(
        "update orders
            set credit_line_minor = credit_line_minor + :amount, total_minor = total_minor - :amount, updated_at = :now
          where id = :id",
    )
    .run(named_params! { ":id": id, ":amount": amount_minor, ":now": tx.now() })
}

/// Returns the number of an order's fulfillments that are not canceled, and of its returns that are neither received
/// nor canceled.
pub(crate) fn open_work(tx: &Tx<'_>, id: &OrderId) -> Result<(i64, i64), Error> {
    tx.sql(
        "select (select count(*) from fulfillment where order_id = :id and canceled_at is null),
                (select count(*) from order_return
                  where order_id = :id and status in ('requested', 'partially_received'))",
    )
    .one(named_params! { ":id": id }, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Returns the fulfillments of orders, oldest first, without their items.
pub(crate) fn fulfillments(tx: &Tx<'_>, orders: &str) -> Result<Vec<FulfillmentView>, Error> {
    let rest = "where f.order_id in (select value from json_each(:orders))
                order by f.order_id, f.created_at, f.id";
    FulfillmentView::select(tx, rest, named_params! { ":orders": orders })
}

pub(crate) fn fulfillment_items(
    tx: &Tx<'_>,
    orders: &str,
) -> Result<Vec<FulfillmentItemView>, Error> {
    tx.sql(
        "select held.fulfillment_id, held.line_id as line_item_id, held.quantity, line.title,
                line.variant_sku as sku, line.variant_barcode as barcode
           from fulfillment
           join fulfillment_line held on held.fulfillment_id = fulfillment.id
           join order_line line on line.order_id = fulfillment.order_id and line.id = held.line_id
          where fulfillment.order_id in (select value from json_each(:orders))
          order by held.fulfillment_id, line.position",
    )
    .all(named_params! { ":orders": orders }, FulfillmentItemView::from_row)
}

pub(crate) fn fulfillment_labels(tx: &Tx<'_>, orders: &str) -> Result<Vec<LabelView>, Error> {
    let rest = "where label.fulfillment_id in (select id from fulfillment
                       where order_id in (select value from json_each(:orders)))
                order by label.fulfillment_id, label.position";
    LabelView::select(tx, rest, named_params! { ":orders": orders })
}

/// Updates the amounts of a line or a shipping method, and deletes its taxes.
pub(crate) fn set_amounts(
    tx: &Tx<'_>,
    owner: ChargeOwner<'_>,
    amounts: &Amounts,
) -> Result<(), Error> {
    let ChargeOwner { order, kind: ChargeKind { table, taxes, key, .. }, id } = owner;
    tx.sql(&format!("delete from {taxes} where order_id = :order and {key} = :id"))
        .run(named_params! { ":order": order, ":id": id })?;
    tx.sql(&format!(
        "update {table}
            set subtotal_minor = :subtotal, discount_subtotal_minor = :discount_subtotal,
                discount_tax_minor = :discount_tax, tax_minor = :tax, original_tax_minor = :original_tax,
                total_minor = :total, original_total_minor = :original_total, updated_at = :now
          where order_id = :order and id = :id"
    ))
    .run(named_params! {
        ":order": order, ":id": id, ":subtotal": amounts.subtotal,
        ":discount_subtotal": amounts.discount_subtotal, ":discount_tax": amounts.discount_tax_total,
        ":tax": amounts.tax_total, ":original_tax": amounts.original_tax_total,
        ":total": amounts.total, ":original_total": amounts.original_total, ":now": tx.now(),
    })
}

/// Updates the country and the province of an order, and its totals.
pub(crate) fn set_place(
    tx: &Tx<'_>,
    order: &OrderId,
    country: &str,
    province: Option<&str>,
    totals: &CartTotals,
) -> Result<(), Error> {
    let CartTotals { items, shipping, all, credit_line_total: _, total } = totals;
    tx.sql(
        "update orders
            set country = :country, province = :province,
                item_subtotal_minor = :item_subtotal, item_tax_minor = :item_tax,
                item_discount_minor = :item_discount, item_total_minor = :item_total,
                shipping_subtotal_minor = :shipping_subtotal, shipping_tax_minor = :shipping_tax,
                shipping_discount_minor = :shipping_discount, shipping_total_minor = :shipping_total,
                subtotal_minor = :subtotal, discount_subtotal_minor = :discount_subtotal,
                discount_tax_minor = :discount_tax, tax_minor = :tax, original_total_minor = :original_total,
                original_tax_minor = :original_tax, total_minor = :total
          where id = :order",
    )
    .run(named_params! {
        ":order": order, ":country": country, ":province": province,
        ":item_subtotal": items.subtotal, ":item_tax": items.tax_total,
        ":item_discount": items.discount_total, ":item_total": items.total,
        ":shipping_subtotal": shipping.subtotal, ":shipping_tax": shipping.tax_total,
        ":shipping_discount": shipping.discount_total, ":shipping_total": shipping.total,
        ":subtotal": all.subtotal, ":discount_subtotal": all.discount_subtotal,
        ":discount_tax": all.discount_tax_total, ":tax": all.tax_total,
        ":original_total": all.original_total, ":original_tax": all.original_tax_total, ":total": total,
    })
}
