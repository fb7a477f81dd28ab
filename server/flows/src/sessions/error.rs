//! Why a session cannot continue. These statuses are those of cases in which the two surfaces do not differ.

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

#[derive(Debug, Error, HttpError)]
pub(crate) enum SessionError {
    /// The same text for all reasons, so that ids cannot be probed.
    #[error("This flow cannot be started")]
    #[http(invalid_data)]
    NotStartable,
    #[error("Too many sessions are open from this address")]
    #[http(rate_limited(OPEN_RETRY_S))]
    TooManyOpen,
    #[error("A session token is required")]
    #[http(unauthorized_because)]
    NoToken,
    #[error("The session token is not valid")]
    #[http(unauthorized_because)]
    BadToken,
    #[error("The session is over")]
    #[http(unauthorized_because)]
    Over,
    #[error("There is no such button")]
    #[http(not_found)]
    UnknownButton,
    #[error("The button is not the current one")]
    #[http(conflict)]
    NotCurrent,
    #[error("The session belongs to another cart")]
    #[http(not_found)]
    OtherCart,
    #[error("The session has no cart yet")]
    #[http(invalid_data)]
    Unbound,
    #[error("{0}")]
    #[http(invalid_data)]
    Invalid(String),
    /// The fields, each with what is wrong with it.
    #[error("Some answers are missing or not valid")]
    #[http(with = of_answers)]
    Answers(Vec<(String, String)>),
    #[error("There is no open offer")]
    #[http(invalid_data)]
    NoOffer,
    #[error("The session has not ended yet")]
    #[http(invalid_data)]
    NotEnded,
    #[error("The payment is not confirmed yet; press again")]
    #[http(unavailable(1))]
    Unanswered,
    #[error("The session is busy; try again")]
    #[http(conflict)]
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
    #[http(not_found)]
    NotFound(#[from] Missing),
    #[error(transparent)]
    #[http(invalid_data)]
    OutOfRange(#[from] OutOfRange),
    #[error(transparent)]
    #[http(unexpected)]
    Random(#[from] RandomError),
    #[error(transparent)]
    Db(#[from] database::Error),
}

fn of_answers(error: &SessionError) -> HttpError {
    let answer = HttpError::validation(error.to_string());
    if let SessionError::Answers(fields) = error {
        return fields
            .iter()
            .fold(answer, |answer, (path, message)| answer.with_details(path, message));
    }
    answer
}
