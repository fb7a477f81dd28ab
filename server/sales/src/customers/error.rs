//! Errors of customers, addresses and groups, and their HTTP statuses.

use crate::auth::{AuthError, Email};
use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::ids::{CustomerId, SubscriptionId};
use crate::metadata::MetadataError;

/// An error of a customer, an address or a group.
#[derive(Debug, thiserror::Error, HttpError)]
pub enum CustomerError {
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error("Customer with email: {0}, already exists.")]
    #[http(duplicate)]
    EmailTaken(Email),
    #[error("Request already authenticated as a customer.")]
    #[http(duplicate)]
    AlreadyCustomer,
    #[error("Invalid request: Field 'email' must be the address that was registered")]
    #[http(with = other_email)]
    OtherEmail,
    #[error("The e-mail address of a customer with an account cannot be changed")]
    #[http(not_allowed)]
    EmailIsLogin,
    #[error("Customer group with name: {0}, already exists.")]
    #[http(duplicate)]
    NameTaken(String),
    #[error("A customer has at most {max} addresses")]
    #[http(not_allowed)]
    TooManyAddresses { max: u32 },
    #[error("Customer {customer} has subscription {subscription}: cancel it first")]
    #[http(not_allowed)]
    Subscribed { customer: CustomerId, subscription: SubscriptionId },
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    #[error(transparent)]
    Auth(#[from] AuthError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

fn other_email(error: &CustomerError) -> HttpError {
    let sentence = "must be the address that was registered";
    HttpError::invalid_data(error.to_string()).with_details("email", sentence)
}
