//! An edit session: the edit is applied to a draft of the registry, then the differences are written.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use quotient::registry::{MetricId, RegisteredMetric, Registry, RegistryError, Signed};

use super::Editor;
use crate::database::Tx;
use crate::registry::Stamp;
use crate::registry::audit_notes::{self, Action};
use crate::registry::lineage::is_visible;
use crate::registry::load;
use crate::registry::metric::Metric;
use crate::registry::queries::alert_uses::{self, AlertUse};
use crate::registry::queries::{examples, metrics, stamp, versions};
use crate::registry::vocabulary::Lifecycle;
use crate::{MetricError, MetricRegistry, RegistrySnapshot};

pub(super) struct EditSession<'t, 'c> {
    pub(super) tx: &'t Tx<'c>,
    registry: &'t MetricRegistry,
    pub(super) snapshot: Arc<RegistrySnapshot>,
    /// The metrics that the editor sees, if not all.
    view: Option<Arc<RegistrySnapshot>>,
    pub(super) draft: Registry,
    pub(super) editor: &'t Editor,
    /// On whose behalf the editor acts, if said.
    pub(super) on_behalf_of: Option<String>,
    /// A metric that no longer compiles, to which the edit gives another formula.
    pub(super) revived: Option<MetricId>,
}

impl<'t, 'c> EditSession<'t, 'c> {
    pub(super) fn open(
        tx: &'t Tx<'c>,
        registry: &'t MetricRegistry,
        editor: &'t Editor,
    ) -> Result<Self, MetricError> {
        let snapshot = registry.snapshot(tx)?;
        let view = snapshot.visible_to(&editor.id)?;
        let view = (!Arc::ptr_eq(&view, &snapshot)).then_some(view);
        let draft = snapshot.registry().clone();
        let (on_behalf_of, revived) = (None, None);
        Ok(Self { tx, registry, snapshot, view, draft, editor, on_behalf_of, revived })
    }

    /// Applies an edit to the metrics that the editor sees, then to all: a formula is interpreted without other
    /// users' private metrics, and errors caused by them do not name them.
    pub(super) fn act<T>(
        &mut self,
        edit: impl Fn(&mut Registry) -> Result<T, RegistryError>,
    ) -> Result<T, MetricError> {
        let revived = self.revived;
        let edit = |registry: &mut Registry| {
            if let Some(id) = revived {
                *registry = load::revived(registry, id)?;
            }
            edit(registry)
        };
        let Some(view) = &self.view else { return Ok(edit(&mut self.draft)?) };
        edit(&mut view.registry().clone())?;
        edit(&mut self.draft).map_err(MetricError::unseen)
    }

    /// Refuses to make a metric private if alerts expose it to others.
    pub(super) fn check_alerts(&self, metric: &Metric) -> Result<(), MetricError> {
        let before = self.snapshot.metrics().get(&metric.seq);
        let is_new = metric.is_private() && before.is_some_and(|before| !before.is_private());
        if is_new
            && alert_uses::all(self.tx)?.iter().any(|alert| exposes(&self.snapshot, metric, alert))
        {
            return Err(MetricError::Watched(metric.key.clone()));
        }
        Ok(())
    }

    /// Checks that no active alert needs a metric that is to be archived or removed, unless an admin forces it.
    pub(super) fn unwatched(&self, metric: &Metric, force: bool) -> Result<(), MetricError> {
        if metric.state == Lifecycle::Archived || (force && self.editor.is_admin) {
            return Ok(());
        }
        let mut alerts = alert_uses::all(self.tx)?;
        alerts.retain(|alert| alert.is_active && names(&self.snapshot, metric, alert));
        if alerts.is_empty() {
            return Ok(());
        }
        let is_seen = |alert: &AlertUse| {
            let about = about(&self.snapshot, alert);
            about.is_none_or(|about| is_visible(about, &self.editor.id))
        };
        let (seen, unseen): (Vec<AlertUse>, Vec<AlertUse>) = alerts.into_iter().partition(is_seen);
        let mut alerts: Vec<String> = seen.into_iter().map(|alert| alert.name).collect();
        alerts.sort_unstable();
        let (key, unseen_count) = (metric.key.clone(), unseen.len());
        Err(MetricError::Needed { key, alerts, unseen_count })
    }

