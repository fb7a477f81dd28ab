//! The texts of formulas.

use std::fmt::{Display, Formatter, Result};

use super::calendar::{Span, Unit};
use super::clock::date;
use super::tree::{
    Amount, Cell, Comparison, Condition, CustomerFilter, Date, Function, Operation, Quantity, Rows,
    Source, Test, TextField, Window,
};

/// An amount of cents as a formula writes it.
struct Cents(i64, &'static str);

impl Display for Cents {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}.{:02} {}", self.0 / 100, self.0 % 100, self.1)
    }
}

const fn not(negated: bool) -> &'static str {
    if negated { " not" } else { "" }
}

impl Display for Source {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Self::Orders => "orders",
            Self::Kept => "kept",
            Self::Refunds => "refunds",
            Self::Stock => "stock",
        })
    }
}

impl Display for Amount {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Self::Total => "total",
            Self::Cost => "cost",
            Self::Refunded => "amount",
            Self::OrderTotal => "order.total",
        })
    }
}

impl Display for TextField {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Self::Status => "status",
            Self::Country => "country",
            Self::Customer => "customer_id",
            Self::Code => "code",
            Self::OrderStatus => "order.status",
        })
    }
}

impl Display for Date {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Self::Placed => "placed_at",
            Self::First => "customer.first_at",
            Self::Refunded => "made_at",
            Self::OrderPlaced => "order.placed_at",
        })
    }
}

impl Display for Unit {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
        })
    }
}

impl Display for Span {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} {}s", self.count, self.unit)
    }
}

impl Display for Comparison {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        })
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Compare(amount, comparison, cents) => {
                write!(f, "{amount} {comparison} {}", Cents(*cents, "USD"))
            }
            Self::TotalWithCost(comparison) => write!(f, "total {comparison} cost"),
            Self::Is(word, comparison, text) => write!(f, "{word} {comparison} '{text}'"),
            Self::In { word, texts, negated } => {
                let texts: Vec<String> = texts.iter().map(|text| format!("'{text}'")).collect();
                write!(f, "{word}{} in ({})", not(*negated), texts.join(", "))
            }
            Self::Between { amount, low, high, negated } => {
                let (low, high) = (Cents(*low, "USD"), Cents(*high, "USD"));
                write!(f, "({amount}{} between {low} and {high})", not(*negated))
            }
            Self::NullAmount { amount, negated } => write!(f, "{amount} is{} null", not(*negated)),
            Self::NullWord { word, negated } => write!(f, "{word} is{} null", not(*negated)),
            Self::Day(of, comparison, day) => write!(f, "{of} {comparison} @{}", date(*day)),
            Self::BeforePeriod(of) => write!(f, "{of} < period_start"),
            Self::InPeriod(of) => write!(f, "{of} in period"),
            Self::FirstOrder(comparison) => write!(f, "placed_at {comparison} customer.first_at"),
            Self::Hour(of, comparison, hour) => write!(f, "hour({of}) {comparison} {hour}"),
            Self::Weekday(of, day) => write!(f, "weekday({of}) = {day}"),
            Self::And(left, right) => write!(f, "({left} and {right})"),
            Self::Or(left, right) => write!(f, "({left} or {right})"),
            Self::Not(inner) => write!(f, "(not ({inner}))"),
        }
    }
}

impl Function {
    /// The call of this function over `argument`.
    fn write(self, f: &mut Formatter<'_>, argument: &dyn Display) -> Result {
        let name = match self {
            Self::Sum => "sum",
            Self::Average => "avg",
            Self::Minimum => "min",
            Self::Maximum => "max",
            Self::Median => "median",
            Self::First => "first",
            Self::Last => "last",
            Self::Percentile90 => return write!(f, "percentile({argument}, 90%)"),
        };
        write!(f, "{name}({argument})")
    }
}

impl Rows {
    /// The text of an aggregate over these rows, inside the parentheses.
    fn of(&self, what: &str) -> String {
        let condition = self.condition.as_ref().map(|condition| format!(" where {condition}"));
        let dated = if self.by_order { " dated by order.placed_at" } else { "" };
        format!("{what}{}{dated}", condition.unwrap_or_default())
    }

    fn cells(&self, cell: Cell) -> String {
        let source = self.source;
        self.of(&match cell {
            Cell::Amount(amount) => format!("{source}.{amount}"),
            Cell::Margin => format!("{source}.total - {source}.cost"),
            Cell::Line => format!("{source}.total * {source}.units"),
            Cell::Each => format!("{source}.total / {source}.units"),
            Cell::Units => format!("{source}.units"),
            Cell::Tip => format!("{source}.tip"),
            Cell::Paid | Cell::PaidEuros => format!("{source}.paid"),
        })
    }

    fn states(&self) -> String {
        format!("sum({})", self.of("stock.on_hand"))
    }
}

impl Display for Test {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Compare(left, comparison, right) => write!(f, "{left} {comparison} {right}"),
            Self::IsNull(inner) => write!(f, "{inner} is null"),
        }
    }
}

fn binary(
    f: &mut Formatter<'_>,
    operation: Operation,
    left: &Quantity,
    right: &Quantity,
) -> Result {
    let sign = match operation {
        Operation::Add => "+",
        Operation::Subtract => "-",
        Operation::Multiply => "*",
        Operation::Divide => "/",
        Operation::Greatest => return write!(f, "max({left}, {right})"),
        Operation::Least => return write!(f, "min({left}, {right})"),
    };
    write!(f, "({left} {sign} {right})")
}

