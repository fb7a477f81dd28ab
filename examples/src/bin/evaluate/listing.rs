//! `--list`: the metrics with their types and dimensions, and the sources with their fields.

use std::fmt::Write;

use quotient::schema::{Dimension, Schema, Source, SourceId};
use quotient::{Formula, Metric};

use crate::arguments::Arguments;
use crate::columns::{Side, columns};
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Session;

/// The named metrics, or everything that can be requested.
pub(crate) fn list(session: &Session, arguments: &Arguments) -> Result<String, Failure> {
    let named: Result<Vec<&Metric>, Failure> =
        arguments.metrics.iter().map(|name| session.metric(name)).collect();
    let named = named?;
    if !named.is_empty() {
        return metrics(session, &named);
    }
    let listed: Vec<&Metric> =
        session.engine.metrics().iter().filter(|metric| !metric.unlisted).collect();
    let mut out = metrics(session, &listed)?;
    let schema = session.engine.schema();
    if !schema.sources.is_empty() {
        write!(out, "\n{}", sources(schema)).ok();
    }
    Ok(out)
}

fn metrics(session: &Session, metrics: &[&Metric]) -> Result<String, Failure> {
    let schema = session.engine.schema();
    let mut rows = vec![words(["Metric", "Key", "Type", "Dimensions"])];
    for metric in metrics {
        let (formula, found) = session.formula_of(metric)?;
        found.beside(Format::Table);
        rows.push(vec![
            metric.title.clone().unwrap_or_else(|| metric.key.clone()),
            metric.key.clone(),
            formula.ty().to_string(),
            dimensions(schema, &formula).join(", "),
        ]);
    }
    Ok(columns(&rows, &[Side::Left; 4]))
}

/// The dimensions that every source of a formula has.
fn dimensions<'s>(schema: &'s Schema, formula: &Formula) -> Vec<&'s str> {
    let sources: Vec<SourceId> =
        formula.sources().iter().filter_map(|name| schema.source(name)).collect();
    let is_shared = |dimension: &&Dimension| {
        let has = |source| dimension.columns.iter().any(|(own, _)| own == source);
        !sources.is_empty() && sources.iter().all(has)
    };
    let shared = schema.dimensions.iter().filter(is_shared);
    shared.map(|dimension| dimension.name.as_str()).collect()
}

fn sources(schema: &Schema) -> String {
    let mut rows = vec![words(["Source", "Rows", "Days", "Fields"])];
    rows.extend(schema.sources.iter().map(|source| {
        let days = source.coverage.map(|days| format!("{} to {}", days.first, days.last));
        vec![
            source.name.clone(),
            source.data.clone().unwrap_or_default(),
            days.unwrap_or_default(),
            fields(source),
        ]
    }));
    columns(&rows, &[Side::Left; 4])
}

fn fields(source: &Source) -> String {
    let fields = source.fields.iter().map(|field| field.name.as_str());
    let links = source.links.iter().map(|link| link.name.as_str());
    fields.chain(links).collect::<Vec<_>>().join(", ")
}

fn words<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(str::to_owned).to_vec()
}
