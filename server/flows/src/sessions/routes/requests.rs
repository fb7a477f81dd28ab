//! The bodies of requests of shoppers.

use std::collections::BTreeMap;

use serde_json::Value;

use super::visitor::Token;
use crate::auth::{SecretDigest, Shop};
use crate::http::{Text, request};
use crate::ids::{CartId, FlowButtonId, OrderId, PaymentCollectionId};
use crate::money::Major;
use crate::sessions::begin::{Beginning, Source, Surface};
use crate::sessions::press::NewPress;

/// What a page knows about its visitor.
#[request]
#[schema(as = FlowContextRequest)]
pub(super) struct ContextRequest {
    /// Such as `mobile`.
    device: Option<Text<200>>,
    utm_source: Option<Text<200>>,
    utm_campaign: Option<Text<200>>,
    referrer_host: Option<Text<200>>,
}

impl ContextRequest {
    fn into_context(self) -> serde_json::Map<String, Value> {
        let parts = [
            ("device", self.device),
            ("referrer_host", self.referrer_host),
            ("utm_campaign", self.utm_campaign),
            ("utm_source", self.utm_source),
        ];
        let given = |(name, value): (&str, Option<Text<200>>)| {
            Some((name.to_owned(), value?.into_string().into()))
        };
        parts.into_iter().filter_map(given).collect()
    }
}

/// The flow to start, and its cart or order.
#[request]
#[schema(example = json!({
    "flow_id": "flow_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "cart_id": "cart_01JD2Q8Z5M6T3W9XKCV4B7N0RE",
    "order_id": "order_01JD2Q8Z5M6T3W9XKCV4B7N0RE",
}))]
pub(super) struct BeginFlowRequest {
    /// The flow's id or its public token.
    flow_id: Text,
    /// The open cart, or the cart that became the order.
    cart_id: Option<CartId>,
    /// The order, for flows after the purchase.
    order_id: Option<OrderId>,
    /// Resumes a session.
    pub(super) session_token: Option<Token>,
    context: Option<ContextRequest>,
    locale: Option<Text<35>>,
}

impl BeginFlowRequest {
    pub(super) fn into_beginning(
        self,
        (surface, source): (Surface, Option<Source>),
        token: Option<SecretDigest>,
    ) -> Beginning {
        Beginning {
            surface,
            source,
            flow: self.flow_id.into(),
            cart_id: self.cart_id,
            order_id: self.order_id,
            collection_id: None,
            token,
            context: self.context.map(ContextRequest::into_context).unwrap_or_default(),
            locale: self.locale.map(Into::into),
        }
    }
}

/// The order that a flow follows.
#[request]
#[schema(example = json!({
    "flow_id": "flow_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "cart_id": "cart_01JD2Q8Z5M6T3W9XKCV4B7N0RE",
    "order_id": "order_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "payment_collection_id": "pay_col_01JD2Q8Z5M6T3W9XKCV4B7N0RE",
    "original_order_total": 42.5,
}))]
pub(super) struct BeginFlowWithOrderRequest {
    /// The flow's id or its public token.
    flow_id: Text,
    /// The cart that became the order.
    cart_id: CartId,
    order_id: OrderId,
    /// The collection that paid for the order.
    payment_collection_id: PaymentCollectionId,
    /// Only its format is checked: the order's own total is used.
    original_order_total: Major,
    /// Resumes a session.
    pub(super) session_token: Option<Token>,
    context: Option<ContextRequest>,
    locale: Option<Text<35>>,
}

impl BeginFlowWithOrderRequest {
    pub(super) fn into_beginning(
        self,
        place: (Surface, Option<Source>),
        token: Option<SecretDigest>,
    ) -> Beginning {
        let Self { original_order_total: _read_for_its_form, .. } = &self;
        let collection_id = Some(self.payment_collection_id);
        let request = BeginFlowRequest {
            flow_id: self.flow_id,
            cart_id: Some(self.cart_id),
            order_id: Some(self.order_id),
            session_token: None,
            context: self.context,
            locale: self.locale,
        };
        Beginning { collection_id, ..request.into_beginning(place, token) }
    }
}

