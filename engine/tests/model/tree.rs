//! Formulas as small trees; [`text`](super::text) writes them with every bracket.

use super::calendar::{Span, Unit};
use super::clock::Day;

/// The rows that an aggregate reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    Orders,
    /// The orders whose status is not `c`.
    Kept,
    Refunds,
    Stock,
}

/// A field with an amount in the store's currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Amount {
    Total,
    Cost,
    Refunded,
    /// That of the refund's order.
    OrderTotal,
}

/// A text field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TextField {
    Status,
    Country,
    Customer,
    /// The currency of the payment.
    Code,
    OrderStatus,
}

/// A date field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Date {
    Placed,
    /// When the customer of the row first ordered.
    First,
    Refunded,
    OrderPlaced,
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

/// A condition on a row. Amounts are cents.
#[derive(Debug, Clone)]
pub(crate) enum Condition {
    Compare(Amount, Comparison, i64),
    TotalWithCost(Comparison),
    Is(TextField, Comparison, &'static str),
    In {
        word: TextField,
        texts: Vec<&'static str>,
        negated: bool,
    },
    Between {
        amount: Amount,
        low: i64,
        high: i64,
        negated: bool,
    },
    NullAmount {
        amount: Amount,
        negated: bool,
    },
    NullWord {
        word: TextField,
        negated: bool,
    },
    /// Compared by day.
    Day(Date, Comparison, Day),
    /// `placed_at < period_start`, which a window moves.
    BeforePeriod(Date),
    InPeriod(Date),
    /// `placed_at = customer.first_at` and the like.
    FirstOrder(Comparison),
    /// `hour(placed_at) < 12`
    Hour(Date, Comparison, i64),
    /// Monday is 1.
    Weekday(Date, i64),
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
    Not(Box<Self>),
}

impl Condition {
    /// Whether it depends on the requested period.
    pub(crate) fn names_period(&self) -> bool {
        match self {
            Self::BeforePeriod(_) | Self::InPeriod(_) => true,
            Self::And(left, right) | Self::Or(left, right) => {
                left.names_period() || right.names_period()
            }
            Self::Not(inner) => inner.names_period(),
            _ => false,
        }
    }
}

/// What a row contributes to an aggregate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cell {
    Amount(Amount),
    /// `total - cost`
    Margin,
    /// `total * units`
    Line,
    /// `total / units`
    Each,
    Units,
    /// In euros.
    Tip,
    /// In the currency of the row.
    Paid,
    /// The same of rows in euros, which the accompanying condition selects.
    PaidEuros,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    Sum,
    Average,
    Minimum,
    Maximum,
    Median,
    Percentile90,
    First,
    Last,
}

/// The rows of a source that an aggregate means.
#[derive(Debug, Clone)]
pub(crate) struct Rows {
    pub(crate) source: Source,
    pub(crate) condition: Option<Condition>,
    /// Dated by the row's order instead of by its own date.
    pub(crate) by_order: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    /// The larger of two.
    Greatest,
    Least,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Window {
    Previous {
        count: i64,
        is_clipped: bool,
    },
    LastWeek,
    LastMonth,
    LastYear,
    Shift(Span),
    Trailing {
        span: Span,
        without_current: bool,
    },
    /// From the start of the unit that contains the last known instant.
    ToDate(Unit),
    /// A month, from its first day.
    During(Day),
    Lifetime,
    Running,
}

/// Which customers count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CustomerFilter {
    WithOrders(i64),
    New,
}

/// A comparison of quantities, or a test for null.
#[derive(Debug, Clone)]
pub(crate) enum Test {
    Compare(Box<Quantity>, Comparison, Box<Quantity>),
    IsNull(Box<Quantity>),
}

