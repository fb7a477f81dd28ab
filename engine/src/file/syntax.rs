//! A formula file as it is written: names unresolved, formulas as text, everything with its place.

use jiff::civil::{Date, Weekday};

use crate::schema::{MixedCurrency, SourceKind};
use crate::source::Span;
use crate::types::DeclaredType;
use crate::types::{Bases, Currency};

/// Something with its place in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located<T> {
    /// The thing.
    pub value: T,
    /// Its place.
    pub span: Span,
}

impl<T> Located<T> {
    /// Puts a thing at a place.
    pub const fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}

/// The items of one file in order.
#[derive(Debug, Clone, Default)]
pub struct FileSyntax {
    /// The items that could be read, at least in part.
    pub items: Vec<Item>,
}

/// An item with its description.
#[derive(Debug, Clone)]
pub struct Item {
    /// What the `///` lines above it say.
    pub description: Option<String>,
    /// The place of its first line.
    pub span: Span,
    /// What it is.
    pub kind: ItemKind,
}

/// What an item declares.
#[derive(Debug, Clone)]
pub enum ItemKind {
    /// `use "base.metrics"`
    Use(Located<String>),
    /// `store` with its settings.
    Store(Vec<Located<StoreSetting>>),
    /// `source orders event`
    Source(SourceSyntax),
    /// `population sales = orders where …`: the name, the source, the condition's text.
    Population {
        /// The name it declares.
        name: Located<String>,
        /// The source it narrows.
        source: Located<String>,
        /// The condition's text.
        condition: Located<String>,
    },
    /// `dimension country` with a path for each source.
    Dimension {
        /// The name it declares.
        name: Located<String>,
        /// Sources and where each has it.
        columns: Vec<(Located<String>, PathSyntax)>,
    },
    /// `placeholder revenue = lines.amount sum`
    Placeholder {
        /// The name it declares.
        key: Located<String>,
        /// The source, links and field.
        path: PathSyntax,
        /// The aggregate that a bare use means.
        aggregation: Option<Located<String>>,
    },
    /// `input ad_spend money`
    Input {
        /// The name it declares.
        name: Located<String>,
        /// Its type.
        data_type: Located<TypeSyntax>,
    },
    /// `rates from "rates.csv"`
    Rates(Located<String>),
    /// `metric aov = …`
    Metric(MetricSyntax),
}

/// One setting of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreSetting {
    /// `currency GBP`
    Currency(Currency),
    /// `timezone Europe/London`, known to the time zone database.
    TimeZone(String),
    /// `week_start monday`
    WeekStart(Weekday),
    /// `fiscal_year_start february`, as a month from 1 to 12.
    FiscalYearStart(i8),
    /// `calendar gregorian`
    Calendar(CalendarKind),
    /// `mixed_currency convert`
    MixedCurrency(MixedCurrency),
}

/// How years are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CalendarKind {
    /// Months of the Gregorian calendar.
    Gregorian,
    /// Months of four, five and four weeks.
    Retail454,
}

/// A path as written: names separated by dots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathSyntax {
    /// The names in order; never empty.
    pub segments: Vec<Located<String>>,
}

impl PathSyntax {
    /// From the first to the last name.
    pub fn span(&self) -> Span {
        let first = self.segments.first().map(|name| name.span).unwrap_or_default();
        self.segments.last().map_or(first, |last| first.to(last.span))
    }
}

/// A source as written.
#[derive(Debug, Clone)]
pub struct SourceSyntax {
    /// The name it declares.
    pub name: Located<String>,
    /// Whether rows happen, exist or are states.
    pub kind: SourceKind,
    /// Where its rows come from.
    pub origin: Option<RowsOrigin>,
    /// Its columns in order, the key and the date among them.
    pub fields: Vec<FieldSyntax>,
    /// The key by its index in `fields`.
    pub key: Option<usize>,
    /// What places a row in time.
    pub date: Option<DateSyntax>,
    /// Links to other sources.
    pub links: Vec<LinkSyntax>,
    /// The first and the last day it knows.
    pub covers: Option<Located<(Date, Date)>>,
    /// Some of its lines could not be read, so what seems missing may be there.
    pub damaged: bool,
}

/// Where the rows of a source come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowsOrigin {
    /// `from "orders.csv"`
    File(Located<String>),
    /// `from orders.customer_id`: the distinct values of a field.
    Field(PathSyntax),
}

/// What places a row in time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DateSyntax {
    /// A field of the source itself, by its index in `fields`.
    Field(usize),
    /// `dated by order.invoiced_at`
    Path(PathSyntax),
}

/// A column as written.
#[derive(Debug, Clone)]
pub struct FieldSyntax {
    /// The name it declares.
    pub name: Located<String>,
    /// What the `///` lines above it say.
    pub description: Option<String>,
    /// What it holds.
    pub data_type: Located<TypeSyntax>,
    /// What an amount contains.
    pub bases: Bases,
    /// The only texts it can hold.
    pub known_values: Option<Vec<String>>,
    /// The formula that fills it.
    pub formula: Option<Located<String>>,
}

/// The type of a column or input as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeSyntax {
    /// `number`
    Number,
    /// `count`, or `count(things)` with the entity's name.
    Count(Option<String>),
    /// `ratio`
    Ratio,
    /// `percent`
    Percent,
    /// `money`, or `money(EUR)` with its currency.
    Money(Option<Currency>),
    /// `money by currency_code at rate`
    MoneyBy {
        /// The field that holds the currency's code.
        currency: Located<String>,
        /// The field that holds the rate.
        rate: Option<Located<String>>,
    },
    /// `duration`
    Duration,
    /// `text`
    Text,
    /// `bool`
    Bool,
    /// `date`
    Date,
    /// `datetime`
    DateTime,
}

/// `link customer to customers by customer_id`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkSyntax {
    /// The name it declares.
    pub name: Located<String>,
    /// The source it leads to.
    pub target: Located<String>,
    /// The field that holds the target's key.
    pub by: Located<String>,
}

/// A metric as written.
#[derive(Debug, Clone)]
pub struct MetricSyntax {
    /// The name formulas use.
    pub key: Located<String>,
    /// The name people read.
    pub title: Option<String>,
    /// The formula's text, without comments before or behind it.
    pub formula: Option<Located<String>>,
    /// The type it says it has.
    pub data_type: Option<Located<DeclaredType>>,
    /// `format`, `decimals`, `prefix`, `suffix` and `null_text` in order.
    pub formatting: Vec<KeyedSyntax>,
    /// Where lists put it.
    pub category: Option<String>,
    /// Left out where nobody asks for it by name.
    pub unlisted: bool,
    /// Contexts with the results they must give.
    pub examples: Vec<ExampleSyntax>,
}

/// A property of formatting with its value: `prefix "≈"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyedSyntax {
    /// Which property.
    pub key: &'static str,
    /// Its value.
    pub value: Located<String>,
}

/// `example { "net_sales": 100 } = 25`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExampleSyntax {
    /// The context record as JSON text, braces included.
    pub context: Located<String>,
    /// A constant, or `null (reason)`.
    pub expected: Located<String>,
}
