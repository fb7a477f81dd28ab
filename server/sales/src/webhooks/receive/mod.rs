//! The five senders: in which order a request of each is checked, and what is answered.

pub(super) mod email;
pub(super) mod partner;
pub(super) mod platform;
pub(super) mod processor;
pub(super) mod ring;
pub(super) mod warehouse;

use quotient_foundation::webhooks::Refusal;

use super::error::WebhookError;
use super::intake::{self, Incoming};
use super::vocabulary::{Mode, Receiver, Signature};
use crate::database::{Db, Tx};

/// Why a request of a sender is not taken.
#[derive(Debug)]
pub(super) enum NotTaken {
    /// Its signature is missing or wrong.
    Refused(Refusal),
    /// There is no secret to check it with.
    NoSecret,
    /// It cannot be kept.
    NotKept(WebhookError),
}

impl From<WebhookError> for NotTaken {
    fn from(error: WebhookError) -> Self {
        Self::NotKept(error)
    }
}

/// Refuses a request. One whose signature is wrong is kept, so that somebody can look at it.
async fn refuse(
    db: &Db,
    incoming: Incoming,
    sender: (Receiver, Mode),
    (signature, refusal): (Signature, Refusal),
) -> NotTaken {
    if signature == Signature::Invalid {
        let kept = db.write(move |tx: &Tx<'_>| intake::store_refused(tx, &incoming, sender)).await;
        if let Err(error) = kept {
            return error.into();
        }
    }
    NotTaken::Refused(refusal)
}
