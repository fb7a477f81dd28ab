//! Errors about admins and their invitations.

use crate::auth::{AuthError, Email, EmailError, PasswordRefusal, RandomError};
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::metadata::MetadataError;

#[derive(Debug, thiserror::Error, HttpError)]
pub enum UserError {
    #[error(transparent)]
    #[http(not_found)]
    NotFound(#[from] Missing),
    #[error("User with email: {0}, already exists.")]
    #[http(duplicate)]
    EmailTaken(Email),
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
    #[error("The invite is for another e-mail address")]
    #[http(invalid_data)]
    OtherEmail,
    #[error("the e-mail address {0}")]
    #[http(invalid_data)]
    Email(#[from] EmailError),
    #[error("the password {0}")]
    #[http(invalid_data)]
    Password(#[from] PasswordRefusal),
    #[error("metadata is larger than 16 KiB")]
    #[http(invalid_data)]
    MetadataTooLarge,
    #[error(transparent)]
    #[http(unexpected)]
    Random(#[from] RandomError),
    #[error(transparent)]
    Auth(#[from] AuthError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl From<MetadataError> for UserError {
    fn from(_too_large: MetadataError) -> Self {
        Self::MetadataTooLarge
    }
}
