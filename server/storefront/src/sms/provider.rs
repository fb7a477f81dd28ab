//! The interface of providers of text messages.

use std::fmt::Debug;
use std::pin::Pin;

use serde_json::Value;
use thiserror::Error;

use super::phone::Phone;

/// What a provider returns.
pub(super) type Answer<'a> = Pin<Box<dyn Future<Output = Result<(), ProviderError>> + Send + 'a>>;

/// Why a provider did not do something.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum ProviderError {
    /// It will never do it.
    #[error("{0}")]
    Refused(String),
    /// It did not answer; it may have done it.
    #[error("the provider does not answer")]
    Silent,
}

/// What a provider is told about a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Membership {
    /// It has agreed, and not confirmed it yet.
    Pending,
    /// It may be written to.
    Subscribed,
    /// It may not be written to any more.
    Withdrawn,
}

/// A provider of text messages. Every call has a key: calls with the same key are one.
pub(super) trait Provider: Debug + Send + Sync {
    /// Returns the id that is stored with consents.
    fn id(&self) -> &'static str;

    /// Sets what a number is to the store.
    fn set<'a>(&'a self, key: &'a str, phone: &'a Phone, membership: Membership) -> Answer<'a>;

    /// Sends a message.
    fn send<'a>(&'a self, key: &'a str, phone: &'a Phone, text: &'a str) -> Answer<'a>;

    /// Tells of the view of a product.
    fn tell_view<'a>(&'a self, key: &'a str, phone: &'a Phone, view: &'a Value) -> Answer<'a>;
}
