//! The statuses of orders, payments and fulfillments: how they are computed, and the edges along which they may
//! move. Staying in a status is not a move; callers treat it as already done.

use crate::database::{FromRow, Word};
use crate::proportion::{OutOfRange, add, subtract};

/// The amount, in minor units, that may be missing for an order to count as captured.
pub(crate) const CAPTURE_TOLERANCE_MINOR: i64 = 1;

/// The status of an order as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Word)]
#[word(inherent)]
pub enum OrderStatus {
    Pending,
    Completed,
    Draft,
    Archived,
    Canceled,
    /// The order needs attention.
    RequiresAction,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Word)]
#[word(inherent)]
pub enum PaymentStatus {
    NotPaid,
    Awaiting,
    Authorized,
    PartiallyAuthorized,
    Captured,
    PartiallyCaptured,
    PartiallyRefunded,
    Refunded,
    Canceled,
    RequiresAction,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Word)]
#[word(inherent)]
pub enum FulfillmentStatus {
    NotFulfilled,
    PartiallyFulfilled,
    Fulfilled,
    PartiallyShipped,
    Shipped,
    PartiallyDelivered,
    Delivered,
    Canceled,
}

/// The status of the payments for one cart or order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Word)]
#[word(inherent)]
pub enum CollectionStatus {
    NotPaid,
    Awaiting,
    Authorized,
    PartiallyAuthorized,
    PartiallyCaptured,
    Completed,
    Failed,
    Canceled,
}

/// The status of one payment attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Word)]
#[word(inherent)]
pub enum SessionStatus {
    Pending,
    RequiresMore,
    Authorized,
    Captured,
    PendingAuthorization,
    Error,
    Canceled,
}

/// The stages of a fulfillment, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Word)]
#[word(inherent)]
pub enum FulfillmentStage {
    Packed,
    Shipped,
    Delivered,
    Canceled,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Word)]
#[word(inherent)]
pub enum ReturnStatus {
    Open,
    Requested,
    PartiallyReceived,
    Received,
    Canceled,
}

impl OrderStatus {
    /// Returns whether an order may move to `next`.
    pub(crate) fn may_become(self, next: Self) -> bool {
        use OrderStatus::{Archived, Canceled, Completed, Draft, Pending, RequiresAction};
        match self {
            Draft => matches!(next, Pending | Canceled),
            Pending => matches!(next, Completed | Canceled | RequiresAction),
            RequiresAction => matches!(next, Pending | Completed | Canceled),
            Completed | Canceled => matches!(next, Archived),
            Archived => false,
        }
    }
}

impl CollectionStatus {
    /// Returns whether a payment collection may move to `next`. A failed one may be retried.
    pub(crate) fn may_become(self, next: Self) -> bool {
        use CollectionStatus::{
            Authorized, Awaiting, Canceled, Completed, Failed, NotPaid, PartiallyAuthorized,
            PartiallyCaptured,
        };
        match self {
            NotPaid | Awaiting | Failed => self != next,
            PartiallyAuthorized => {
                matches!(next, Authorized | PartiallyCaptured | Completed | Failed | Canceled)
            }
            Authorized => matches!(next, PartiallyCaptured | Completed | Failed | Canceled),
            PartiallyCaptured => matches!(next, Completed | Canceled),
            Completed | Canceled => false,
        }
    }
}

impl SessionStatus {
    /// Returns whether a payment session may move to `next`. A refused one may be retried; a captured one stays
    /// captured, whatever message arrives late.
    pub(crate) fn may_become(self, next: Self) -> bool {
        use SessionStatus::{
            Authorized, Canceled, Captured, Error, Pending, PendingAuthorization, RequiresMore,
        };
        match self {
            Pending | RequiresMore | PendingAuthorization | Error => self != next,
            Authorized => matches!(next, Captured | Canceled | Error),
            Captured | Canceled => false,
        }
    }
}

impl FulfillmentStage {
    /// Returns whether a fulfillment may move to `next`. A shipped one cannot be canceled.
    pub(crate) fn may_become(self, next: Self) -> bool {
        match self {
            Self::Packed => matches!(next, Self::Shipped | Self::Delivered | Self::Canceled),
            Self::Shipped => matches!(next, Self::Delivered),
            Self::Delivered | Self::Canceled => false,
        }
    }
}

impl ReturnStatus {
    /// Returns whether a return may move to `next`. Received items stay received.
    pub(crate) fn may_become(self, next: Self) -> bool {
        match self {
            Self::Open => matches!(next, Self::Requested | Self::Canceled),
            Self::Requested => {
                matches!(next, Self::PartiallyReceived | Self::Received | Self::Canceled)
            }
            Self::PartiallyReceived => matches!(next, Self::Received),
            Self::Received | Self::Canceled => false,
        }
    }
}

