//! Request bodies of the actions.

use serde::Deserialize;

use crate::cart::{self, AddressInput, AddressRequest};
use crate::clock::Timestamp;
use crate::http::{Text, ToSchema, request};
use crate::ids::{CustomerAddressId, SubscriptionItemId, VariantId};
use crate::plans::Unit;
use crate::subscriptions::actions::address::{self, ApplyTo};
use crate::subscriptions::actions::cancellation::{self, CancelAt};
use crate::subscriptions::actions::pause::{self, ResumeFrom};
use crate::subscriptions::actions::swap::{self, SwapFrom};
use crate::subscriptions::actions::{Apply, Cost, frequency, reprice, skip};
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::subscription::CancellationReason;

/// The effect of a request on a subscription.
pub(super) struct Action {
    pub(super) is_preview: bool,
    pub(super) apply: Apply,
}

/// Defines the action of a request, which has a member `preview`.
macro_rules! action {
    ($name:ident: |$request:ident, $tx:ident, $subscription:ident, $actor:ident| $apply:expr) => {
        impl From<$name> for Action {
            fn from($request: $name) -> Self {
                let is_preview = $request.preview;
                Self { is_preview, apply: Box::new(move |$tx, $subscription, $actor| $apply) }
            }
        }
    };
}

/// Why it is canceled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ReasonRequest {
    TooExpensive,
    TooMuch,
    NotNeeded,
    Quality,
    Switched,
    Moved,
    Other,
}

impl From<ReasonRequest> for CancellationReason {
    fn from(reason: ReasonRequest) -> Self {
        match reason {
            ReasonRequest::TooExpensive => Self::TooExpensive,
            ReasonRequest::TooMuch => Self::TooMuch,
            ReasonRequest::NotNeeded => Self::NotNeeded,
            ReasonRequest::Quality => Self::Quality,
            ReasonRequest::Switched => Self::Switched,
            ReasonRequest::Moved => Self::Moved,
            ReasonRequest::Other => Self::Other,
        }
    }
}

/// A cancellation, or its undoing.
#[request]
#[schema(example = json!({ "at": "period_end", "reason": "too_much" }))]
pub(super) struct CancellationRequest {
    #[serde(default)]
    at: CancelAt,
    reason: Option<ReasonRequest>,
    comment: Option<Text<1_000>>,
    /// Reverts a planned cancellation.
    #[serde(default)]
    undo: bool,
    /// Computes the result and writes nothing.
    #[serde(default)]
    preview: bool,
}

action!(CancellationRequest: |request, tx, subscription, actor| {
    let cancellation = cancellation::Cancellation {
        at: request.at,
        reason: request.reason.map(Into::into),
        comment: request.comment.map(String::from),
        is_undone: request.undo,
    };
    cancellation::apply(tx, subscription, actor, cancellation).map(|()| Cost::default())
});

/// Another address. One of the two is required.
#[request]
#[schema(example = json!({ "shipping_address": { "first_name": "Ada", "address_1": "12 St James's Square",
    "city": "London", "postal_code": "SW1Y 4JH", "country_code": "gb" } }))]
pub(super) struct ChangeAddressRequest {
    #[schema(value_type = Option<AddressRequest>)]
    shipping_address: Option<AddressRequest>,
    /// An address of the customer's address book.
    address_id: Option<CustomerAddressId>,
    #[serde(default)]
    apply_to: ApplyTo,
    /// Computes the result and writes nothing.
    #[serde(default)]
    preview: bool,
}

action!(ChangeAddressRequest: |request, tx, subscription, actor| {
    let input = match (request.shipping_address, request.address_id) {
        (Some(address), None) => AddressInput::Address(Box::new(address)),
        (None, Some(id)) => AddressInput::Id(id),
        (None, None) | (Some(_), Some(_)) => {
            return Err(SubscriptionError::Invalid(
                "Either `shipping_address` or `address_id` is required".to_owned(),
            ));
        }
    };
    let change = input.into_change()?;
    let address = cart::address_for(tx, &subscription.customer_id, subscription.region_id.clone(), subscription.currency, change)?;
    address::apply(tx, subscription, actor, address, request.apply_to).map(|()| Cost::default())
});

/// Another frequency or date. At least one member is required.
#[request]
#[schema(example = json!({ "interval": "month", "interval_count": 2 }))]
pub(super) struct ChangeFrequencyRequest {
    interval: Option<Unit>,
    #[schema(minimum = 1, maximum = 52)]
    interval_count: Option<i64>,
    /// The day of the next billing, from tomorrow to 365 days ahead.
    #[schema(example = "2026-12-01")]
    next_billing_date: Option<Text<10>>,
    /// Computes the result and writes nothing.
    #[serde(default)]
    preview: bool,
}