/// A formula.
#[derive(Debug, Clone)]
pub(crate) enum Quantity {
    Fold(Function, Cell, Rows),
    Count(Rows),
    CountFilled(Cell, Rows),
    CountDistinct(TextField, Rows),
    /// The share of the rows for which the condition holds.
    ShareOf(Rows),
    Customers(CustomerFilter),
    /// The last snapshot of the period.
    Closing(Rows),
    /// The last snapshot before the period.
    Opening(Rows),
    /// States of days.
    StatePerDay(Function, Rows),
    /// Cents of a currency.
    Money(i64, &'static str),
    Number(i64),
    /// `days_in(period)`, elapsed or in full.
    Days {
        full: bool,
    },
    /// `hours(length(period))`
    Hours {
        full: bool,
    },
    Binary(Operation, Box<Self>, Box<Self>),
    Negated(Box<Self>),
    Rounded(Box<Self>, u32),
    Default(Box<Self>, Box<Self>),
    If(Test, Box<Self>, Box<Self>),
    Window(Window, Box<Self>),
    Growth(Box<Self>, Window),
    Change(Box<Self>, Window),
    /// `(x where country …)`
    Scoped(Box<Self>, Condition),
    Convert(Box<Self>, &'static str),
    /// Over all groups, or over those with the same value of one dimension.
    Total(Box<Self>, Option<TextField>),
    Share(Box<Self>),
    Rank(Box<Self>),
    PerUnit(Function, Unit, Box<Self>),
    /// A metric by its number, in place of a part.
    Named(usize),
    /// A plain sum or count for each value of a field, with or without the rows that have none.
    PerWord {
        function: Function,
        word: TextField,
        of: Box<Self>,
        known_only: bool,
        unit: Option<Unit>,
    },
}

impl Quantity {
    /// Every part, this one first.
    pub(crate) fn parts(&self) -> Vec<&Self> {
        let mut found = Vec::new();
        let mut left = vec![self];
        while let Some(part) = left.pop() {
            found.push(part);
            match part {
                Self::Binary(_, one, other) | Self::Default(one, other) => {
                    left.extend([&**one, &**other]);
                }
                Self::If(test, then, other) => {
                    left.extend([&**then, &**other]);
                    match test {
                        Test::Compare(one, _, other) => left.extend([&**one, &**other]),
                        Test::IsNull(inner) => left.push(inner),
                    }
                }
                Self::Negated(inner)
                | Self::Rounded(inner, _)
                | Self::Window(_, inner)
                | Self::Growth(inner, _)
                | Self::Change(inner, _)
                | Self::Scoped(inner, _)
                | Self::Convert(inner, _)
                | Self::Total(inner, _)
                | Self::Share(inner)
                | Self::Rank(inner)
                | Self::PerUnit(_, _, inner)
                | Self::PerWord { of: inner, .. } => left.push(inner),
                Self::Fold(..)
                | Self::Count(..)
                | Self::CountFilled(..)
                | Self::CountDistinct(..)
                | Self::ShareOf(..)
                | Self::Customers(..)
                | Self::Closing(..)
                | Self::Opening(..)
                | Self::StatePerDay(..)
                | Self::Money(..)
                | Self::Number(..)
                | Self::Days { .. }
                | Self::Hours { .. }
                | Self::Named(_) => {}
            }
        }
        found
    }

    /// The rows that a part reads itself.
    pub(crate) const fn rows(&self) -> Option<&Rows> {
        match self {
            Self::Fold(_, _, rows)
            | Self::Count(rows)
            | Self::CountFilled(_, rows)
            | Self::CountDistinct(_, rows)
            | Self::ShareOf(rows)
            | Self::Closing(rows)
            | Self::Opening(rows)
            | Self::StatePerDay(_, rows) => Some(rows),
            _ => None,
        }
    }

    /// The arithmetic of the formula over names, and the parts that they stand for.
    pub(crate) fn over_names<'q>(&'q self, named: &mut Vec<&'q Self>) -> Self {
        let mut of = |inner: &'q Self| Box::new(inner.over_names(named));
        match self {
            Self::Binary(operation, left, right) => Self::Binary(*operation, of(left), of(right)),
            Self::Default(value, other) => Self::Default(of(value), of(other)),
            Self::Negated(inner) => Self::Negated(of(inner)),
            Self::Rounded(inner, places) => Self::Rounded(of(inner), *places),
            Self::If(Test::IsNull(inner), then, other) => {
                Self::If(Test::IsNull(of(inner)), of(then), of(other))
            }
            Self::If(Test::Compare(left, sign, right), then, other) => {
                Self::If(Test::Compare(of(left), *sign, of(right)), of(then), of(other))
            }
            Self::Money(..) | Self::Number(_) => self.clone(),
            _ => {
                named.push(self);
                Self::Named(named.len() - 1)
            }
        }
    }

    /// The sources of the formula.
    pub(crate) fn sources(&self) -> Vec<Source> {
        let rows = self.parts().into_iter().filter_map(Self::rows);
        let mut sources: Vec<Source> = rows.map(|rows| rows.source).collect();
        if self.parts().iter().any(|part| matches!(part, Self::Customers(_))) {
            sources.push(Source::Orders);
        }
        sources.sort_unstable();
        sources.dedup();
        sources
    }
}
