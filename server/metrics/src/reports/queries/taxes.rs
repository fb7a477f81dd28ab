//! Queries for taxes by jurisdiction. An order's tax lines name the place; a line with two rates in one place is taxed
//! once.

use rusqlite::{Row, named_params};

use crate::clock::Timestamp;
use crate::compute::range::ResolvedRange;
use crate::database::{self, FromRow, Tx};

/// Tax lines of orders that are neither drafts nor cancelled, with the taxed lines and shipping methods.
macro_rules! taxed {
    ($rest:literal) => {
        taxed!("", $rest)
    };
    ($bounds:literal, $rest:literal) => {
        concat!(
            "with placed as (
               select o.id, o.display_id, o.placed_at, o.country, o.province from orders o
               where o.placed_at >= :start and o.placed_at < :end and o.status not in ('draft', 'canceled')
                 and o.currency = :currency and (:channel is null or o.sales_channel_id = :channel)
                 and (:region is null or o.region_id = :region) and (:country is null or o.country = :country)",
            $bounds,
            "),
             thing as (
               select l.order_id, l.id, l.subtotal_minor - l.discount_subtotal_minor as net_minor
               from placed p join order_line l on l.order_id = p.id
               union all
               select m.order_id, m.id, m.subtotal_minor - m.discount_subtotal_minor
               from placed p join order_shipping_method m on m.order_id = p.id),
             tax as (
               select t.order_id, t.line_id as id, t.country, t.province, t.name, t.code, t.rate_ppm, t.amount_minor,
                 l.subtotal_minor - l.discount_subtotal_minor as net_minor
               from placed p join order_line_tax t on t.order_id = p.id
                 join order_line l on l.order_id = t.order_id and l.id = t.line_id
               union all
               select t.order_id, t.method_id, t.country, t.province, t.name, t.code, t.rate_ppm, t.amount_minor,
                 m.subtotal_minor - m.discount_subtotal_minor
               from placed p join order_shipping_tax t on t.order_id = p.id
                 join order_shipping_method m on m.order_id = t.order_id and m.id = t.method_id) ",
            $rest
        )
    };
}

#[derive(Debug, Clone)]
pub(crate) struct TaxQuery {
    start: Timestamp,
    end: Timestamp,
    currency: String,
    channel: Option<String>,
    region: Option<String>,
    country: Option<String>,
}

impl TaxQuery {
    /// Returns the query for a part of the range.
    pub(crate) fn within(&self, (start, end): (Timestamp, Timestamp)) -> Self {
        Self { start: start.max(self.start), end: end.min(self.end), ..self.clone() }
    }

    /// Returns the instant after the last: the end of the range or, if that is not over, the present.
    pub(crate) const fn end(&self) -> Timestamp {
        self.end
    }

    pub(crate) fn of(range: &ResolvedRange) -> Self {
        let ((start, end), filters) = (range.instants(), &range.filters);
        Self {
            start,
            end: end.min(range.now),
            currency: range.currency_code(),
            channel: filters.sales_channel_id.as_ref().map(ToString::to_string),
            region: filters.region_id.as_ref().map(ToString::to_string),
            country: filters.country_code.clone(),
        }
    }
}

