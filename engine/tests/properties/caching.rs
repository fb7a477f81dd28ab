//! Answers are the same with and without the cache, whatever happens to the rows in between.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use quotient::cache::Cache;
use quotient::data::{Data, Touch};
use quotient::{Engine, Formula, Inputs, Request};

use crate::model::agreement::compiled;
use crate::model::clock::{Clock, date};
use crate::model::generate::formulas::Formulas;
use crate::model::generate::questions::{RandomRequest, fits, random_request};
use crate::model::generate::{order, store};
use crate::model::store::{Order, Policy, Store};
use crate::model::tree::Quantity;
use crate::properties::exploring::explore;

/// One step of a scenario.
#[derive(Debug, Clone)]
enum Step {
    /// Replaces the order at this place.
    Change(Index, Order),
    Add(Order),
    Remove(Index),
    Ask(Box<Quantity>, RandomRequest),
}

/// A store, its scenario, and the bytes that the cache may take.
#[derive(Debug, Clone)]
struct CacheScenario {
    store: Store,
    steps: Vec<Step>,
    capacity: u64,
}

fn scenarios() -> BoxedStrategy<CacheScenario> {
    let formulas = Formulas::of(Policy::Convert).any(2);
    let scenarios = store().prop_flat_map(move |(base, mut store)| {
        store.settings.policy = Policy::Convert;
        let ask = (formulas.clone(), random_request(base));
        let step = prop_oneof![
            2 => (any::<Index>(), order(base)).prop_map(|(place, order)| Step::Change(place, order)),
            1 => order(base).prop_map(Step::Add),
            1 => any::<Index>().prop_map(Step::Remove),
            4 => ask.prop_filter_map("it can be asked", |(formula, query)| {
                fits(&formula, &query).then(|| Step::Ask(formula.into(), query))
            }),
        ];
        let capacity = prop_oneof![Just(3_000_u64), Just(1 << 20)];
        (Just(store), vec(step, 1..12), capacity)
    });
    scenarios.prop_map(|(store, steps, capacity)| CacheScenario { store, steps, capacity }).boxed()
}

/// Applies an edit; returns the affected orders before and after it.
fn edit(orders: &mut Vec<Order>, step: &Step) -> Vec<Order> {
    let next = orders.iter().map(|order| order.id + 1).max().unwrap_or(0);
    match step {
        Step::Change(place, order) if !orders.is_empty() => {
            let place = place.index(orders.len());
            let old = &mut orders[place];
            let new = Order { id: old.id, ..order.clone() };
            vec![std::mem::replace(old, new.clone()), new]
        }
        Step::Add(order) => {
            let new = Order { id: next, ..order.clone() };
            orders.push(new.clone());
            vec![new]
        }
        Step::Remove(place) if !orders.is_empty() => {
            let place = place.index(orders.len());
            vec![orders.remove(place)]
        }
        Step::Change(..) | Step::Remove(_) | Step::Ask(..) => Vec::new(),
    }
}

/// What a write of an order affects: its day, or the whole source if it has none.
fn touch(order: &Order, clock: &Clock) -> Touch {
    let orders = "orders".to_owned();
    match order.placed_at.map(|at| date(clock.day(at))) {
        Some(day) => Touch::Changed(orders, day..=day),
        None => Touch::Source(orders),
    }
}

/// Compares all requests so far, with and without the cache.
fn same(
    engine: &Engine,
    data: &Data,
    cache: &Cache,
    queries: &[(Formula, Request)],
) -> Result<usize, String> {
    let mut count = 0;
    for (formula, request) in queries {
        let plain = engine.evaluate(&[formula], Inputs::data(data), request);
        let cached = engine.evaluate(&[formula], Inputs::data(data).cached(cache), request);
        let (Ok(plain), Ok(cached)) = (&plain, &cached) else {
            return Err(format!("{}\n{plain:?}\n{cached:?}", formula.text()));
        };
        if (plain.of(0), &plain.groups) != (cached.of(0), &cached.groups) {
            return Err(format!(
                "{}\n{request:?}\nrows:  {plain:?}\ncache: {cached:?}",
                formula.text()
            ));
        }
        count += plain.of(0).len();
    }
    Ok(count)
}

#[test]
fn answers_are_the_same_with_and_without_the_cache() {
    explore("rows and cache", &scenarios(), 40, |scenario| {
        let CacheScenario { mut store, steps, capacity } = scenario.clone();
        let (engine, clock) = (store.settings.engine(), Clock::of(store.settings.zone));
        let cache = Cache::new(capacity);
        let load = |store: &Store| store.data(&engine);
        let mut data = load(&store).with_versions(cache.versions());
        let (mut queries, mut count) = (Vec::new(), 0);
        for step in &steps {
            let touched = edit(&mut store.orders, step);
            if !touched.is_empty() {
                cache.write(touched.iter().map(|order| touch(order, &clock)).collect()).finish();
                data = load(&store).with_versions(cache.versions());
            }
            if let Step::Ask(formula, place) = step {
                queries.push((compiled(&engine, formula), place.request()));
            }
            // After each step, all earlier requests are repeated over the current rows.
            count += same(&engine, &data, &cache, &queries)
                .map_err(|differs| format!("{differs}\n{store}"))?;
        }
        Ok(count)
    });
}
