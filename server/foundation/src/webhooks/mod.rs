//! Webhooks: signatures in both directions, the addresses that may be called, and the sender.
//!
//! Invariants: a signature is computed over the bytes on the wire, before anything is parsed, and compared in constant
//! time; nothing is ever sent to a private address, whatever a name resolves to.
//!
//! [`schemes`] verifies incoming webhooks and [`signing`] signs outgoing ones; both are pure. [`Sender`] is the only
//! HTTP client for addresses that users enter.

mod address;
pub mod schemes;
mod secret;
mod sender;
pub mod signing;

pub use address::{TargetError, is_public, target};
pub use schemes::{Refusal, Scheme};
pub use secret::{Secret, SecretError};
pub use sender::{Answer, Delivery, SendError, Sender};
