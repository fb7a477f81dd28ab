//! Errors of partners and their HTTP statuses.

use thiserror::Error;

use crate::auth::{EmailError, RandomError};
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::ids::{PartnerConversionId, PartnerId};
use crate::metadata::MetadataError;
use crate::money::{Amount, MoneyError};
use crate::proportion::OutOfRange;
use crate::regions::RegionError;

/// An error of a partner, an offer, a conversion or a payout.
#[derive(Debug, Error)]
pub enum PartnerError {
    #[error(transparent)]
    Db(#[from] database::Error),
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error("{0}")]
    Invalid(String),
    #[error("The code {0} is taken; a code is never used again")]
    CodeTaken(String),
    #[error("The promotion code {0} belongs to another offer")]
    PromoCodeTaken(String),
    #[error("{id} is {status}, and only a pending conversion is decided on")]
    NotPending { id: PartnerConversionId, status: &'static str },
    #[error("The order of {0} is not paid")]
    NotPaid(PartnerConversionId),
    #[error("Nothing of {0} is approved and not paid out yet")]
    NothingToPay(PartnerId),
    #[error("{partner} owes {}, which the next commissions make up for", owed.text())]
    Negative { partner: PartnerId, owed: Amount },
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    #[error(transparent)]
    Money(#[from] MoneyError),
    #[error(transparent)]
    Email(#[from] EmailError),
    #[error(transparent)]
    Random(#[from] RandomError),
    #[error(transparent)]
    Regions(#[from] RegionError),
}

impl From<PartnerError> for HttpError {
    fn from(error: PartnerError) -> Self {
        let message = error.to_string();
        match error {
            PartnerError::Db(cause) => cause.into(),
            PartnerError::Random(cause) => Self::unexpected(cause),
            PartnerError::Regions(cause) => cause.into(),
            PartnerError::NotFound(_) => Self::not_found(message),
            PartnerError::CodeTaken(_) | PartnerError::PromoCodeTaken(_) => Self::conflict(message),
            PartnerError::NotPending { .. }
            | PartnerError::NotPaid(_)
            | PartnerError::NothingToPay(_)
            | PartnerError::Negative { .. } => Self::not_allowed(message),
            PartnerError::Invalid(_)
            | PartnerError::OutOfRange(_)
            | PartnerError::Metadata(_)
            | PartnerError::Money(_)
            | PartnerError::Email(_) => Self::invalid_data(message),
        }
    }
}
