//! A small store for tests: a formula file, rows as text, formulas to values.

use std::collections::BTreeMap;
use std::fmt::Write;

use jiff::Timestamp;

use crate::calendar::{Calendar, Period, TimeUnit};
use crate::check::{Key, Typed};
use crate::data::{Data, Rates, Record, Table, TableBuilder};
use crate::diagnostics::Diagnostic;
use crate::engine::{Engine, Inputs};
use crate::evaluate::{Context, Evaluator, GroupKey, Owner, Sources};
use crate::file::load;
use crate::schema::{Path, Schema, SourceId};
use crate::types::{Currency, Missing, Value};

/// A store with rows.
pub(super) struct Shop {
    pub(super) engine: Engine,
    pub(super) data: Data,
    pub(super) calendar: Calendar,
    pub(super) now: Timestamp,
}

/// A query about a formula.
#[derive(Debug, Clone, Default)]
pub(super) struct TestRequest<'a> {
    /// First and last day, both included; everything without.
    pub(super) days: Option<(&'a str, &'a str)>,
    pub(super) by: Option<TimeUnit>,
    /// Dimensions or fields of every source that has them.
    pub(super) group_by: Vec<&'a str>,
    pub(super) currency: Option<&'a str>,
}

/// What came of it.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) groups: Vec<Vec<Value>>,
    pub(super) values: Vec<Value>,
    pub(super) missing: Vec<String>,
    pub(super) findings: Vec<Diagnostic>,
    /// How many currencies of values are held at the end.
    pub(super) currencies: usize,
}

impl Answer {
    /// All values as text, separated by blanks.
    pub(super) fn text(&self) -> String {
        self.values.iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    /// `group=value` for each group, buckets one after the other.
    pub(super) fn grouped(&self) -> String {
        let names: Vec<String> = self
            .groups
            .iter()
            .map(|group| group.iter().map(shown).collect::<Vec<_>>().join("/"))
            .collect();
        let pairs = self.values.iter().zip(names.iter().cycle());
        pairs.map(|(value, name)| format!("{name}={}", shown(value))).collect::<Vec<_>>().join(" ")
    }
}

/// A value as tests write it.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Missing(Missing { reason, .. }) => format!("null({})", reason.name()),
        Value::Number(number) => crate::number::to_plain(*number),
        Value::List(items) => {
            format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(" "))
        }
        other => crate::format::exact(other),
    }
}

impl Shop {
    pub(super) fn new(file: &str, tables: &[(&str, &str)]) -> Self {
        Self::with_rates(file, tables, Rates::new())
    }

    pub(super) fn with_rates(file: &str, tables: &[(&str, &str)], rates: Rates) -> Self {
        let loaded = load("shop", &mut |_| Ok(file.to_owned()));
        let (engine, findings) = Engine::from_loaded(&loaded);
        let errors: Vec<_> = findings.iter().filter(|(_, finding)| finding.is_error()).collect();
        assert!(errors.is_empty(), "{errors:?}");
        let tables = tables.iter().map(|(name, rows)| table(engine.schema(), name, rows)).collect();
        let data = engine.data(tables, rates).unwrap();
        let calendar = engine.schema().store.calendar.clone();
        let now = "2099-01-01T00:00:00Z".parse().unwrap();
        Self { engine, data, calendar, now }
    }

    fn typed(&self, formula: &str) -> Typed {
        let compiled = self.engine.compile(formula);
        compiled.unwrap_or_else(|found| panic!("{formula}: {found:?}")).checked.typed
    }

    /// The period from one day to another, both included, as known at `now`.
    pub(super) fn period(&self, first: &str, last: &str) -> Period {
        let start = self.calendar.start_of_day(first.parse().unwrap()).unwrap();
        let end: jiff::civil::Date = last.parse().unwrap();
        let end = self.calendar.start_of_day(end.tomorrow().unwrap()).unwrap();
        Period::new(start, end).seen_at(self.now)
    }

    /// A key for each source that has the dimension or field.
    pub(super) fn key(&self, name: &str) -> Key {
        let columns = match self.engine.schema().dimension(name) {
            Some(dimension) => dimension.columns.clone(),
            None => (0..self.engine.schema().sources.len())
                .map(SourceId)
                .filter_map(|id| {
                    let field = self.engine.schema().source_at(id)?.field(name)?;
                    Some((id, Path::field(field)))
                })
                .collect(),
        };
        Key { name: name.into(), columns }
    }

    pub(super) fn ask(&self, formula: &str, ask: &TestRequest<'_>) -> Answer {
        self.evaluate(formula, &self.data, None, ask)
    }

