//! Metrics made and changed. Each function is a part of its caller's transaction: what is refused leaves nothing.
//!
//! An edit is worked out by the engine's registry on a copy of the metrics as the transaction sees them; then what has
//! become different is written, and the stamp is renewed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use quotient::registry::{Example, RegisteredMetric, Registry, RegistryError, Signed};

use super::MetricError;
use super::library::{Library, Shelf, Stamp, definition, number};
use super::metric::{FormattingRules, Metric, free_key, slug};
use super::noted::{self, Action};
use super::queries::versions::NewVersion;
use super::queries::{examples, metrics, placeholders, stamp, versions};
use super::schema::{self, NewPlaceholder};
use super::words::{Category, DataType, Lifecycle, Scope, Visibility};
use crate::database::Tx;
use crate::ids::{MetricExampleId, MetricId, PlaceholderId};
use crate::metrics::queries::placeholders::PlaceholderRow;
use crate::trail::{self, EntityType, Entry};

/// Who edits.
#[derive(Debug, Clone)]
pub(crate) struct Editor {
    /// `user_…` or `apk_…`.
    pub(crate) id: String,
    /// Whether what is locked may be forced.
    pub(crate) is_admin: bool,
}

/// A metric to be made.
#[derive(Debug, Clone)]
pub(crate) struct NewMetric {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) category: Category,
    pub(crate) scope: Scope,
    pub(crate) formula: String,
    pub(crate) data_type: DataType,
    pub(crate) formatting_rules: FormattingRules,
    /// Keys that the formula must use, if they are said.
    pub(crate) dependencies: Option<Vec<String>>,
    pub(crate) tags: Vec<String>,
    pub(crate) org_id: Option<String>,
    pub(crate) owner_id: Option<String>,
    pub(crate) visibility: Visibility,
    pub(crate) is_system: bool,
}

/// What is to be different; what is left out stays.
#[derive(Debug, Clone, Default)]
pub(crate) struct MetricChange {
    pub(crate) name: Option<String>,
    #[expect(clippy::option_option, reason = "left as it is, emptied, or set")]
    pub(crate) description: Option<Option<String>>,
    pub(crate) formula: Option<String>,
    pub(crate) data_type: Option<DataType>,
    pub(crate) formatting_rules: Option<FormattingRules>,
    pub(crate) dependencies: Option<Vec<String>>,
    pub(crate) tags: Option<Vec<String>>,
    pub(crate) visibility: Option<Visibility>,
    pub(crate) is_active: Option<bool>,
    pub(crate) is_locked: Option<bool>,
    /// Whether a lock is to be passed over.
    pub(crate) force: bool,
}

/// The metrics under edit.
struct Editing<'t, 'c> {
    tx: &'t Tx<'c>,
    library: &'t Library,
    shelf: Arc<Shelf>,
    registry: Registry,
    editor: &'t Editor,
}

impl<'t, 'c> Editing<'t, 'c> {
    fn open(tx: &'t Tx<'c>, library: &'t Library, editor: &'t Editor) -> Result<Self, MetricError> {
        let shelf = library.shelf(tx)?;
        let registry = shelf.registry().clone();
        Ok(Self { tx, library, shelf, registry, editor })
    }

    fn signed(&self, note: Option<&str>) -> Signed {
        let signed = Signed::new(&self.editor.id, self.tx.now().to_jiff());
        note.map_or(signed.clone(), |note| signed.note(note))
    }

    /// The metric of an id or a key, removed ones too.
    fn metric(&self, id_or_key: &str) -> Result<Metric, MetricError> {
        let is_meant = |metric: &&Metric| {
            metric.id.as_str() == id_or_key || metric.key.eq_ignore_ascii_case(id_or_key)
        };
        let found = self.shelf.metrics().values().find(is_meant);
        found.cloned().ok_or_else(|| MetricError::NotFound(id_or_key.to_owned()))
    }

    /// The same, unless it was removed.
    fn live(&self, id_or_key: &str) -> Result<Metric, MetricError> {
        let metric = self.metric(id_or_key)?;
        if metric.deleted_at.is_some() {
            return Err(MetricError::NotFound(id_or_key.to_owned()));
        }
        Ok(metric)
    }

    /// Whether the metric may be changed.
    fn unlocked(&self, metric: &Metric, force: bool) -> Result<(), MetricError> {
        if !metric.is_locked || (force && self.editor.is_admin) {
            return Ok(());
        }
        Err(MetricError::Locked(metric.key.clone()))
    }

