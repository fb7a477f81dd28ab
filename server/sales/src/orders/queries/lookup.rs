//! Statements that find orders.

use rusqlite::{Row, named_params};

use crate::cart::totals::{Amounts, CartTotals};
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{self, Named, Stored, Tx};
use crate::ids::{CustomerId, OrderId};
use crate::orders::order::Order;

/// The values of an order's status.
pub(in crate::orders) const STATUSES: &[&str] =
    &["pending", "completed", "draft", "archived", "canceled", "requires_action"];

/// The values of an order's payment status.
pub(in crate::orders) const PAYMENT_STATUSES: &[&str] = &[
    "not_paid",
    "awaiting",
    "authorized",
    "partially_authorized",
    "captured",
    "partially_captured",
    "partially_refunded",
    "refunded",
    "canceled",
    "requires_action",
];

/// The values of an order's fulfillment status.
pub(in crate::orders) const FULFILLMENT_STATUSES: &[&str] = &[
    "not_fulfilled",
    "partially_fulfilled",
    "fulfilled",
    "partially_shipped",
    "shipped",
    "partially_delivered",
    "delivered",
    "canceled",
];

/// The list of a customer's orders.
pub(in crate::orders) static STORE_ORDERS: Listing = Listing {
    plural: "orders",
    table: "orders o",
    id: "o.id",
    columns: &[
        Column::new("id", "o.id", Kind::Id),
        Column::filter("status", "o.status", Kind::Word(STATUSES)),
        Column::filter("payment_status", "o.payment_status", Kind::Word(PAYMENT_STATUSES)),
        Column::filter(
            "fulfillment_status",
            "o.fulfillment_status",
            Kind::Word(FULFILLMENT_STATUSES),
        ),
        Column::new("display_id", "o.display_id", Kind::Integer),
        Column::new("created_at", "o.placed_at", Kind::Time),
        Column::new("updated_at", "o.updated_at", Kind::Time),
    ],
    search: &[],
    default_limit: 50,
    default_order: "-created_at",
    extra: &[],
};

/// The columns that [`read`] reads, of the table with the alias `o`.
pub(in crate::orders) const COLUMNS: &str = "o.id, o.display_id, o.customer_id, o.email, o.region_id, o.sales_channel_id, o.currency, o.locale,
                                             o.status, o.payment_status, o.fulfillment_status, o.version,
                                             o.item_subtotal_minor, o.item_tax_minor, o.item_discount_minor, o.item_total_minor,
                                             o.shipping_subtotal_minor, o.shipping_tax_minor, o.shipping_discount_minor, o.shipping_total_minor,
                                             o.subtotal_minor, o.discount_subtotal_minor, o.discount_tax_minor, o.tax_minor, o.original_total_minor,
                                             o.original_tax_minor, o.credit_line_minor, o.total_minor, o.paid_minor, o.refunded_minor,
                                             o.shipping_address, o.billing_address, o.metadata, o.placed_at, o.canceled_at, o.updated_at";

/// Returns the order with an id, whatever its status.
pub(in crate::orders) fn order(
    tx: &Tx<'_>,
    id: &OrderId,
) -> Result<Option<Order>, database::Error> {
    tx.sql(&format!("select {COLUMNS} from orders o where o.id = :id"))
        .first(named_params! { ":id": id }, read)
}

/// Returns the order if it is an administrator's draft.
pub(in crate::orders) fn draft(
    tx: &Tx<'_>,
    id: &OrderId,
) -> Result<Option<Order>, database::Error> {
    tx.sql(&format!("select {COLUMNS} from orders o where o.id = :id and o.is_draft_order = 1"))
        .first(named_params! { ":id": id }, read)
}

/// Returns a page of a customer's orders and their total number, without unplaced ones.
pub(in crate::orders) fn of_customer(
    tx: &Tx<'_>,
    customer: &CustomerId,
    query: ListQuery,
) -> Result<(Vec<Order>, u64), database::Error> {
    let query = query
        .narrow("o.customer_id = ?", [customer.as_str().to_owned().into()])
        .except("o.status = 'draft'");
    Ok((query.page(tx, COLUMNS, read)?, query.count(tx)?))
}

/// Reads a row of [`COLUMNS`].
pub(in crate::orders) fn read(row: &Row<'_>) -> rusqlite::Result<Order> {
    let row = &Named::of(row);
    Ok(Order {
        id: row.get("id")?,
        display_id: row.get("display_id")?,
        customer_id: row.get("customer_id")?,
        email: row.get("email")?,
        region_id: row.get("region_id")?,
        sales_channel_id: row.get("sales_channel_id")?,
        currency: row.get("currency")?,
        locale: row.get("locale")?,
        status: row.get("status")?,
        payment_status: row.get("payment_status")?,
        fulfillment_status: row.get("fulfillment_status")?,
        version: row.get("version")?,
        totals: totals(row)?,
        paid_minor: row.get("paid_minor")?,
        refunded_minor: row.get("refunded_minor")?,
        shipping_address: stored(row, "shipping_address")?,
        billing_address: stored(row, "billing_address")?,
        metadata: stored(row, "metadata")?,
        placed_at: row.get("placed_at")?,
        canceled_at: row.get("canceled_at")?,
        updated_at: row.get("updated_at")?,
    })
}

/// Reads a nullable JSON column.
pub(in crate::orders) fn stored<T: serde::de::DeserializeOwned>(
    row: &Named<'_, '_>,
    column: &str,
) -> rusqlite::Result<Option<T>> {
    row.get::<Option<Stored<T>>>(column).map(|stored| stored.map(|Stored(value)| value))
}

fn totals(row: &Named<'_, '_>) -> rusqlite::Result<CartTotals> {
    let part = |subtotal, tax, discount, total| -> rusqlite::Result<Amounts> {
        let (subtotal, tax) = (row.get(subtotal)?, row.get(tax)?);
        Ok(amounts(subtotal, row.get(discount)?, tax, row.get(total)?))
    };
    let items =
        part("item_subtotal_minor", "item_tax_minor", "item_discount_minor", "item_total_minor")?;
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
    Ok(CartTotals {
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
