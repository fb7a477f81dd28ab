//! Why a session cannot continue. The two surfaces use different statuses for these errors.

use thiserror::Error;

use crate::auth::RandomError;
use crate::cart::CartError;
use crate::database::{self, Missing};
use crate::definition::FlowError;
use crate::http::HttpError;
use crate::orders::OrderError;
use crate::payments::PaymentError;
use crate::proportion::OutOfRange;

/// The number of seconds after which some of too many open sessions may have ended.
const OPEN_RETRY_S: u64 = 60 * 60;

#[derive(Debug, Error)]
pub(crate) enum SessionError {
    /// The same text for all reasons, so that ids cannot be probed.
    #[error("This flow cannot be started")]
    NotStartable,
    #[error("Too many sessions are open from this address")]
    TooManyOpen,
    #[error("A session token is required")]
    NoToken,
    #[error("The session token is not valid")]
    BadToken,
    #[error("The session is over")]
    Over,
    #[error("There is no such button")]
    UnknownButton,
    #[error("The button is not the current one")]
    NotCurrent,
    #[error("The session belongs to another cart")]
    OtherCart,
    #[error("The session has no cart yet")]
    Unbound,
    #[error("{0}")]
    Invalid(String),
    /// The fields, each with what is wrong with it.
    #[error("Some answers are missing or not valid")]
    Answers(Vec<(String, String)>),
    #[error("There is no open offer")]
    NoOffer,
    #[error("The session has not ended yet")]
    NotEnded,
    #[error("The payment is not confirmed yet; press again")]
    Unanswered,
    #[error("The session is busy; try again")]
    Busy,
    #[error(transparent)]
    Flow(#[from] FlowError),
    #[error(transparent)]
    Cart(#[from] CartError),
    #[error(transparent)]
    Order(#[from] OrderError),
    #[error(transparent)]
    Payment(#[from] PaymentError),
    #[error(transparent)]
    NotFound(#[from] Missing),
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    #[error(transparent)]
    Random(#[from] RandomError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

impl SessionError {
    /// Returns the error for cases in which the surfaces do not differ.
    pub(crate) fn general(self) -> HttpError {
        let message = self.to_string();
        match self {
            Self::NotStartable
            | Self::NoOffer
            | Self::NotEnded
            | Self::Unbound
            | Self::Invalid(_)
            | Self::OutOfRange(_) => HttpError::invalid_data(message),
            Self::NoToken | Self::BadToken | Self::Over => HttpError::unauthorized_because(message),
            Self::UnknownButton | Self::OtherCart | Self::NotFound(_) => {
                HttpError::not_found(message)
            }
            Self::NotCurrent | Self::Busy => HttpError::conflict(message),
            Self::Answers(fields) => {
                fields.into_iter().fold(HttpError::validation(message), |error, (path, message)| {
                    error.with_details(path, message)
                })
            }
            Self::TooManyOpen => HttpError::rate_limited(OPEN_RETRY_S),
            Self::Unanswered => HttpError::unavailable(1),
            Self::Flow(cause) => cause.into(),
            Self::Cart(cause) => cause.into(),
            Self::Order(cause) => cause.into(),
            Self::Payment(cause) => cause.into(),
            Self::Random(cause) => HttpError::unexpected(cause),
            Self::Db(cause) => cause.into(),
        }
    }
}
