//! Rows, rollups, databases and columns all give the same answer, to the last digit.

use std::fmt::Write;

use quotient::data::Data;
use quotient::diagnostics::Diagnostic;
use quotient::rollup::{Dictionary, Granularity, RollupOptions, RollupReader};
use quotient::sql::{Database, Dialect, EachRow, InstantUnit, Query, Store, StoreError};
use quotient::types::Value;
use quotient::{Answers, Engine, Formula, Inputs, Request};

use crate::model::agreement::{Case, cases, compiled};
use crate::model::generate::questions::RandomRequest;
use crate::properties::exploring::explore;
use crate::sql::differential::all_engines;
use crate::sql::postgres::{self, PostgreSql};
use crate::sql::python::{self, Python};
use crate::sql::sqlite::{self, Sqlite};
use crate::sql::tables::{Ddl, Rows, Tables};

/// One request of a case, with the answer from rows.
struct AnsweredRequest<'a> {
    engine: &'a Engine,
    data: &'a Data,
    formulas: Vec<Formula>,
    request: Request,
    by_rows: Result<Answers, Vec<Diagnostic>>,
}

impl<'a> AnsweredRequest<'a> {
    fn new(
        case: &Case,
        (engine, data): (&'a Engine, &'a Data),
        query: &RandomRequest,
    ) -> Option<Self> {
        let formulas: Vec<Formula> =
            case.fitting(query).into_iter().map(|formula| compiled(engine, formula)).collect();
        if formulas.is_empty() {
            return None;
        }
        let request = query.request();
        let refs: Vec<&Formula> = formulas.iter().collect();
        let by_rows = engine.evaluate(&refs, Inputs::data(data), &request);
        Some(Self { engine, data, formulas, request, by_rows })
    }

    /// The number of values that are the same with other inputs, or the first formula with a
    /// difference.
    fn same(&self, who: &str, inputs: Inputs<'_>) -> Result<usize, String> {
        let refs: Vec<&Formula> = self.formulas.iter().collect();
        let other = self.engine.evaluate(&refs, inputs, &self.request);
        for (index, formula) in self.formulas.iter().enumerate() {
            let (rows, other) = (shown(&self.by_rows, index), shown(&other, index));
            if rows != other {
                let (text, request) = (formula.text(), &self.request);
                return Err(format!("{text}\n{request:?}\nrows:\n{rows}{who}:\n{other}"));
            }
        }
        let compared =
            self.by_rows.as_ref().map_or(0, |answers| answers.buckets.len() * answers.groups.len());
        Ok(compared * self.formulas.len())
    }
}

/// Every value of a formula with its digits or its reason, and its comparison.
fn shown(answers: &Result<Answers, Vec<Diagnostic>>, formula: usize) -> String {
    let answers = match answers {
        Ok(answers) => answers,
        Err(found) => return format!("{found:?}\n"),
    };
    let mut out = String::new();
    for (bucket, period) in answers.buckets.iter().enumerate() {
        for (index, group) in answers.groups.iter().enumerate() {
            let answer = answers.get(formula, bucket, index).expect("an answer for each");
            let (value, before) = (plain(&answer.value), answer.previous.as_ref().map(plain));
            let as_of = answer.period.map(|period| period.as_of);
            writeln!(out, "{} {group:?} {value} {before:?} {as_of:?}", period.start).expect("text");
        }
    }
    out
}

/// A number with its digits, a null with its reason and its place.
fn plain(value: &Value) -> String {
    match value {
        Value::Number(number) => number.normalize().to_string(),
        other => format!("{other:?}"),
    }
}

fn by_rollups(answered: &AnsweredRequest<'_>, granularity: Granularity) -> Result<usize, String> {
    let options = RollupOptions::new(granularity).by("country").by("status").by("code");
    let formulas: Vec<&Formula> = answered.formulas.iter().collect();
    let schema =
        answered.engine.rollup_schema(&formulas, &options).map_err(|found| format!("{found:?}"))?;
    let cells = answered.engine.fold_rollups(&schema, answered.data, &mut Dictionary::new());
    let cells = cells.map_err(|found| format!("{found:?}"))?;
    let reader = RollupReader::new(&schema, &cells);
    answered.same("rollups", Inputs::data(answered.data).with_rollups(&reader))
}

