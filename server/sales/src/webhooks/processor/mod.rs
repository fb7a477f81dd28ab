//! The card processor's events: what they say, and what they do to payments.

mod apply;
mod event;
mod method;

pub(super) use apply::{apply, lock_key};
pub(super) use event::{Action, ProcessorEvent};
