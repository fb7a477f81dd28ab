//! Errors of alerts.

use thiserror::Error;

use crate::MetricError;
use crate::database;
use crate::http::HttpError;

/// Why an alert is not created or changed.
#[derive(Debug, Error)]
pub enum AlertError {
    /// There is no such alert, or the caller may not see it.
    #[error("Alert with id: {0} was not found")]
    NotFound(String),
    #[error("The condition is {0}, and it must be true or false")]
    NotACondition(String),
    /// A channel that cannot be delivered to.
    #[error("{0}")]
    Channel(String),
    #[error(transparent)]
    Metric(#[from] MetricError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl From<AlertError> for HttpError {
    fn from(error: AlertError) -> Self {
        match error {
            AlertError::NotFound(_) => Self::not_found(error.to_string()),
            AlertError::NotACondition(_) => Self::validation(error.to_string()),
            AlertError::Channel(message) => Self::invalid_data(message),
            AlertError::Metric(cause) => cause.into(),
            AlertError::Db(cause) => cause.into(),
        }
    }
}
