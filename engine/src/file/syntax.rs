//! The syntax of a formula file: names unresolved, formulas as text, everything with its place.

use jiff::civil::{Date, Weekday};

use crate::schema::{CsvForm, MixedCurrency, SourceKind};
use crate::source::Span;
use crate::types::{Bases, Currency, DeclaredType};

/// A value with its place in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// The place.
    pub span: Span,
}

impl<T> Located<T> {
    /// Creates a value at a place.
    pub const fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}

/// The items of one file.
#[derive(Debug, Clone, Default)]
pub struct FileSyntax {
    /// The items in order, including partly readable ones.
    pub items: Vec<Item>,
}

/// An item with its description.
#[derive(Debug, Clone)]
pub struct Item {
    /// The text of the `///` lines above.
    pub description: Option<String>,
    /// The span of the first line.
    pub span: Span,
    /// The kind, with its contents.
    pub kind: ItemKind,
}

/// The kind of an item.
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
        /// The declared name.
        name: Located<String>,
        /// The narrowed source.
        source: Located<String>,
        /// The condition's text.
        condition: Located<String>,
    },
    /// `dimension country` with a path for each source.
    Dimension {
        /// The declared name.
        name: Located<String>,
        /// The path to the dimension in each source.
        columns: Vec<(Located<String>, PathSyntax)>,
    },
    /// `placeholder revenue = lines.amount sum`
    Placeholder {
        /// The declared name.
        key: Located<String>,
        /// The source, links and field.
        path: PathSyntax,
        /// The aggregate for a bare use.
        aggregation: Option<Located<String>>,
    },
    /// `input ad_spend money`
    Input {
        /// The declared name.
        name: Located<String>,
        /// The type.
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
    /// `timezone Europe/London`, as in the time zone database.
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

/// The kind of a store's calendar.
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
    /// Returns the span from the first to the last name.
    pub fn span(&self) -> Span {
        let first = self.segments.first().map(|name| name.span).unwrap_or_default();
        self.segments.last().map_or(first, |last| first.to(last.span))
    }
}

/// A source declaration.
#[derive(Debug, Clone)]
pub struct SourceSyntax {
    /// The declared name.
    pub name: Located<String>,
    /// Entity, event or snapshot.
    pub kind: SourceKind,
    /// The origin of the rows.
    pub origin: Option<RowsOrigin>,
    /// The columns in order, including the key and the date.
    pub fields: Vec<FieldSyntax>,
    /// The key, as an index in `fields`.
    pub key: Option<usize>,
    /// The column that dates rows.
    pub date: Option<DateSyntax>,
    /// Links to other sources.
    pub links: Vec<LinkSyntax>,
    /// The first and the last covered day.
    pub covers: Option<Located<(Date, Date)>>,
    /// Whether some lines could not be read, so that missing parts may be on them.
    pub damaged: bool,
}

/// The origin of a source's rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowsOrigin {
    /// `from "orders.csv" delimiter ";"`
    File(Located<String>, CsvForm),
    /// `from orders.customer_id`: the distinct values of a field.
    Field(PathSyntax),
}

/// The column that dates rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DateSyntax {
    /// A field of the source itself, as an index in `fields`.
    Field(usize),
    /// `dated by order.invoiced_at`
    Path(PathSyntax),
}

/// A column declaration.
#[derive(Debug, Clone)]
pub struct FieldSyntax {
    /// The declared name.
    pub name: Located<String>,
    /// The text of the `///` lines above.
    pub description: Option<String>,
    /// The type.
    pub data_type: Located<TypeSyntax>,
    /// The components of an amount.
    pub bases: Bases,
    /// The only texts allowed.
    pub known_values: Option<Vec<String>>,
    /// The formula of a computed column.
    pub formula: Option<Located<String>>,
}

/// The type of a column or input.
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
        /// The field with the currency's code.
        currency: Located<String>,
        /// The field with the rate.
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
    /// The declared name.
    pub name: Located<String>,
    /// The target source.
    pub target: Located<String>,
    /// The field with the target's key.
    pub by: Located<String>,
}

/// A metric declaration.
#[derive(Debug, Clone)]
pub struct MetricSyntax {
    /// The name used in formulas.
    pub key: Located<String>,
    /// The display name.
    pub title: Option<Located<String>>,
    /// The formula's text, without comments before or after it.
    pub formula: Option<Located<String>>,
    /// The declared type.
    pub data_type: Option<Located<DeclaredType>>,
    /// `format`, `decimals`, `prefix`, `suffix` and `null_text`, in order.
    pub formatting: Vec<KeyedSyntax>,
    /// The heading in lists.
    pub category: Option<String>,
    /// Hidden from lists; usable by name.
    pub unlisted: bool,
    /// Context records with their expected results.
    pub examples: Vec<ExampleSyntax>,
}

/// A formatting property with its value: `prefix "≈"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyedSyntax {
    /// The name of the property.
    pub key: &'static str,
    /// The value.
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
