//! Queries for taxes by jurisdiction. An order's tax lines name the place; a line with two rates in one place is taxed
//! once.

use rusqlite::named_params;

use crate::clock::Timestamp;
use crate::compute::range::ResolvedRange;
use crate::database::{self, FromRow, Tx};

/// Orders that are neither drafts nor cancelled.
macro_rules! placed {
    ($bounds:literal) => {
        concat!(
            "with placed as (
               select o.id, o.display_id, o.placed_at, o.country, o.province from orders o
               where o.placed_at >= :start and o.placed_at < :end and o.status not in ('draft', 'canceled')
                 and o.currency = :currency and (:channel is null or o.sales_channel_id = :channel)
                 and (:region is null or o.region_id = :region) and (:country is null or o.country = :country)",
            $bounds,
            ")"
        )
    };
}

/// Their lines or shipping methods with each of their tax lines, if there are any. The first tax line counts the taxed
/// amount.
macro_rules! taxed {
    ($things:literal, $taxes:literal, $thing_id:literal) => {
        concat!(
            "select p.id as order_id, p.placed_at, p.country as to_country, p.province as to_province,
               l.subtotal_minor - l.discount_subtotal_minor as net_minor,
               t.country, t.province, t.name, t.code, t.rate_ppm, t.amount_minor,
               not exists (select 1 from ",
            $taxes,
            " b where b.order_id = t.order_id and b.",
            $thing_id,
            " = t.",
            $thing_id,
            " and b.position < t.position) as is_first,
               not exists (select 1 from ",
            $taxes,
            " b where b.order_id = t.order_id and b.",
            $thing_id,
            " = t.",
            $thing_id,
            " and b.position < t.position
                 and b.country is t.country and b.province is t.province) as is_first_of_place
             from placed p cross join ",
            $things,
            " l on l.order_id = p.id
               left join ",
            $taxes,
            " t on t.order_id = l.order_id and t.",
            $thing_id,
            " = l.id"
        )
    };
}

/// Goods and shipping of an order, after discounts, that a place taxes at a rate.
#[derive(Debug, Clone, FromRow)]
pub(crate) struct TaxedSales {
    pub(crate) order_id: String,
    pub(crate) placed_at: Timestamp,
    /// The destination of the order.
    pub to_country: Option<String>,
    pub(crate) to_province: Option<String>,
    pub country: Option<String>,
    pub(crate) province: Option<String>,
    pub name: Option<String>,
    pub code: Option<String>,
    /// None if no tax line covers it; then there is no place either.
    pub(crate) rate_ppm: Option<i64>,
    pub(crate) net_minor: i64,
    /// Excluding what another rate of the same place also taxes and counts.
    pub(crate) place_minor: i64,
    /// Excluding what any other rate also taxes and counts.
    pub(crate) own_minor: i64,
    pub tax_minor: i64,
}

/// Reads the sales of a range once, order by order: the amount taxed at each rate of each place, and the exempt
/// amount.
pub(crate) fn each_sale(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    mut each: impl FnMut(TaxedSales),
) -> Result<(), database::Error> {
    let sql = concat!(
        placed!(""),
        ", taxed as (",
        taxed!("order_line", "order_line_tax", "line_id"),
        " union all ",
        taxed!("order_shipping_method", "order_shipping_tax", "method_id"),
        ") select order_id, min(placed_at) as placed_at, min(to_country) as to_country, min(to_province) as to_province,
           country, province, name, code, rate_ppm, sum(net_minor) as net_minor,
           sum(net_minor * is_first_of_place) as place_minor, sum(net_minor * is_first) as own_minor,
           coalesce(sum(amount_minor), 0) as tax_minor
         from taxed group by order_id, country, province, name, code, rate_ppm order by order_id"
    );
    let mut statement = tx.prepare_cached(sql)?;
    let dates = named_params! { ":start": range.start, ":end": range.until };
    for row in statement.query_map(&*range.parameters(dates), TaxedSales::from_row)? {
        each(row?);
    }
    Ok(())
}

/// The tax refunded on an order, and the part that a place levied at a rate.
#[derive(Debug, Clone, FromRow)]
pub(crate) struct RefundedTax {
    pub order_id: String,
    /// The destination of the order.
    pub to_country: Option<String>,
    pub(crate) to_province: Option<String>,
    /// The tax refunded on the order, regardless of the place.
    pub tax_minor: i64,
    pub country: Option<String>,
    pub(crate) province: Option<String>,
    pub name: String,
    pub code: Option<String>,
    pub(crate) rate_ppm: i64,
    pub(crate) levied_minor: i64,
}

/// Returns the tax refunded in the range, with the rates of places that levied tax on the orders.
pub(crate) fn refunded(
    tx: &Tx<'_>,
    range: &ResolvedRange,
) -> Result<Vec<RefundedTax>, database::Error> {
    let sql = "with back as (
          select o.id as order_id, o.country as to_country, o.province as to_province,
            -sum(coalesce(t.tax_minor, 0)) as tax_minor
          from order_transaction t indexed by order_transaction_refunds join orders o on o.id = t.order_id
          where t.amount_minor < 0 and t.created_at >= :start and t.created_at < :end
            and o.status not in ('draft', 'canceled') and o.currency = :currency
            and (:channel is null or o.sales_channel_id = :channel)
            and (:region is null or o.region_id = :region) and (:country is null or o.country = :country)
          group by o.id),
        levy as (
          select b.*, t.country, t.province, t.name, t.code, t.rate_ppm, t.amount_minor
          from back b cross join order_line_tax t on t.order_id = b.order_id
          union all
          select b.*, t.country, t.province, t.name, t.code, t.rate_ppm, t.amount_minor
          from back b cross join order_shipping_tax t on t.order_id = b.order_id)
        select order_id, to_country, to_province, tax_minor, country, province, name, code, rate_ppm,
          sum(amount_minor) as levied_minor
        from levy group by order_id, country, province, rate_ppm, name, code
        order by order_id, country, province, rate_ppm, name, code";
    let dates = named_params! { ":start": range.start, ":end": range.until };
    tx.sql(sql).all(&*range.parameters(dates), RefundedTax::from_row)
}

