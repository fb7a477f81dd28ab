//! Queries for daily stock at cost, and for problems of costs and stock.

use rusqlite::{ToSql, named_params};

use crate::clock::Timestamp;
use crate::compute::range::ResolvedRange;
use crate::database::{self, FromRow, Tx};

#[derive(Debug, Clone, FromRow)]
pub(crate) struct DayStock {
    /// Days since 1970-01-01.
    pub day: i64,
    pub units: i64,
    pub(crate) value_minor: i64,
    pub variants: i64,
    /// Variants without a known cost.
    pub missing_cost: i64,
    pub(crate) taken_at: Timestamp,
}

/// Returns the stock of a range of days, inclusive.
pub(crate) fn days(
    tx: &Tx<'_>,
    (first, last): (i64, i64),
    currency: &str,
) -> Result<Vec<DayStock>, database::Error> {
    tx.sql(
        "select day, sum(on_hand) as units, coalesce(sum(value_minor), 0) as value_minor, count(*) as variants,
           sum(value_minor is null) as missing_cost, max(taken_at) as taken_at
         from inventory_snapshot where day between :first and :last and currency = :currency
         group by day order by day",
    )
    .all(
        named_params! { ":first": first, ":last": last, ":currency": currency },
        DayStock::from_row,
    )
}

/// Returns the number of days of a range, inclusive, that have a snapshot.
pub(crate) fn day_count(
    tx: &Tx<'_>,
    (first, last): (i64, i64),
    currency: &str,
) -> Result<i64, database::Error> {
    tx.sql(
        "select count(distinct day) from inventory_snapshot
         where day between :first and :last and currency = :currency",
    )
    .one(named_params! { ":first": first, ":last": last, ":currency": currency }, |row| row.get(0))
}

/// Returns the stock of each product at cost, in minor units and added up over a range of days, inclusive.
pub(crate) fn by_product(
    tx: &Tx<'_>,
    (first, last): (i64, i64),
    currency: &str,
) -> Result<Vec<(Option<String>, i64)>, database::Error> {
    tx.sql(
        "select v.product_id, coalesce(sum(s.value_minor), 0)
         from (select variant_id, sum(value_minor) as value_minor from inventory_snapshot
             where day between :first and :last and currency = :currency group by variant_id) s
           left join product_variant v on v.id = s.variant_id
         group by v.product_id",
    )
    .all(named_params! { ":first": first, ":last": last, ":currency": currency }, |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}

/// Returns whether a day's snapshot was taken at or after an instant.
pub(crate) fn is_taken(tx: &Tx<'_>, day: i64, at: Timestamp) -> Result<bool, database::Error> {
    tx.sql("select exists (select 1 from inventory_snapshot where day = :day and taken_at >= :at)")
        .one(named_params! { ":day": day, ":at": at }, |row| row.get(0))
}

/// Records the stock of every variant at an instant, at the cost of that instant, replacing an earlier snapshot of the
/// day.
pub(crate) fn take(
    tx: &Tx<'_>,
    (day, at): (i64, Timestamp),
    currency: &str,
) -> Result<(), database::Error> {
    tx.sql("delete from inventory_snapshot where day = ?1").run([day])?;
    tx.sql(
        "insert into inventory_snapshot (day, variant_id, on_hand, value_minor, currency, taken_at)
         select :day, s.id, s.on_hand, s.on_hand * (select u.amount_minor from unit_cost u
             where u.variant_id = s.id and u.currency = :currency and u.valid_from <= :at
             order by u.valid_from desc limit 1), :currency, :now
         from (
           select v.id, (select min((coalesce((select sum(l.stocked_quantity) from inventory_level l
                     where l.inventory_item_id = m.inventory_item_id), 0)
                 - coalesce((select sum(c.change_quantity) from inventory_level l join inventory_movement c
                       on c.inventory_item_id = l.inventory_item_id and c.location_id = l.location_id
                     where l.inventory_item_id = m.inventory_item_id and c.created_at >= :at), 0)) / m.required_quantity)
               from product_variant_inventory_item m where m.variant_id = v.id) as on_hand
           from product_variant v indexed by product_variant_by_rank
           where v.deleted_at is null and v.manage_inventory = 1) s
         where s.on_hand is not null",
    )
    .run(named_params! { ":day": day, ":at": at, ":currency": currency, ":now": tx.now() })
}

#[derive(Debug, Clone, FromRow)]
pub(crate) struct StockFinding {
    pub variant_id: String,
    pub product_id: Option<String>,
    pub title: Option<String>,
    pub sku: Option<String>,
    /// The compared values, in minor units or stock units.
    pub value: Option<i64>,
    pub other: Option<i64>,
    pub at: Option<Timestamp>,
}

/// A search for problems, each with its own bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StockCheck {
    /// Variants without a cost in the currency, whatever the bound.
    WithoutCost,
    /// Variants sold below a margin: profit is below `bound` millionths of revenue.
    BelowMargin,
    /// Costs that began in the range and exceed `bound` percent of the previous one.
    Jumps,
    /// Variants in stock without a stock movement since the instant `bound`.
    Unmoved,
}

