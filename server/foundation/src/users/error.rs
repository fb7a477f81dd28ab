//! Errors about admins and their invitations.

use crate::auth::{AuthError, Email, EmailError, PasswordRefusal, RandomError};
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::metadata::MetadataError;

/// Why an operation on an admin fails.
#[derive(Debug, thiserror::Error)]
pub enum UserError {
    /// There is no entity of this kind with the id.
    #[error(transparent)]
    NotFound(#[from] Missing),
    /// The address belongs to an admin.
    #[error("User with email: {0}, already exists.")]
    EmailTaken(Email),
    /// The address is invited already.
    #[error("Invite with email: {0}, already exists.")]
    Invited(Email),
    /// At least one user with the role `admin` must remain.
    #[error("The last admin cannot be deleted or be given another role")]
    LastAdmin,
    /// The invitation is unknown, already accepted, or expired; which of these is not revealed.
    #[error("The invite token is invalid or expired")]
    InvalidInvite,
    /// The invitation is for another address than the registered one.
    #[error("The invite is for another e-mail address")]
    OtherEmail,
    /// The address is invalid.
    #[error("the e-mail address {0}")]
    Email(#[from] EmailError),
    /// The password is invalid.
    #[error("the password {0}")]
    Password(#[from] PasswordRefusal),
    #[error("metadata is larger than 16 KiB")]
    MetadataTooLarge,
    /// No secret could be generated.
    #[error(transparent)]
    Random(#[from] RandomError),
    /// The account could not be created.
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
            UserError::EmailTaken(_) | UserError::Invited(_) => Self::duplicate(error.to_string()),
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