    /// Checks that everyone who sees a metric sees the metrics it is built on.
    fn check_visibility(&self, metric: &Metric) -> Result<(), MetricError> {
        let of_key = |key: &str| self.snapshot.metrics().values().find(|metric| metric.key == key);
        let hides = |of: &Metric, from: &Metric| {
            of.is_private() && !(from.is_private() && from.owner_id == of.owner_id)
        };
        let graph = self.draft.graph();
        for used in graph.uses(&metric.key).unwrap_or_default() {
            if of_key(used.key).is_some_and(|used| hides(used, metric)) {
                let (key, used) = (metric.key.clone(), used.key.to_owned());
                return Err(MetricError::Exposes { key, used });
            }
        }
        let users = graph.users(&metric.key).unwrap_or_default();
        let users = users.iter().filter_map(|user| of_key(user.key));
        let blind: Vec<&Metric> = users.filter(|user| hides(metric, user)).collect();
        if blind.is_empty() {
            return Ok(());
        }
        let key = metric.key.clone();
        let visible = blind.iter().filter(|user| is_visible(user, &self.editor.id));
        let users: Vec<String> = visible.map(|user| user.key.clone()).collect();
        if users.is_empty() {
            return Err(MetricError::UsedUnseen(key));
        }
        Err(RegistryError::Used { key, users }.into())
    }

    pub(super) fn signed(&self, note: Option<&str>) -> Signed {
        let signed = Signed::new(&self.editor.id, self.tx.now().to_jiff());
        note.map_or(signed.clone(), |note| signed.note(note))
    }

    /// Returns the metric with an id or key, including removed ones.
    pub(super) fn metric(&self, id_or_key: &str) -> Result<Metric, MetricError> {
        let metric = self.snapshot.metric_or_removed(id_or_key);
        metric.cloned().ok_or_else(|| MetricError::NotFound(id_or_key.to_owned()))
    }

    /// Returns the metric with an id or key, unless it was removed.
    pub(super) fn live(&self, id_or_key: &str) -> Result<Metric, MetricError> {
        let metric = self.metric(id_or_key)?;
        if metric.deleted_at.is_some() {
            return Err(MetricError::NotFound(id_or_key.to_owned()));
        }
        Ok(metric)
    }

    /// Returns whether a metric no longer compiles, for example after the store's currency changed.
    pub(super) fn is_broken(&self, metric: &Metric) -> bool {
        self.snapshot.broken().contains_key(&metric.key)
    }

    /// Returns whether the metric is private to the editor: nobody else could unlock it.
    pub(super) fn is_own_private(&self, metric: &Metric) -> bool {
        metric.is_private() && is_visible(metric, &self.editor.id)
    }

    /// Checks that the metric may be changed.
    pub(super) fn unlocked(&self, metric: &Metric, force: bool) -> Result<(), MetricError> {
        if !metric.is_locked || (force && self.editor.is_admin) {
            return Ok(());
        }
        Err(MetricError::Locked(metric.key.clone()))
    }

    /// Returns whether no other metric has this name.
    pub(super) fn is_titled(&self, name: &str, own: i64) -> bool {
        let lower = name.to_lowercase();
        let mut others = self.snapshot.metrics().values();
        !others.any(|other| other.seq != own && other.name.to_lowercase() == lower)
    }

    pub(super) fn check_name(&self, metric: &Metric) -> Result<(), MetricError> {
        let lower = metric.name.to_lowercase();
        let mut others = self.snapshot.metrics().values().filter(|other| other.seq != metric.seq);
        let same = others
            .find(|other| other.org_id == metric.org_id && other.name.to_lowercase() == lower);
        match same {
            None => Ok(()),
            Some(other) if other.deleted_at.is_some() && is_visible(other, &self.editor.id) => {
                Err(MetricError::NameRemoved(metric.name.clone()))
            }
            Some(_) => Err(MetricError::NameTaken(metric.name.clone())),
        }
    }

    pub(super) fn check_dependencies(
        &self,
        key: &str,
        given: Option<&[String]>,
    ) -> Result<(), MetricError> {
        let Some(given) = given else { return Ok(()) };
        let uses = self.draft.graph().uses(key).unwrap_or_default();
        let inferred: BTreeSet<String> = uses.iter().map(|used| used.key.to_owned()).collect();
        let meant: BTreeSet<String> = given
            .iter()
            .map(|name| self.snapshot.metric(name).map_or_else(|| name.clone(), |m| m.key.clone()))
            .collect();
        if inferred == meant {
            return Ok(());
        }
        Err(MetricError::Dependencies {
            inferred: inferred.into_iter().collect(),
            given: meant.into_iter().collect(),
        })
    }

