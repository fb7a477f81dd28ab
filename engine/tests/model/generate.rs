//! Orders and formulas at random: few different values, so that they meet, and many empty ones.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::Known;
use super::rows::{COVERED_DAYS, Order};
use super::tree::{
    Amount, Arithmetic, Buyers, Comparison, Condition, Function, Quantity, Source, Window, Word,
};

pub(crate) const COUNTRIES: [&str; 3] = ["DE", "FR", "US"];
pub(crate) const STATUSES: [&str; 3] = ["a", "b", "c"];
pub(crate) const CUSTOMERS: [&str; 4] = ["ada", "ben", "cem", "dia"];

pub(crate) const COMPARISONS: [Comparison; 6] = [
    Comparison::Equal,
    Comparison::NotEqual,
    Comparison::Less,
    Comparison::LessOrEqual,
    Comparison::Greater,
    Comparison::GreaterOrEqual,
];

/// Up to 30 orders of January to March 2026.
pub(crate) fn orders() -> impl Strategy<Value = Vec<Order>> {
    vec(order(), 0..=30)
}

fn order() -> impl Strategy<Value = Order> {
    let cents = || prop_oneof![option::weighted(0.8, -500_i64..5_000), Just(Some(2_000))];
    (
        prop_oneof![0_i32..90, 31_i32..59],
        0_i32..1_440,
        cents(),
        cents(),
        option::weighted(0.8, select(&STATUSES[..])),
        option::weighted(0.8, select(&COUNTRIES[..])),
        option::weighted(0.8, select(&CUSTOMERS[..])),
    )
        .prop_map(|(day, minute, total, cost, status, country, customer)| Order {
            day,
            minute,
            total,
            cost,
            status,
            country,
            customer,
        })
}

fn source() -> impl Strategy<Value = Source> {
    select(&[Source::Orders, Source::Kept][..])
}

fn amount() -> impl Strategy<Value = Amount> {
    select(&[Amount::Total, Amount::Cost][..])
}

fn word_and_text() -> impl Strategy<Value = (Word, &'static str)> {
    prop_oneof![
        select(&STATUSES[..]).prop_map(|text| (Word::Status, text)),
        select(&COUNTRIES[..]).prop_map(|text| (Word::Country, text)),
        select(&CUSTOMERS[..]).prop_map(|text| (Word::Customer, text)),
    ]
}

fn words() -> impl Strategy<Value = (Word, Vec<&'static str>)> {
    prop_oneof![
        (Just(Word::Status), vec(select(&STATUSES[..]), 1..3)),
        (Just(Word::Country), vec(select(&COUNTRIES[..]), 1..3)),
        (Just(Word::Customer), vec(select(&CUSTOMERS[..]), 1..3)),
    ]
}

fn word() -> impl Strategy<Value = Word> {
    select(&[Word::Status, Word::Country, Word::Customer][..])
}

fn comparison() -> impl Strategy<Value = Comparison> {
    select(&COMPARISONS[..])
}

fn cents() -> impl Strategy<Value = i64> {
    prop_oneof![Just(0_i64), Just(2_000), 0_i64..5_000]
}

pub(crate) fn condition() -> BoxedStrategy<Condition> {
    let same = select(&[Comparison::Equal, Comparison::NotEqual][..]);
    let leaf = prop_oneof![
        (amount(), comparison(), cents()).prop_map(|(a, c, n)| Condition::Compare(a, c, n)),
        comparison().prop_map(Condition::TotalWithCost),
        (word_and_text(), same).prop_map(|((word, text), c)| Condition::Is(word, c, text)),
        (words(), any::<bool>()).prop_map(|((word, texts), negated)| Condition::In {
            word,
            texts,
            negated
        }),
        (amount(), cents(), cents(), any::<bool>()).prop_map(|(amount, low, high, negated)| {
            Condition::Between { amount, low, high, negated }
        }),
        (amount(), any::<bool>())
            .prop_map(|(amount, negated)| Condition::NullAmount { amount, negated }),
        (word(), any::<bool>()).prop_map(|(word, negated)| Condition::NullWord { word, negated }),
        comparison().prop_map(Condition::FirstOrder),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone())
                .prop_map(|(left, right)| Condition::And(left.into(), right.into())),
            (inner.clone(), inner.clone())
                .prop_map(|(left, right)| Condition::Or(left.into(), right.into())),
            inner.prop_map(|inner| Condition::Not(inner.into())),
        ]
    })
    .boxed()
}

