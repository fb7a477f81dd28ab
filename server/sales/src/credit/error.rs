//! Errors of store credit and their HTTP statuses.

use thiserror::Error;

use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::ids::CustomerId;
use crate::money::{Amount, Currency};

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
    #[error("The account is in {account}, not in {requested}")]
    AnotherCurrency { account: Currency, requested: Currency },
    #[error("the balance is out of range")]
    OutOfRange,
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl From<rusqlite::Error> for CreditError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Db(error.into())
    }
}

impl From<CreditError> for HttpError {
    fn from(error: CreditError) -> Self {
        let message = error.to_string();
        match error {
            CreditError::NotFound(_) => Self::not_found(message),
            CreditError::Exists { .. }
            | CreditError::NotPositive
            | CreditError::InsufficientBalance { .. }
            | CreditError::AnotherCurrency { .. }
            | CreditError::OutOfRange => Self::invalid_data(message),
            CreditError::Db(cause) => cause.into(),
        }
    }
}
