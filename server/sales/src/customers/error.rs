//! Errors of customers, addresses and groups, and their HTTP statuses.

use crate::auth::{AuthError, Email};
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::ids::{CustomerId, SubscriptionId};
use crate::metadata::MetadataError;

/// An error of a customer, an address or a group.
#[derive(Debug, thiserror::Error)]
pub enum CustomerError {
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error("Customer with email: {0}, already exists.")]
    EmailTaken(Email),
    #[error("Request already authenticated as a customer.")]
    AlreadyCustomer,
    #[error("Invalid request: Field 'email' must be the address that was registered")]
    OtherEmail,
    #[error("The e-mail address of a customer with an account cannot be changed")]
    EmailIsLogin,
    #[error("Customer group with name: {0}, already exists.")]
    NameTaken(String),
    #[error("A customer has at most {max} addresses")]
    TooManyAddresses { max: u32 },
    #[error("Customer {customer} has subscription {subscription}: cancel it first")]
    Subscribed { customer: CustomerId, subscription: SubscriptionId },
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    #[error(transparent)]
    Auth(#[from] AuthError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl From<CustomerError> for HttpError {
    fn from(error: CustomerError) -> Self {
        match error {
            CustomerError::NotFound(_) => Self::not_found(error.to_string()),
            CustomerError::EmailTaken(_)
            | CustomerError::AlreadyCustomer
            | CustomerError::NameTaken(_) => Self::duplicate(error.to_string()),
            CustomerError::OtherEmail => {
                let sentence = "must be the address that was registered";
                Self::invalid_data(error.to_string()).with_details("email", sentence)
            }
            CustomerError::EmailIsLogin
            | CustomerError::TooManyAddresses { .. }
            | CustomerError::Subscribed { .. } => Self::not_allowed(error.to_string()),
            CustomerError::Metadata(_) => Self::invalid_data(error.to_string()),
            CustomerError::Auth(cause) => cause.into(),
            CustomerError::Db(cause) => cause.into(),
        }
    }
}
