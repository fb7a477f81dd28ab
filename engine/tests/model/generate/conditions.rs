//! Conditions of orders and refunds at random.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::{BASES, COUNTRIES, CUSTOMERS, STATUSES};
use crate::model::tree::{Amount, Comparison, Condition, Date, Source, TextField};

const COMPARISONS: [Comparison; 6] = [
    Comparison::Equal,
    Comparison::NotEqual,
    Comparison::Less,
    Comparison::LessOrEqual,
    Comparison::Greater,
    Comparison::GreaterOrEqual,
];

pub(super) fn comparison() -> impl Strategy<Value = Comparison> {
    select(&COMPARISONS[..])
}

pub(super) fn cents() -> impl Strategy<Value = i64> {
    prop_oneof![Just(0_i64), Just(2_000), 0_i64..5_000]
}

const fn texts(word: TextField) -> &'static [&'static str] {
    match word {
        TextField::Status | TextField::OrderStatus => &STATUSES,
        TextField::Country => &COUNTRIES,
        TextField::Customer => &CUSTOMERS,
        TextField::Code => &["USD", "EUR"],
    }
}

/// A condition on a text.
fn on_word(word: TextField) -> BoxedStrategy<Condition> {
    let same = select(&[Comparison::Equal, Comparison::NotEqual][..]);
    prop_oneof![
        (select(texts(word)), same).prop_map(move |(text, sign)| Condition::Is(word, sign, text)),
        (vec(select(texts(word)), 1..3), any::<bool>())
            .prop_map(move |(texts, negated)| Condition::In { word, texts, negated }),
        any::<bool>().prop_map(move |negated| Condition::NullWord { word, negated }),
    ]
    .boxed()
}

/// A condition that applies to every source.
pub(crate) fn on_country() -> BoxedStrategy<Condition> {
    on_word(TextField::Country)
}

fn on_amount(amounts: &'static [Amount]) -> BoxedStrategy<Condition> {
    let amount = || select(amounts);
    prop_oneof![
        (amount(), comparison(), cents()).prop_map(|(a, c, n)| Condition::Compare(a, c, n)),
        (amount(), cents(), cents(), any::<bool>()).prop_map(|(amount, low, high, negated)| {
            Condition::Between { amount, low, high, negated }
        }),
        (amount(), any::<bool>())
            .prop_map(|(amount, negated)| Condition::NullAmount { amount, negated }),
    ]
    .boxed()
}

fn on_date(dates: &'static [Date]) -> BoxedStrategy<Condition> {
    let date = || select(dates);
    let day = (select(&BASES[..]), -10..10_i64).prop_map(|(base, days)| base + days);
    prop_oneof![
        (date(), comparison(), day).prop_map(|(date, sign, day)| Condition::Day(date, sign, day)),
        date().prop_map(Condition::BeforePeriod),
        date().prop_map(Condition::InPeriod),
        (date(), comparison(), 0..24_i64)
            .prop_map(|(date, sign, hour)| Condition::Hour(date, sign, hour)),
        (date(), 1..8_i64).prop_map(|(date, weekday)| Condition::Weekday(date, weekday)),
    ]
    .boxed()
}

fn leaf(source: Source) -> BoxedStrategy<Condition> {
    if source == Source::Refunds {
        return prop_oneof![
            2 => on_amount(&[Amount::Refunded, Amount::OrderTotal]),
            2 => on_word(TextField::OrderStatus),
            2 => on_date(&[Date::Refunded, Date::OrderPlaced]),
        ]
        .boxed();
    }
    prop_oneof![
        3 => on_amount(&[Amount::Total, Amount::Cost]),
        1 => on_word(TextField::Status),
        1 => on_word(TextField::Country),
        1 => on_word(TextField::Customer),
        2 => on_date(&[Date::Placed, Date::First]),
        1 => comparison().prop_map(Condition::TotalWithCost),
        1 => comparison().prop_map(Condition::FirstOrder),
    ]
    .boxed()
}

/// A condition on the rows of a source.
pub(crate) fn condition(source: Source) -> BoxedStrategy<Condition> {
    let recursive = leaf(source).prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone())
                .prop_map(|(left, right)| Condition::And(left.into(), right.into())),
            (inner.clone(), inner.clone())
                .prop_map(|(left, right)| Condition::Or(left.into(), right.into())),
            inner.prop_map(|inner| Condition::Not(inner.into())),
        ]
    });
    recursive.boxed()
}
