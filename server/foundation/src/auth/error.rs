//! What can go wrong with logging in, and how it is answered.

use super::password::PasswordError;
use super::secret::RandomError;
use crate::database;
use crate::http::HttpError;

/// Seconds after which a password that found no place may be tried again.
const RETRY_AFTER_S: u64 = 1;

/// Why someone is not let in.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    /// No such account, or another password; which of them is not said.
    #[error("Invalid email or password")]
    InvalidLogin,
    /// The address has an account, or is being registered with another password.
    #[error("Identity with email already exists")]
    EmailTaken,
    /// The token does not hold any more.
    #[error("Unauthorized")]
    Unauthorized,
    /// The identity has its actor already.
    #[error("The account exists already")]
    Linked,
    /// A password could not be hashed.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// No secret could be made.
    #[error(transparent)]
    Random(#[from] RandomError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl From<AuthError> for HttpError {
    fn from(error: AuthError) -> Self {
        match error {
            AuthError::InvalidLogin | AuthError::EmailTaken | AuthError::Unauthorized => {
                Self::unauthorized_because(error.to_string())
            }
            AuthError::Linked => Self::duplicate(error.to_string()),
            AuthError::Password(PasswordError::Busy) => Self::unavailable(RETRY_AFTER_S),
            AuthError::Password(
                cause @ (PasswordError::Random(_)
                | PasswordError::Hash(_)
                | PasswordError::Thread(_)),
            ) => Self::unexpected(cause),
            AuthError::Random(cause) => Self::unexpected(cause),
            AuthError::Db(cause) => cause.into(),
        }
    }
}
