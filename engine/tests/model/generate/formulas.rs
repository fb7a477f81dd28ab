//! Random formulas, all of which check.

use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::BASES;
use super::aggregates::{Kind, counted, fold, of_parts, orders, states};
use super::conditions::{cents, comparison, condition, on_country};
use crate::model::calendar::{Span, Unit};
use crate::model::store::Policy;
use crate::model::tree::{
    CustomerFilter, Operation, Quantity, Rows, Source, Test, TextField, Window,
};

/// The components of formulas.
#[derive(Debug)]
pub(crate) struct Formulas {
    policy: Policy,
}

/// How many customers, which is not narrowed to a country.
fn customers() -> BoxedStrategy<Quantity> {
    let all = prop_oneof![
        (0_i64..4).prop_map(|least| Quantity::Customers(CustomerFilter::WithOrders(least))),
        Just(Quantity::Customers(CustomerFilter::New)),
    ];
    (option::of(window()), all)
        .prop_map(|(window, all)| match window {
            Some(window) => Quantity::Window(window, all.into()),
            None => all,
        })
        .boxed()
}

fn calendar_span() -> BoxedStrategy<Span> {
    prop_oneof![
        (1..70_i64).prop_map(|count| Span { count, unit: Unit::Day }),
        (1..10_i64).prop_map(|count| Span { count, unit: Unit::Week }),
        (1..15_i64).prop_map(|count| Span { count, unit: Unit::Month }),
        (1..4_i64).prop_map(|count| Span { count, unit: Unit::Quarter }),
        (1..3_i64).prop_map(|count| Span { count, unit: Unit::Year }),
    ]
    .boxed()
}

fn span() -> BoxedStrategy<Span> {
    let hours = (1..300_i64).prop_map(|count| Span { count, unit: Unit::Hour });
    prop_oneof![5 => calendar_span(), 1 => hours].boxed()
}

fn back(span: Span) -> Span {
    Span { count: -span.count, ..span }
}

/// The comparison of growth and change.
fn earlier() -> BoxedStrategy<Window> {
    prop_oneof![
        3 => Just(Window::Previous { count: 1, is_clipped: true }),
        1 => select(&[Window::LastWeek, Window::LastMonth, Window::LastYear][..]),
        1 => calendar_span().prop_map(|span| Window::Shift(back(span))),
    ]
    .boxed()
}

fn window() -> BoxedStrategy<Window> {
    let units = [Unit::Week, Unit::Month, Unit::Quarter, Unit::Year];
    let month = select(&BASES[..]).prop_map(|base| {
        let month = crate::model::clock::date(base).first_of_month();
        Window::During(crate::model::clock::day_number(month))
    });
    prop_oneof![
        3 => (1_i64..4, any::<bool>())
            .prop_map(|(count, is_clipped)| Window::Previous { count, is_clipped }),
        2 => select(&[Window::LastWeek, Window::LastMonth, Window::LastYear][..]),
        1 => span().prop_map(Window::Shift),
        2 => span().prop_map(|span| Window::Shift(back(span))),
        2 => (span(), any::<bool>())
            .prop_map(|(span, without_current)| Window::Trailing { span, without_current }),
        2 => select(units.to_vec()).prop_map(Window::ToDate),
        1 => month,
        2 => Just(Window::Running),
    ]
    .boxed()
}

pub(super) fn binary(
    operation: Operation,
    left: &BoxedStrategy<Quantity>,
    right: &BoxedStrategy<Quantity>,
) -> BoxedStrategy<Quantity> {
    (left.clone(), right.clone())
        .prop_map(move |(left, right)| Quantity::Binary(operation, left.into(), right.into()))
        .boxed()
}

fn number() -> BoxedStrategy<Quantity> {
    prop_oneof![
        3 => (1_i64..5).prop_map(Quantity::Number),
        1 => any::<bool>().prop_map(|full| Quantity::Days { full }),
        1 => any::<bool>().prop_map(|full| Quantity::Hours { full }),
    ]
    .boxed()
}

