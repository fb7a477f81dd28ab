//! Errors of promotions and their HTTP statuses.

use thiserror::Error;

use super::rules::RuleError;
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::metadata::MetadataError;
use crate::money::MoneyError;

/// An error of a promotion or a campaign.
#[derive(Debug, Error)]
pub enum PromotionError {
    #[error(transparent)]
    Db(#[from] database::Error),
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error("Promotion with code: {code}, already exists.")]
    CodeTaken { code: String },
    #[error("Campaign with campaign_identifier: {identifier}, already exists.")]
    IdentifierTaken { identifier: String },
    #[error("The promotion code {code} is invalid")]
    InvalidCode { code: String },
    #[error("The promotion code {code} has been used up")]
    UsedUp { code: String },
    #[error("The budget of the promotion code {code} is spent")]
    BudgetSpent { code: String },
    #[error("{0}")]
    Incoherent(&'static str),
    #[error(transparent)]
    Rule(#[from] RuleError),
    #[error(transparent)]
    Money(#[from] MoneyError),
    #[error(transparent)]
    Metadata(#[from] MetadataError),
}

impl From<PromotionError> for HttpError {
    fn from(error: PromotionError) -> Self {
        match error {
            PromotionError::Db(cause) => cause.into(),
            PromotionError::NotFound(_) => Self::not_found(error.to_string()),
            PromotionError::CodeTaken { .. } | PromotionError::IdentifierTaken { .. } => {
                Self::conflict(error.to_string())
            }
            PromotionError::UsedUp { .. } | PromotionError::BudgetSpent { .. } => {
                Self::not_allowed(error.to_string())
            }
            PromotionError::InvalidCode { .. }
            | PromotionError::Incoherent(_)
            | PromotionError::Rule(_)
            | PromotionError::Money(_)
            | PromotionError::Metadata(_) => Self::invalid_data(error.to_string()),
        }
    }
}