fn function() -> impl Strategy<Value = Function> {
    use Function::{Average, Maximum, Median, Minimum, Percentile90, Sum};
    select(&[Sum, Sum, Average, Minimum, Maximum, Median, Percentile90][..])
}

fn maybe() -> impl Strategy<Value = Option<Condition>> {
    option::of(condition())
}

fn fold() -> BoxedStrategy<Quantity> {
    (function(), source(), amount(), maybe())
        .prop_map(|(function, source, amount, condition)| {
            Quantity::Fold(function, source, amount, condition)
        })
        .boxed()
}

fn counted() -> BoxedStrategy<Quantity> {
    prop_oneof![
        (source(), maybe()).prop_map(|(source, c)| Quantity::Count(source, c)),
        (source(), amount(), maybe()).prop_map(|(s, a, c)| Quantity::CountFilled(s, a, c)),
        (source(), word(), maybe()).prop_map(|(s, w, c)| Quantity::CountDistinct(s, w, c)),
    ]
    .boxed()
}

/// Sums and counts of orders.
pub(crate) fn sum_or_count() -> BoxedStrategy<Quantity> {
    prop_oneof![
        (source(), amount(), maybe()).prop_map(|(s, amount, c)| Quantity::Fold(
            Function::Sum,
            s,
            amount,
            c
        )),
        (source(), maybe()).prop_map(|(source, c)| Quantity::Count(source, c)),
    ]
    .boxed()
}

/// How many customers, which is not narrowed to a country.
pub(crate) fn customers() -> BoxedStrategy<Quantity> {
    prop_oneof![
        (0_i32..4).prop_map(|least| Quantity::Customers(Buyers::WithOrders(least))),
        Just(Quantity::Customers(Buyers::New)),
    ]
    .boxed()
}

pub(crate) fn window() -> BoxedStrategy<Window> {
    prop_oneof![
        (1_i32..4).prop_map(Window::Previous),
        (1_i32..70).prop_map(Window::TrailingDays),
        (-60_i32..60).prop_filter("a step", |days| *days != 0).prop_map(Window::ShiftDays),
        Just(Window::LastWeek),
        Just(Window::MonthToDate),
        Just(Window::January),
    ]
    .boxed()
}

/// Days of January to April, the present among them or not, and the days that the orders cover.
pub(crate) fn known_days() -> impl Strategy<Value = ((i32, i32), Known)> {
    let month = prop_oneof![Just((0, 31)), Just((31, 59)), Just((59, 90)), Just((31, 90))];
    let days = (0_i32..95, 1_i32..40).prop_map(|(start, days)| (start, start + days));
    let now = prop_oneof![0_i32..120, Just(1_000)];
    (prop_oneof![month, days], now)
        .prop_map(|(days, now)| (days, Known { now, covered: COVERED_DAYS }))
}

fn arithmetic(
    operation: Arithmetic,
    left: &BoxedStrategy<Quantity>,
    right: &BoxedStrategy<Quantity>,
) -> BoxedStrategy<Quantity> {
    (left.clone(), right.clone())
        .prop_map(move |(left, right)| Quantity::Arithmetic(operation, left.into(), right.into()))
        .boxed()
}