/// The rows as tables of a database, which also has the customers.
fn tables(case: &Case) -> Tables {
    let tables = case.store.tables().map(|table| Rows {
        source: table.source.to_owned(),
        header: table.header.into_iter().map(str::to_owned).collect(),
        cells: table.cells,
    });
    let customers = case.store.customers();
    let customers = customers.into_iter().map(|(customer, first)| vec![customer.to_owned(), first]);
    let customers = Rows {
        source: "customers".to_owned(),
        header: vec!["id".to_owned(), "first_at".to_owned()],
        cells: customers.collect(),
    };
    Tables { tables: tables.into_iter().chain([customers]).collect() }
}

fn by_database(
    case: &Case,
    answered: &AnsweredRequest<'_>,
    dialect: Dialect,
    store: &dyn Store,
    unit: InstantUnit,
) -> Result<usize, String> {
    let schema = answered.engine.schema();
    let binding = tables(case).binding(schema, unit);
    let database = Database::new(store, dialect, schema)
        .with_binding(binding)
        .with_rates(case.store.engine_rates());
    answered.same(dialect.name(), Inputs::store(&database)).map_err(|differs| {
        let ran = database.take_ran();
        format!("{differs}\n{ran:#?}")
    })
}

fn script(case: &Case, engine: &Engine, unit: InstantUnit, ddl: Ddl) -> Vec<String> {
    let tables = tables(case);
    let binding = tables.binding(engine.schema(), unit);
    tables.script(engine.schema(), &binding, ddl)
}

fn with_store(case: &Case) -> impl Fn(String) -> String + '_ {
    |differs| format!("{differs}\n{}", case.store)
}

#[test]
fn rollups_answer_as_rows_do() {
    explore("rows and rollups", &cases(2, 3, 2), 40, |case| {
        let (engine, data) = case.engine();
        let mut count = 0;
        for query in &case.requests {
            let Some(answered) = AnsweredRequest::new(case, (&engine, &data), query) else {
                continue;
            };
            for granularity in [Granularity::Day, Granularity::Hour] {
                count += by_rollups(&answered, granularity).map_err(with_store(case))?;
            }
        }
        Ok(count)
    });
}

/// Queries a database that is refilled for each case.
fn databases<D: Store>(
    (name, cases_count): (&str, u32),
    (dialect, unit, ddl): (Dialect, InstantUnit, Ddl),
    filled: impl Fn(&[String]) -> D,
) {
    explore(name, &cases(2, 3, 2), cases_count, |case| {
        let (engine, data) = case.engine();
        let store = filled(&script(case, &engine, unit, ddl));
        let mut count = 0;
        for query in &case.requests {
            let Some(answered) = AnsweredRequest::new(case, (&engine, &data), query) else {
                continue;
            };
            let found = by_database(case, &answered, dialect, &store, unit);
            count += found.map_err(with_store(case))?;
        }
        Ok(count)
    });
}

#[test]
fn sqlite_answers_as_rows_do() {
    let how = (Dialect::Sqlite, InstantUnit::Second, sqlite::DDL);
    databases(("rows and SQLite", 40), how, Sqlite::new);
}

/// A server for one case of many.
#[derive(Debug)]
struct SharedServer<'s>(&'s PostgreSql);

impl Store for SharedServer<'_> {
    fn query(&self, query: &Query, each: &mut EachRow<'_>) -> Result<(), StoreError> {
        self.0.query(query, each)
    }
}

#[test]
fn postgresql_answers_as_rows_do() {
    if !all_engines() {
        return;
    }
    let server = PostgreSql::start().expect("initdb below /usr/lib/postgresql");
    let how = (Dialect::PostgreSql, InstantUnit::Microsecond, postgres::DDL);
    databases(("rows and PostgreSQL", 60), how, |script| {
        server.run(script);
        SharedServer(&server)
    });
}

#[test]
fn clickhouse_answers_as_rows_do() {
    in_python("chdb", Dialect::ClickHouse, python::CLICKHOUSE);
}

#[test]
fn datafusion_answers_as_rows_do() {
    in_python("datafusion", Dialect::DataFusion, python::DATAFUSION);
}

fn in_python(module: &str, dialect: Dialect, ddl: Ddl) {
    if !all_engines() {
        return;
    }
    databases((module, 20), (dialect, InstantUnit::Millisecond, ddl), |script| {
        let process = Python::start(module).expect("it is installed in target/engines");
        process.run(script);
        process
    });
}