impl Display for Quantity {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Fold(function, cell, rows) => function.write(f, &rows.cells(*cell)),
            Self::Count(rows) => write!(f, "count({})", rows.of(&rows.source.to_string())),
            Self::CountFilled(cell, rows) => write!(f, "count({})", rows.cells(*cell)),
            Self::CountDistinct(word, rows) => {
                write!(f, "count_distinct({})", rows.of(&format!("{}.{word}", rows.source)))
            }
            Self::ShareOf(rows) => write!(f, "share_of({})", rows.of(&rows.source.to_string())),
            Self::Customers(CustomerFilter::WithOrders(least)) => {
                write!(f, "count(customers where count(orders) >= {least})")
            }
            Self::Customers(CustomerFilter::New) => {
                write!(f, "count(customers where first_at in period)")
            }
            Self::Closing(rows) => write!(f, "closing({})", rows.states()),
            Self::Opening(rows) => write!(f, "opening({})", rows.states()),
            Self::StatePerDay(function, rows) => {
                function.write(f, &format!("{} per day", rows.states()))
            }
            Self::Money(cents, code) => write!(f, "{}", Cents(*cents, code)),
            Self::Number(number) => write!(f, "{number}"),
            Self::Days { full: false } => write!(f, "days_in(period)"),
            Self::Days { full: true } => write!(f, "days_in(period, full: true)"),
            Self::Hours { full: false } => write!(f, "hours(length(period))"),
            Self::Hours { full: true } => write!(f, "hours(length(period, full: true))"),
            Self::Binary(operation, left, right) => binary(f, *operation, left, right),
            Self::Negated(inner) => write!(f, "(-{inner})"),
            Self::Rounded(inner, places) => write!(f, "round({inner}, {places})"),
            Self::Default(value, other) => write!(f, "({value} default {other})"),
            Self::If(test, then, other) => write!(f, "if({test}, {then}, {other})"),
            Self::Window(window, inner) => window.write(f, inner),
            Self::Growth(inner, Window::Previous { .. }) => write!(f, "growth({inner})"),
            Self::Growth(inner, back) => write!(f, "growth({inner}, {})", back.step()),
            Self::Change(inner, Window::Previous { .. }) => write!(f, "change({inner})"),
            Self::Change(inner, back) => write!(f, "change({inner}, {})", back.step()),
            Self::Scoped(inner, condition) => write!(f, "({inner} where {condition})"),
            Self::Convert(inner, code) => write!(f, "convert({inner}, to: {code})"),
            Self::Total(inner, None) => write!(f, "total({inner})"),
            Self::Total(inner, Some(word)) => write!(f, "total({inner}, keep: {word})"),
            Self::Named(number) => write!(f, "m{number}"),
            Self::Share(inner) => write!(f, "share({inner})"),
            Self::Rank(inner) => write!(f, "rank({inner})"),
            Self::PerUnit(function, unit, inner) => {
                function.write(f, &format!("{inner} per {unit}"))
            }
            Self::PerWord { function, word, of, known_only, unit } => {
                let unit = unit.map(|unit| format!("{unit}, ")).unwrap_or_default();
                let known =
                    if *known_only { format!(" where {word} is not null") } else { String::new() };
                function.write(f, &format!("{of} per {unit}{word}{known}"))
            }
        }
    }
}

impl Window {
    /// How `growth` and `change` name their comparison.
    fn step(self) -> String {
        match self {
            Self::LastWeek => "last_week".to_owned(),
            Self::LastMonth => "last_month".to_owned(),
            Self::LastYear => "last_year".to_owned(),
            Self::Shift(Span { count, unit }) => Span { count: -count, unit }.to_string(),
            _ => panic!("{self:?} is nothing to compare with"),
        }
    }

    fn write(self, f: &mut Formatter<'_>, inner: &Quantity) -> Result {
        match self {
            Self::Previous { count, is_clipped } => {
                let count = if count == 1 { String::new() } else { format!(", {count}") };
                write!(
                    f,
                    "previous({inner}{count}{})",
                    if is_clipped { "" } else { ", clip: false" }
                )
            }
            Self::LastWeek | Self::LastMonth | Self::LastYear => {
                write!(f, "{}({inner})", self.step())
            }
            Self::Shift(span) => write!(f, "shift({inner}, {span})"),
            Self::Trailing { span, without_current } => {
                let exclude = if without_current { ", exclude: current" } else { "" };
                write!(f, "trailing({inner}, {span}{exclude})")
            }
            Self::ToDate(Unit::Week) => write!(f, "wtd({inner})"),
            Self::ToDate(Unit::Month) => write!(f, "mtd({inner})"),
            Self::ToDate(Unit::Quarter) => write!(f, "qtd({inner})"),
            Self::ToDate(unit) => write!(f, "to_date({inner}, {unit})"),
            Self::During(day) => {
                let month = date(day);
                write!(f, "during({inner}, @{:04}-{:02})", month.year(), month.month())
            }
            Self::Lifetime => write!(f, "lifetime({inner})"),
            Self::Running => write!(f, "running({inner})"),
        }
    }
}
