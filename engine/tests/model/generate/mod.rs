//! Random stores, formulas and requests: few distinct values, so that they coincide, many empty ones, and times at
//! the edges of days and at clock changes.

pub(crate) mod aggregates;
pub(crate) mod conditions;
pub(crate) mod formulas;
pub(crate) mod questions;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::clock::{Day, HOUR, Instant, ZONES};
use super::store::{Covered, Order, Policy, Rate, Refund, Settings, State, Store};

pub(crate) const COUNTRIES: [&str; 3] = ["DE", "FR", "US"];
pub(crate) const STATUSES: [&str; 3] = ["a", "b", "c"];
pub(crate) const CUSTOMERS: [&str; 4] = ["ada", "ben", "cem", "dia"];
const CODES: [&str; 5] = ["USD", "EUR", "eur", "GBP", "JPY"];

/// Days around which rows lie: a leap day, the changes of clocks, the end of a year of 53 weeks.
pub(crate) const BASES: [Day; 5] = [19_781, 20_534, 20_565, 20_752, 20_816];

/// A day near another.
pub(crate) fn day(base: Day) -> impl Strategy<Value = Day> {
    prop_oneof![2 => -75..45_i64, 2 => -8..8_i64].prop_map(move |days| base + days)
}

/// An instant near a day, often where days begin in some zone.
pub(crate) fn instant(base: Day) -> impl Strategy<Value = Instant> {
    let midnights = select(
        &[0, -HOUR, -2 * HOUR, -3 * HOUR, 4 * HOUR, 5 * HOUR, -19_800, -37_800, -39_600][..],
    );
    let edges =
        (midnights, select(&[-1, 0, 1][..])).prop_map(|(midnight, second)| midnight + second);
    let second = prop_oneof![edges, 0..24 * HOUR];
    (day(base), second).prop_map(|(day, second)| day * 24 * HOUR + second)
}

fn cents() -> impl Strategy<Value = Option<i64>> {
    prop_oneof![option::weighted(0.8, -500_i64..5_000), Just(Some(2_000))]
}

/// An order near a day, without an id of its own.
pub(crate) fn order(base: Day) -> impl Strategy<Value = Order> {
    let amounts = (cents(), cents(), option::weighted(0.5, 0..900_i64), cents());
    let words = (
        option::weighted(0.8, select(&STATUSES[..])),
        option::weighted(0.8, select(&COUNTRIES[..])),
        option::weighted(0.8, select(&CUSTOMERS[..])),
    );
    let paid =
        (option::weighted(0.9, select(&CODES[..])), option::weighted(0.3, 5_000..20_000_i64));
    (option::weighted(0.95, instant(base)), amounts, option::weighted(0.9, 0..7_i64), paid, words)
        .prop_map(
            |(
                placed_at,
                (total, cost, tip, paid),
                units,
                (code, rate),
                (status, country, customer),
            )| Order {
                id: 0,
                placed_at,
                total,
                cost,
                units,
                tip,
                paid,
                code,
                rate,
                status,
                country,
                customer,
            },
        )
}

/// Up to so many orders, with ids.
pub(crate) fn orders(base: Day, most: usize) -> impl Strategy<Value = Vec<Order>> {
    vec(order(base), 0..=most).prop_map(|orders| {
        let numbered = orders.into_iter().enumerate();
        numbered.map(|(id, order)| Order { id, ..order }).collect()
    })
}

fn refund(base: Day) -> impl Strategy<Value = Refund> {
    let made_at = option::weighted(0.95, instant(base));
    let order = option::weighted(0.9, 0..30_usize);
    (made_at, order, cents()).prop_map(|(made_at, order, amount)| Refund { made_at, order, amount })
}

fn state(base: Day) -> impl Strategy<Value = State> {
    let country = option::weighted(0.9, select(&COUNTRIES[..]));
    (day(base), country, option::weighted(0.9, -2..40_i64))
        .prop_map(|(day, country, on_hand)| State { day, country, on_hand })
}

fn rate(base: Day) -> impl Strategy<Value = Rate> {
    let day = prop_oneof![1 => Just(base - 500), 2 => day(base)];
    (day, select(&["EUR", "GBP"][..]), 5_000..20_000_i64).prop_map(|(day, code, worth)| Rate {
        day,
        code,
        worth,
    })
}

/// A rate for each currency and day at most.
fn rates(base: Day) -> impl Strategy<Value = Vec<Rate>> {
    vec(rate(base), 0..8).prop_map(|mut rates| {
        rates.sort_by_key(|rate| (rate.code, rate.day));
        rates.dedup_by_key(|rate| (rate.code, rate.day));
        rates
    })
}

fn covered(base: Day) -> impl Strategy<Value = Covered> {
    let days = (-70..10_i64, 5..80_i64);
    option::weighted(0.3, days.prop_map(move |(first, days)| (base + first, base + first + days)))
}

fn settings(base: Day) -> impl Strategy<Value = Settings> {
    let calendar = (select(&ZONES[..]), any::<bool>(), prop_oneof![Just(1), 1..8_i64]);
    let policy = prop_oneof![3 => Just(Policy::Convert), 1 => Just(Policy::Refuse)];
    (calendar, policy, covered(base), covered(base), covered(base)).prop_map(
        |(
            (zone, weeks_begin_on_sunday, first_month),
            policy,
            orders_covered,
            refunds_covered,
            stock_covered,
        )| {
            Settings {
                zone,
                weeks_begin_on_sunday,
                first_month,
                policy,
                orders_covered,
                refunds_covered,
                stock_covered,
            }
        },
    )
}

/// A store with the day around which its rows lie.
pub(crate) fn store() -> impl Strategy<Value = (Day, Store)> {
    select(&BASES[..]).prop_flat_map(|base| {
        let rows = (orders(base, 30), vec(refund(base), 0..12), vec(state(base), 0..16));
        (settings(base), rows, rates(base)).prop_map(
            move |(settings, (orders, refunds, stock), rates)| {
                (base, Store { settings, orders, refunds, stock, rates })
            },
        )
    })
}
