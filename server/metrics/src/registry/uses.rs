//! The users of a metric: other metrics through their formulas, boards through their tiles, alerts through their
//! subjects and conditions.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::metric::Metric;
use super::queries::alert_uses::{self, AlertUse};
use super::queries::metrics::USES;
use crate::boards::{self, Board};
use crate::database::{Tx, Word as _};
use crate::http::{Resource, ToSchema};
use crate::ids::{AlertId, MetricId};
use crate::{MetricError, RegistrySnapshot};

/// Limit: listed names of each kind of user; the counts include all.
const MAX_NAMES: usize = 200;

/// The number of a metric's users that are visible to the caller.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "use of a metric", list = USES)]
#[schema(as = MetricUses, example = json!({
    "id": "met_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "key": "net_sales", "metrics": 3, "boards": 1, "alerts": 0
}))]
pub(crate) struct MetricUsesView {
    id: MetricId,
    /// Its name in formulas.
    key: String,
    /// The metrics whose own formulas name it.
    metrics: usize,
    /// The boards that it is pinned to.
    boards: usize,
    /// The alerts that are about it, or whose conditions name it.
    alerts: usize,
}

/// A metric whose formula names another.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct MetricUserView {
    /// The name in formulas.
    key: String,
    name: String,
    /// The lifecycle state.
    state: &'static str,
}

/// A board with a tile of a metric.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct BoardUserView {
    name: String,
    /// The user or the key that it belongs to.
    owner_id: String,
    /// Whether it is the caller's.
    is_own: bool,
}

/// An alert that names a metric.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct AlertUserView {
    id: AlertId,
    name: String,
}

/// A metric's users visible to the caller; at most 200 of each kind, sorted by name.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct MetricUsersView {
    /// How many there are.
    counts: MetricUsesView,
    /// The metrics whose own formulas name it.
    metrics: Vec<MetricUserView>,
    /// The boards that it is pinned to.
    boards: Vec<BoardUserView>,
    /// The alerts that are about it, or whose conditions name it.
    alerts: Vec<AlertUserView>,
}

/// The boards and alerts that a reader sees, with the metrics that they name.
#[derive(Debug)]
pub(crate) struct UseIndex<'s> {
    snapshot: &'s RegistrySnapshot,
    boards: Vec<Board>,
    alerts: Vec<(AlertUse, BTreeSet<String>)>,
}

impl<'s> UseIndex<'s> {
    /// Reads them, in a snapshot as the reader sees it.
    pub(crate) fn read(
        tx: &Tx<'_>,
        snapshot: &'s RegistrySnapshot,
        reader: &str,
    ) -> Result<Self, MetricError> {
        let named = |alert: AlertUse| {
            let condition = snapshot.engine().compiled(&alert.condition);
            let named = condition.map(|own| own.metrics().iter().cloned().collect());
            (alert, named.unwrap_or_default())
        };
        let alerts = alert_uses::visible(tx, reader)?;
        let alerts = alerts.into_iter().map(named).collect();
        Ok(Self { snapshot, boards: boards::visible(tx, reader)?, alerts })
    }

    fn metrics(&self, metric: &Metric) -> Vec<&'s Metric> {
        let registry = self.snapshot.registry();
        let users = registry.graph().users(&metric.key).unwrap_or_default();
        let stored = |key: &str| {
            let id = registry.metric(key)?.id;
            self.snapshot.metrics().get(&i64::try_from(id.0).ok()?)
        };
        users.into_iter().filter_map(|user| stored(user.key)).collect()
    }

    fn boards<'b>(&'b self, metric: &'b Metric) -> impl Iterator<Item = &'b Board> {
        let is_pinned = move |board: &&Board| board.tiles.contains(&metric.key);
        self.boards.iter().filter(is_pinned)
    }

    fn alerts<'b>(&'b self, metric: &'b Metric) -> impl Iterator<Item = &'b AlertUse> {
        let names = move |(alert, named): &&(AlertUse, BTreeSet<String>)| {
            alert.metric_id == metric.id || named.contains(&metric.key)
        };
        self.alerts.iter().filter(names).map(|(alert, _)| alert)
    }

    pub(crate) fn counts(&self, metric: &Metric) -> MetricUsesView {
        MetricUsesView {
            id: metric.id.clone(),
            key: metric.key.clone(),
            metrics: self.metrics(metric).len(),
            boards: self.boards(metric).count(),
            alerts: self.alerts(metric).count(),
        }
    }

    pub(crate) fn names(&self, metric: &Metric) -> MetricUsersView {
        let by_name: BTreeMap<(&str, &str), &Metric> =
            self.metrics(metric).into_iter().map(|own| ((&*own.name, &*own.key), own)).collect();
        let metrics = by_name.into_values().take(MAX_NAMES).map(|own| MetricUserView {
            key: own.key.clone(),
            name: own.name.clone(),
            state: own.state.as_str(),
        });
        let boards = self.boards(metric).take(MAX_NAMES).map(|own| BoardUserView {
            name: own.name.clone(),
            owner_id: own.owner_id.clone(),
            is_own: own.is_own,
        });
        let alerts = self.alerts(metric).take(MAX_NAMES);
        let alerts = alerts.map(|own| AlertUserView { id: own.id.clone(), name: own.name.clone() });
        MetricUsersView {
            counts: self.counts(metric),
            metrics: metrics.collect(),
            boards: boards.collect(),
            alerts: alerts.collect(),
        }
    }
}