    /// Writes the differences and returns the edited metric.
    pub(super) fn save(self, own: Metric, action: Action) -> Result<Metric, MetricError> {
        self.check_visibility(&own)?;
        let mut rows: BTreeMap<i64, Metric> = self.snapshot.metrics().clone();
        let seq = own.seq;
        rows.insert(seq, own);
        for after in self.draft.metrics() {
            let number = i64::try_from(after.id.0).unwrap_or(0);
            let before = self.snapshot.registry().by_id(after.id);
            if before == Some(after) && number != seq {
                continue;
            }
            if let Some(row) = rows.get_mut(&number) {
                self.write(row, before, after)?;
                let action = if number == seq { action } else { Action::Follow };
                let before = self.snapshot.metrics().get(&number);
                audit_notes::changed(self.tx, action, (before, row), &self.editor.id)?;
            }
        }
        stamp::renew(self.tx)?;
        let broken = self.snapshot.broken().clone();
        let stamp: Stamp = stamp::read(self.tx)?;
        let saved = rows.get(&seq).cloned();
        // A revived metric may revive others, which are found when all are reloaded.
        if self.revived.is_none() {
            self.registry.keep(&Arc::new(RegistrySnapshot::new(stamp, self.draft, rows, broken)));
        }
        saved.ok_or_else(|| MetricError::NotFound(seq.to_string()))
    }

    /// Writes a metric that no longer compiles and whose definition is unchanged.
    pub(super) fn save_broken(
        self,
        mut metric: Metric,
        action: Action,
    ) -> Result<Metric, MetricError> {
        metric.updated_at = self.tx.now();
        metric.updated_by = Some(self.on_behalf_of.unwrap_or_else(|| self.editor.id.clone()));
        metrics::put(self.tx, &metric)?;
        let before = self.snapshot.metrics().get(&metric.seq);
        audit_notes::changed(self.tx, action, (before, &metric), &self.editor.id)?;
        stamp::renew(self.tx)?;
        Ok(metric)
    }

    fn write(
        &self,
        row: &mut Metric,
        before: Option<&RegisteredMetric>,
        after: &RegisteredMetric,
    ) -> Result<(), MetricError> {
        let now = self.tx.now();
        row.formula.clone_from(&after.definition.formula);
        row.state = after.state.into();
        row.version = after.version().map_or(0, |version| version.number);
        row.deleted_at = after.removed.then(|| row.deleted_at.unwrap_or(now));
        row.updated_at = now;
        let author = self.on_behalf_of.as_ref().unwrap_or(&self.editor.id);
        row.updated_by = Some(author.clone());
        metrics::put(self.tx, row)?;
        let existing_count = before.map_or(0, |before| before.versions.len());
        for version in after.versions.iter().skip(existing_count) {
            versions::insert(self.tx, row, version)?;
        }
        let existing = before.map_or(&[][..], |before| &before.examples);
        for (index, (old, new)) in (0_i64..).zip(existing.iter().zip(&after.examples)) {
            if old.context != new.context {
                examples::set_context(self.tx, row.seq, index, &new.context)?;
            }
        }
        Ok(())
    }
}

/// Returns the metric that an alert is about.
fn about<'s>(snapshot: &'s RegistrySnapshot, alert: &AlertUse) -> Option<&'s Metric> {
    snapshot.metrics().values().find(|about| about.id == alert.metric_id)
}

/// Returns whether an alert is about a metric, or its condition names it.
fn names(snapshot: &RegistrySnapshot, metric: &Metric, alert: &AlertUse) -> bool {
    let condition = || snapshot.engine().compiled(&alert.condition);
    alert.metric_id == metric.id
        || condition().is_ok_and(|condition| condition.metrics().contains(&metric.key))
}

/// Returns whether an alert exposes a metric to users other than its owner: an alert created by another user, or one
/// about another metric that others see and whose condition names this one.
fn exposes(snapshot: &RegistrySnapshot, metric: &Metric, alert: &AlertUse) -> bool {
    let is_owners = |about: &Metric| {
        about.id == metric.id || (about.is_private() && about.owner_id == metric.owner_id)
    };
    let is_own =
        alert.created_by == metric.owner_id && about(snapshot, alert).is_some_and(is_owners);
    !is_own && names(snapshot, metric, alert)
}
