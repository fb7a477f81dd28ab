//! Request bodies of orders.

use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::auth::Email;
use crate::http::{Patch, Text};
use crate::ids::CustomerId;
use crate::money::Major;
use crate::orders::admin::edit::{AddressChange, Correction};

/// Corrections of an order. What is not sent stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "email": "ada@example.com", "metadata": { "gift": true } }))]
pub(super) struct UpdateOrderRequest {
    /// Where news of it go.
    email: Option<Email>,
    /// Where it is sent. Its country stays, for taxes and shipping follow from it.
    shipping_address: Option<UpdateOrderAddressRequest>,
    /// Who is charged. Its country stays.
    billing_address: Option<UpdateOrderAddressRequest>,
    /// Keys to merge into the metadata; an empty one is removed.
    #[schema(value_type = Option<Object>)]
    metadata: Option<Map<String, Value>>,
}

impl From<UpdateOrderRequest> for Correction {
    fn from(request: UpdateOrderRequest) -> Self {
        Self {
            email: request.email.map(|email| email.to_string()),
            shipping_address: request.shipping_address.map(AddressChange::from),
            billing_address: request.billing_address.map(AddressChange::from),
            metadata: request.metadata,
        }
    }
}

/// Corrections of an address of an order. What is not sent stays; null empties a field.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct UpdateOrderAddressRequest {
    /// Given name.
    #[serde(default)]
    first_name: Patch<Text>,
    /// Family name.
    #[serde(default)]
    last_name: Patch<Text>,
    #[serde(default)]
    company: Patch<Text>,
    /// Street and number.
    #[serde(default)]
    address_1: Patch<Text>,
    /// Second line.
    #[serde(default)]
    address_2: Patch<Text>,
    #[serde(default)]
    city: Patch<Text>,
    #[serde(default)]
    postal_code: Patch<Text<64>>,
    /// Province or state.
    #[serde(default)]
    province: Patch<Text>,
    #[serde(default)]
    phone: Patch<Text<64>>,
    /// Two letters; only the same as before, unless there was none.
    #[schema(example = "gb")]
    country_code: Option<Text<2>>,
    /// Keys to merge into the metadata; an empty one is removed.
    #[schema(value_type = Option<Object>)]
    metadata: Option<Map<String, Value>>,
}

impl From<UpdateOrderAddressRequest> for AddressChange {
    fn from(request: UpdateOrderAddressRequest) -> Self {
        Self {
            first_name: sent(request.first_name),
            last_name: sent(request.last_name),
            company: sent(request.company),
            address_1: sent(request.address_1),
            address_2: sent(request.address_2),
            city: sent(request.city),
            postal_code: sent(request.postal_code),
            province: sent(request.province),
            phone: sent(request.phone),
            country_code: request.country_code.map(String::from),
            metadata: request.metadata,
        }
    }
}

fn sent<const MAX: usize>(text: Patch<Text<MAX>>) -> Patch<String> {
    match text {
        Patch::Absent => Patch::Absent,
        Patch::Null => Patch::Null,
        Patch::Value(text) => Patch::Value(text.into()),
    }
}

/// A step that needs nothing more to be said.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OrderStepRequest {
    /// Ignored: the order is named by the path.
    #[serde(default)]
    #[expect(dead_code, reason = "sent by clients, and said by the path already")]
    order_id: Option<String>,
}

/// The new customer of an order.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "customer_id": "cus_01JD2Q8Z5M6T3W9XKCV4B7N0RE" }))]
pub(super) struct TransferOrderRequest {
    /// A customer who has an account.
    pub(super) customer_id: CustomerId,
    /// Ignored: nobody is written to yet.
    #[expect(dead_code, reason = "sent by clients; nothing is kept of it")]
    internal_note: Option<Text<2000>>,
    /// Ignored: nobody is written to yet.
    #[expect(dead_code, reason = "sent by clients; nothing is kept of it")]
    description: Option<Text<2000>>,
}

/// Credit that lowers what is still to be paid of an order.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "amount": 5, "reference": "goodwill", "reference_id": "ticket-17" }))]
pub(super) struct CreateOrderCreditLineRequest {
    /// How much, more than zero and at most what is still to be paid.
    pub(super) amount: Major,
    /// What it is for.
    pub(super) reference: Text,
    /// The id of what it is for.
    pub(super) reference_id: Text,
    #[schema(value_type = Option<Object>)]
    pub(super) metadata: Option<Map<String, Value>>,
}
