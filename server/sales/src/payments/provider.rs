//! The interface of payment providers.
//!
//! Every call carries a key under which repeating it gives the same answer and has no further
//! effect, so a caller may retry after a crash or a time-out. The caller bounds the time of a call;
//! the answer is a future because a provider may have to ask over a network. Calls are made outside
//! any database transaction.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use serde_json::{Map, Value};
use thiserror::Error;

/// Limit: bytes of the data a provider keeps with a session.
pub(crate) const MAX_DATA_BYTES: usize = 4_096;

/// What a provider keeps with a session or a payment; never card data.
pub type Data = Map<String, Value>;

/// A provider's answer, when it comes.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, ProviderError>> + Send + 'a>>;

/// Why a provider gave no answer about the payment itself.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProviderError {
    #[error("{reason}")]
    Invalid { reason: String },
    #[error("the payment provider did not answer")]
    Unavailable,
}

/// An amount to move, and what is known of the payment.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The session's id for starting and authorising; the capture's or refund's own id for those.
    pub idempotency_key: &'a str,
    /// More than zero, in minor units.
    pub amount_minor: i64,
    /// Lower case.
    pub currency: &'a str,
    /// From the shopper when starting, else what the provider answered last.
    pub data: &'a Data,
}

/// A payment that was begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Initiated {
    /// To be kept with the session.
    pub data: Data,
}

/// What came of asking for the money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is promised and must be captured.
    Authorized {
        /// To be kept with the payment.
        data: Data,
    },
    /// It is there.
    Captured {
        /// To be kept with the payment.
        data: Data,
    },
    /// The shopper must do something first; asking again afterwards with new data is no repetition.
    RequiresMore {
        /// What, to be kept with the session.
        data: Data,
    },
    /// It will not come.
    Declined {
        /// A short code such as `card_declined`.
        reason: String,
    },
}

/// What came of moving money that was promised or taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moved {
    /// It was moved.
    Done {
        /// To be kept with the payment.
        data: Data,
    },
    /// It was not, and will not be.
    Failed {
        /// A short code such as `capture_failed`.
        reason: String,
    },
}

/// A way to be paid.
pub trait Provider: fmt::Debug + Send + Sync {
    /// The name under which regions, sessions and payments know it.
    fn id(&self) -> &'static str;

    /// Begins a payment.
    fn initiate<'a>(&'a self, request: Request<'a>) -> Answer<'a, Initiated>;

    /// Asks for the money.
    fn authorize<'a>(&'a self, request: Request<'a>) -> Answer<'a, Outcome>;

    /// Takes what was promised, or a part of it.
    fn capture<'a>(&'a self, request: Request<'a>) -> Answer<'a, Moved>;

    /// Gives back what was taken, or a part of it.
    fn refund<'a>(&'a self, request: Request<'a>) -> Answer<'a, Moved>;

    /// Gives up what was promised and not taken.
    fn cancel<'a>(&'a self, request: Request<'a>) -> Answer<'a, Moved>;
}

/// The providers a server has.
#[derive(Debug, Clone)]
pub struct Providers(Vec<Arc<dyn Provider>>);

impl Providers {
    /// These, in order of preference.
    pub fn new(providers: Vec<Arc<dyn Provider>>) -> Self {
        Self(providers)
    }

    /// The provider of that id.
    pub fn find(&self, id: &str) -> Option<&Arc<dyn Provider>> {
        self.0.iter().find(|provider| provider.id() == id)
    }

    /// All ids, in order of preference.
    pub fn ids(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.0.iter().map(|provider| provider.id())
    }
}

/// Refuses amounts that are not more than zero and data beyond its limit.
pub(super) fn check(request: &Request<'_>) -> Result<(), ProviderError> {
    let invalid = |reason: String| Err(ProviderError::Invalid { reason });
    if request.amount_minor < 1 {
        return invalid(format!("an amount of `{}` cannot be paid", request.amount_minor));
    }
    if request.idempotency_key.is_empty() {
        return invalid("a payment needs a key".to_owned());
    }
    let is_currency = request.currency.len() == 3
        && request.currency.chars().all(|letter| letter.is_ascii_lowercase());
    if !is_currency {
        return invalid(format!("`{}` is no currency", request.currency));
    }
    let bytes = serde_json::to_vec(request.data).map_or(usize::MAX, |text| text.len());
    if bytes > MAX_DATA_BYTES {
        return invalid(format!("payment data has more than {MAX_DATA_BYTES} bytes"));
    }
    Ok(())
}

/// An answer that is known at once.
pub(super) fn ready<'a, T: Send + 'a>(answer: Result<T, ProviderError>) -> Answer<'a, T> {
    Box::pin(std::future::ready(answer))
}
