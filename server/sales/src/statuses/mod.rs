//! The states of orders, payments and deliveries: how they follow from what happened, and along
//! which edges they may move. Staying in a state is no move; a caller treats it as done already.

use crate::proportion::{OutOfRange, add, subtract};

/// Money that may be missing for an order to count as captured, in minor units.
pub(crate) const CAPTURE_TOLERANCE_MINOR: i64 = 1;

/// Gives an enum its words: `as_str`, `parse`, all of them, and the column's value.
macro_rules! stored_words {
    ($name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }

        impl rusqlite::ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                Ok(self.as_str().into())
            }
        }

        impl rusqlite::types::FromSql for $name {
            fn column_result(
                value: rusqlite::types::ValueRef<'_>,
            ) -> rusqlite::types::FromSqlResult<Self> {
                Self::parse(value.as_str()?).ok_or(rusqlite::types::FromSqlError::InvalidType)
            }
        }
    };
}

/// Declares states with their words in JSON and in the database.
macro_rules! states {
    ($(#[$doc:meta])* $name:ident { $($(#[$state_doc:meta])* $state:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name { $($(#[$state_doc])* $state,)* }

        stored_words!($name { $($state = $word),* });
    };
}

states! {
    /// Where an order stands as a whole.
    OrderStatus {
        Pending = "pending",
        Completed = "completed",
        Draft = "draft",
        Archived = "archived",
        Canceled = "canceled",
        /// Somebody must look at it.
        RequiresAction = "requires_action",
    }
}

states! {
    /// How far an order is paid.
    PaymentStatus {
        NotPaid = "not_paid",
        Awaiting = "awaiting",
        Authorized = "authorized",
        PartiallyAuthorized = "partially_authorized",
        Captured = "captured",
        PartiallyCaptured = "partially_captured",
        PartiallyRefunded = "partially_refunded",
        Refunded = "refunded",
        Canceled = "canceled",
        RequiresAction = "requires_action",
    }
}

states! {
    /// How far an order is delivered.
    FulfillmentStatus {
        NotFulfilled = "not_fulfilled",
        PartiallyFulfilled = "partially_fulfilled",
        Fulfilled = "fulfilled",
        PartiallyShipped = "partially_shipped",
        Shipped = "shipped",
        PartiallyDelivered = "partially_delivered",
        Delivered = "delivered",
        Canceled = "canceled",
    }
}

states! {
    /// How far the payments for one cart or order have come.
    CollectionStatus {
        NotPaid = "not_paid",
        Awaiting = "awaiting",
        Authorized = "authorized",
        PartiallyAuthorized = "partially_authorized",
        PartiallyCaptured = "partially_captured",
        Completed = "completed",
        Failed = "failed",
        Canceled = "canceled",
    }
}

states! {
    /// Where one attempt to pay stands.
    SessionStatus {
        Pending = "pending",
        RequiresMore = "requires_more",
        Authorized = "authorized",
        Captured = "captured",
        PendingAuthorization = "pending_authorization",
        Error = "error",
        Canceled = "canceled",
    }
}

states! {
    /// How far a fulfilment has come, in this order.
    FulfillmentStage {
        Packed = "packed",
        Shipped = "shipped",
        Delivered = "delivered",
        Canceled = "canceled",
    }
}

states! {
    /// Where a return stands.
    ReturnStatus {
        Open = "open",
        Requested = "requested",
        PartiallyReceived = "partially_received",
        Received = "received",
        Canceled = "canceled",
    }
}

impl OrderStatus {
    /// Whether an order may move so.
    pub(crate) fn may_become(self, next: Self) -> bool {
        use OrderStatus::{Archived, Canceled, Completed, Draft, Pending, RequiresAction};
        match self {
            Draft => matches!(next, Pending | Canceled),
            Pending => matches!(next, Completed | Canceled | RequiresAction | Archived),
            RequiresAction => matches!(next, Pending | Completed | Canceled),
            Completed | Canceled => matches!(next, Archived),
            Archived => false,
        }
    }
}

impl CollectionStatus {
    /// Whether a payment collection may move so. A failed one may be tried again.
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
    /// Whether a payment session may move so. A refused one may be tried again; what is captured
    /// stays captured, whatever message arrives late.
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
    /// Whether a fulfilment may move so. Goods that were handed over are called off no more.
    pub(crate) fn may_become(self, next: Self) -> bool {
        match self {
            Self::Packed => matches!(next, Self::Shipped | Self::Delivered | Self::Canceled),
            Self::Shipped => matches!(next, Self::Delivered),
            Self::Delivered | Self::Canceled => false,
        }
    }
}

impl ReturnStatus {
    /// Whether a return may move so. Goods that came back stay back.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Collected {
    /// To pay.
    pub amount: i64,
    /// Promised so far, captured or not.
    pub authorized: i64,
    /// Taken so far.
    pub captured: i64,
    /// Given back so far.
    pub refunded: i64,
    /// Its own state.
    pub status: CollectionStatus,
}

/// How far an order with these collections is paid. Calling a collection off takes its amount out
/// of what is to pay, and leaves what was captured and refunded.
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

/// How far a collection is, from its amounts: captured, then authorized, then whether a session is
/// there. A collection with nothing to pay is completed.
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

/// A line of an order, in pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineProgress {
    pub quantity: i64,
    /// In fulfilments that were not called off.
    pub fulfilled_quantity: i64,
}

/// How far an order is delivered: the furthest any fulfilment has come, in full when all of them
/// have and no line waits. Returns do not change it.
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
