//! Errors of jobs.

use thiserror::Error;

use crate::database;

/// Why a job failed; it will be retried.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct JobError(pub String);

impl From<database::Error> for JobError {
    fn from(error: database::Error) -> Self {
        Self(error.to_string())
    }
}
