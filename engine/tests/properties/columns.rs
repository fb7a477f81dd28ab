//! Formulas over columns: the arithmetic of a formula over the columns of its parts in every bucket and group, and
//! aggregates over columns of the rows themselves, compared with answers from rows.

use proptest::collection::vec;
use proptest::prelude::*;
use quotient::columns::{Batch, Column};
use quotient::types::{Reason, Value};
use quotient::{Answers, Formula, Inputs};

use crate::model::agreement::{Case, cases, compiled, group};
use crate::model::generate::aggregates::totals;
use crate::model::generate::questions::{RandomRequest, fits, random_request};
use crate::model::generate::store;
use crate::model::scope::Scope;
use crate::model::store::{Order, Store};
use crate::model::tree::{Quantity, Source};
use crate::properties::exploring::explore;

/// Everything is covered, since the parts of a formula are known as far as the formula only then.
pub(crate) fn covering_all(store: &Store) -> Store {
    let mut store = store.clone();
    let settings = &mut store.settings;
    (settings.orders_covered, settings.refunds_covered, settings.stock_covered) =
        (None, None, None);
    store
}

/// Without the origin of a null.
fn plain(value: &Value) -> Value {
    value.as_missing().map_or_else(|| value.clone(), |missing| Value::missing(missing.reason))
}

/// The values of a formula in all buckets and groups.
fn values(answers: &Answers, formula: usize) -> Vec<Value> {
    answers.of(formula).iter().map(|answer| plain(&answer.value)).collect()
}

/// Compares one formula of a request.
fn arithmetic(case: &Case, formula: &Quantity, query: &RandomRequest) -> Result<usize, String> {
    let mut parts = Vec::new();
    let above = formula.over_names(&mut parts);
    if matches!(above, Quantity::Named(_)) {
        return Ok(0);
    }
    let (mut engine, data) = case.engine();
    let names: Vec<String> = (0..parts.len()).map(|number| format!("m{number}")).collect();
    for (name, part) in names.iter().zip(&parts) {
        engine.define(name, &part.to_string()).unwrap_or_else(|found| panic!("{part}: {found:#?}"));
    }
    let (above, whole) = (compiled(&engine, &above), compiled(&engine, formula));
    let parts: Vec<Formula> = parts.iter().map(|part| compiled(&engine, part)).collect();
    let all: Vec<&Formula> = [&whole].into_iter().chain(&parts).collect();
    let request = query.request();
    let answers = engine.evaluate(&all, Inputs::data(&data), &request);
    let answers = answers.map_err(|found| format!("{found:#?}"))?;
    let wanted = values(&answers, 0);
    let given = names.iter().enumerate().fold(Batch::new(wanted.len()), |batch, (number, name)| {
        let column: Column = values(&answers, number + 1).into_iter().collect();
        batch.with(name, column)
    });
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let plan = engine.plan_given(&[&above], &names, None).map_err(|found| format!("{found:#?}"))?;
    let columns = engine.columns(&plan, &given, &request).map_err(|found| format!("{found:#?}"))?;
    for (row, wanted) in wanted.iter().enumerate() {
        let found = columns.first().expect("a column for the formula").value(row);
        if found != *wanted {
            let (above, request) = (above.text(), &request);
            return Err(format!(
                "{formula}\n{above} in {request:?}\nrows:    {wanted:?}\ncolumns: {found:?}"
            ));
        }
    }
    Ok(wanted.len())
}

#[test]
fn arithmetic_over_columns_is_that_over_rows() {
    explore("rows and columns", &cases(3, 2, 2), 40, |case| {
        let case = Case { store: covering_all(&case.store), ..case.clone() };
        let mut count = 0;
        for query in &case.requests {
            let query = RandomRequest { currency: None, compare: None, ..query.clone() };
            for formula in case.fitting(&query) {
                let found = arithmetic(&case, formula, &query);
                count += found.map_err(|differs| format!("{differs}\n{}", case.store))?;
            }
        }
        Ok(count)
    });
}