/// An order's tax in a place.
#[derive(Debug, Clone, FromRow)]
pub(crate) struct OrderTax {
    pub order_id: String,
    pub display_id: i64,
    pub placed_at: Timestamp,
    pub country: Option<String>,
    pub(crate) province: Option<String>,
    pub names: Option<String>,
    pub(crate) taxable_minor: i64,
    pub tax_minor: i64,
}

/// A position in the list of orders: time of placement and order number.
pub(crate) type OrderCursor = (Timestamp, i64);

/// The positions before and after all orders.
const BEFORE_ALL: OrderCursor = (Timestamp::from_millis(i64::MIN), i64::MIN);
const AFTER_ALL: OrderCursor = (Timestamp::from_millis(i64::MAX), i64::MAX);

/// Returns the last order of a page after a position; none if fewer orders are left.
pub(crate) fn page_end(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    after: Option<OrderCursor>,
    orders: u32,
) -> Result<Option<OrderCursor>, database::Error> {
    let (after_at, after_id) = after.unwrap_or(BEFORE_ALL);
    tx.sql(
        "select o.placed_at, o.display_id from orders o
         where o.placed_at >= :start and o.placed_at < :end and o.status not in ('draft', 'canceled')
           and o.currency = :currency and (:channel is null or o.sales_channel_id = :channel)
           and (:region is null or o.region_id = :region) and (:country is null or o.country = :country)
           and (o.placed_at, o.display_id) > (:after_at, :after_id)
         order by o.placed_at, o.display_id limit 1 offset :skipped",
    )
    .first(
        &*range.parameters(named_params! {
            ":start": range.start, ":end": range.until, ":after_at": after_at, ":after_id": after_id,
            ":skipped": orders.saturating_sub(1),
        }),
        |row| Ok((row.get(0)?, row.get(1)?)),
    )
}

/// Returns one row for each order and place, of the orders after one position and up to another, in order of placement.
pub(crate) fn levied(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    (after, until): (Option<OrderCursor>, Option<OrderCursor>),
) -> Result<Vec<OrderTax>, database::Error> {
    let (after_at, after_id) = after.unwrap_or(BEFORE_ALL);
    let (until_at, until_id) = until.unwrap_or(AFTER_ALL);
    tx.sql(concat!(
        placed!(" and o.placed_at >= :after_at and o.placed_at <= :until_at
          and (o.placed_at, o.display_id) > (:after_at, :after_id)
          and (o.placed_at, o.display_id) <= (:until_at, :until_id)"),
        ", tax as (
           select t.order_id, t.line_id as id, t.country, t.province, t.name, t.amount_minor,
             l.subtotal_minor - l.discount_subtotal_minor as net_minor
           from placed p join order_line_tax t on t.order_id = p.id
             join order_line l on l.order_id = t.order_id and l.id = t.line_id
           union all
           select t.order_id, t.method_id, t.country, t.province, t.name, t.amount_minor,
             m.subtotal_minor - m.discount_subtotal_minor
           from placed p join order_shipping_tax t on t.order_id = p.id
             join order_shipping_method m on m.order_id = t.order_id and m.id = t.method_id)
         select g.order_id, p.display_id, p.placed_at, g.country, g.province,
           group_concat(distinct g.name order by g.name) as names,
           sum(case g.place when 1 then g.net_minor else 0 end) as taxable_minor, sum(g.amount_minor) as tax_minor
         from (select *, row_number() over (partition by order_id, id, country, province) as place from tax) g
           join placed p on p.id = g.order_id
         group by g.order_id, g.country, g.province order by p.placed_at, p.display_id, g.country, g.province"
    ))
    .all(
        &*range.parameters(named_params! {
            ":start": range.start, ":end": range.until, ":after_at": after_at, ":after_id": after_id,
            ":until_at": until_at, ":until_id": until_id,
        }),
        OrderTax::from_row,
    )
}
