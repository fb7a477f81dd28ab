//! The interface of SMS providers.

use std::fmt::Debug;
use std::pin::Pin;

use serde_json::Value;
use thiserror::Error;

use super::phone::Phone;

pub(super) type Answer<'a> = Pin<Box<dyn Future<Output = Result<(), ProviderError>> + Send + 'a>>;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum ProviderError {
    /// It will never do it.
    #[error("{0}")]
    Refused(String),
    /// It did not respond; it may have done it.
    #[error("the provider does not answer")]
    Silent,
}

/// The status of a number with the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Membership {
    /// Consent given but not confirmed.
    Pending,
    /// Messages may be sent.
    Subscribed,
    /// Messages may no longer be sent.
    Withdrawn,
}

/// An SMS provider. Every call has an idempotency key.
pub(super) trait Provider: Debug + Send + Sync {
    /// Returns the id that is stored with consents.
    fn id(&self) -> &'static str;

    fn set<'a>(&'a self, key: &'a str, phone: &'a Phone, membership: Membership) -> Answer<'a>;

    fn send<'a>(&'a self, key: &'a str, phone: &'a Phone, text: &'a str) -> Answer<'a>;

    fn tell_view<'a>(&'a self, key: &'a str, phone: &'a Phone, view: &'a Value) -> Answer<'a>;
}