    fn evaluate(
        &self,
        formula: &str,
        data: &Data,
        record: Option<&Record>,
        ask: &TestRequest<'_>,
    ) -> Answer {
        let typed = self.typed(formula);
        let metrics = self.engine.typed_metrics();
        let keys: Vec<&str> = self.engine.metrics().iter().map(|it| it.key.as_str()).collect();
        let context = Context {
            schema: self.engine.schema(),
            metrics: &metrics,
            keys: &keys,
            formulas: &[&typed],
            data: Some(data),
            rates: Some(&data.rates),
            record,
            limits: &self.engine.limits,
            calendar: &self.calendar,
            now: self.now,
            has_data_source: false,
        };
        let mut evaluator = Evaluator::new(context, Sources::default());
        let period = match ask.days {
            Some((first, last)) => self.period(first, last),
            None => evaluator.record_period().unwrap_or(Period::ALWAYS),
        };
        let buckets = match ask.by {
            Some(unit) => self.calendar.buckets(period, unit, 10_000).unwrap(),
            None => vec![period],
        };
        let currency = ask.currency.map(|code| Currency::from_code(code).unwrap());
        let frame = evaluator.frames.request(buckets, period, currency);
        let keys: Vec<Key> = ask.group_by.iter().map(|name| self.key(name)).collect();
        let owner = Owner::Formula(0);
        let keys: Vec<GroupKey> = keys.into_iter().map(GroupKey::Columns).collect();
        let frame = evaluator.grouped_frame(frame, &keys, &[(owner, frame)]);
        let values = evaluator.formula(owner, frame).to_vec();
        Answer {
            groups: evaluator.groups(frame),
            values,
            missing: evaluator.log.missing_inputs.iter().cloned().collect(),
            findings: evaluator.log.findings.clone(),
            currencies: currencies_held(&evaluator),
        }
    }

    /// The values over a range of days, as text.
    pub(super) fn over(&self, formula: &str, first: &str, last: &str) -> String {
        self.ask(formula, &TestRequest { days: Some((first, last)), ..TestRequest::default() })
            .text()
    }

    /// The value over all time, as text.
    pub(super) fn always(&self, formula: &str) -> String {
        self.ask(formula, &TestRequest::default()).text()
    }

    /// The formula over a context record and nothing else.
    pub(super) fn record(&self, formula: &str, json: &str) -> Answer {
        let record = Record::from_json(json).unwrap();
        let inputs = Inputs::record(&record).with_rates(&self.data.rates);
        let data = self.engine.record_data(inputs).unwrap();
        self.evaluate(formula, &data, Some(&record), &TestRequest::default())
    }

    /// The value from a record as text, with what is missing and what was found.
    pub(super) fn over_record(&self, formula: &str, json: &str) -> String {
        let answer = self.record(formula, json);
        let mut text = answer.text();
        if !answer.missing.is_empty() {
            write!(text, " missing {}", answer.missing.join(",")).unwrap();
        }
        for finding in &answer.findings {
            let at = finding.span.slice(formula);
            write!(text, " {} at `{at}`", finding.code).unwrap();
        }
        text
    }
}

fn currencies_held(evaluator: &Evaluator<'_>) -> usize {
    let held = evaluator.currencies.values().chain(evaluator.atom_currencies.values());
    held.map(|own| own.len()).sum()
}

/// Rows as lines of cells separated by commas, the header first.
pub(super) fn table(schema: &Schema, name: &str, rows: &str) -> Table {
    let source = schema.source(name).unwrap();
    let mut lines = rows.lines().map(str::trim).filter(|line| !line.is_empty());
    let cells =
        |line: &'_ str| line.split(',').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let header = cells(lines.next().unwrap());
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let mut builder = TableBuilder::new(schema, source, &header).unwrap();
    for line in lines {
        builder.push(&cells(line)).unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    builder.finish()
}

/// Rates from (day, currency, rate).
pub(super) fn rates(rows: &[(&str, &str, &str)]) -> Rates {
    let mut rates = Rates::new();
    for (day, currency, rate) in rows {
        let currency = Currency::from_code(currency).unwrap();
        rates.set(day.parse().unwrap(), currency, rate.parse().unwrap()).unwrap();
    }
    rates
}

/// Checks (formula, expected) pairs and reports every one that differs.
pub(super) fn check_all(cases: &[(&str, &str)], answer: impl Fn(&str) -> String) {
    let wrong: BTreeMap<&str, String> = cases
        .iter()
        .filter_map(|(formula, expected)| {
            let found = answer(formula);
            (found != *expected).then(|| (*formula, format!("expected {expected}, found {found}")))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
