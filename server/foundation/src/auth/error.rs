//! Errors of authentication, and their HTTP statuses.

use super::password::PasswordError;
use super::secret::RandomError;
use crate::database;
use crate::http::HttpError;

#[derive(Debug, thiserror::Error, HttpError)]
pub enum AuthError {
    /// Unknown account or wrong password; which of the two is not revealed.
    #[error("Invalid email or password")]
    #[http(unauthorized_because)]
    InvalidLogin,
    /// The address has an account, or an unfinished registration with another password.
    #[error("Identity with email already exists")]
    #[http(unauthorized_because)]
    EmailTaken,
    /// The token is no longer valid.
    #[error("Unauthorized")]
    #[http(unauthorized_because)]
    Unauthorized,
    /// The identity is already linked to an actor.
    #[error("The account exists already")]
    #[http(duplicate)]
    Linked,
    #[error(transparent)]
    Password(#[from] PasswordError),
    #[error(transparent)]
    #[http(unexpected)]
    Random(#[from] RandomError),
    #[error(transparent)]
    Db(#[from] database::Error),
}
