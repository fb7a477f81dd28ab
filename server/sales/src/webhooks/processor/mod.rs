//! The card processor's events: their meaning, and their effect on payments.

mod apply;
mod event;
mod method;

pub(super) use apply::{apply, lock_key};
pub(super) use event::{Action, ProcessorEvent};
