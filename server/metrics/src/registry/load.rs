//! Loads snapshots of the registry from the database.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use quotient::Engine;
use quotient::registry::{
    Definition, Example, MetricId, RegisteredMetric, Registry, RegistryError, Snapshot, Version,
};
use quotient::schema::Schema;

use super::metric::Metric;
use super::queries::{examples, metrics, placeholders, versions};
use super::schema;
use super::{LIMITS, RegistrySnapshot, Stamp};
use crate::MetricError;
use crate::database::Tx;

/// The version of the engine's snapshot format written here.
const FORM: u32 = 1;

pub(super) fn snapshot(tx: &Tx<'_>, stamp: Stamp) -> Result<RegistrySnapshot, MetricError> {
    let schema = schema(tx, &stamp)?;
    let rows: BTreeMap<i64, Metric> =
        metrics::all(tx)?.into_iter().map(|metric| (metric.seq, metric)).collect();
    let mut histories: BTreeMap<i64, Vec<Arc<Version>>> = BTreeMap::new();
    for (seq, version) in versions::bodies(tx)? {
        histories.entry(seq).or_default().push(Arc::new(version));
    }
    let mut stored: BTreeMap<i64, Vec<Example>> = BTreeMap::new();
    for row in examples::all(tx)? {
        stored.entry(row.metric_seq).or_default().push(row.into());
    }
    let mut titles = BTreeSet::new();
    let registered: Vec<RegisteredMetric> = rows
        .values()
        .map(|metric| RegisteredMetric {
            id: number(metric.seq),
            definition: definition(metric, titles.insert(metric.name.to_lowercase())),
            state: metric.state.into(),
            removed: metric.deleted_at.is_some(),
            examples: stored.remove(&metric.seq).unwrap_or_default(),
            versions: histories.remove(&metric.seq).unwrap_or_default(),
        })
        .collect();
    let (registry, broken) = restored(&schema, registered)?;
    Ok(RegistrySnapshot::new(stamp, registry, rows, broken))
}

/// Restricts a snapshot to the metrics that fulfil a condition; the metrics these use must fulfil it too.
pub(super) fn narrowed(
    snapshot: &RegistrySnapshot,
    is_included: impl Fn(&Metric) -> bool,
) -> Result<RegistrySnapshot, MetricError> {
    let included = snapshot.metrics().iter().filter(|(_, metric)| is_included(metric));
    let rows: BTreeMap<i64, Metric> =
        included.map(|(seq, metric)| (*seq, metric.clone())).collect();
    let registered = rows.keys().filter_map(|seq| snapshot.registry().by_id(number(*seq)).cloned());
    let (registry, mut broken) = restored(snapshot.schema(), registered.collect())?;
    let previous = snapshot.broken().iter().filter(|(key, _)| registry.metric(key).is_some());
    broken.extend(previous.map(|(key, why)| (key.clone(), why.clone())));
    Ok(RegistrySnapshot::new(snapshot.stamp().clone(), registry, rows, broken))
}

fn schema(tx: &Tx<'_>, stamp: &Stamp) -> Result<Schema, MetricError> {
    let currency = schema::currency(&stamp.currency)?;
    let mut schema = schema::schema(currency, &stamp.zone)?;
    for row in placeholders::all(tx)? {
        schema::add(&mut schema, &row)?;
    }
    Ok(schema)
}

pub(crate) fn number(seq: i64) -> MetricId {
    MetricId(u64::try_from(seq).unwrap_or(0))
}

/// Converts a metric to a definition of the engine. If metrics share a name, only the first can be used by it.
pub(crate) fn definition(metric: &Metric, is_titled: bool) -> Definition {
    Definition {
        title: is_titled.then(|| metric.name.clone()),
        data_type: Some(metric.data_type.into()),
        format: metric.formatting_rules.rules(),
        ..Definition::new(&metric.key, &metric.formula)
    }
}

/// Builds the registry of these metrics; those that no longer compile are left out, with the reason.
fn restored(
    schema: &Schema,
    mut registered: Vec<RegisteredMetric>,
) -> Result<(Registry, BTreeMap<String, String>), MetricError> {
    let engine = Engine::with_limits(schema.clone(), LIMITS);
    let last_id = registered.iter().map(|metric| metric.id.0).max().unwrap_or(0);
    let mut broken = BTreeMap::new();
    loop {
        let snapshot = Snapshot { form: FORM, last_id, metrics: registered.clone() };
        let broken_findings = match Registry::restore(engine.clone(), snapshot) {
            Ok(registry) => return Ok((registry, broken)),
            Err(RegistryError::Breaks(broken_findings)) => broken_findings,
            Err(refusal) => return Err(refusal.into()),
        };
        let mut is_less = false;
        for (key, findings) in broken_findings {
            let own = registered.iter_mut().find(|metric| metric.definition.key == key);
            if let Some(metric) = own.filter(|metric| !metric.removed) {
                metric.removed = true;
                is_less = true;
                broken.insert(key, super::findings::first(&findings));
            }
        }
        if !is_less {
            return Err(RegistryError::Snapshot("metrics do not check".to_owned()).into());
        }
    }
}

/// Returns the registry with a metric that no longer compiles, whose formula is a number until an edit gives it another.
pub(super) fn revived(registry: &Registry, id: MetricId) -> Result<Registry, RegistryError> {
    let engine = Engine::with_limits(registry.engine().schema().clone(), LIMITS);
    let mut snapshot = registry.snapshot();
    if let Some(metric) = snapshot.metrics.iter_mut().find(|metric| metric.id == id) {
        metric.removed = false;
        "0".clone_into(&mut metric.definition.formula);
        metric.definition.data_type = None;
    }
    Registry::restore(engine, snapshot)
}
