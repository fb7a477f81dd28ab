//! A store: its settings and rows, its formula file, and the rows as texts for any database.

use std::collections::BTreeMap;

use quotient::Engine;
use quotient::data::{Data, Rates};
use quotient::file::load;
use quotient::types::Currency;
use rust_decimal::Decimal;

use super::calendar::Calendar;
use super::clock::{Clock, Day, Instant, date};

/// The rows of a source as texts.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) source: &'static str,
    pub(crate) header: Vec<&'static str>,
    pub(crate) cells: Vec<Vec<String>>,
}

/// How a store treats amounts in several currencies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Policy {
    Convert,
    Refuse,
}

/// The first and the last day that a source covers.
pub(crate) type Covered = Option<(Day, Day)>;

#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) zone: &'static str,
    pub(crate) weeks_begin_on_sunday: bool,
    /// The first month of the year, from 1.
    pub(crate) first_month: i64,
    pub(crate) policy: Policy,
    pub(crate) orders_covered: Covered,
    pub(crate) refunds_covered: Covered,
    pub(crate) stock_covered: Covered,
}

/// An order. Amounts are cents.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    pub(crate) id: usize,
    pub(crate) placed_at: Option<Instant>,
    pub(crate) total: Option<i64>,
    pub(crate) cost: Option<i64>,
    pub(crate) units: Option<i64>,
    pub(crate) tip: Option<i64>,
    pub(crate) paid: Option<i64>,
    /// The currency of the payment.
    pub(crate) code: Option<&'static str>,
    /// The rate that was stamped on it, in ten-thousandths.
    pub(crate) rate: Option<i64>,
    pub(crate) status: Option<&'static str>,
    pub(crate) country: Option<&'static str>,
    pub(crate) customer: Option<&'static str>,
}

#[derive(Debug, Clone)]
pub(crate) struct Refund {
    pub(crate) made_at: Option<Instant>,
    /// The id of its order, which need not exist.
    pub(crate) order: Option<usize>,
    pub(crate) amount: Option<i64>,
}

/// The stock at the end of a day.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub(crate) day: Day,
    pub(crate) country: Option<&'static str>,
    pub(crate) on_hand: Option<i64>,
}

/// From a day on, the value of one unit of a currency, in ten-thousandths of the store's.
#[derive(Debug, Clone)]
pub(crate) struct Rate {
    pub(crate) day: Day,
    pub(crate) code: &'static str,
    pub(crate) worth: i64,
}

#[derive(Debug, Clone)]
pub(crate) struct Store {
    pub(crate) settings: Settings,
    pub(crate) orders: Vec<Order>,
    pub(crate) refunds: Vec<Refund>,
    pub(crate) stock: Vec<State>,
    pub(crate) rates: Vec<Rate>,
}

impl Settings {
    /// The settings of a store that declares none.
    pub(crate) const PLAIN: Self = Self {
        zone: "UTC",
        weeks_begin_on_sunday: false,
        first_month: 1,
        policy: Policy::Convert,
        orders_covered: None,
        refunds_covered: None,
        stock_covered: None,
    };

    /// The calendar in a zone.
    pub(crate) fn calendar(&self, zone: &str) -> Calendar {
        Calendar {
            clock: Clock::of(zone),
            weeks_begin_on_sunday: self.weeks_begin_on_sunday,
            first_month: self.first_month,
        }
    }

    fn file(&self) -> String {
        let months = ["january", "february", "march", "april", "may", "june", "july"];
        let first_month =
            usize::try_from(self.first_month - 1).ok().and_then(|month| months.get(month));
        let policy = match self.policy {
            Policy::Convert => "convert",
            Policy::Refuse => "refuse",
        };
        let covers = |covered: Covered| {
            let line = |(first, last)| format!("    covers @{} to @{}\n", date(first), date(last));
            covered.map(line).unwrap_or_default()
        };
        format!(
            "\
store
    currency USD
    timezone {zone}
    week_start {week_start}
    fiscal_year_start {first_month}
    mixed_currency {policy}

source orders event
    key id text
    date placed_at datetime
{orders}    field total money
    field cost money
    field units count
    field tip money(EUR)
    field code text
    field rate number
    field paid money by code at rate
    field status text in ('a', 'b', 'c')
    field country text
    field customer_id text
    link customer to customers by customer_id

source customers entity from orders.customer_id
    key id text
    field first_at datetime = min(orders.placed_at)

source refunds event
    key id text
    date made_at datetime
{refunds}    field order_id text
    field amount money
    link order to orders by order_id

source stock snapshot
    key id text
    date day date
{stock}    field country text
    field on_hand count

population kept = orders where status != 'c'

dimension country
    orders country
    refunds order.country
    stock country

dimension status
    orders status

dimension code
    orders code
",
            zone = self.zone,
            week_start = if self.weeks_begin_on_sunday { "sunday" } else { "monday" },
            first_month = first_month.copied().unwrap_or("january"),
            orders = covers(self.orders_covered),
            refunds = covers(self.refunds_covered),
            stock = covers(self.stock_covered),
        )
    }

