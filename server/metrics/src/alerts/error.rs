//! Errors of alerts.

use thiserror::Error;

use crate::MetricError;
use crate::database;
use crate::http::HttpError;

/// Why an alert is not created or changed.
#[derive(Debug, Error, HttpError)]
pub enum AlertError {
    /// There is no such alert, or the caller may not see it.
    #[error("Alert with id: {0} was not found")]
    #[http(not_found)]
    NotFound(String),
    #[error("The condition is {0}, and it must be true or false")]
    #[http(validation)]
    NotACondition(String),
    /// A channel that cannot be delivered to.
    #[error("{0}")]
    #[http(invalid_data)]
    Channel(String),
    #[error(transparent)]
    Metric(#[from] MetricError),
    #[error(transparent)]
    Db(#[from] database::Error),
}
