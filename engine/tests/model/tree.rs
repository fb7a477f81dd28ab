//! Formulas as small trees, and their texts with every bracket written.

use std::fmt::{Display, Formatter, Result};

/// The rows an aggregate reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Orders,
    Kept,
}

/// The fields that hold money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Amount {
    Total,
    Cost,
}

/// The fields that hold text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    Status,
    Country,
    Customer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A condition on an order. Amounts are cents.
#[derive(Debug, Clone)]
pub(crate) enum Condition {
    Compare(Amount, Comparison, i64),
    TotalWithCost(Comparison),
    Is(Word, Comparison, &'static str),
    In { word: Word, texts: Vec<&'static str>, negated: bool },
    Between { amount: Amount, low: i64, high: i64, negated: bool },
    NullAmount { amount: Amount, negated: bool },
    NullWord { word: Word, negated: bool },
    FirstOrder(Comparison),
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
    Not(Box<Self>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    Sum,
    Average,
    Minimum,
    Maximum,
    Median,
    Percentile90,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Window {
    Previous(i32),
    TrailingDays(i32),
    ShiftDays(i32),
    LastWeek,
    MonthToDate,
    January,
    Lifetime,
}

/// Which customers count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Buyers {
    WithOrders(i32),
    New,
}

/// A formula.
#[derive(Debug, Clone)]
pub(crate) enum Quantity {
    Fold(Function, Source, Amount, Option<Condition>),
    Count(Source, Option<Condition>),
    CountFilled(Source, Amount, Option<Condition>),
    CountDistinct(Source, Word, Option<Condition>),
    Customers(Buyers),
    Money(i64),
    Number(i64),
    Arithmetic(Arithmetic, Box<Self>, Box<Self>),
    Default(Box<Self>, Box<Self>),
    If {
        comparison: Comparison,
        left: Box<Self>,
        right: Box<Self>,
        then: Box<Self>,
        other: Box<Self>,
    },
    Window(Window, Box<Self>),
    Growth(Box<Self>),
    Change(Box<Self>),
    /// `(x where country = '…')`
    Scoped(Box<Self>, &'static str),
    PerDay(Function, Box<Self>),
    /// Of a plain sum or count.
    PerWord(Function, Word, Box<Self>),
}

/// An amount of cents as a formula writes it.
struct Cents(i64);

impl Display for Cents {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}.{:02} USD", self.0 / 100, self.0 % 100)
    }
}

/// A condition with its `where`, or nothing.
struct Where<'a>(&'a Option<Condition>);

impl Display for Where<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.0.as_ref().map_or(Ok(()), |condition| write!(f, " where {condition}"))
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
        })
    }
}

impl Display for Amount {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Self::Total => "total",
            Self::Cost => "cost",
        })
    }
}

impl Display for Word {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Self::Status => "status",
            Self::Country => "country",
            Self::Customer => "customer_id",
        })
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

impl Display for Arithmetic {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
        })
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Compare(amount, comparison, cents) => {
                write!(f, "{amount} {comparison} {}", Cents(*cents))
            }
            Self::TotalWithCost(comparison) => write!(f, "total {comparison} cost"),
            Self::Is(word, comparison, text) => write!(f, "{word} {comparison} '{text}'"),
            Self::In { word, texts, negated } => {
                let texts: Vec<String> = texts.iter().map(|text| format!("'{text}'")).collect();
                write!(f, "{word}{} in ({})", not(*negated), texts.join(", "))
            }
            Self::Between { amount, low, high, negated } => {
                let (low, high) = (Cents(*low), Cents(*high));
                write!(f, "({amount}{} between {low} and {high})", not(*negated))
            }
            Self::NullAmount { amount, negated } => write!(f, "{amount} is{} null", not(*negated)),
            Self::NullWord { word, negated } => write!(f, "{word} is{} null", not(*negated)),
            Self::FirstOrder(comparison) => write!(f, "placed_at {comparison} customer.first_at"),
            Self::And(left, right) => write!(f, "({left} and {right})"),
            Self::Or(left, right) => write!(f, "({left} or {right})"),
            Self::Not(inner) => write!(f, "(not ({inner}))"),
        }
    }
}

impl Function {
    /// The call of this function over what `argument` says.
    fn write(self, f: &mut Formatter<'_>, argument: &dyn Display) -> Result {
        let name = match self {
            Self::Sum => "sum",
            Self::Average => "avg",
            Self::Minimum => "min",
            Self::Maximum => "max",
            Self::Median => "median",
            Self::Percentile90 => return write!(f, "percentile({argument}, 90%)"),
        };
        write!(f, "{name}({argument})")
    }
}

impl Display for Quantity {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Fold(function, source, amount, condition) => {
                function.write(f, &format!("{source}.{amount}{}", Where(condition)))
            }
            Self::Count(source, condition) => write!(f, "count({source}{})", Where(condition)),
            Self::CountFilled(source, amount, condition) => {
                write!(f, "count({source}.{amount}{})", Where(condition))
            }
            Self::CountDistinct(source, word, condition) => {
                write!(f, "count_distinct({source}.{word}{})", Where(condition))
            }
            Self::Customers(Buyers::WithOrders(least)) => {
                write!(f, "count(customers where count(orders) >= {least})")
            }
            Self::Customers(Buyers::New) => write!(f, "count(customers where first_at in period)"),
            Self::Money(cents) => write!(f, "{}", Cents(*cents)),
            Self::Number(number) => write!(f, "{number}"),
            Self::Arithmetic(operation, left, right) => write!(f, "({left} {operation} {right})"),
            Self::Default(value, other) => write!(f, "({value} default {other})"),
            Self::If { comparison, left, right, then, other } => {
                write!(f, "if({left} {comparison} {right}, {then}, {other})")
            }
            Self::Window(window, inner) => window.write(f, inner),
            Self::Growth(inner) => write!(f, "growth({inner})"),
            Self::Change(inner) => write!(f, "change({inner})"),
            Self::Scoped(inner, country) => write!(f, "({inner} where country = '{country}')"),
            Self::PerDay(function, inner) => function.write(f, &format!("{inner} per day")),
            Self::PerWord(function, word, inner) => {
                function.write(f, &format!("{inner} per {word}"))
            }
        }
    }
}

impl Window {
    fn write(self, f: &mut Formatter<'_>, inner: &Quantity) -> Result {
        match self {
            Self::Previous(1) => write!(f, "previous({inner})"),
            Self::Previous(count) => write!(f, "previous({inner}, {count})"),
            Self::TrailingDays(days) => write!(f, "trailing({inner}, {days} days)"),
            Self::ShiftDays(days) => write!(f, "shift({inner}, {days} days)"),
            Self::LastWeek => write!(f, "last_week({inner})"),
            Self::MonthToDate => write!(f, "mtd({inner})"),
            Self::January => write!(f, "during({inner}, @2026-01)"),
            Self::Lifetime => write!(f, "lifetime({inner})"),
        }
    }
}