    pub(crate) fn engine(&self) -> Engine {
        let loaded = load("store.metrics", &mut |_| Ok(self.file()));
        let (engine, findings) = Engine::from_loaded(&loaded);
        assert!(findings.is_empty(), "{findings:#?}");
        engine
    }
}

fn scaled(number: Option<i64>, places: u32) -> String {
    number.map(|number| Decimal::new(number, places).to_string()).unwrap_or_default()
}

fn instant(at: Option<Instant>) -> String {
    let at = at.map(|at| jiff::Timestamp::from_second(at).expect("of this century").to_string());
    at.unwrap_or_default()
}

fn text(text: Option<&str>) -> String {
    text.unwrap_or_default().to_owned()
}

/// The key of an order.
pub(crate) fn key(order: usize) -> String {
    format!("o{order:03}")
}

fn table(
    source: &'static str,
    header: &'static str,
    cells: impl Iterator<Item = Vec<String>>,
) -> Table {
    Table { source, header: header.split(' ').collect(), cells: cells.collect() }
}

impl Store {
    /// Orders and nothing else.
    pub(crate) const fn of(orders: Vec<Order>) -> Self {
        let settings = Settings::PLAIN;
        Self { settings, orders, refunds: Vec::new(), stock: Vec::new(), rates: Vec::new() }
    }

    /// The rows of every source with rows of its own.
    pub(crate) fn tables(&self) -> [Table; 3] {
        let orders = self.orders.iter().map(|order| {
            vec![
                key(order.id),
                instant(order.placed_at),
                scaled(order.total, 2),
                scaled(order.cost, 2),
                scaled(order.units, 0),
                scaled(order.tip, 2),
                text(order.code),
                scaled(order.rate, 4),
                scaled(order.paid, 2),
                text(order.status),
                text(order.country),
                text(order.customer),
            ]
        });
        let refunds = self.refunds.iter().enumerate().map(|(index, refund)| {
            let order = refund.order.map(key).unwrap_or_default();
            vec![format!("r{index:03}"), instant(refund.made_at), order, scaled(refund.amount, 2)]
        });
        let stock = self.stock.iter().enumerate().map(|(index, state)| {
            let day = date(state.day).to_string();
            vec![format!("s{index:03}"), day, text(state.country), scaled(state.on_hand, 0)]
        });
        let columns = "id placed_at total cost units tip code rate paid status country customer_id";
        [
            table("orders", columns, orders),
            table("refunds", "id made_at order_id amount", refunds),
            table("stock", "id day country on_hand", stock),
        ]
    }

    /// The rows as the engine stores them.
    pub(crate) fn data(&self, engine: &Engine) -> Data {
        let tables = self.tables().map(|rows| {
            let mut table = engine.table(rows.source, &rows.header).expect("a source");
            for row in &rows.cells {
                let cells: Vec<&str> = row.iter().map(String::as_str).collect();
                table.push(&cells).expect("cells that fit");
            }
            table.finish()
        });
        engine.data(tables.into(), self.engine_rates()).expect("rows that link")
    }

    /// The rates as the engine takes them.
    pub(crate) fn engine_rates(&self) -> Rates {
        let mut rates = Rates::new();
        for Rate { day, code, worth } in &self.rates {
            let currency = Currency::from_code(code).expect("a currency");
            rates.set(date(*day), currency, Decimal::new(*worth, 4)).expect("above zero");
        }
        rates
    }

    /// Everyone who ordered, with the instant of the first order as a text.
    pub(crate) fn customers(&self) -> BTreeMap<&'static str, String> {
        let mut found: BTreeMap<&'static str, Option<Instant>> = BTreeMap::new();
        for order in &self.orders {
            if let Some(customer) = order.customer {
                let first = found.entry(customer).or_default();
                *first = first.map_or(order.placed_at, |first| {
                    Some(order.placed_at.map_or(first, |at| at.min(first)))
                });
            }
        }
        found.into_iter().map(|(customer, first)| (customer, instant(first))).collect()
    }

    pub(crate) fn order(&self, id: usize) -> Option<&Order> {
        self.orders.iter().find(|order| order.id == id)
    }
}

/// The settings, and the rows as a file has them.
impl std::fmt::Display for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{:?}", self.settings)?;
        for table in self.tables() {
            writeln!(f, "{}: {}", table.source, table.header.join(","))?;
            for cells in &table.cells {
                writeln!(f, "{}", cells.join(","))?;
            }
        }
        self.rates.iter().try_for_each(|rate| {
            writeln!(
                f,
                "from {} a {} is {}",
                date(rate.day),
                rate.code,
                scaled(Some(rate.worth), 4)
            )
        })
    }
}
