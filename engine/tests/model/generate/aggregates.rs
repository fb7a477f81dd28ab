//! Random aggregates over rows.

use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::conditions::{condition, on_country};
use super::formulas::binary;
use crate::model::tree::{
    Amount, Cell, Comparison, Condition, Function, Operation, Quantity, Rows, Source, TextField,
};

/// The currency kind of an amount, for the checker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Dollars,
    Euros,
    /// That of each row.
    Mixed,
}

fn maybe(source: Source) -> impl Strategy<Value = Option<Condition>> {
    option::of(condition(source))
}

/// Orders, either all or the population.
pub(super) fn orders() -> BoxedStrategy<Rows> {
    let source = prop_oneof![2 => Just(Source::Orders), 1 => Just(Source::Kept)];
    (source, maybe(Source::Orders))
        .prop_map(|(source, condition)| Rows { source, condition, by_order: false })
        .boxed()
}

fn refunds() -> BoxedStrategy<Rows> {
    (maybe(Source::Refunds), any::<bool>())
        .prop_map(|(condition, by_order)| Rows { source: Source::Refunds, condition, by_order })
        .boxed()
}

fn stock() -> BoxedStrategy<Rows> {
    option::of(on_country())
        .prop_map(|condition| Rows { source: Source::Stock, condition, by_order: false })
        .boxed()
}

fn function() -> BoxedStrategy<Function> {
    use Function::{Average, First, Last, Maximum, Median, Minimum, Percentile90, Sum};
    select(&[Sum, Sum, Sum, Average, Minimum, Maximum, Median, Percentile90, First, Last][..])
        .boxed()
}

pub(super) fn of_parts() -> BoxedStrategy<Function> {
    use Function::{Average, Maximum, Median, Minimum, Sum};
    select(&[Sum, Average, Minimum, Maximum, Median][..]).boxed()
}

/// An amount of a kind, from the rows.
pub(super) fn fold(kind: Kind) -> BoxedStrategy<Quantity> {
    let fold =
        |(function, cell, rows): (Function, Cell, Rows)| Quantity::Fold(function, cell, rows);
    match kind {
        Kind::Dollars => {
            let amounts =
                [Cell::Amount(Amount::Total), Cell::Amount(Amount::Cost), Cell::Margin, Cell::Line];
            let cell = prop_oneof![4 => select(amounts.to_vec()), 1 => Just(Cell::Each)];
            prop_oneof![
                3 => (function(), cell, orders()).prop_map(fold),
                1 => (function(), Just(Cell::Amount(Amount::Refunded)), refunds())
                    .prop_filter("ties have no order", |(function, ..)| {
                        !matches!(function, Function::First | Function::Last)
                    })
                    .prop_map(fold),
            ]
            .boxed()
        }
        Kind::Euros => {
            let narrowed = orders().prop_map(|rows| {
                let euros = Condition::Is(TextField::Code, Comparison::Equal, "EUR");
                let condition = Some(match rows.condition {
                    Some(other) => Condition::And(euros.into(), other.into()),
                    None => euros,
                });
                Rows { condition, ..rows }
            });
            prop_oneof![
                2 => (function(), Just(Cell::Tip), orders()).prop_map(fold),
                1 => (function(), Just(Cell::PaidEuros), narrowed).prop_map(fold),
            ]
            .boxed()
        }
        Kind::Mixed => (function(), Just(Cell::Paid), orders()).prop_map(fold).boxed(),
    }
}

pub(super) fn counted() -> BoxedStrategy<Quantity> {
    let filled = select(&[Cell::Amount(Amount::Total), Cell::Tip, Cell::Paid, Cell::Units][..]);
    let word = || {
        select(&[TextField::Status, TextField::Country, TextField::Customer, TextField::Code][..])
    };
    prop_oneof![
        3 => orders().prop_map(Quantity::Count),
        1 => refunds().prop_map(Quantity::Count),
        1 => (filled, orders()).prop_map(|(cell, rows)| Quantity::CountFilled(cell, rows)),
        1 => (word(), orders()).prop_map(|(word, rows)| Quantity::CountDistinct(word, rows)),
        1 => orders().prop_map(|rows| Quantity::Fold(Function::Sum, Cell::Units, rows)),
    ]
    .boxed()
}

/// Stock of a day, or an aggregate of the stock of all days.
pub(super) fn states() -> BoxedStrategy<Quantity> {
    prop_oneof![
        stock().prop_map(Quantity::Closing),
        stock().prop_map(Quantity::Opening),
        (of_parts(), stock()).prop_map(|(function, rows)| Quantity::StatePerDay(function, rows)),
    ]
    .boxed()
}

/// Sums and counts of orders, whose parts add up to the whole.
pub(crate) fn additive() -> BoxedStrategy<Quantity> {
    let orders = || {
        orders().prop_filter("no period", |rows| {
            rows.condition.as_ref().is_none_or(|condition| !condition.names_period())
        })
    };
    let cell = select(&[Cell::Amount(Amount::Total), Cell::Margin, Cell::Line][..]);
    let sum = (cell, orders()).prop_map(|(cell, rows)| Quantity::Fold(Function::Sum, cell, rows));
    let kinds = [sum.boxed(), orders().prop_map(Quantity::Count).boxed()];
    let [sums, counts] = kinds.map(|leaf| {
        let number = (1_i64..5).prop_map(Quantity::Number).boxed();
        prop_oneof![
            2 => leaf.clone(),
            1 => binary(Operation::Add, &leaf, &leaf),
            1 => binary(Operation::Subtract, &leaf, &leaf),
            1 => binary(Operation::Multiply, &leaf, &number),
            1 => (leaf, on_country())
                .prop_map(|(inner, condition)| Quantity::Scoped(inner.into(), condition)),
        ]
    });
    prop_oneof![2 => sums, 1 => counts].boxed()
}

/// Quotients and differences of aggregates over all orders, which no period narrows.
pub(crate) fn totals() -> BoxedStrategy<Quantity> {
    use Function::{Average, Maximum, Minimum, Sum};
    let function = select(&[Sum, Sum, Average, Minimum, Maximum][..]);
    let amounts = [Cell::Amount(Amount::Total), Cell::Margin, Cell::Line, Cell::Each];
    let amount = (function, select(amounts.to_vec()), orders())
        .prop_map(|(function, cell, rows)| Quantity::Fold(function, cell, rows))
        .boxed();
    let count = counted();
    let leaf = prop_oneof![
        binary(Operation::Divide, &amount, &count),
        binary(Operation::Subtract, &amount, &amount),
        (orders(), condition(Source::Orders)).prop_map(|(rows, condition)| {
            Quantity::ShareOf(Rows { condition: Some(condition), ..rows })
        }),
    ];
    let is_plain = |formula: &Quantity| {
        formula.sources().iter().all(|source| matches!(source, Source::Orders | Source::Kept))
            && formula.parts().into_iter().filter_map(Quantity::rows).all(|rows| {
                rows.condition.as_ref().is_none_or(|condition| !condition.names_period())
            })
    };
    leaf.prop_filter("no period", is_plain).boxed()
}