    /// Whether another metric is called by this name.
    fn is_titled(&self, name: &str, own: i64) -> bool {
        let lower = name.to_lowercase();
        let mut others = self.shelf.metrics().values();
        !others.any(|other| other.seq != own && other.name.to_lowercase() == lower)
    }

    fn check_name(&self, metric: &Metric) -> Result<(), MetricError> {
        let lower = metric.name.to_lowercase();
        let mut others = self.shelf.metrics().values().filter(|other| other.seq != metric.seq);
        let is_taken =
            others.any(|other| other.org_id == metric.org_id && other.name.to_lowercase() == lower);
        if is_taken { Err(MetricError::NameTaken(metric.name.clone())) } else { Ok(()) }
    }

    fn check_dependencies(&self, key: &str, given: Option<&[String]>) -> Result<(), MetricError> {
        let Some(given) = given else { return Ok(()) };
        let uses = self.registry.graph().uses(key).unwrap_or_default();
        let inferred: BTreeSet<String> = uses.iter().map(|used| used.key.to_owned()).collect();
        let meant: BTreeSet<String> = given
            .iter()
            .map(|name| self.shelf.metric(name).map_or_else(|| name.clone(), |m| m.key.clone()))
            .collect();
        if inferred == meant {
            return Ok(());
        }
        Err(MetricError::Dependencies {
            inferred: inferred.into_iter().collect(),
            given: meant.into_iter().collect(),
        })
    }

    /// Writes what has become different, and gives the metric that was edited.
    fn save(self, own: Metric, action: Action) -> Result<Metric, MetricError> {
        let mut rows: BTreeMap<i64, Metric> = self.shelf.metrics().clone();
        let seq = own.seq;
        rows.insert(seq, own);
        for after in self.registry.metrics() {
            let number = i64::try_from(after.id.0).unwrap_or(0);
            let before = self.shelf.registry().by_id(after.id);
            if before == Some(after) && number != seq {
                continue;
            }
            if let Some(row) = rows.get_mut(&number) {
                self.write(row, before, after)?;
                let action = if number == seq { action } else { Action::Follow };
                let before = self.shelf.metrics().get(&number);
                noted::changed(self.tx, action, (before, row), self.editor)?;
            }
        }
        stamp::renew(self.tx)?;
        let broken = self.shelf.broken().clone();
        let stamp: Stamp = stamp::read(self.tx)?;
        let saved = rows.get(&seq).cloned();
        self.library.keep(&Arc::new(Shelf::new(stamp, self.registry, rows, broken)));
        saved.ok_or_else(|| MetricError::NotFound(seq.to_string()))
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
        row.updated_by = Some(self.editor.id.clone());
        metrics::put(self.tx, row)?;
        let known = before.map_or(0, |before| before.versions.len());
        for version in after.versions.iter().skip(known) {
            let new = NewVersion {
                metric_seq: row.seq,
                version,
                name: &row.name,
                data_type: row.data_type,
                formatting_rules: &row.formatting_rules,
                at: now,
            };
            versions::insert(self.tx, &new)?;
        }
        let kept = before.map_or(&[][..], |before| &before.examples);
        for (position, (old, new)) in (0_i64..).zip(kept.iter().zip(&after.examples)) {
            if old.context != new.context {
                examples::set_context(self.tx, (row.seq, position), &new.context)?;
            }
        }
        Ok(())
    }
}

/// Makes a metric, as a draft.
///
/// # Errors
/// Everything that speaks against it: its name, its formula, its declared type, its dependencies.
pub(crate) fn create(
    tx: &Tx<'_>,
    library: &Library,
    new: NewMetric,
    editor: &Editor,
) -> Result<Metric, MetricError> {
    let plain = slug(&new.name);
    create_as(tx, library, (&plain, new), editor)
}