/// The columns of some orders.
fn batch(scope: &Scope<'_>, orders: &[&Order]) -> Batch {
    let scaled = |of: fn(&Order) -> Option<i64>, scale| {
        let nulls: Vec<bool> = orders.iter().map(|order| of(order).is_none()).collect();
        let values = orders.iter().map(|order| of(order).unwrap_or(0)).collect();
        Column::scaled(values, scale).with_nulls(&nulls)
    };
    let text = |of: fn(&Order) -> Option<&'static str>| -> Column {
        let null = || Value::missing(Reason::NullValue);
        orders.iter().map(|order| of(order).map_or_else(null, Value::text)).collect()
    };
    let instant = |at: Option<i64>| match at {
        Some(at) => Value::DateTime(jiff::Timestamp::from_second(at).expect("of this century")),
        None => Value::missing(Reason::NullValue),
    };
    let first = |order: &&Order| instant(order.customer.and_then(|own| scope.first_order(own)));
    Batch::new(orders.len())
        .with("total", scaled(|order| order.total, 2))
        .with("cost", scaled(|order| order.cost, 2))
        .with("units", scaled(|order| order.units, 0))
        .with("tip", scaled(|order| order.tip, 2))
        .with("paid", scaled(|order| order.paid, 2))
        .with("status", text(|order| order.status))
        .with("country", text(|order| order.country))
        .with("customer_id", text(|order| order.customer))
        .with("code", text(|order| order.code))
        .with("placed_at", orders.iter().map(|order| instant(order.placed_at)).collect())
        .with("customer.first_at", orders.iter().map(first).collect())
}

/// Compares a formula with its aggregates over the rows of each single bucket and group.
fn aggregates(case: &Case, formula: &Quantity, query: &RandomRequest) -> Result<usize, String> {
    let (engine, data) = case.engine();
    let compiled = compiled(&engine, formula);
    let request = query.request();
    let answers = engine.evaluate(&[&compiled], Inputs::data(&data), &request);
    let answers = answers.map_err(|found| format!("{found:#?}"))?;
    let plan = engine.plan(&[&compiled]).map_err(|found| format!("{found:#?}"))?;
    let calendar = query.calendar(&case.store.settings);
    let question = query.question(&case.store, &calendar, &[]);
    let mut wanted = values(&answers, 0).into_iter();
    let mut count = 0;
    for days in query.buckets(&calendar) {
        for own in &answers.groups {
            let scope = question.scope(formula, days, &group(&query.group_by, own));
            let rows = scope.meant(Source::Orders, false);
            let orders: Vec<&Order> = rows.iter().filter_map(|row| row.order()).collect();
            let found = engine.column_totals(&plan, &batch(&scope, &orders), &request);
            let found = found.map_err(|found| format!("{formula}: {found:#?}"))?;
            let (found, wanted) = (found.first().map(plain), wanted.next());
            if found != wanted {
                let ids: Vec<usize> = orders.iter().map(|order| order.id).collect();
                return Err(format!(
                    "{formula}\n{request:?}\nrows:    {wanted:?}\ncolumns: {found:?} of {ids:?}"
                ));
            }
            count += 1;
        }
    }
    Ok(count)
}

#[test]
fn aggregates_over_columns_are_those_over_rows() {
    let cases = store().prop_flat_map(|(base, store)| {
        (Just(store), vec(totals(), 3), vec(random_request(base), 2))
    });
    explore("rows and columns of rows", &cases, 40, |(store, formulas, queries)| {
        let case =
            Case { store: covering_all(store), formulas: formulas.clone(), requests: Vec::new() };
        let mut count = 0;
        for query in queries {
            let query = RandomRequest { currency: None, compare: None, now: None, ..query.clone() };
            for formula in formulas.iter().filter(|formula| fits(formula, &query)) {
                let found = aggregates(&case, formula, &query);
                count += found.map_err(|differs| format!("{differs}\n{}", case.store))?;
            }
        }
        Ok(count)
    });
}
