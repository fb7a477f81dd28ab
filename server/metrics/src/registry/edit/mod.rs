//! Edits of metrics. Each function is part of its caller's transaction: a refused edit changes nothing.
//!
//! The engine's registry applies an edit to a copy of the metrics as the transaction sees them; then the differences
//! are written and the stamp is renewed.

mod example;
mod placeholder;
mod session;

pub(crate) use example::{MAX_EXAMPLES, add_example, remove_example};
pub(crate) use placeholder::add_placeholder;

use std::collections::BTreeSet;

use quotient::registry::{Definition, RegistryError, State};
use quotient_foundation::{assign, users};

use session::EditSession;

use super::audit_notes::{self, Action};
use super::metric::{FormattingRules, Metric, free_key, slug};
use super::queries::versions;
use super::vocabulary::{Category, DataType, Lifecycle, Scope, Visibility};
use super::{MetricRegistry, definition, number};
use crate::MetricError;
use crate::database::Tx;
use crate::http::Patch;
use crate::ids::MetricId;

#[derive(Debug, Clone)]
pub(crate) struct Editor {
    /// The actor's id: `user_…` or `apk_…`.
    pub id: String,
    /// Whether they may force what a lock or an alert forbids, and make metrics of others and of the system.
    pub(crate) is_admin: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct NewMetric {
    pub name: String,
    pub description: Option<String>,
    pub category: Category,
    pub scope: Scope,
    pub formula: String,
    pub data_type: DataType,
    pub formatting_rules: FormattingRules,
    /// Keys that the formula must use, if given.
    pub dependencies: Option<Vec<String>>,
    pub tags: Vec<String>,
    pub org_id: Option<String>,
    pub owner_id: Option<String>,
    pub visibility: Visibility,
    pub is_system: bool,
}

impl NewMetric {
    /// A metric of the store that everyone sees, without what is optional.
    pub(crate) fn new(name: &str, category: Category, formula: &str, data_type: DataType) -> Self {
        Self {
            name: name.to_owned(),
            description: None,
            category,
            scope: Scope::Store,
            formula: formula.to_owned(),
            data_type,
            formatting_rules: FormattingRules::default(),
            dependencies: None,
            tags: Vec::new(),
            org_id: None,
            owner_id: None,
            visibility: Visibility::Public,
            is_system: false,
        }
    }
}

/// The fields of a metric to change; absent ones keep their value.
#[derive(Debug, Clone, Default)]
pub(crate) struct MetricChange {
    pub name: Option<String>,
    pub description: Patch<String>,
    pub formula: Option<String>,
    pub data_type: Option<DataType>,
    pub formatting_rules: Option<FormattingRules>,
    pub dependencies: Option<Vec<String>>,
    pub tags: Option<Vec<String>>,
    pub visibility: Option<Visibility>,
    pub is_active: Option<bool>,
    pub is_locked: Option<bool>,
    /// On whose behalf the editor acts.
    pub updated_by: Option<String>,
    /// Why the metric changes.
    pub note: Option<String>,
    /// Whether to override a lock.
    pub force: bool,
}

/// Creates a metric as a draft.
pub(crate) fn create(
    tx: &Tx<'_>,
    registry: &MetricRegistry,
    new: NewMetric,
    editor: &Editor,
) -> Result<Metric, MetricError> {
    let plain = slug(&new.name);
    create_as(tx, registry, &plain, new, editor)
}

/// Creates a metric as a draft, with a key that is not derived from its name. If the key is taken, a number is
/// appended; if it is empty, it is `metric_` with the metric's number.
pub(crate) fn create_as(
    tx: &Tx<'_>,
    registry: &MetricRegistry,
    plain: &str,
    new: NewMetric,
    editor: &Editor,
) -> Result<Metric, MetricError> {
    if new.is_system && !editor.is_admin {
        return Err(MetricError::AdminsOnly("make metrics of the system"));
    }
    check_owner(tx, new.owner_id.as_deref(), editor)?;
    if plain.is_empty() && !new.name.chars().any(char::is_alphanumeric) {
        return Err(MetricError::NoKey(new.name));
    }
    let mut session = EditSession::open(tx, registry, editor)?;
    let taken: BTreeSet<&str> =
        session.snapshot.metrics().values().map(|metric| metric.key.as_str()).collect();
    let last = session.snapshot.metrics().last_key_value().map_or(0, |(seq, _)| *seq);
    let seq = last.saturating_add(1);
    let numbered = format!("metric_{seq}");
    let plain = if plain.is_empty() { &numbered } else { plain };
    let metric = Metric {
        seq,
        id: MetricId::new(),
        key: free_key(plain, &taken),
        name: new.name,
        description: new.description,
        category: new.category,
        scope: new.scope,
        formula: new.formula,
        data_type: new.data_type,
        formatting_rules: new.formatting_rules,
        tags: new.tags,
        org_id: new.org_id,
        owner_id: new.owner_id.or_else(|| Some(editor.id.clone())),
        visibility: new.visibility,
        is_system: new.is_system,
        is_active: true,
        is_locked: false,
        state: Lifecycle::Draft,
        version: 1,
        created_by: Some(editor.id.clone()),
        updated_by: Some(editor.id.clone()),
        created_at: tx.now(),
        updated_at: tx.now(),
        deleted_at: None,
    };
    session.check_name(&metric)?;
    metric.formatting_rules.check()?;
    let is_titled = session.is_titled(&metric.name, metric.seq);
    let signed = session.signed(None);
    let definition = definition(&metric, is_titled);
    let defined = session.act(|registry| registry.define(definition.clone(), &signed));
    defined.map_err(|refusal| refusal.about(&metric.formula))?;
    session.check_dependencies(&metric.key, new.dependencies.as_deref())?;
    session.save(metric, Action::Create)
}

/// Checks that a new metric belongs to its editor, or that an admin gives it to a user.
fn check_owner(tx: &Tx<'_>, owner_id: Option<&str>, editor: &Editor) -> Result<(), MetricError> {
    let Some(owner_id) = owner_id.filter(|owner_id| *owner_id != editor.id) else {
        return Ok(());
    };
    if !editor.is_admin {
        return Err(MetricError::AdminsOnly("make metrics of others"));
    }
    if !users::has(tx, owner_id)? {
        return Err(MetricError::Parameter(format!("There is no user with id: {owner_id}")));
    }
    Ok(())
}

/// Runs an edit of a metric, and records its refusal by a lock or a use.
fn audited<T>(
    tx: &Tx<'_>,
    registry: &MetricRegistry,
    request: (Action, &str),
    editor: &Editor,
    edit: impl FnOnce(EditSession<'_, '_>) -> Result<T, MetricError>,
) -> Result<T, MetricError> {
    let outcome = EditSession::open(tx, registry, editor).and_then(edit);
    audit_notes::or_refused(tx, registry, request, &editor.id, outcome)
}

/// Changes a metric. Metrics built on it follow at once.
pub(crate) fn update(
    tx: &Tx<'_>,
    registry: &MetricRegistry,
    (id_or_key, change): (&str, MetricChange),
    editor: &Editor,
) -> Result<Metric, MetricError> {
    audited(tx, registry, (Action::Update, id_or_key), editor, |mut session| {
        let before = session.live(id_or_key)?;
        let mut metric = before.clone();
        change.formatting_rules.as_ref().map_or(Ok(()), FormattingRules::check)?;
        assign!(change => metric: name, description, formula, data_type, formatting_rules, tags);
        assign!(change => metric: visibility, is_active, is_locked);
        let only_unlocks = !metric.is_locked
            && Metric { is_locked: before.is_locked, ..metric.clone() } == before
            && change.dependencies.is_none();
        if !only_unlocks || !session.is_own_private(&before) {
            session.unlocked(&before, change.force)?;
        }
        session.check_name(&metric)?;
        session.check_alerts(&metric)?;
        let after = definition(&metric, session.is_titled(&metric.name, metric.seq));
        session.on_behalf_of = change.updated_by;
        if session.is_broken(&metric) {
            let is_same = after == definition(&before, after.title.is_some())
                && before.visibility == metric.visibility;
            if is_same && change.dependencies.is_none() {
                return session.save_broken(metric, Action::Update);
            }
            session.revived = Some(number(metric.seq));
        }
        let signed = session.signed(change.note.as_deref());
        let replace = |definition: &mut Definition| definition.clone_from(&after);
        let edited = session.act(|registry| registry.edit(&metric.key, replace, &signed));
        edited.map_err(|refusal| refusal.about(&metric.formula))?;
        session.check_dependencies(&metric.key, change.dependencies.as_deref())?;
        session.save(metric, Action::Update)
    })
}

/// Creates a new version equal to an earlier one.
pub(crate) fn roll_back(
    tx: &Tx<'_>,
    registry: &MetricRegistry,
    (id_or_key, version, force): (&str, u32, bool),
    editor: &Editor,
) -> Result<Metric, MetricError> {
    audited(tx, registry, (Action::Rollback, id_or_key), editor, |mut session| {
        let mut metric = session.live(id_or_key)?;
        session.unlocked(&metric, force)?;
        let rows = versions::of_metric(tx, metric.seq)?;
        let row = rows.into_iter().find(|row| row.version == version);
        let Some(row) = row else {
            return Err(RegistryError::NoVersion { key: metric.key, number: version }.into());
        };
        metric.name = row.name;
        metric.data_type = row.data_type;
        metric.formatting_rules = row.formatting_rules;
        session.check_name(&metric)?;
        session.revived = session.is_broken(&metric).then(|| number(metric.seq));
        let signed = session.signed(Some(&format!("rolled back to version {version}")));
        session.act(|registry| registry.rollback(&metric.key, version, &signed))?;
        session.save(metric, Action::Rollback)
    })
}

/// Changes the lifecycle state of a metric. A removed metric becomes a draft again.
pub(crate) fn set_state(
    tx: &Tx<'_>,
    registry: &MetricRegistry,
    (id_or_key, state, force): (&str, Lifecycle, bool),
    editor: &Editor,
) -> Result<Metric, MetricError> {
    audited(tx, registry, (Action::Lifecycle, id_or_key), editor, |mut session| {
        let mut metric = session.metric(id_or_key)?;
        session.unlocked(&metric, force)?;
        if state == Lifecycle::Archived {
            session.unwatched(&metric, force)?;
        }
        if metric.is_system && state == Lifecycle::Archived && !editor.is_admin {
            return Err(MetricError::System(metric.key));
        }
        if session.is_broken(&metric) {
            let (from, to) = (State::from(metric.state), State::from(state));
            if !from.leads_to(to) {
                return Err(RegistryError::Transition { from, to }.into());
            }
            if state == Lifecycle::Active {
                return Err(MetricError::broken(metric.key));
            }
            metric.state = state;
            return session.save_broken(metric, Action::Lifecycle);
        }
        session.act(|registry| registry.set_state(&metric.key, state.into()))?;
        session.save(metric, Action::Lifecycle)
    })
}

/// Archives a metric in any state. An archived one stays as it is.
///
/// # Errors
/// [`MetricError::System`]; [`MetricError::Locked`]; [`MetricError::Needed`] by alerts; [`RegistryError::Used`] by metrics
/// in use.
pub(crate) fn archive(
    tx: &Tx<'_>,
    registry: &MetricRegistry,
    named: (&str, bool),
    editor: &Editor,
) -> Result<Metric, MetricError> {
    retire(tx, registry, named, editor, false)
}

/// Removes a metric. Its key stays taken, and its versions remain.
///
/// # Errors
/// As [`archive`].
pub(crate) fn remove(
    tx: &Tx<'_>,
    registry: &MetricRegistry,
    named: (&str, bool),
    editor: &Editor,
) -> Result<Metric, MetricError> {
    retire(tx, registry, named, editor, true)
}

/// Archives or removes a metric, by its id or key, and by force if it is locked or active alerts use it.
fn retire(
    tx: &Tx<'_>,
    registry: &MetricRegistry,
    (id_or_key, force): (&str, bool),
    editor: &Editor,
    is_removal: bool,
) -> Result<Metric, MetricError> {
    audited(tx, registry, (Action::Delete, id_or_key), editor, |mut session| {
        let mut metric = session.live(id_or_key)?;
        if metric.is_system {
            return Err(MetricError::System(metric.key));
        }
        session.unlocked(&metric, force)?;
        session.unwatched(&metric, force)?;
        if metric.state == Lifecycle::Archived && !is_removal {
            return Ok(metric);
        }
        if session.is_broken(&metric) {
            metric.state = Lifecycle::Archived;
            metric.deleted_at = is_removal.then(|| tx.now());
            return session.save_broken(metric, Action::Delete);
        }
        session.act(|registry| {
            if is_removal {
                return registry.remove(&metric.key);
            }
            registry.set_state(&metric.key, State::Archived)
        })?;
        session.save(metric, Action::Delete)
    })
}
