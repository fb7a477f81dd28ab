//! Errors of promotions and their HTTP statuses.

use thiserror::Error;

use super::rules::RuleError;
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::metadata::MetadataError;
use crate::money::MoneyError;

#[derive(Debug, Error, HttpError)]
pub enum PromotionError {
    #[error(transparent)]
    Db(#[from] database::Error),
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error("Promotion with code: {code}, already exists.")]
    #[http(duplicate)]
    CodeTaken { code: String },
    #[error("Campaign with campaign_identifier: {identifier}, already exists.")]
    #[http(duplicate)]
    IdentifierTaken { identifier: String },
    #[error("The promotion code {code} is invalid")]
    #[http(invalid_data)]
    InvalidCode { code: String },
    #[error("The promotion code {code} has been used up")]
    #[http(not_allowed)]
    UsedUp { code: String },
    #[error("The budget of the promotion code {code} is spent")]
    #[http(not_allowed)]
    BudgetSpent { code: String },
    #[error("{0}")]
    #[http(invalid_data)]
    Incoherent(&'static str),
    #[error(transparent)]
    #[http(invalid_data)]
    Rule(#[from] RuleError),
    #[error(transparent)]
    Money(#[from] MoneyError),
    #[error(transparent)]
    Metadata(#[from] MetadataError),
}