/// Makes a metric, as a draft, under a key that does not follow from its name. Where a metric has the key, a number is
/// put behind it.
///
/// # Errors
/// As [`create`].
pub(crate) fn create_as(
    tx: &Tx<'_>,
    library: &Library,
    (plain, new): (&str, NewMetric),
    editor: &Editor,
) -> Result<Metric, MetricError> {
    if new.is_system && !editor.is_admin {
        return Err(MetricError::AdminsOnly("make metrics of the system"));
    }
    let mut editing = Editing::open(tx, library, editor)?;
    if plain.is_empty() {
        return Err(MetricError::NoKey(new.name));
    }
    let taken: BTreeSet<&str> =
        editing.shelf.metrics().values().map(|metric| metric.key.as_str()).collect();
    let last = editing.shelf.metrics().last_key_value().map_or(0, |(seq, _)| *seq);
    let mut metric = Metric {
        seq: last.saturating_add(1),
        id: MetricId::new(),
        key: plain.to_owned(),
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
    editing.check_name(&metric)?;
    metric.key = free_key(plain, &taken);
    let is_titled = editing.is_titled(&metric.name, metric.seq);
    let signed = editing.signed(None);
    editing.registry.define(definition(&metric, is_titled), &signed)?;
    editing.check_dependencies(&metric.key, new.dependencies.as_deref())?;
    editing.save(metric, Action::Create)
}

/// Changes a metric. Metrics built on it follow at once.
///
/// # Errors
/// Everything that speaks against it: a lock, the name, the formula, what is built on it.
pub(crate) fn update(
    tx: &Tx<'_>,
    library: &Library,
    (id_or_key, change): (&str, MetricChange),
    editor: &Editor,
) -> Result<Metric, MetricError> {
    let asked = (Action::Update, id_or_key);
    noted::or_refused(tx, library, asked, editor, updated(tx, library, (id_or_key, change), editor))
}

fn updated(
    tx: &Tx<'_>,
    library: &Library,
    (id_or_key, change): (&str, MetricChange),
    editor: &Editor,
) -> Result<Metric, MetricError> {
    let mut editing = Editing::open(tx, library, editor)?;
    let mut metric = editing.live(id_or_key)?;
    editing.unlocked(&metric, change.force)?;
    let MetricChange { name, description, formula, data_type, .. } = change;
    metric.name = name.unwrap_or(metric.name);
    metric.description = description.unwrap_or(metric.description);
    metric.formula = formula.unwrap_or(metric.formula);
    metric.data_type = data_type.unwrap_or(metric.data_type);
    metric.formatting_rules = change.formatting_rules.unwrap_or(metric.formatting_rules);
    metric.tags = change.tags.unwrap_or(metric.tags);
    metric.visibility = change.visibility.unwrap_or(metric.visibility);
    metric.is_active = change.is_active.unwrap_or(metric.is_active);
    metric.is_locked = change.is_locked.unwrap_or(metric.is_locked);
    editing.check_name(&metric)?;
    let after = definition(&metric, editing.is_titled(&metric.name, metric.seq));
    let signed = editing.signed(None);
    editing.registry.edit(&metric.key, |definition| *definition = after, &signed)?;
    editing.check_dependencies(&metric.key, change.dependencies.as_deref())?;
    editing.save(metric, Action::Update)
}

/// Makes a version that says what an earlier one said.
///
/// # Errors
/// [`RegistryError::NoVersion`]; a lock; what is built on the metric and would break.
pub(crate) fn roll_back(
    tx: &Tx<'_>,
    library: &Library,
    (id_or_key, version, force): (&str, u32, bool),
    editor: &Editor,
) -> Result<Metric, MetricError> {
    let asked = (Action::Rollback, id_or_key);
    let outcome = rolled_back(tx, library, (id_or_key, version, force), editor);
    noted::or_refused(tx, library, asked, editor, outcome)
}

fn rolled_back(
    tx: &Tx<'_>,
    library: &Library,
    (id_or_key, version, force): (&str, u32, bool),
    editor: &Editor,
) -> Result<Metric, MetricError> {
    let mut editing = Editing::open(tx, library, editor)?;
    let mut metric = editing.live(id_or_key)?;
    editing.unlocked(&metric, force)?;
    let rows = versions::of_metric(tx, metric.seq)?;
    let row = rows.into_iter().find(|row| row.number == version);
    let Some(row) = row else {
        return Err(RegistryError::NoVersion { key: metric.key, number: version }.into());
    };
    metric.name = row.name;
    metric.data_type = row.data_type;
    metric.formatting_rules = row.formatting_rules;
    editing.check_name(&metric)?;
    let signed = editing.signed(Some(&format!("rolled back to version {version}")));
    editing.registry.rollback(&metric.key, version, &signed)?;
    editing.save(metric, Action::Rollback)
}

/// Moves a metric along an edge of its states. A removed one comes back as a draft.
///
/// # Errors
/// [`RegistryError::Transition`], [`RegistryError::Inactive`], [`RegistryError::Examples`], [`RegistryError::Used`]; a lock.
pub(crate) fn set_state(
    tx: &Tx<'_>,
    library: &Library,
    (id_or_key, state, force): (&str, Lifecycle, bool),
    editor: &Editor,
) -> Result<Metric, MetricError> {
    let asked = (Action::Lifecycle, id_or_key);
    noted::or_refused(
        tx,
        library,
        asked,
        editor,
        moved(tx, library, (id_or_key, state, force), editor),
    )
}

fn moved(
    tx: &Tx<'_>,
    library: &Library,
    (id_or_key, state, force): (&str, Lifecycle, bool),
    editor: &Editor,
) -> Result<Metric, MetricError> {
    let mut editing = Editing::open(tx, library, editor)?;
    let metric = editing.metric(id_or_key)?;
    editing.unlocked(&metric, force)?;
    if metric.is_system && state == Lifecycle::Archived && !editor.is_admin {
        return Err(MetricError::System(metric.key));
    }
    editing.registry.set_state(&metric.key, state.into())?;
    editing.save(metric, Action::Lifecycle)
}

/// Takes a metric out. Its key stays taken, and its versions stay.
///
/// # Errors
/// [`MetricError::System`]; a lock; [`RegistryError::Used`] by other metrics.
pub(crate) fn remove(
    tx: &Tx<'_>,
    library: &Library,
    (id_or_key, force): (&str, bool),
    editor: &Editor,
) -> Result<Metric, MetricError> {
    let asked = (Action::Delete, id_or_key);
    noted::or_refused(tx, library, asked, editor, removed(tx, library, (id_or_key, force), editor))
}

fn removed(
    tx: &Tx<'_>,
    library: &Library,
    (id_or_key, force): (&str, bool),
    editor: &Editor,
) -> Result<Metric, MetricError> {
    let mut editing = Editing::open(tx, library, editor)?;
    let metric = editing.live(id_or_key)?;
    if metric.is_system {
        return Err(MetricError::System(metric.key));
    }
    editing.unlocked(&metric, force)?;
    editing.registry.remove(&metric.key)?;
    editing.save(metric, Action::Delete)
}

/// Adds a context with the result that the metric must give for it.
///
/// # Errors
/// [`RegistryError::Examples`] if the metric is in use and does not give it.
pub(crate) fn add_example(
    tx: &Tx<'_>,
    library: &Library,
    (id_or_key, example): (&str, Example),
    editor: &Editor,
) -> Result<(MetricExampleId, Metric), MetricError> {
    let asked = (Action::Example, id_or_key);
    let outcome = with_example(tx, library, (id_or_key, example), editor);
    noted::or_refused(tx, library, asked, editor, outcome)
}

fn with_example(
    tx: &Tx<'_>,
    library: &Library,
    (id_or_key, example): (&str, Example),
    editor: &Editor,
) -> Result<(MetricExampleId, Metric), MetricError> {
    let mut editing = Editing::open(tx, library, editor)?;
    let metric = editing.live(id_or_key)?;
    editing.unlocked(&metric, false)?;
    let known = editing.registry.by_id(number(metric.seq));
    let mut all = known.map(|metric| metric.examples.clone()).unwrap_or_default();
    all.push(example.clone());
    editing.registry.set_examples(&metric.key, all)?;
    let row = examples::ExampleRow {
        id: MetricExampleId::new(),
        metric_seq: metric.seq,
        context: example.context,
        expected: example.expected,
        created_at: tx.now(),
    };
    examples::insert(tx, &row)?;
    Ok((row.id, editing.save(metric, Action::Example)?))
}

/// Adds a placeholder; formulas can use it from the next transaction on.
///
/// # Errors
/// [`schema::PlaceholderError`]; [`MetricError::NameTaken`] if a metric has the key.
pub(in crate::metrics) fn add_placeholder(
    tx: &Tx<'_>,
    library: &Library,
    new: NewPlaceholder,
    editor: &Editor,
) -> Result<PlaceholderRow, MetricError> {
    let shelf = library.shelf(tx)?;
    let key = new.key.to_ascii_lowercase();
    if shelf.metrics().values().any(|metric| metric.key == key) {
        return Err(MetricError::NameTaken(key));
    }
    let new = NewPlaceholder { key, ..new };
    schema::resolve(shelf.schema(), &new)?;
    let row = PlaceholderRow {
        id: PlaceholderId::new(),
        what: new,
        created_by: Some(editor.id.clone()),
        created_at: tx.now(),
        updated_at: tx.now(),
    };
    placeholders::insert(tx, &row)?;
    let entry = Entry {
        entity_type: EntityType::Placeholder,
        entity_id: row.id.as_str(),
        action: "create",
        actor_id: &editor.id,
        before: serde_json::Value::Null,
        after: serde_json::json!({
            "key": row.what.key,
            "display_name": row.what.display_name,
            "description": row.what.description,
            "data_source": row.what.data_source,
            "source_field": row.what.source_field,
            "data_type": DataType::from(row.what.data_type),
            "default_aggregation": row.what.default_aggregation,
            "category": row.what.category,
        }),
    };
    trail::record(tx, &entry)?;
    stamp::renew(tx)?;
    Ok(row)
}