/// Of the same unit: sums, differences, the larger and the smaller.
fn together(inner: &BoxedStrategy<Quantity>) -> BoxedStrategy<Quantity> {
    prop_oneof![
        3 => binary(Operation::Add, inner, inner),
        3 => binary(Operation::Subtract, inner, inner),
        1 => binary(Operation::Greatest, inner, inner),
        1 => binary(Operation::Least, inner, inner),
        1 => inner.clone().prop_map(|inner| Quantity::Negated(inner.into())),
        1 => (inner.clone(), 0..4_u32).prop_map(|(inner, places)| Quantity::Rounded(inner.into(), places)),
    ]
    .boxed()
}

/// Aggregates of the values of parts.
fn per(leaf: &BoxedStrategy<Quantity>) -> BoxedStrategy<Quantity> {
    let unit = || select(&[Unit::Day, Unit::Day, Unit::Week, Unit::Month][..]);
    let word = select(&[TextField::Status, TextField::Country, TextField::Customer][..]);
    let words = (of_parts(), word, leaf.clone(), any::<bool>(), option::weighted(0.3, unit()));
    prop_oneof![
        1 => (of_parts(), unit(), leaf.clone())
            .prop_map(|(function, unit, leaf)| Quantity::PerUnit(function, unit, leaf.into())),
        1 => words.prop_filter_map("orders", |(function, word, of, known_only, unit)| {
            let is_plain = matches!(of, Quantity::Fold(..) | Quantity::Count(_));
            let of_orders = of.sources().iter().all(|source| matches!(source, Source::Orders | Source::Kept));
            (is_plain && of_orders)
                .then(|| Quantity::PerWord { function, word, of: of.into(), known_only, unit })
        }),
    ]
    .boxed()
}

/// Operations that keep the unit: another period, another scope, a choice.
fn kept(
    inner: &BoxedStrategy<Quantity>,
    leaf: &BoxedStrategy<Quantity>,
) -> BoxedStrategy<Quantity> {
    let test = prop_oneof![
        2 => (inner.clone(), comparison(), inner.clone())
            .prop_map(|(left, sign, right)| Test::Compare(left.into(), sign, right.into())),
        1 => inner.clone().prop_map(|inner| Test::IsNull(inner.into())),
    ];
    let keep = option::weighted(0.3, Just(TextField::Country));
    prop_oneof![
        5 => (window(), inner.clone()).prop_map(|(window, inner)| Quantity::Window(window, inner.into())),
        1 => leaf.clone().prop_map(|leaf| Quantity::Window(Window::Lifetime, leaf.into())),
        1 => (inner.clone(), earlier())
            .prop_map(|(inner, window)| Quantity::Change(inner.into(), window)),
        1 => (inner.clone(), on_country())
            .prop_map(|(inner, condition)| Quantity::Scoped(inner.into(), condition)),
        1 => (inner.clone(), inner.clone())
            .prop_map(|(value, other)| Quantity::Default(value.into(), other.into())),
        1 => (test, inner.clone(), inner.clone())
            .prop_map(|(test, then, other)| Quantity::If(test, then.into(), other.into())),
        1 => (inner.clone(), keep).prop_map(|(inner, keep)| Quantity::Total(inner.into(), keep)),
        2 => per(leaf),
    ]
    .boxed()
}

impl Formulas {
    pub(crate) const fn of(policy: Policy) -> Self {
        Self { policy }
    }

    /// Amounts without quotients, which are converted row by row.
    fn plain(kind: Kind, depth: usize) -> BoxedStrategy<Quantity> {
        let Some(depth) = depth.checked_sub(1) else { return fold(kind) };
        let inner = Self::plain(kind, depth);
        prop_oneof![
            1 => fold(kind),
            1 => binary(Operation::Add, &inner, &inner),
            1 => binary(Operation::Subtract, &inner, &inner),
            2 => (window(), inner.clone()).prop_map(|(window, inner)| Quantity::Window(window, inner.into())),
        ]
        .boxed()
    }

    fn converted(kind: Kind, depth: usize) -> BoxedStrategy<Quantity> {
        let (code, others) = match kind {
            Kind::Dollars => ("USD", [Kind::Euros, Kind::Mixed]),
            Kind::Euros | Kind::Mixed => ("EUR", [Kind::Dollars, Kind::Mixed]),
        };
        let others = others.map(|other| Self::plain(other, depth));
        let [one, other] = others;
        prop_oneof![one, other].prop_map(move |inner| Quantity::Convert(inner.into(), code)).boxed()
    }

