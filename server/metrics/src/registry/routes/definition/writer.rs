//! Writes definitions, each edit in its own transaction.

use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use quotient::data::Record;
use quotient::registry::{Example, RegistryError};
use serde_json::{Map, Value};

use super::VersionReference;
use super::view::{ExampleView, MetricView, check_etag};
use crate::auth::AdminAnalyst;
use crate::database::{Db, Tx};
use crate::http::{HttpError, IfMatch};
use crate::ids::MetricExampleId;
use crate::registry::edit::{self, Editor, MetricChange, NewMetric};
use crate::registry::metric::Metric;
use crate::registry::queries::versions;
use crate::registry::vocabulary::Lifecycle;
use crate::state::AppState;
use crate::{MetricError, MetricRegistry, RegistrySnapshot};

/// Finds a metric, given by its id or key, for a viewer.
type FindMetric = for<'s> fn(&'s RegistrySnapshot, &str, &str) -> Result<&'s Metric, MetricError>;

#[derive(Debug)]
pub(crate) struct DefinitionWriter {
    db: Db,
    registry: MetricRegistry,
    editor: Editor,
    matching: IfMatch,
}

impl FromRequestParts<AppState> for DefinitionWriter {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, HttpError> {
        let admin = AdminAnalyst::from_request_parts(parts, state).await?;
        let Ok(matching) = IfMatch::from_request_parts(parts, state).await;
        let editor =
            Editor { id: admin.actor_id().to_owned(), is_admin: admin.actor().may_write() };
        Ok(Self {
            db: Db::from_ref(state),
            registry: MetricRegistry::from_ref(state),
            editor,
            matching,
        })
    }
}

impl DefinitionWriter {
    pub(crate) async fn make<T: Send + 'static>(
        self,
        act: impl FnOnce(&Tx<'_>, &MetricRegistry, &Editor) -> Result<T, MetricError> + Send + 'static,
    ) -> Result<T, HttpError> {
        let Self { db, registry, editor, .. } = self;
        Ok(db.write(move |tx| act(tx, &registry, &editor)).await?)
    }

    /// Edits a metric that the editor may see, if `If-Match` allows it.
    async fn edit(
        self,
        id: String,
        find: FindMetric,
        act: impl FnOnce(&Tx<'_>, &MetricRegistry, &Metric, &Editor) -> Result<Metric, MetricError>
        + Send
        + 'static,
    ) -> Result<MetricView, HttpError> {
        let Self { db, registry, editor, matching } = self;
        let write = move |tx: &Tx<'_>| {
            let visible = registry.visible_to(tx, &editor.id)?;
            let before = find(&visible, &id, &editor.id)?;
            check_etag(&matching, &MetricView::of(&visible, before.clone()))?;
            let after = act(tx, &registry, before, &editor)?;
            Ok::<_, MetricError>(MetricView::of(&*registry.visible_to(tx, &editor.id)?, after))
        };
        Ok(db.write(write).await?)
    }

    pub(crate) async fn create(self, new: NewMetric) -> Result<MetricView, HttpError> {
        self.make(move |tx, registry, editor| {
            let metric = edit::create(tx, registry, new, editor)?;
            Ok(MetricView::of(&*registry.visible_to(tx, &editor.id)?, metric))
        })
        .await
    }

    pub(crate) async fn update(
        self,
        id: String,
        change: MetricChange,
    ) -> Result<MetricView, HttpError> {
        self.edit(id, RegistrySnapshot::visible, |tx, registry, metric, editor| {
            edit::update(tx, registry, (metric.id.as_str(), change), editor)
        })
        .await
    }

    pub(crate) async fn archive(self, id: String, force: bool) -> Result<MetricView, HttpError> {
        self.edit(id, RegistrySnapshot::visible, move |tx, registry, metric, editor| {
            edit::archive(tx, registry, (metric.id.as_str(), force), editor)
        })
        .await
    }

    pub(crate) async fn remove(self, id: String, force: bool) -> Result<MetricView, HttpError> {
        self.edit(id, RegistrySnapshot::visible, move |tx, registry, metric, editor| {
            edit::remove(tx, registry, (metric.id.as_str(), force), editor)
        })
        .await
    }

    /// Changes the lifecycle state; a removed metric is restored.
    pub(crate) async fn set_state(
        self,
        id: String,
        (state, force): (Lifecycle, bool),
    ) -> Result<MetricView, HttpError> {
        self.edit(id, RegistrySnapshot::visible_or_removed, move |tx, registry, metric, editor| {
            edit::set_state(tx, registry, (metric.id.as_str(), state, force), editor)
        })
        .await
    }

    /// Rolls back to an earlier version and returns a message for the response.
    pub(crate) async fn roll_back(
        self,
        id: String,
        which: VersionReference,
    ) -> Result<(MetricView, String), HttpError> {
        let force = which.force;
        let (sender, receiver) = std::sync::mpsc::sync_channel(1);
        let metric = self
            .edit(id, RegistrySnapshot::visible, move |tx, registry, metric, editor| {
                let number = number(tx, metric, &which)?;
                let after =
                    edit::roll_back(tx, registry, (metric.id.as_str(), number, force), editor)?;
                let message =
                    format!("Rolled back to version {number} as version {}", after.version);
                sender.try_send(message).ok();
                Ok(after)
            })
            .await?;
        Ok((metric, receiver.try_recv().unwrap_or_default()))
    }

    pub(crate) async fn add_example(
        self,
        id: String,
        (context, expected, force): (Map<String, Value>, String, bool),
    ) -> Result<ExampleView, HttpError> {
        let text = Value::Object(context.clone()).to_string();
        if let Err(unread) = Record::from_json(&text) {
            let message = format!("The context cannot be read: {unread}");
            return Err(HttpError::invalid_data(message));
        }
        self.make(move |tx, registry, editor| {
            let visible = registry.visible_to(tx, &editor.id)?;
            let metric = visible.visible(&id, &editor.id)?;
            let example = Example { context: text, expected: expected.clone() };
            let example = (metric.id.as_str(), example, force);
            let id = edit::add_example(tx, registry, example, editor)?;
            Ok(ExampleView { id, context: Value::Object(context), expected, created_at: tx.now() })
        })
        .await
    }

    pub(crate) async fn remove_example(
        self,
        id: String,
        (example_id, force): (MetricExampleId, bool),
    ) -> Result<MetricExampleId, HttpError> {
        self.make(move |tx, registry, editor| {
            let visible = registry.visible_to(tx, &editor.id)?;
            let metric = visible.visible(&id, &editor.id)?;
            edit::remove_example(tx, registry, (metric.id.as_str(), &example_id, force), editor)?;
            Ok(example_id)
        })
        .await
    }
}

fn number(tx: &Tx<'_>, metric: &Metric, which: &VersionReference) -> Result<u32, MetricError> {
    match (which.number, &which.id) {
        (Some(number), None) => Ok(number),
        (None, Some(id)) => {
            let rows = versions::of_metric(tx, metric.seq)?;
            let row = rows.into_iter().find(|row| row.id == *id);
            let number = row.map(|row| row.version);
            number.ok_or_else(|| {
                RegistryError::NoVersion { key: metric.key.clone(), number: 0 }.into()
            })
        }
        (Some(_), Some(_)) | (None, None) => {
            let message = "Send either the number of a version or its id";
            Err(MetricError::Parameter(message.to_owned()))
        }
    }
}
