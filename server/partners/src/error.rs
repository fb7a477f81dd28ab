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

#[derive(Debug, Error, HttpError)]
pub enum PartnerError {
    #[error(transparent)]
    Db(#[from] database::Error),
    #[error(transparent)]
    #[http(not_found)]
    NotFound(#[from] Missing),
    #[error("{0}")]
    #[http(invalid_data)]
    Invalid(String),
    #[error("The code {0} is taken; a code is never used again")]
    #[http(conflict)]
    CodeTaken(String),
    #[error("The promotion code {0} belongs to another offer")]
    #[http(conflict)]
    PromoCodeTaken(String),
    #[error("{id} is {status}, and only a pending conversion is decided on")]
    #[http(not_allowed)]
    NotPending { id: PartnerConversionId, status: &'static str },
    #[error("The order of {0} is not paid")]
    #[http(not_allowed)]
    NotPaid(PartnerConversionId),
    #[error("Nothing of {0} is approved and not paid out yet")]
    #[http(not_allowed)]
    NothingToPay(PartnerId),
    #[error("{partner} owes {}, which the next commissions make up for", owed.text())]
    #[http(not_allowed)]
    Negative { partner: PartnerId, owed: Amount },
    #[error(transparent)]
    #[http(invalid_data)]
    OutOfRange(#[from] OutOfRange),
    #[error(transparent)]
    #[http(invalid_data)]
    Metadata(#[from] MetadataError),
    #[error(transparent)]
    #[http(invalid_data)]
    Money(#[from] MoneyError),
    #[error(transparent)]
    #[http(invalid_data)]
    Email(#[from] EmailError),
    #[error(transparent)]
    #[http(unexpected)]
    Random(#[from] RandomError),
    #[error(transparent)]
    Regions(#[from] RegionError),
}
