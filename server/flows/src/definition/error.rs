//! Errors of flows and their HTTP statuses.

use thiserror::Error;

use super::findings::Finding;
use crate::auth::RandomError;
use crate::catalog::CatalogError;
use crate::database::{self, Missing};
use crate::http::{HttpError, Refusal};
use crate::pricing::PricingError;
use crate::regions::RegionError;

#[derive(Debug, Error)]
pub(crate) enum FlowError {
    #[error(transparent)]
    Db(#[from] database::Error),
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("The draft cannot be published")]
    Invalid(Vec<Finding>),
    #[error("The flow was changed in between; `If-Match` names an older state of it")]
    Changed,
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    #[error(transparent)]
    Pricing(#[from] PricingError),
    #[error(transparent)]
    Region(#[from] RegionError),
    #[error(transparent)]
    Random(#[from] RandomError),
}

impl From<FlowError> for HttpError {
    fn from(error: FlowError) -> Self {
        let message = error.to_string();
        match error {
            FlowError::Db(cause) => cause.into(),
            FlowError::NotFound(_) => Self::not_found(message),
            FlowError::Refused(cause) => cause.into(),
            FlowError::Invalid(findings) => Self::validation(message)
                .with_details_of(findings.iter().map(Finding::detail).collect()),
            FlowError::Changed => Self::conflict(message),
            FlowError::Catalog(cause) => cause.into(),
            FlowError::Pricing(cause) => cause.into(),
            FlowError::Region(cause) => cause.into(),
            FlowError::Random(cause) => Self::unexpected(cause),
        }
    }
}
