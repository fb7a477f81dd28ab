//! Bytes as choices: rows, and formulas that check over them. Where the bytes end, every choice is
//! the first, which is the smallest.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "a byte and a small number do not overflow, and a remainder is below the length"
)]

use crate::model::generate::{COMPARISONS, COUNTRIES, CUSTOMERS, STATUSES};
use crate::model::rows::Order;
use crate::model::tree::{
    Amount, Arithmetic, Buyers, Comparison, Condition, Function, Quantity, Source, Window, Word,
};

const FUNCTIONS: [Function; 6] = [
    Function::Sum,
    Function::Average,
    Function::Minimum,
    Function::Maximum,
    Function::Median,
    Function::Percentile90,
];

/// Limit: orders of one input.
const MAX_ORDERS: u8 = 24;

/// Choices that are left.
#[derive(Debug)]
pub(super) struct Choices<'b>(pub(super) &'b [u8]);

impl Choices<'_> {
    pub(super) fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// A number below `count`.
    pub(super) fn below(&mut self, count: u8) -> i32 {
        i32::from(self.byte() % count)
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[usize::from(self.byte()) % items.len()]
    }

    fn flag(&mut self) -> bool {
        self.byte() % 2 == 1
    }

    fn text(&mut self, texts: &[&'static str]) -> Option<&'static str> {
        let index = usize::from(self.byte()) % (texts.len() + 1);
        texts.get(index).copied()
    }

    /// An amount in cents: few different ones, some below zero, some empty.
    fn cents(&mut self) -> Option<i64> {
        match self.byte() {
            0..=63 => Some(2_000),
            byte @ 64..=223 => Some(i64::from(byte) * 37 - 2_800),
            224..=255 => None,
        }
    }

    pub(super) fn orders(&mut self) -> Vec<Order> {
        (0..self.byte() % MAX_ORDERS).map(|_| self.order()).collect()
    }

    fn order(&mut self) -> Order {
        Order {
            day: self.below(90),
            minute: self.below(240) * 6,
            total: self.cents(),
            cost: self.cents(),
            status: self.text(&STATUSES),
            country: self.text(&COUNTRIES),
            customer: self.text(&CUSTOMERS),
        }
    }

    fn source(&mut self) -> Source {
        self.one_of(&[Source::Orders, Source::Kept])
    }

    fn amount(&mut self) -> Amount {
        self.one_of(&[Amount::Total, Amount::Cost])
    }

    fn literal(&mut self) -> i64 {
        i64::from(self.byte()) * 20
    }

    fn word(&mut self) -> (Word, &'static [&'static str]) {
        match self.byte() % 3 {
            0 => (Word::Status, &STATUSES),
            1 => (Word::Country, &COUNTRIES),
            _ => (Word::Customer, &CUSTOMERS),
        }
    }

    fn condition(&mut self, depth: u8) -> Condition {
        let forms = if depth == 0 { 8 } else { 11 };
        match self.byte() % forms {
            0 => Condition::Compare(self.amount(), self.one_of(&COMPARISONS), self.literal()),
            1 => Condition::TotalWithCost(self.one_of(&COMPARISONS)),
            2 => {
                let (word, texts) = self.word();
                let same = self.one_of(&[Comparison::Equal, Comparison::NotEqual]);
                Condition::Is(word, same, self.one_of(texts))
            }
            3 => {
                let (word, texts) = self.word();
                let texts = vec![self.one_of(texts), self.one_of(texts)];
                Condition::In { word, texts, negated: self.flag() }
            }
            4 => Condition::Between {
                amount: self.amount(),
                low: self.literal(),
                high: self.literal(),
                negated: self.flag(),
            },
            5 => Condition::NullAmount { amount: self.amount(), negated: self.flag() },
            6 => Condition::NullWord { word: self.word().0, negated: self.flag() },
            7 => Condition::FirstOrder(self.one_of(&COMPARISONS)),
            8 => Condition::Not(self.condition(depth - 1).into()),
            9 => {
                let left = self.condition(depth - 1).into();
                Condition::And(left, self.condition(depth - 1).into())
            }
            _ => {
                let left = self.condition(depth - 1).into();
                Condition::Or(left, self.condition(depth - 1).into())
            }
        }
    }

    fn maybe(&mut self) -> Option<Condition> {
        self.flag().then(|| self.condition(2))
    }

    fn window(&mut self) -> Window {
        match self.byte() % 6 {
            0 => Window::Previous(1 + self.below(3)),
            1 => Window::TrailingDays(1 + self.below(69)),
            2 => Window::ShiftDays(1 + self.below(60)),
            3 => Window::LastWeek,
            4 => Window::MonthToDate,
            _ => Window::January,
        }
    }

    /// An aggregate over amounts.
    fn fold(&mut self) -> Quantity {
        let function = self.one_of(&FUNCTIONS);
        Quantity::Fold(function, self.source(), self.amount(), self.maybe())
    }

    /// A number of rows, of amounts, or of different texts.
    fn counted(&mut self) -> Quantity {
        match self.byte() % 3 {
            0 => Quantity::Count(self.source(), self.maybe()),
            1 => Quantity::CountFilled(self.source(), self.amount(), self.maybe()),
            _ => Quantity::CountDistinct(self.source(), self.word().0, self.maybe()),
        }
    }

    /// How many customers, in this period or in another.
    fn customers(&mut self) -> Quantity {
        let buyers = match self.byte() % 2 {
            0 => Quantity::Customers(Buyers::New),
            _ => Quantity::Customers(Buyers::WithOrders(self.below(4))),
        };
        if self.flag() { Quantity::Window(self.window(), buyers.into()) } else { buyers }
    }

    /// Any formula.
    pub(super) fn formula(&mut self) -> Quantity {
        match self.byte() % 6 {
            0 => self.quantity(3, Self::fold),
            1 => self.quantity(3, Self::counted),
            2 => self.customers(),
            3 => Quantity::Growth(self.quantity(2, Self::fold).into()),
            4 => {
                let whole = self.quantity(2, Self::counted);
                arithmetic(Arithmetic::Divide, self.quantity(2, Self::counted), whole)
            }
            _ => {
                let whole = self.quantity(2, Self::fold);
                arithmetic(Arithmetic::Divide, self.quantity(2, Self::fold), whole)
            }
        }
    }

    /// Something of the unit of its leaves.
    fn quantity(&mut self, depth: u8, leaf: fn(&mut Self) -> Quantity) -> Quantity {
        if depth == 0 {
            return leaf(self);
        }
        let below = |choices: &mut Self| Box::new(choices.quantity(depth - 1, leaf));
        match self.byte() % 12 {
            0 | 1 => leaf(self),
            2 => Quantity::Arithmetic(Arithmetic::Add, below(self), below(self)),
            3 => Quantity::Arithmetic(Arithmetic::Subtract, below(self), below(self)),
            4 => {
                let number = Quantity::Number(1 + i64::from(self.below(4)));
                Quantity::Arithmetic(Arithmetic::Multiply, below(self), number.into())
            }
            5 | 6 => Quantity::Window(self.window(), below(self)),
            7 => Quantity::Window(Window::Lifetime, leaf(self).into()),
            8 => Quantity::Change(below(self)),
            9 => {
                let country = self.one_of(&COUNTRIES);
                Quantity::Scoped(below(self), country)
            }
            10 => {
                let function = self.one_of(&FUNCTIONS[..4]);
                Quantity::PerDay(function, leaf(self).into())
            }
            _ => Quantity::If {
                comparison: self.one_of(&COMPARISONS),
                left: below(self),
                right: below(self),
                then: below(self),
                other: Quantity::Default(below(self), below(self)).into(),
            },
        }
    }
}

fn arithmetic(operation: Arithmetic, left: Quantity, right: Quantity) -> Quantity {
    Quantity::Arithmetic(operation, left.into(), right.into())
}