fn sums(inner: &BoxedStrategy<Quantity>) -> BoxedStrategy<Quantity> {
    prop_oneof![
        arithmetic(Arithmetic::Add, inner, inner),
        arithmetic(Arithmetic::Subtract, inner, inner),
    ]
    .boxed()
}

/// What keeps the unit: another period, another scope, a choice.
fn kept(
    inner: &BoxedStrategy<Quantity>,
    leaf: &BoxedStrategy<Quantity>,
) -> BoxedStrategy<Quantity> {
    let simple =
        select(&[Function::Sum, Function::Average, Function::Minimum, Function::Maximum][..]);
    prop_oneof![
        3 => (window(), inner.clone()).prop_map(|(w, inner)| Quantity::Window(w, inner.into())),
        1 => leaf.clone().prop_map(|leaf| Quantity::Window(Window::Lifetime, leaf.into())),
        1 => inner.clone().prop_map(|inner| Quantity::Change(inner.into())),
        1 => (inner.clone(), select(&COUNTRIES[..]))
            .prop_map(|(inner, country)| Quantity::Scoped(inner.into(), country)),
        1 => (inner.clone(), inner.clone())
            .prop_map(|(value, other)| Quantity::Default(value.into(), other.into())),
        1 => (comparison(), vec(inner.clone(), 4)).prop_filter_map("four", |(comparison, parts)| {
            let [left, right, then, other] = <[Quantity; 4]>::try_from(parts).ok()?.map(Box::new);
            Some(Quantity::If { comparison, left, right, then, other })
        }),
        1 => (simple.clone(), leaf.clone()).prop_map(|(f, leaf)| Quantity::PerDay(f, leaf.into())),
        1 => (simple, word(), leaf.clone()).prop_filter_map("plain", |(f, word, leaf)| {
            let plain = matches!(leaf, Quantity::Fold(..) | Quantity::Count(..));
            plain.then(|| Quantity::PerWord(f, word, leaf.into()))
        }),
    ]
    .boxed()
}

/// A formula that gives money.
pub(crate) fn money(depth: usize) -> BoxedStrategy<Quantity> {
    let Some(depth) = depth.checked_sub(1) else { return fold() };
    let (inner, counts, ratios) = (money(depth), count(depth), ratio(depth));
    let literal = cents().prop_map(Quantity::Money);
    let number = (1_i64..5).prop_map(Quantity::Number).boxed();
    prop_oneof![
        1 => fold(),
        2 => sums(&inner),
        1 => arithmetic(Arithmetic::Multiply, &inner, &number),
        1 => arithmetic(Arithmetic::Multiply, &inner, &ratios),
        2 => arithmetic(Arithmetic::Divide, &inner, &counts),
        1 => (inner.clone(), literal)
            .prop_map(|(value, other)| Quantity::Default(value.into(), other.into())),
        4 => kept(&inner, &fold()),
    ]
    .boxed()
}

/// A formula that gives a count.
pub(crate) fn count(depth: usize) -> BoxedStrategy<Quantity> {
    let Some(depth) = depth.checked_sub(1) else { return counted() };
    let inner = count(depth);
    let number = (1_i64..5).prop_map(Quantity::Number).boxed();
    prop_oneof![
        2 => counted(),
        1 => sums(&inner),
        1 => arithmetic(Arithmetic::Multiply, &inner, &number),
        2 => kept(&inner, &counted()),
    ]
    .boxed()
}

/// A formula that gives a ratio, a share or a growth.
pub(crate) fn ratio(depth: usize) -> BoxedStrategy<Quantity> {
    let depth = depth.saturating_sub(1);
    let (amounts, counts) = (money(depth), count(depth));
    prop_oneof![
        arithmetic(Arithmetic::Divide, &amounts, &amounts),
        arithmetic(Arithmetic::Divide, &counts, &counts),
        amounts.prop_map(|inner| Quantity::Growth(inner.into())),
        counts.prop_map(|inner| Quantity::Growth(inner.into())),
    ]
    .boxed()
}
