//! The rows of a store, written directly into its tables.

use quotient_server::database::{Error, Tx};
use rusqlite::{Connection, named_params};
use serde_json::json;

use super::orders::{CHANNELS, Fate, Line, Order, PRODUCTS, REGIONS};

const ORDER: &str = "insert into orders (id, display_id, customer_id, email, region_id, sales_channel_id, currency, status,
    payment_status, fulfillment_status, item_subtotal_minor, item_tax_minor, item_discount_minor, item_total_minor,
    shipping_subtotal_minor, shipping_tax_minor, shipping_discount_minor, shipping_total_minor, subtotal_minor,
    discount_subtotal_minor, discount_tax_minor, tax_minor, original_total_minor, original_tax_minor, total_minor, paid_minor,
    refunded_minor, cost_minor, line_count, quantity, shipping_address, country, placed_at, canceled_at, completed_at,
    created_at, updated_at)
  values (:id, :number, :customer, :email, :region, :channel, 'gbp', :status, :payment, :fulfillment, :subtotal, 0, :discount,
    :total, 0, 0, 0, 0, :subtotal, :discount, 0, 0, :subtotal, 0, :total, :paid, :refunded, :cost, 2, :quantity,
    :address, :country, :at, :canceled, :completed, :at, :at)";

const LINE: &str = "insert into order_line (order_id, id, position, variant_id, product_id, title, quantity, unit_price_minor,
    unit_cost_minor, product_title, product_handle, variant_title, variant_sku, subtotal_minor, discount_subtotal_minor,
    total_minor, original_total_minor, fulfilled_quantity, shipped_quantity, delivered_quantity, created_at, updated_at)
  values (:order, :id, :position, :variant, :product, :title, :quantity, :unit, :cost, :title, :handle, 'One size', :sku,
    :subtotal, :discount, :total, :subtotal, :sent, :sent, :sent, :at, :at)";

const MOVED: &str = "insert into order_transaction (id, order_id, amount_minor, reference, reference_id, created_at)
  values (:id, :order, :amount, :reference, :id, :at)";

/// Returns an id with a prefix, as long as the server's ids.
pub(super) fn id(prefix: &str, number: u32) -> String {
    format!("{prefix}_01K{number:023}")
}

/// Returns the cost of a line: three fifths of the price.
const fn cost(line: Line) -> i64 {
    line.unit.saturating_mul(3).div_euclid(5)
}

/// Writes an order with its lines and transactions.
///
/// # Errors
/// Errors of the database, such as an order that already exists.
pub(super) fn insert(tx: &Tx<'_>, order: &Order) -> Result<(), Error> {
    let own = id("order", order.number);
    let total = order.sum(Line::total);
    let first = order.lines.first().map_or(0, |line| line.total());
    let (status, payment, paid, refunded) = match order.fate {
        Fate::Canceled => ("canceled", "canceled", 0, 0),
        Fate::Refunded(_) => ("completed", "partially_refunded", total, first),
        Fate::Stands if order.is_open => ("pending", "captured", total, 0),
        Fate::Stands => ("completed", "captured", total, 0),
    };
    let is_sent = !order.is_open && order.fate != Fate::Canceled;
    let done = (status == "completed").then_some(order.placed_at);
    let canceled = (order.fate == Fate::Canceled).then_some(order.placed_at);
    tx.prepare_cached(ORDER)?.execute(named_params! {
        ":id": own, ":number": order.number, ":customer": id("cus", order.customer),
        ":email": email(order.customer), ":region": id("reg", order.region), ":channel": id("sc", order.channel),
        ":status": status, ":payment": payment,
        ":fulfillment": if is_sent { "delivered" } else { "not_fulfilled" },
        ":subtotal": order.sum(Line::subtotal), ":discount": order.sum(|line| line.discount), ":total": total,
        ":paid": paid, ":refunded": refunded,
        ":cost": order.sum(|line| cost(line).saturating_mul(line.quantity)),
        ":quantity": order.sum(|line| line.quantity),
        ":address": address(order), ":country": if order.region == 1 { "gb" } else { "ie" },
        ":at": order.placed_at, ":canceled": canceled, ":completed": done,
    })?;
    for (line, position) in order.lines.iter().zip(0_u32..) {
        insert_line(tx, (order, &own, is_sent), (*line, position))?;
    }
    if order.fate != Fate::Canceled {
        move_money(tx, &own, &id("capt", order.number), total, order.placed_at)?;
    }
    if let Fate::Refunded(later) = order.fate {
        let at = order.placed_at.saturating_add(later);
        move_money(tx, &own, &id("ref", order.number), first.saturating_neg(), at)?;
    }
    Ok(())
}

