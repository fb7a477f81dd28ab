//! Errors of authentication, and their HTTP statuses.

use super::password::PasswordError;
use super::secret::RandomError;
use crate::database;
use crate::http::HttpError;

/// Why authentication fails.
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
    /// A password could not be hashed.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// No secret could be generated.
    #[error(transparent)]
    #[http(unexpected)]
    Random(#[from] RandomError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] database::Error),
}
