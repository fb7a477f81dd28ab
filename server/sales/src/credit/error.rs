//! Errors of store credit and their HTTP statuses.

use thiserror::Error;

use crate::customers::CustomerError;
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::ids::CustomerId;
use crate::metadata::MetadataError;
use crate::money::{Amount, Currency, MoneyError};
use crate::regions::RegionError;

#[derive(Debug, Error, HttpError)]
pub enum CreditError {
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error("Customer {customer} already has a store credit account in {currency}")]
    #[http(invalid_data)]
    Exists { customer: CustomerId, currency: Currency },
    #[error("The amount must be more than zero")]
    #[http(invalid_data)]
    NotPositive,
    #[error("Insufficient balance: {} of {}", requested.text(), balance.text())]
    #[http(invalid_data, code = "INSUFFICIENT_CREDIT")]
    InsufficientBalance { requested: Amount, balance: Amount },
    /// The same for every code that cannot be claimed, so that nothing about other accounts is revealed.
    #[error("There is no store credit to claim with this code")]
    #[http(not_found)]
    InvalidCode,
    #[error("{0} is not a currency of the store")]
    #[http(invalid_data)]
    CurrencyNotAccepted(Currency),
    #[error("The amount must be at most {}", max.text())]
    #[http(invalid_data)]
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
    #[http(invalid_data)]
    AnotherCurrency { account: Currency, requested: Currency },
    #[error("the balance is out of range")]
    #[http(invalid_data)]
    OutOfRange,
    #[error(transparent)]
    Db(#[from] database::Error),
}
