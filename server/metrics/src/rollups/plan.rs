//! The rollups of orders in one currency, by the days of one time zone.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use quotient::rollup::{EventTime, Granularity, RollupDefinition, RollupOptions, RollupSchema};
use quotient::sql::Binding;
use quotient::syntax::Limits;
use quotient::types::Currency;
use quotient::{Engine, Formula};

use super::table::RollupTable;
use crate::registry::{schema, templates};

/// Common formulas over orders, lines and refunds. Their rollups answer every formula with the same sums, counts and
/// sets.
const FORMULAS: &[&str] = &[
    "gross_sales",
    "discounts",
    "returns_value",
    "taxes",
    "shipping",
    "gmv",
    "sum(orders.total)",
    "sum(orders.discount_total where status != 'canceled')",
    "count(orders)",
    "order_count",
    "high_value_share",
    "units_sold",
    "cogs",
    "buyers",
    "returning_buyers",
    "new_customers",
    "count(customers where first_order_at in period)",
    "count(customers where count(orders) >= 2) / count(customers where count(orders) >= 1)",
    "refund_rate",
    "count(refunds)",
    "sum(refunds.amount)",
];

/// Common formulas by product. The last two, for which few stores have many rows, are for reports.
const BY_PRODUCT: &[&str] = &[
    "gross_sales",
    "discounts",
    "units_sold",
    "cogs",
    "count(items where repeats_product and order.status != 'canceled')",
    "sum(items.quantity where unit_cost is null and order.status != 'canceled')",
];

/// The sources whose rows are folded.
const SOURCES: &[&str] = &["orders", "items", "refunds", "customers"];

/// The sources with numbered keys.
const NUMBERED: &[&str] = &["customers", "orders"];

/// Definitions with one granularity and the same dimensions, and their tables.
#[derive(Debug)]
pub(super) struct PlanPart {
    pub(super) definitions: RollupSchema,
    /// The definitions over customers, and those over everything else: a customer is counted once, whatever the number
    /// of orders.
    pub(super) of_customers: RollupSchema,
    /// Those of customers that change with the first order: a row without that date is in no bucket, and aggregates
    /// without a date do not depend on orders.
    pub(super) of_beginners: RollupSchema,
    pub(super) of_orders: RollupSchema,
    pub(super) tables: Vec<RollupTable>,
    /// The table and the index in it, by definition.
    places: BTreeMap<RollupDefinition, (usize, u8)>,
}

impl PlanPart {
    fn new(
        engine: &Engine,
        name: &'static str,
        texts: &[&str],
        options: &RollupOptions,
    ) -> Option<Self> {
        let formulas: Vec<Formula> =
            texts.iter().filter_map(|text| engine.compile(text).ok()).collect();
        let formulas: Vec<&Formula> = formulas.iter().collect();
        let definitions = engine.rollup_schema(&formulas, options).ok()?.only(|definition| {
            let of = definition.keys_of.as_deref();
            SOURCES.contains(&definition.source.as_str())
                && of.is_none_or(|of| NUMBERED.contains(&of))
        });
        let mut grouped: BTreeMap<String, Vec<RollupDefinition>> = BTreeMap::new();
        for definition in definitions.iter() {
            let name = RollupTable::name(engine.schema().store.currency, name, definition);
            grouped.entry(name).or_default().push(definition.clone());
        }
        let table = |(name, own): (String, Vec<RollupDefinition>)| {
            let read = definitions.only(|definition| own.contains(definition));
            let read = read.reads().into_keys().map(str::to_owned).collect();
            RollupTable::new(name, own, read)
        };
        let tables: Vec<RollupTable> = grouped.into_iter().map(table).collect();
        let mut places = BTreeMap::new();
        for (index, table) in tables.iter().enumerate() {
            for (definition, place) in table.placed() {
                places.insert(definition.clone(), (index, place));
            }
        }
        let of_customers = definitions.over(&["customers"]);
        let of_beginners =
            of_customers.only(|definition| definition.event_time != EventTime::Never);
        let of_orders = definitions.only(|definition| definition.source != "customers");
        Some(Self { definitions, of_customers, of_beginners, of_orders, tables, places })
    }

    pub(super) fn place(&self, definition: &RollupDefinition) -> Option<(&RollupTable, u8)> {
        let (table, place) = self.places.get(definition)?;
        Some((self.tables.get(*table)?, *place))
    }
}

#[derive(Debug)]
pub(super) struct RollupPlan {
    pub(super) engine: Engine,
    pub(super) binding: Binding,
    /// By day with channel and region, by day and product, by hour with channel and region.
    pub(super) parts: Vec<PlanPart>,
}

/// The plans created so far; they depend on the program alone.
static PLANS: Mutex<PlanCache> = Mutex::new(BTreeMap::new());

/// Plans by currency and time zone; none for an unknown zone.
type PlanCache = BTreeMap<(&'static str, String), Option<Arc<RollupPlan>>>;

impl RollupPlan {
    /// Returns the plan, or none for an unknown zone.
    pub(super) fn of(currency: Currency, zone: &str) -> Option<Arc<Self>> {
        let mut plans = PLANS.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (currency.code(), zone.to_owned());
        let create = || Self::new(currency, zone).map(Arc::new);
        plans.entry(key).or_insert_with(create).clone()
    }

    fn new(currency: Currency, zone: &str) -> Option<Self> {
        let mut loaded = templates::loaded(currency);
        loaded.schema.store.calendar = loaded.schema.store.calendar.in_zone(zone).ok()?;
        // All rows of a bucket are folded at once, however many: more than a question may read.
        let engine = templates::engine(&loaded, Limits::DEFAULT);
        let days = RollupOptions::new(Granularity::Day).by("sales_channel_id").by("region_id");
        let products = RollupOptions::new(Granularity::Day).by("product");
        let hours = RollupOptions::new(Granularity::Hour).by("sales_channel_id").by("region_id");
        let parts = [
            PlanPart::new(&engine, "days", FORMULAS, &days),
            PlanPart::new(&engine, "products", BY_PRODUCT, &products),
            PlanPart::new(&engine, "hours", FORMULAS, &hours),
        ];
        let binding = schema::binding(engine.schema());
        Some(Self { engine, binding, parts: parts.into_iter().flatten().collect() })
    }

    pub(super) fn currency_code(&self) -> String {
        self.engine.schema().store.currency.code().to_ascii_lowercase()
    }

    pub(super) fn tables(&self) -> impl Iterator<Item = PlannedTable<'_>> {
        self.parts.iter().flat_map(move |part| {
            part.tables.iter().map(move |table| PlannedTable { plan: self, part, table })
        })
    }
}

/// A table of a plan, with the part that its definitions belong to.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlannedTable<'p> {
    pub(super) plan: &'p RollupPlan,
    pub(super) part: &'p PlanPart,
    pub(super) table: &'p RollupTable,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::LIMITS;

    #[test]
    fn a_bucket_may_have_more_rows_than_a_question_may_read() {
        let plan = RollupPlan::of(Currency::USD, "Europe/London").expect("a zone");
        assert!(plan.engine.limits().max_steps > LIMITS.max_steps);
        assert!(plan.engine.limits().max_cells > LIMITS.max_cells);
    }
}