/// A button that is accepted.
#[request]
#[schema(as = AcceptFlowButtonRequest, example = json!({ "button_id": "fbtn_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "quantity": 1 }))]
pub(super) struct AcceptRequest {
    button_id: FlowButtonId,
    pub(super) session_token: Option<Token>,
    /// Defaults to the offer's.
    #[schema(minimum = 1, maximum = 9999)]
    quantity: Option<i64>,
    /// The answers to a question, by the keys of its fields.
    #[schema(value_type = Option<Object>)]
    answers: Option<BTreeMap<String, Value>>,
    /// Must stay empty: a field that only robots fill in.
    website: Option<String>,
}

/// A button that is accepted in a storefront.
#[request]
#[schema(as = AcceptStoreFlowButtonRequest, example = json!({ "button_id": "fbtn_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "quantity": 1 }))]
pub(super) struct AcceptStoreRequest {
    button_id: FlowButtonId,
    pub(super) session_token: Option<Token>,
    /// Defaults to the offer's.
    #[schema(minimum = 1, maximum = 9999)]
    quantity: Option<i64>,
    /// The answers to a question, by the keys of its fields.
    #[schema(value_type = Option<Object>)]
    answers: Option<BTreeMap<String, Value>>,
    /// The cart of the session; bound if the session has none.
    cart_id: Option<CartId>,
    /// Must stay empty: a field that only robots fill in.
    website: Option<String>,
}

impl AcceptStoreRequest {
    pub(super) fn into_press(self, token: SecretDigest, shop: Shop) -> NewPress {
        let cart = self.cart_id.map(|cart_id| (cart_id, shop));
        let request = AcceptRequest {
            button_id: self.button_id,
            session_token: None,
            quantity: self.quantity,
            answers: self.answers,
            website: self.website,
        };
        NewPress { cart, ..request.into_press(token) }
    }
}

/// A button that is declined in a storefront.
#[request]
#[schema(as = DeclineStoreFlowButtonRequest, example = json!({ "button_id": "fbtn_01JD2Q8Z5M6T3W9XKCV4B7N0RE" }))]
pub(super) struct DeclineStoreRequest {
    button_id: FlowButtonId,
    pub(super) session_token: Option<Token>,
    reason: Option<Text<200>>,
    /// The cart of the session, if it has one.
    cart_id: Option<CartId>,
    /// Must stay empty: a field that only robots fill in.
    website: Option<String>,
}

impl DeclineStoreRequest {
    pub(super) fn into_press(self, token: SecretDigest, shop: Shop) -> NewPress {
        let cart = self.cart_id.map(|cart_id| (cart_id, shop));
        let request = DeclineRequest {
            button_id: self.button_id,
            session_token: None,
            reason: self.reason,
            website: self.website,
        };
        NewPress { cart, ..request.into_press(token) }
    }
}

/// A button that is declined.
#[request]
#[schema(as = DeclineFlowButtonRequest, example = json!({ "button_id": "fbtn_01JD2Q8Z5M6T3W9XKCV4B7N0RE" }))]
pub(super) struct DeclineRequest {
    button_id: FlowButtonId,
    pub(super) session_token: Option<Token>,
    reason: Option<Text<200>>,
    /// Must stay empty: a field that only robots fill in.
    website: Option<String>,
}

impl AcceptRequest {
    pub(super) fn into_press(self, token: SecretDigest) -> NewPress {
        NewPress {
            token,
            button_id: self.button_id,
            is_accepted: true,
            quantity: self.quantity,
            answers: self.answers.unwrap_or_default(),
            reason: None,
            cart: None,
            is_trapped: self.website.is_some_and(|text| !text.is_empty()),
        }
    }
}

impl DeclineRequest {
    pub(super) fn into_press(self, token: SecretDigest) -> NewPress {
        NewPress {
            token,
            button_id: self.button_id,
            is_accepted: false,
            quantity: None,
            answers: BTreeMap::new(),
            reason: self.reason.map(Into::into),
            cart: None,
            is_trapped: self.website.is_some_and(|text| !text.is_empty()),
        }
    }
}
