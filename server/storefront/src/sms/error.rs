//! Errors of consents to text messages and their HTTP statuses.

use thiserror::Error;

use super::phone::PhoneError;
use crate::database::{self, Missing};
use crate::http::HttpError;
use quotient_sales::cart::CartError;

#[derive(Debug, Error, HttpError)]
pub enum SmsError {
    #[error(transparent)]
    #[http(not_found)]
    NotFound(#[from] Missing),
    #[error(transparent)]
    #[http(invalid_data)]
    Phone(#[from] PhoneError),
    /// The same for every wrong code, so that nothing is revealed about other numbers.
    #[error("The code is wrong, or too old")]
    #[http(invalid_data)]
    WrongCode,
    #[error(transparent)]
    Cart(#[from] CartError),
    #[error(transparent)]
    Db(#[from] database::Error),
}
