//! Tests of creating, changing and finding metrics.

mod audit;
mod cycles;
mod edits;
mod readers;

use std::time::Duration;

use super::edit::{self, Editor, MetricChange, NewMetric};
use super::metric::Metric;
use super::vocabulary::{Category, DataType};
use crate::database::{Db, Error, Tx};
use crate::testing;
use crate::{MetricError, MetricRegistry};

/// A store with its metrics.
struct Store {
    db: Db,
    registry: MetricRegistry,
}

impl Store {
    fn open() -> Self {
        let (db, _clock) = testing::store(testing::NOON);
        Self { db, registry: MetricRegistry::default() }
    }

    async fn try_edit<T: Send + 'static>(
        &self,
        act: impl FnOnce(&Tx<'_>, &MetricRegistry, &Editor) -> Result<T, MetricError> + Send + 'static,
    ) -> Result<T, MetricError> {
        let registry = self.registry.clone();
        let editor = Editor { id: "user_01JD2Q8Z5M6T3W9XKCV4B7N0RE".to_owned(), is_admin: true };
        self.db.write(move |tx| act(tx, &registry, &editor)).await
    }

    async fn edit<T: Send + 'static>(
        &self,
        act: impl FnOnce(&Tx<'_>, &MetricRegistry, &Editor) -> Result<T, MetricError> + Send + 'static,
    ) -> Result<T, String> {
        self.try_edit(act).await.map_err(|error| error.to_string())
    }

    async fn make(&self, name: &str, formula: &str) -> Result<Metric, String> {
        let new = NewMetric::new(name, Category::Sales, formula, DataType::Number);
        self.edit(move |tx, registry, editor| edit::create(tx, registry, new, editor)).await
    }

    async fn change(&self, key: &str, change: MetricChange) -> Result<Metric, String> {
        let key = key.to_owned();
        self.edit(move |tx, registry, editor| edit::update(tx, registry, (&key, change), editor))
            .await
    }

    async fn say(&self, key: &str, formula: &str) -> Result<Metric, String> {
        let formula = Some(formula.to_owned());
        self.change(key, MetricChange { formula, ..MetricChange::default() }).await
    }
}