fn insert_line(
    tx: &Connection,
    (order, own, is_sent): (&Order, &str, bool),
    (line, position): (Line, u32),
) -> Result<(), Error> {
    let number = order.number.saturating_mul(2).saturating_add(position);
    tx.prepare_cached(LINE)?.execute(named_params! {
        ":order": own, ":id": id("ordli", number), ":position": position,
        ":variant": id("variant", line.product), ":product": id("prod", line.product),
        ":title": title(line.product), ":handle": handle(line.product), ":sku": sku(line.product),
        ":quantity": line.quantity, ":unit": line.unit, ":cost": cost(line), ":subtotal": line.subtotal(),
        ":discount": line.discount, ":total": line.total(), ":sent": if is_sent { line.quantity } else { 0 },
        ":at": order.placed_at,
    })?;
    Ok(())
}

fn move_money(tx: &Connection, order: &str, id: &str, amount: i64, at: i64) -> Result<(), Error> {
    let reference = if amount < 0 { "refund" } else { "capture" };
    tx.prepare_cached(MOVED)?.execute(named_params! {
        ":id": id, ":order": order, ":amount": amount, ":reference": reference, ":at": at,
    })?;
    Ok(())
}

fn title(product: u32) -> String {
    format!("Product number {product}")
}

fn handle(product: u32) -> String {
    format!("product-number-{product}")
}

fn sku(product: u32) -> String {
    format!("SKU-{product:06}")
}

fn email(customer: u32) -> String {
    format!("customer.{customer}@example.com")
}

fn address(order: &Order) -> String {
    let (id, customer) = (id("ordaddr", order.number), order.customer);
    json!({
        "id": id, "first_name": "Customer", "last_name": customer.to_string(), "company": null,
        "address_1": format!("{customer} High Street"), "address_2": null, "city": "London",
        "postal_code": "N1 1AA", "country_code": "gb", "province": null, "phone": null, "metadata": null,
    })
    .to_string()
}

/// Writes the rows of a store before its first order, except for customers.
///
/// # Errors
/// Errors of the database.
pub(super) fn insert_store(tx: &Tx<'_>, at: i64) -> Result<(), Error> {
    for number in 1..=CHANNELS {
        tx.prepare_cached(
            "insert into sales_channel (id, name, created_at, updated_at) values (?1, ?2, ?3, ?3)",
        )?
        .execute((id("sc", number), format!("Channel {number}"), at))?;
    }
    for (number, (name, country)) in
        (1..=REGIONS).zip([("United Kingdom", "gb"), ("Ireland", "ie")])
    {
        let region = id("reg", number);
        tx.prepare_cached(
            "insert into region (id, name, currency, created_at, updated_at) values (?1, ?2, 'gbp', ?3, ?3)",
        )?
        .execute((&region, name, at))?;
        tx.prepare_cached("insert into region_country (country, region_id) values (?1, ?2)")?
            .execute((country, &region))?;
    }
    tx.prepare_cached(
        "insert into store_currency (currency, is_default, created_at) values ('gbp', 1, ?1)",
    )?
    .execute([at])?;
    tx.prepare_cached(
        "insert into store (id, name, default_currency, default_sales_channel_id, default_region_id, time_zone, created_at,
           updated_at) values (?1, 'A year of orders', 'gbp', ?2, ?3, 'UTC', ?4, ?4)",
    )?
    .execute((id("store", 1), id("sc", 1), id("reg", 1), at))?;
    (1..=PRODUCTS).try_for_each(|number| insert_product(tx, number, at))
}

fn insert_product(tx: &Connection, number: u32, at: i64) -> Result<(), Error> {
    let product = id("prod", number);
    tx.prepare_cached(
        "insert into product (id, title, handle, status, created_at, updated_at) values (?1, ?2, ?3, 'published', ?4, ?4)",
    )?
    .execute((&product, title(number), handle(number), at))?;
    tx.prepare_cached(
        "insert into product_variant (id, product_id, title, sku, price_set_id, created_at, updated_at)
         values (?1, ?2, 'One size', ?3, ?4, ?5, ?5)",
    )?
    .execute((id("variant", number), &product, sku(number), id("pset", number), at))?;
    Ok(())
}

/// Writes a customer.
///
/// # Errors
/// Errors of the database.
pub(super) fn insert_customer(tx: &Tx<'_>, number: u32, at: i64) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into customer (id, email, first_name, last_name, created_at, updated_at)
         values (?1, ?2, 'Customer', ?3, ?4, ?4)",
    )?
    .execute((id("cus", number), email(number), number.to_string(), at))?;
    Ok(())
}