impl StockCheck {
    const fn sql(self) -> (&'static str, &'static str) {
        match self {
            Self::WithoutCost => (WITHOUT_COST, "v.variant_rank, v.id"),
            Self::BelowMargin => (BELOW_MARGIN, "value - other, l.variant_id"),
            Self::Jumps => (JUMPS, "j.valid_from desc, j.variant_id"),
            Self::Unmoved => (UNMOVED, "s.at, s.place, s.variant_id"),
        }
    }

    fn parameters<'q>(
        self,
        range: &'q ResolvedRange,
        bound: &'q i64,
    ) -> Vec<(&'q str, &'q dyn ToSql)> {
        let currency: (&str, &dyn ToSql) = (":currency", &range.currency_code);
        let dated: [(&str, &dyn ToSql); 3] =
            [(":start", &range.start), (":end", &range.end), (":bound", bound)];
        match self {
            Self::WithoutCost => vec![currency],
            Self::BelowMargin => range.parameters(&dated),
            Self::Jumps => [&[currency], dated.as_slice()].concat(),
            Self::Unmoved => vec![(":bound", bound)],
        }
    }

    pub(crate) fn count(
        self,
        tx: &Tx<'_>,
        range: &ResolvedRange,
        bound: i64,
    ) -> Result<u32, database::Error> {
        let (rows, _) = self.sql();
        let parameters = self.parameters(range, &bound);
        tx.sql(&format!("select count(*) from ({rows})"))
            .one(parameters.as_slice(), |row| row.get(0))
    }

    pub(crate) fn page(
        self,
        tx: &Tx<'_>,
        range: &ResolvedRange,
        (bound, (limit, offset)): (i64, (u32, u32)),
    ) -> Result<Vec<StockFinding>, database::Error> {
        let (rows, order) = self.sql();
        let mut parameters = self.parameters(range, &bound);
        parameters.extend_from_slice(&[(":limit", &limit), (":offset", &offset)]);
        tx.sql(&format!("{rows} order by {order} limit :limit offset :offset"))
            .all(parameters.as_slice(), StockFinding::from_row)
    }
}

const WITHOUT_COST: &str =
    "select v.id as variant_id, v.product_id, (select title from product where id = v.product_id) as title,
          v.sku, null as value, null as other, null as at
        from product_variant v indexed by product_variant_by_rank
        where v.deleted_at is null
          and not exists (select 1 from unit_cost u where u.variant_id = v.id and u.currency = :currency)";

const BELOW_MARGIN: &str =
    "select l.variant_id, max(l.product_id) as product_id, max(coalesce(l.product_title, l.title)) as title,
          max(l.variant_sku) as sku, sum(l.subtotal_minor - l.discount_subtotal_minor) as value,
          sum(l.unit_cost_minor * l.quantity) as other, max(o.placed_at) as at
        from orders o indexed by orders_by_placement join order_line l on l.order_id = o.id
        where o.placed_at >= :start and o.placed_at < :end and o.currency = :currency
          and (:channel is null or o.sales_channel_id = :channel) and (:region is null or o.region_id = :region)
          and (:country is null or o.country = :country)
          and o.status not in ('draft', 'canceled') and l.unit_cost_minor is not null and l.variant_id is not null
        group by l.variant_id having (value - other) * 1000000 < value * :bound";

const JUMPS: &str =
    "select j.variant_id, v.product_id, (select title from product where id = v.product_id) as title, v.sku,
          j.amount_minor as value, j.before as other, j.valid_from as at
        from (select v.id as variant_id, u.amount_minor, u.valid_from,
            (select b.amount_minor from unit_cost b where b.variant_id = u.variant_id and b.currency = u.currency
               and b.valid_from < u.valid_from order by b.valid_from desc limit 1) as before
          from product_variant v indexed by product_variant_by_rank
            join unit_cost u on u.variant_id = v.id and u.currency = :currency
          where v.deleted_at is null and u.valid_from >= :start and u.valid_from < :end) j
        join product_variant v on v.id = j.variant_id
        where j.amount_minor * 100 > j.before * :bound";

const UNMOVED: &str = "select s.* from (
                            select v.id as variant_id, v.product_id, (select title from product where id = v.product_id) as title, v.sku,
                              (select min(coalesce((select sum(l.stocked_quantity) from inventory_level l
                                   where l.inventory_item_id = m.inventory_item_id), 0) / m.required_quantity)
                                 from product_variant_inventory_item m where m.variant_id = v.id) as value, null as other,
                              (select max(c.created_at) from product_variant_inventory_item m
                                 join inventory_level l on l.inventory_item_id = m.inventory_item_id
                                 join inventory_movement c on c.inventory_item_id = l.inventory_item_id and c.location_id = l.location_id
                                 where m.variant_id = v.id) as at, v.created_at as made_at, v.variant_rank as place
                            from product_variant v indexed by product_variant_by_rank where v.deleted_at is null) s
                          where s.value > 0 and coalesce(s.at, s.made_at) < :bound";
