//! Request bodies of the actions.

use crate::cart::{self, AddressInput, AddressRequest};
use crate::clock::Timestamp;
use crate::http::{Text, request};
use crate::ids::CustomerAddressId;
use crate::subscriptions::actions::address::{self, ApplyTo};
use crate::subscriptions::actions::cancellation::{self, CancellationRequest};
use crate::subscriptions::actions::frequency::{self, ChangeFrequencyRequest};
use crate::subscriptions::actions::pause::{self, ResumeFrom};
use crate::subscriptions::actions::swap::{self, SwapRequest};
use crate::subscriptions::actions::{Apply, Cost, reprice, skip};
use crate::subscriptions::error::SubscriptionError;

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

action!(CancellationRequest: |request, tx, subscription, actor| {
    cancellation::apply(tx, subscription, actor, request).map(|()| Cost::default())
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

action!(ChangeFrequencyRequest: |request, tx, subscription, actor| {
    frequency::apply(tx, subscription, actor, &request).map(|()| Cost::default())
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

action!(SwapRequest: |request, tx, subscription, actor| {
    swap::apply(tx, subscription, actor, &request)
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
