//! Errors of store credit and their HTTP statuses.

use thiserror::Error;

use crate::customers::CustomerError;
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::ids::CustomerId;
use crate::metadata::MetadataError;
use crate::money::{Amount, Currency, MoneyError};
use crate::regions::RegionError;

/// An error of store credit.
#[derive(Debug, Error)]
pub enum CreditError {
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error("Customer {customer} already has a store credit account in {currency}")]
    Exists { customer: CustomerId, currency: Currency },
    #[error("The amount must be more than zero")]
    NotPositive,
    #[error("Insufficient balance: {} of {}", requested.text(), balance.text())]
    InsufficientBalance { requested: Amount, balance: Amount },
    /// The same for every code that cannot be claimed, so that nothing about other accounts is revealed.
    #[error("There is no store credit to claim with this code")]
    InvalidCode,
    #[error("{0} is not a currency of the store")]
    CurrencyNotAccepted(Currency),
    #[error("The amount must be at most {}", max.text())]
    AboveLimit { max: Amount },
    #[error(transparent)]
    Money(#[from] MoneyError),
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    #[error(transparent)]
    Customer(#[from] CustomerError),
    #[error(transparent)]
    Region(#[from] RegionError),
    #[error("The account is in {account}, not in {requested}")]
    AnotherCurrency { account: Currency, requested: Currency },
    #[error("the balance is out of range")]
    OutOfRange,
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl From<CreditError> for HttpError {
    fn from(error: CreditError) -> Self {
        let message = error.to_string();
        match error {
            CreditError::NotFound(_) | CreditError::InvalidCode => Self::not_found(message),
            CreditError::Exists { .. }
            | CreditError::NotPositive
            | CreditError::AnotherCurrency { .. }
            | CreditError::CurrencyNotAccepted(_)
            | CreditError::AboveLimit { .. }
            | CreditError::Money(_)
            | CreditError::Metadata(_)
            | CreditError::OutOfRange => Self::invalid_data(message),
            CreditError::InsufficientBalance { .. } => {
                Self::invalid_data(message).with_code("insufficient_credit")
            }
            CreditError::Customer(cause) => cause.into(),
            CreditError::Region(cause) => cause.into(),
            CreditError::Db(cause) => cause.into(),
        }
    }
}
