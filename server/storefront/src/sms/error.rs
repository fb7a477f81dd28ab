//! Errors of consents to text messages and their HTTP statuses.

use thiserror::Error;

use super::phone::PhoneError;
use crate::auth::RandomError;
use crate::database::{self, Missing};
use crate::http::HttpError;
use quotient_sales::cart::CartError;

/// An error of a consent.
#[derive(Debug, Error)]
pub enum SmsError {
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error(transparent)]
    Phone(#[from] PhoneError),
    /// The same for every wrong code, so that nothing about other numbers is revealed.
    #[error("The code is wrong, or too old")]
    WrongCode,
    #[error(transparent)]
    Random(#[from] RandomError),
    #[error(transparent)]
    Cart(#[from] CartError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl From<SmsError> for HttpError {
    fn from(error: SmsError) -> Self {
        let message = error.to_string();
        match error {
            SmsError::NotFound(_) => Self::not_found(message),
            SmsError::Phone(_) | SmsError::WrongCode => Self::invalid_data(message),
            SmsError::Random(cause) => Self::unexpected(cause),
            SmsError::Cart(cause) => cause.into(),
            SmsError::Db(cause) => cause.into(),
        }
    }
}