/// Runs a statement over the orders or refunds of a query.
pub(super) fn rows<T>(
    tx: &Tx<'_>,
    sql: &str,
    query: &TaxQuery,
    read: fn(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, database::Error> {
    let mut statement = tx.prepare_cached(sql)?;
    let rows = statement.query_map(
        named_params! {
            ":start": query.start, ":end": query.end, ":currency": query.currency, ":channel": query.channel,
            ":region": query.region, ":country": query.country,
        },
        read,
    )?;
    Ok(rows.collect::<Result<_, _>>()?)
}

#[derive(Debug, Clone, FromRow)]
pub(crate) struct TaxRateRow {
    pub country: Option<String>,
    pub(crate) province: Option<String>,
    pub name: String,
    pub code: Option<String>,
    pub(crate) rate_ppm: i64,
    pub(crate) taxable_minor: i64,
    pub tax_minor: i64,
}

/// Returns the taxable amount and tax of each rate in each place.
pub(crate) fn rates(tx: &Tx<'_>, query: &TaxQuery) -> Result<Vec<TaxRateRow>, database::Error> {
    let sql = taxed!(
        "select country, province, name, code, rate_ppm, sum(net_minor) as taxable_minor, sum(amount_minor) as tax_minor
         from tax group by country, province, name, code, rate_ppm order by country, province, rate_ppm, name, code"
    );
    rows(tx, sql, query, TaxRateRow::from_row)
}

#[derive(Debug, Clone, FromRow)]
pub(crate) struct TaxPlace {
    pub country: Option<String>,
    pub(crate) province: Option<String>,
    pub(crate) taxable_minor: i64,
    pub tax_minor: i64,
    pub orders: i64,
}

pub(crate) fn places(tx: &Tx<'_>, query: &TaxQuery) -> Result<Vec<TaxPlace>, database::Error> {
    let sql = taxed!(
        "select country, province, sum(net_minor) as taxable_minor, sum(tax_minor) as tax_minor,
           count(distinct order_id) as orders
         from (select order_id, country, province, max(net_minor) as net_minor, sum(amount_minor) as tax_minor
           from tax group by order_id, id, country, province)
         group by country, province order by country, province"
    );
    rows(tx, sql, query, TaxPlace::from_row)
}

/// Returns taxable and exempt sales: goods and shipping after discounts, each counted once.
pub(crate) fn sales(tx: &Tx<'_>, query: &TaxQuery) -> Result<(i64, i64), database::Error> {
    let sql = taxed!(
        "select coalesce(sum(case when x.id is null then 0 else h.net_minor end), 0) as taxable_minor,
           coalesce(sum(case when x.id is null then h.net_minor else 0 end), 0) as exempt_minor
         from thing h left join (select distinct order_id, id from tax) x on x.order_id = h.order_id and x.id = h.id"
    );
    let sums =
        rows(tx, sql, query, |row| Ok((row.get("taxable_minor")?, row.get("exempt_minor")?)))?;
    Ok(sums.first().copied().unwrap_or_default())
}

/// Returns exempt sales by destination of the orders.
pub(crate) fn exempt(tx: &Tx<'_>, query: &TaxQuery) -> Result<Vec<ExemptSales>, database::Error> {
    let sql = taxed!(
        "select p.country, p.province, sum(h.net_minor) as exempt_minor
         from thing h join placed p on p.id = h.order_id
           left join (select distinct order_id, id from tax) x on x.order_id = h.order_id and x.id = h.id
         where x.id is null
         group by p.country, p.province order by p.country, p.province"
    );
    rows(tx, sql, query, ExemptSales::from_row)
}

/// Sales that no tax line names.
#[derive(Debug, Clone, FromRow)]
pub(crate) struct ExemptSales {
    pub country: Option<String>,
    pub(crate) province: Option<String>,
    pub(crate) exempt_minor: i64,
}

/// The tax that is refunded on an order, and what a place has levied on it at a rate.
#[derive(Debug, Clone, FromRow)]
pub(crate) struct RefundedTax {
    pub order_id: String,
    /// The destination of the order.
    pub to_country: Option<String>,
    pub(crate) to_province: Option<String>,
    /// What is refunded on the order, of whatever place.
    pub tax_minor: i64,
    pub country: Option<String>,
    pub(crate) province: Option<String>,
    pub name: String,
    pub code: Option<String>,
    pub(crate) rate_ppm: i64,
    pub(crate) levied_minor: i64,
}

/// Returns the tax refunded in the range, with the rates of places that levied tax on the orders.
pub(crate) fn refunded(tx: &Tx<'_>, query: &TaxQuery) -> Result<Vec<RefundedTax>, database::Error> {
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
    rows(tx, sql, query, RefundedTax::from_row)
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
    query: &TaxQuery,
    (after, orders): (Option<OrderCursor>, u32),
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
    .first(named_params! {
            ":start": query.start, ":end": query.end, ":currency": query.currency, ":channel": query.channel,
            ":region": query.region, ":country": query.country, ":after_at": after_at, ":after_id": after_id,
            ":skipped": orders.saturating_sub(1),
        },
        |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Returns one row for each order and place, of the orders after one position and up to another, in order of placement.
pub(crate) fn levied(
    tx: &Tx<'_>,
    query: &TaxQuery,
    (after, until): (Option<OrderCursor>, Option<OrderCursor>),
) -> Result<Vec<OrderTax>, database::Error> {
    let (after_at, after_id) = after.unwrap_or(BEFORE_ALL);
    let (until_at, until_id) = until.unwrap_or(AFTER_ALL);
    tx.sql(taxed!(
        " and o.placed_at >= :after_at and o.placed_at <= :until_at
          and (o.placed_at, o.display_id) > (:after_at, :after_id)
          and (o.placed_at, o.display_id) <= (:until_at, :until_id)",
        "select g.order_id, p.display_id, p.placed_at, g.country, g.province,
           group_concat(distinct g.name order by g.name) as names,
           sum(case g.place when 1 then g.net_minor else 0 end) as taxable_minor, sum(g.amount_minor) as tax_minor
         from (select *, row_number() over (partition by order_id, id, country, province) as place from tax) g
           join placed p on p.id = g.order_id
         group by g.order_id, g.country, g.province order by p.placed_at, p.display_id, g.country, g.province"
    ))
    .all(named_params! {
            ":start": query.start, ":end": query.end, ":currency": query.currency, ":channel": query.channel,
            ":region": query.region, ":country": query.country, ":after_at": after_at, ":after_id": after_id,
            ":until_at": until_at, ":until_id": until_id,
        }, OrderTax::from_row)
}
