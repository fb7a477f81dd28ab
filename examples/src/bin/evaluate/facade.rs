//! Stands in for the engine's own façade until that is there.

use jiff::Timestamp;
use jiff::civil::Date;
use quotient::calendar::{Period, TimeUnit};
use quotient::data::{Data, DataError, Rates, Record, Table, TableBuilder};
use quotient::diagnostics::Diagnostic;
use quotient::file::Loaded;
use quotient::schema::Schema;
use quotient::source::Span;
use quotient::types::{Currency, Type, Value};

pub(crate) struct Engine {
    schema: Schema,
    metrics: Vec<Metric>,
}

pub(crate) struct Metric {
    pub(crate) key: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) category: Option<String>,
    pub(crate) unlisted: bool,
    pub(crate) text: String,
    pub(crate) ty: Type,
    pub(crate) formula: Formula,
}

#[derive(Clone)]
pub(crate) struct Formula {
    pub(crate) ty: Type,
    pub(crate) uses: Vec<String>,
}

pub(crate) struct Request {
    pub(crate) period: Option<(Date, Date)>,
    pub(crate) by: Option<TimeUnit>,
    pub(crate) group_by: Vec<String>,
    pub(crate) compare: Option<Comparison>,
    pub(crate) timezone: Option<String>,
    pub(crate) currency: Option<Currency>,
    pub(crate) now: Timestamp,
}

#[derive(Clone, Copy)]
pub(crate) enum Comparison {
    Previous,
    LastYear,
}

#[derive(Clone, Copy)]
pub(crate) struct Inputs<'a> {
    pub(crate) data: Option<&'a Data>,
    pub(crate) record: Option<&'a Record>,
}

pub(crate) struct Answers {
    pub(crate) buckets: Vec<Period>,
    pub(crate) groups: Vec<Vec<Value>>,
    pub(crate) cells: Vec<Vec<Answer>>,
}

#[derive(Clone)]
pub(crate) struct Answer {
    pub(crate) value: Value,
    pub(crate) ty: Type,
    pub(crate) formatted: String,
    pub(crate) previous: Option<Value>,
    pub(crate) change: Option<Value>,
}

impl Engine {
    pub(crate) fn from_loaded(loaded: Loaded) -> (Self, Vec<(usize, Diagnostic)>) {
        let metrics = loaded
            .metrics
            .into_iter()
            .map(|metric| Metric {
                key: metric.key.value,
                title: metric.title,
                description: metric.description,
                category: metric.category,
                unlisted: metric.unlisted,
                text: metric.formula.text,
                ty: Type::NUMBER,
                formula: Formula { ty: Type::NUMBER, uses: Vec::new() },
            })
            .collect();
        (Self { schema: loaded.schema, metrics }, loaded.findings)
    }

    pub(crate) fn schema(&self) -> &Schema {
        &self.schema
    }

    pub(crate) fn metrics(&self) -> &[Metric] {
        &self.metrics
    }

    pub(crate) fn metric(&self, key: &str) -> Option<&Metric> {
        self.metrics.iter().find(|metric| metric.key.eq_ignore_ascii_case(key))
    }

    pub(crate) fn compile(&self, text: &str) -> Result<Formula, Vec<Diagnostic>> {
        let parsed = quotient::syntax::parse(text, &quotient::syntax::Limits::default());
        parsed.ok().map(|_| Formula { ty: Type::NUMBER, uses: Vec::new() })
    }

    pub(crate) fn table(&self, source: &str, header: &[&str]) -> Result<TableBuilder, DataError> {
        let id = self
            .schema
            .source(source)
            .ok_or_else(|| DataError::UnknownSource(source.to_owned()))?;
        TableBuilder::new(&self.schema, id, header)
    }

    pub(crate) fn data(&self, _: Vec<Table>, _: Option<Rates>) -> Result<Data, DataError> {
        Ok(Data::default())
    }

    pub(crate) fn evaluate(
        &self,
        formulas: &[&Formula],
        _: Inputs<'_>,
        _: &Request,
    ) -> Result<Answers, Vec<Diagnostic>> {
        let _ = Span::default();
        let answer = Answer {
            value: Value::from(rust_decimal::Decimal::ONE),
            ty: Type::NUMBER,
            formatted: "1".to_owned(),
            previous: None,
            change: None,
        };
        Ok(Answers {
            buckets: vec![Period::ALWAYS],
            groups: vec![Vec::new()],
            cells: formulas.iter().map(|_| vec![answer.clone()]).collect(),
        })
    }
}
