//! What can go wrong with store credit, and the statuses that answer it.

use thiserror::Error;

use crate::database;
use crate::http::HttpError;
use crate::ids::{CreditAccountId, CustomerId};
use crate::money::{Amount, Currency};

/// Why credit does not move.
#[derive(Debug, Error)]
pub enum CreditError {
    /// There is no such account.
    #[error("Store credit account with id: {0} was not found")]
    NotFound(CreditAccountId),
    /// The customer has an account in this currency.
    #[error("Customer {customer} already has a store credit account in {currency}")]
    Exists { customer: CustomerId, currency: Currency },
    /// An amount of nothing or less.
    #[error("The amount must be more than zero")]
    NotPositive,
    /// More than there is.
    #[error("Insufficient balance: {} of {}", asked.text(), balance.text())]
    InsufficientBalance {
        /// How much was asked for.
        asked: Amount,
        /// How much there is.
        balance: Amount,
    },
    /// The account is in another currency.
    #[error("The account is in {account}, not in {asked}")]
    AnotherCurrency {
        /// The account's.
        account: Currency,
        /// The one that was asked for.
        asked: Currency,
    },
    /// A sum that does not fit.
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
