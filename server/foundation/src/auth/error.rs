//! Errors of authentication, and their HTTP statuses.

use super::password::PasswordError;
use super::secret::RandomError;
use crate::database;
use crate::http::HttpError;

/// The seconds after which a login may be retried if the password hashing is busy.
const RETRY_AFTER_S: u64 = 1;

/// Why authentication fails.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    /// Unknown account or wrong password; which of the two is not revealed.
    #[error("Invalid email or password")]
    InvalidLogin,
    /// The address has an account, or an unfinished registration with another password.
    #[error("Identity with email already exists")]
    EmailTaken,
    /// The token is no longer valid.
    #[error("Unauthorized")]
    Unauthorized,
    /// The identity is already linked to an actor.
    #[error("The account exists already")]
    Linked,
    /// A password could not be hashed.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// No secret could be generated.
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
