//! The caller who may read dashboards and reports.

use axum::extract::{FromRef as _, FromRequestParts};
use axum::http::request::Parts;

use crate::MetricError;
use crate::auth::AdminReader;
use crate::compute::Evaluator;
use crate::compute::range::{RangeQuery, ResolvedRange};
use crate::database::{Db, Tx};
use crate::http::{HttpError, Json};
use crate::registry::QUESTION_TIMEOUT;
use crate::state::AppState;

/// An admin who reads figures of a range.
pub(crate) struct RangeReader {
    pub(crate) db: Db,
    pub(crate) evaluator: Evaluator,
}

impl FromRequestParts<AppState> for RangeReader {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, HttpError> {
        let _admin = AdminReader::from_request_parts(parts, state).await?;
        Ok(Self { db: Db::from_ref(state), evaluator: Evaluator::from_ref(state) })
    }
}

impl RangeReader {
    /// Computes a report over a range, in its own snapshot.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        range: RangeQuery,
        report: impl FnOnce(&Tx<'_>, &ResolvedRange) -> Result<T, MetricError> + Send + 'static,
    ) -> Result<Json<T>, HttpError> {
        let evaluator = self.evaluator.clone();
        let work = move |tx: &Tx<'_>| report(tx, &ResolvedRange::resolve(tx, &evaluator, &range)?);
        Ok(Json(self.db.read_within(QUESTION_TIMEOUT, work).await?))
    }
}