action!(ChangeFrequencyRequest: |request, tx, subscription, actor| {
    let is_empty = request.interval.is_none()
        && request.interval_count.is_none()
        && request.next_billing_date.is_none();
    if is_empty {
        return Err(SubscriptionError::Invalid(
            "One of `interval`, `interval_count` and `next_billing_date` is required"
                .to_owned(),
        ));
    }
    if request.interval_count.is_some_and(|count| !(1..=52).contains(&count)) {
        let message = "`interval_count` is from 1 to 52".to_owned();
        return Err(SubscriptionError::Invalid(message));
    }
    let frequency = frequency::Frequency {
        unit: request.interval,
        count: request.interval_count,
        next_billing_date: request.next_billing_date.map(String::from),
    };
    frequency::apply(tx, subscription, actor, &frequency).map(|()| Cost::default())
});

/// A pause.
#[request]
#[schema(example = json!({ "resume_at": "2027-01-15" }))]
pub(super) struct PauseRequest {
    /// The day on which it resumes; without one, until it is resumed.
    #[schema(example = "2027-01-15")]
    resume_at: Option<Text<10>>,
    /// Computes the result and writes nothing.
    #[serde(default)]
    preview: bool,
}

action!(PauseRequest: |request, tx, subscription, actor| {
    let day = request.resume_at.map(String::from);
    pause::apply(tx, subscription, actor, day.as_deref()).map(|()| Cost::default())
});

/// The end of a pause, or of a planned cancellation.
#[request]
#[schema(example = json!({ "from": "schedule" }))]
pub(super) struct ResumeRequest {
    #[serde(default)]
    from: ResumeFrom,
    /// Computes the result and writes nothing.
    #[serde(default)]
    preview: bool,
}

action!(ResumeRequest: |request, tx, subscription, actor| {
    pause::resume(tx, subscription, actor, request.from).map(|()| Cost::default())
});

/// A payment of what is due.
#[request]
#[schema(example = json!({}))]
pub(super) struct RetryPaymentRequest {
    /// A saved method, which becomes the subscription's own if the payment succeeds, or immediately
    /// if nothing is due.
    pub(super) payment_method_reference: Option<Text<255>>,
    /// Checks what can be paid, without charging or writing anything.
    #[serde(default)]
    pub(super) preview: bool,
}

/// A delivery to skip.
#[request]
#[schema(example = json!({}))]
pub(super) struct SkipRequest {
    /// Its number; the next one if none is given.
    cycle: Option<i64>,
    /// Takes the skipping back.
    #[serde(default)]
    undo: bool,
    /// Computes the result and writes nothing.
    #[serde(default)]
    preview: bool,
}

action!(SkipRequest: |request, tx, subscription, actor| {
    skip::apply(tx, subscription, actor, request.cycle, request.undo).map(|()| Cost::default())
});

/// Another variant.
#[request]
#[schema(example = json!({ "variant_id": "variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE" }))]
pub(super) struct SwapRequest {
    /// Required if the subscription has several items.
    item_id: Option<SubscriptionItemId>,
    variant_id: VariantId,
    #[schema(minimum = 1, maximum = 9_999)]
    quantity: Option<i64>,
    /// Deliveries change with the next one; access by default immediately.
    apply: Option<SwapFrom>,
    /// Computes the result and writes nothing.
    #[serde(default)]
    preview: bool,
}

action!(SwapRequest: |request, tx, subscription, actor| {
    if request.quantity.is_some_and(|quantity| !(1..=9_999).contains(&quantity)) {
        return Err(SubscriptionError::Invalid("`quantity` is from 1 to 9999".to_owned()));
    }
    let swap = swap::Swap {
        item_id: request.item_id,
        variant_id: request.variant_id,
        quantity: request.quantity,
        from: request.apply,
    };
    swap::apply(tx, subscription, actor, &swap, request.preview)
});

/// Today's prices.
#[request]
#[schema(example = json!({ "at": "2027-01-01T00:00:00Z" }))]
pub(super) struct RepriceRequest {
    /// The first instant at which a cycle at the new prices may be due: 30 days ahead, which is the default, or later.
    at: Option<Timestamp>,
    /// Computes the result and writes nothing.
    #[serde(default)]
    preview: bool,
}

action!(RepriceRequest: |request, tx, subscription, _actor| {
    reprice::apply(tx, subscription, request.at).map(|()| Cost::default())
});

/// Another date of the next billing.
#[request]
#[schema(example = json!({ "at": "2026-12-01T09:00:00Z" }))]
pub(super) struct RescheduleRequest {
    /// Not in the past; later dates are computed from it.
    at: Timestamp,
    /// Computes the result and writes nothing.
    #[serde(default)]
    preview: bool,
}

action!(RescheduleRequest: |request, tx, subscription, _actor| {
    frequency::reschedule(tx, subscription, request.at).map(|()| Cost::default())
});
