//! Errors of flows and their HTTP statuses.

use serde_json::json;
use thiserror::Error;

use super::findings::Finding;
use crate::auth::RandomError;
use crate::catalog::CatalogError;
use crate::database::{self, Missing};
use crate::http::{HttpError, Refusal};
use crate::pricing::PricingError;
use crate::regions::RegionError;

#[derive(Debug, Error, HttpError)]
pub(crate) enum FlowError {
    #[error(transparent)]
    Db(#[from] database::Error),
    #[error(transparent)]
    #[http(not_found)]
    NotFound(#[from] Missing),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("The draft cannot be published")]
    #[http(with = of_findings)]
    Invalid(Vec<Finding>),
    #[error("The flow was changed in between; `If-Match` names an older state of it")]
    #[http(conflict)]
    Changed,
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    #[error(transparent)]
    Pricing(#[from] PricingError),
    #[error(transparent)]
    Region(#[from] RegionError),
    #[error(transparent)]
    #[http(unexpected)]
    Random(#[from] RandomError),
}

fn of_findings(error: &FlowError) -> HttpError {
    let answer = HttpError::validation(error.to_string());
    if let FlowError::Invalid(findings) = error {
        return answer.with_details_of(findings.iter().map(|finding| json!(finding)).collect());
    }
    answer
}