/// The amounts of a payment collection, in minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct Collected {
    #[column(name = "amount_minor")]
    pub amount: i64,
    /// Authorized so far, captured or not.
    #[column(name = "authorized_minor")]
    pub authorized: i64,
    #[column(name = "captured_minor")]
    pub captured: i64,
    #[column(name = "refunded_minor")]
    pub refunded: i64,
    pub status: CollectionStatus,
}

/// Returns the payment status of an order with these collections. A canceled collection adds nothing to the amount to
/// pay, but its captured and refunded amounts still count.
pub fn payment_status(collections: &[Collected]) -> Result<PaymentStatus, OutOfRange> {
    let is_open = |one: &&Collected| one.status != CollectionStatus::Canceled;
    let (mut amount, mut authorized, mut captured, mut refunded) = (0, 0, 0, 0);
    for one in collections {
        captured = add(captured, one.captured)?;
        refunded = add(refunded, one.refunded)?;
        if is_open(&one) {
            amount = add(amount, one.amount)?;
            authorized = add(authorized, one.authorized)?;
        }
    }
    let has = |status| collections.iter().any(|one| one.status == status);
    let is_all_open_free = amount == 0 && collections.iter().any(|one| is_open(&one));
    Ok(if refunded > 0 {
        if refunded >= captured {
            PaymentStatus::Refunded
        } else {
            PaymentStatus::PartiallyRefunded
        }
    } else if captured > 0 {
        if captured >= subtract(amount, CAPTURE_TOLERANCE_MINOR)? {
            PaymentStatus::Captured
        } else {
            PaymentStatus::PartiallyCaptured
        }
    } else if is_all_open_free {
        PaymentStatus::Captured
    } else if authorized > 0 {
        let is_all = authorized >= amount;
        if is_all { PaymentStatus::Authorized } else { PaymentStatus::PartiallyAuthorized }
    } else if collections.iter().filter(is_open).count() == 0 && !collections.is_empty() {
        PaymentStatus::Canceled
    } else if has(CollectionStatus::Awaiting) {
        PaymentStatus::Awaiting
    } else {
        PaymentStatus::NotPaid
    })
}

/// Returns the status of a collection by its amounts: captured first, then authorized, then whether a session exists. A
/// collection with nothing to pay is completed.
pub(crate) fn collection_status(
    amount: i64,
    authorized: i64,
    captured: i64,
    has_session: bool,
) -> CollectionStatus {
    if captured >= amount {
        CollectionStatus::Completed
    } else if captured > 0 {
        CollectionStatus::PartiallyCaptured
    } else if authorized >= amount {
        CollectionStatus::Authorized
    } else if authorized > 0 {
        CollectionStatus::PartiallyAuthorized
    } else if has_session {
        CollectionStatus::Awaiting
    } else {
        CollectionStatus::NotPaid
    }
}

/// The progress of an order line, in pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct LineProgress {
    pub quantity: i64,
    /// Pieces in fulfillments that are not canceled.
    pub fulfilled_quantity: i64,
}

/// Returns the fulfillment status of an order: the furthest stage of any fulfillment, in full if all fulfillments have
/// reached it and no line has unpacked pieces. Returns do not change it.
pub fn fulfillment_status(
    stages: &[FulfillmentStage],
    lines: &[LineProgress],
) -> FulfillmentStatus {
    let open = || stages.iter().filter(|stage| **stage != FulfillmentStage::Canceled);
    let Some(furthest) = open().max() else {
        let is_untouched = stages.is_empty();
        return if is_untouched {
            FulfillmentStatus::NotFulfilled
        } else {
            FulfillmentStatus::Canceled
        };
    };
    let is_complete = open().all(|stage| stage == furthest)
        && lines.iter().all(|line| line.fulfilled_quantity >= line.quantity);
    match (furthest, is_complete) {
        (FulfillmentStage::Packed, true) => FulfillmentStatus::Fulfilled,
        (FulfillmentStage::Packed, false) => FulfillmentStatus::PartiallyFulfilled,
        (FulfillmentStage::Shipped, true) => FulfillmentStatus::Shipped,
        (FulfillmentStage::Shipped, false) => FulfillmentStatus::PartiallyShipped,
        (FulfillmentStage::Delivered, true) => FulfillmentStatus::Delivered,
        (FulfillmentStage::Delivered, false) => FulfillmentStatus::PartiallyDelivered,
        (FulfillmentStage::Canceled, _) => FulfillmentStatus::Canceled,
    }
}

#[cfg(test)]
mod tests;
