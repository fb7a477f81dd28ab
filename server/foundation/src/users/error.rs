//! Errors about admins and their invitations.

use crate::auth::{AuthError, Email, EmailError, PasswordRefusal, RandomError};
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::metadata::MetadataError;

/// Why an operation on an admin fails.
#[derive(Debug, thiserror::Error, HttpError)]
pub enum UserError {
    /// There is no entity of this kind with the id.
    #[error(transparent)]
    #[http(not_found)]
    NotFound(#[from] Missing),
    /// The address belongs to an admin.
    #[error("User with email: {0}, already exists.")]
    #[http(duplicate)]
    EmailTaken(Email),
    /// The address is invited already.
    #[error("Invite with email: {0}, already exists.")]
    #[http(duplicate)]
    Invited(Email),
    /// At least one user with the role `admin` must remain.
    #[error("The last admin cannot be deleted or be given another role")]
    #[http(not_allowed)]
    LastAdmin,
    /// The invitation is unknown, already accepted, or expired; which of these is not revealed.
    #[error("The invite token is invalid or expired")]
    #[http(invalid_data)]
    InvalidInvite,
    /// The invitation is for another address than the registered one.
    #[error("The invite is for another e-mail address")]
    #[http(invalid_data)]
    OtherEmail,
    /// The address is invalid.
    #[error("the e-mail address {0}")]
    #[http(invalid_data)]
    Email(#[from] EmailError),
    /// The password is invalid.
    #[error("the password {0}")]
    #[http(invalid_data)]
    Password(#[from] PasswordRefusal),
    #[error("metadata is larger than 16 KiB")]
    #[http(invalid_data)]
    MetadataTooLarge,
    /// No secret could be generated.
    #[error(transparent)]
    #[http(unexpected)]
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
