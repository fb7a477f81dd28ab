//! What can be wrong with admins and their invitations.

use crate::auth::{AuthError, Email, EmailError, PasswordRefusal, RandomError};
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::metadata::MetadataError;

/// Why something about an admin cannot be done.
#[derive(Debug, thiserror::Error)]
pub enum UserError {
    /// Nothing of this kind has the id.
    #[error(transparent)]
    NotFound(#[from] Missing),
    /// The address is an admin's.
    #[error("User with email: {0}, already exists.")]
    EmailTaken(Email),
    /// Somebody has to be left who may do everything.
    #[error("The last admin cannot be deleted or be given another role")]
    LastAdmin,
    /// The invitation is unknown, accepted already, or too old; which of them is not said.
    #[error("The invite token is invalid or expired")]
    InvalidInvite,
    /// The invitation is for another address than the one that was registered.
    #[error("The invite is for another e-mail address")]
    OtherEmail,
    /// The address cannot be one.
    #[error("the e-mail address {0}")]
    Email(#[from] EmailError),
    /// The password cannot be one.
    #[error("the password {0}")]
    Password(#[from] PasswordRefusal),
    /// The metadata is too large.
    #[error("metadata is larger than 16 KiB")]
    MetadataTooLarge,
    /// No secret could be made.
    #[error(transparent)]
    Random(#[from] RandomError),
    /// The account could not be made.
    #[error(transparent)]
    Auth(#[from] AuthError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl From<MetadataError> for UserError {
    fn from(_too_large: MetadataError) -> Self {
        Self::MetadataTooLarge
    }
}

impl From<UserError> for HttpError {
    fn from(error: UserError) -> Self {
        match error {
            UserError::NotFound(_) => Self::not_found(error.to_string()),
            UserError::EmailTaken(_) => Self::duplicate(error.to_string()),
            UserError::LastAdmin => Self::not_allowed(error.to_string()),
            UserError::InvalidInvite
            | UserError::OtherEmail
            | UserError::Email(_)
            | UserError::Password(_)
            | UserError::MetadataTooLarge => Self::invalid_data(error.to_string()),
            UserError::Random(cause) => Self::unexpected(cause),
            UserError::Auth(cause) => cause.into(),
            UserError::Db(cause) => cause.into(),
        }
    }
}