    /// A formula that gives an amount.
    fn money(&self, kind: Kind, depth: usize) -> BoxedStrategy<Quantity> {
        let Some(depth) = depth.checked_sub(1) else { return fold(kind) };
        let inner = self.money(kind, depth);
        if kind == Kind::Mixed {
            // Under another policy, amounts of several currencies do not meet.
            return match self.policy {
                Policy::Convert => {
                    prop_oneof![1 => together(&inner), 2 => kept(&inner, &fold(kind))].boxed()
                }
                Policy::Refuse => (window(), fold(kind))
                    .prop_map(|(window, inner)| Quantity::Window(window, inner.into()))
                    .boxed(),
            };
        }
        let (counts, ratios) = (Self::count(depth), self.ratio(depth));
        let code = if kind == Kind::Dollars { "USD" } else { "EUR" };
        let literal = cents().prop_map(move |cents| Quantity::Money(cents, code)).boxed();
        prop_oneof![
            1 => fold(kind),
            2 => together(&inner),
            1 => binary(Operation::Add, &inner, &literal),
            1 => binary(Operation::Multiply, &inner, &number()),
            1 => binary(Operation::Multiply, &inner, &ratios),
            1 => binary(Operation::Divide, &inner, &number()),
            2 => binary(Operation::Divide, &inner, &counts),
            1 => (inner.clone(), literal.clone())
                .prop_map(|(value, other)| Quantity::Default(value.into(), other.into())),
            1 => Self::converted(kind, depth.min(1)),
            4 => kept(&inner, &fold(kind)),
        ]
        .boxed()
    }

    /// A formula that gives a count.
    fn count(depth: usize) -> BoxedStrategy<Quantity> {
        let leaf = prop_oneof![4 => counted(), 1 => states()].boxed();
        let Some(depth) = depth.checked_sub(1) else { return leaf };
        let inner = Self::count(depth);
        let number = (1_i64..5).prop_map(Quantity::Number).boxed();
        prop_oneof![
            2 => leaf,
            1 => together(&inner),
            1 => binary(Operation::Multiply, &inner, &number),
            2 => kept(&inner, &counted()),
        ]
        .boxed()
    }

    /// A formula that gives a ratio, a share or a growth.
    fn ratio(&self, depth: usize) -> BoxedStrategy<Quantity> {
        let depth = depth.saturating_sub(1);
        let kind = |kind| self.money(kind, depth);
        let (amounts, euros, counts) = (kind(Kind::Dollars), kind(Kind::Euros), Self::count(depth));
        let growth = |(inner, window): (Quantity, Window)| Quantity::Growth(inner.into(), window);
        prop_oneof![
            3 => binary(Operation::Divide, &amounts, &amounts),
            1 => binary(Operation::Divide, &euros, &euros),
            2 => binary(Operation::Divide, &counts, &counts),
            2 => (amounts.clone(), earlier()).prop_map(growth),
            1 => (counts.clone(), earlier()).prop_map(growth),
            2 => amounts.prop_map(|inner| Quantity::Share(inner.into())),
            1 => counts.prop_map(|inner| Quantity::Share(inner.into())),
            1 => (orders(), condition(Source::Orders)).prop_map(|(rows, condition)| {
                Quantity::ShareOf(Rows { condition: Some(condition), ..rows })
            }),
        ]
        .boxed()
    }

    /// A formula that gives an amount in the currency of the store.
    pub(crate) fn dollars(&self, depth: usize) -> BoxedStrategy<Quantity> {
        self.money(Kind::Dollars, depth)
    }

    /// Any formula.
    pub(crate) fn any(&self, depth: usize) -> BoxedStrategy<Quantity> {
        let ranked = prop_oneof![self.money(Kind::Dollars, 1), Self::count(1)];
        prop_oneof![
            6 => self.money(Kind::Dollars, depth),
            3 => self.money(Kind::Euros, depth),
            3 => self.money(Kind::Mixed, depth),
            4 => Self::count(depth),
            6 => self.ratio(depth),
            1 => ranked.prop_map(|inner| Quantity::Rank(inner.into())),
            1 => customers(),
        ]
        .boxed()
    }
}
