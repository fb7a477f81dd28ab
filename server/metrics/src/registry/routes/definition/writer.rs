//! Writing definitions, each edit a transaction of its own.

use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use quotient::data::Record;
use quotient::registry::{Example, RegistryError};
use serde_json::{Map, Value};

use super::view::{ExampleView, MetricDetails};
use super::{IfMatch, WhichVersion, find_visible};
use crate::auth::AdminAnalyst;
use crate::database::{Db, Tx};
use crate::http::HttpError;
use crate::registry::default_metrics::{self, DefaultMetric};
use crate::registry::edit::{self, Editor, MetricChange, NewMetric};
use crate::registry::metric::Metric;
use crate::registry::queries::placeholders::PlaceholderRow;
use crate::registry::queries::versions;
use crate::registry::schema::NewPlaceholder;
use crate::registry::templates::{self, TemplateInstance};
use crate::registry::vocabulary::Lifecycle;
use crate::state::AppState;
use crate::{MetricError, MetricRegistry};

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
    async fn make<T: Send + 'static>(
        self,
        act: impl FnOnce(&Tx<'_>, &MetricRegistry, &Editor) -> Result<T, MetricError> + Send + 'static,
    ) -> Result<T, HttpError> {
        let Self { db, registry, editor, .. } = self;
        let made = db.write(move |tx| act(tx, &registry, &editor)).await?;
        Ok(made)
    }

    /// Edits a metric that the editor sees and that is as they mean it.
    async fn edit(
        self,
        (id, with_removed): (String, bool),
        act: impl FnOnce(&Tx<'_>, &MetricRegistry, &Metric, &Editor) -> Result<Metric, MetricError>
        + Send
        + 'static,
    ) -> Result<MetricDetails, HttpError> {
        let Self { db, registry, editor, matching } = self;
        let shown = db
            .write(move |tx| {
                let known = registry.visible_to(tx, &editor.id)?;
                let before = find_visible(&known, &id, (&editor.id, with_removed))?.clone();
                let before = MetricDetails::of(&known, before);
                matching.check(&before)?;
                let after = act(tx, &registry, &before.metric, &editor)?;
                Ok::<_, MetricError>(MetricDetails::of(
                    &*registry.visible_to(tx, &editor.id)?,
                    after,
                ))
            })
            .await?;
        Ok(shown)
    }

    pub(crate) async fn create(self, new: NewMetric) -> Result<MetricDetails, HttpError> {
        self.make(move |tx, registry, editor| {
            let metric = edit::create(tx, registry, new, editor)?;
            Ok(MetricDetails::of(&*registry.visible_to(tx, &editor.id)?, metric))
        })
        .await
    }

    pub(crate) async fn update(
        self,
        id: String,
        change: MetricChange,
    ) -> Result<MetricDetails, HttpError> {
        self.edit((id, false), |tx, registry, metric, editor| {
            edit::update(tx, registry, (metric.id.as_str(), change), editor)
        })
        .await
    }

    pub(crate) async fn remove(self, id: String, force: bool) -> Result<MetricDetails, HttpError> {
        self.edit((id, false), move |tx, registry, metric, editor| {
            edit::remove(tx, registry, (metric.id.as_str(), force), editor)
        })
        .await
    }

    /// Moves a metric to another state; a removed one comes back.
    pub(crate) async fn set_state(
        self,
        id: String,
        (state, force): (Lifecycle, bool),
    ) -> Result<MetricDetails, HttpError> {
        self.edit((id, true), move |tx, registry, metric, editor| {
            edit::set_state(tx, registry, (metric.id.as_str(), state, force), editor)
        })
        .await
    }

    /// Brings an earlier version back, and gives the sentence that says so.
    pub(crate) async fn roll_back(
        self,
        id: String,
        which: WhichVersion,
    ) -> Result<(MetricDetails, String), HttpError> {
        let force = which.force;
        let (sender, said) = std::sync::mpsc::sync_channel(1);
        let shown = self
            .edit((id, false), move |tx, registry, metric, editor| {
                let number = number(tx, metric, &which)?;
                let after =
                    edit::roll_back(tx, registry, (metric.id.as_str(), number, force), editor)?;
                let message =
                    format!("Rolled back to version {number} as version {}", after.version);
                sender.try_send(message).ok();
                Ok(after)
            })
            .await?;
        Ok((shown, said.try_recv().unwrap_or_default()))
    }

    pub(crate) async fn add_example(
        self,
        id: String,
        (context, expected): (Map<String, Value>, String),
    ) -> Result<ExampleView, HttpError> {
        let text = Value::Object(context.clone()).to_string();
        if let Err(unread) = Record::from_json(&text) {
            let message = format!("The context cannot be read: {unread}");
            return Err(HttpError::invalid_data(message));
        }
        self.make(move |tx, registry, editor| {
            let known = registry.visible_to(tx, &editor.id)?;
            let metric = find_visible(&known, &id, (&editor.id, false))?;
            let example = Example { context: text, expected: expected.clone() };
            let (id, _) = edit::add_example(tx, registry, (metric.id.as_str(), example), editor)?;
            Ok(ExampleView { id, context: Value::Object(context), expected, created_at: tx.now() })
        })
        .await
    }

    pub(crate) async fn add_placeholder(
        self,
        new: NewPlaceholder,
    ) -> Result<PlaceholderRow, HttpError> {
        self.make(move |tx, registry, editor| edit::add_placeholder(tx, registry, new, editor))
            .await
    }

    pub(crate) async fn seed(
        self,
        default_metrics: Vec<DefaultMetric>,
    ) -> Result<Vec<MetricDetails>, HttpError> {
        self.make(move |tx, registry, editor| {
            let made = default_metrics::seed(tx, registry, &default_metrics, editor)?;
            let known = registry.visible_to(tx, &editor.id)?;
            Ok(made.into_iter().map(|metric| MetricDetails::of(&known, metric)).collect())
        })
        .await
    }

    /// Makes a metric of a template, and gives those that were made with it.
    pub(crate) async fn instantiate(
        self,
        wanted: TemplateInstance,
    ) -> Result<(MetricDetails, Vec<MetricDetails>), HttpError> {
        self.make(move |tx, registry, editor| {
            let (metric, created) = templates::instantiate(tx, registry, wanted, editor)?;
            let known = registry.visible_to(tx, &editor.id)?;
            let created =
                created.into_iter().map(|metric| MetricDetails::of(&known, metric)).collect();
            Ok((MetricDetails::of(&known, metric), created))
        })
        .await
    }
}

fn number(tx: &Tx<'_>, metric: &Metric, which: &WhichVersion) -> Result<u32, MetricError> {
    match (which.number, &which.id) {
        (Some(number), None) => Ok(number),
        (None, Some(id)) => {
            let rows = versions::of_metric(tx, metric.seq)?;
            let row = rows.into_iter().find(|row| row.id == *id);
            let number = row.map(|row| row.number);
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
