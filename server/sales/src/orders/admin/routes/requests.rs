//! Request bodies of orders.

use crate::auth::Email;
use crate::http::{Patch, Text, request};
use crate::ids::CustomerId;
use crate::metadata::MetadataPatch;
use crate::money::Major;
use crate::orders::admin::edit::{AddressChange, Correction};

/// Corrections of an order. Absent fields stay unchanged.
#[request]
#[schema(example = json!({ "email": "ada@example.com", "metadata": { "gift": true } }))]
pub(super) struct UpdateOrderRequest {
    /// The address for notifications about the order.
    email: Option<Email>,
    /// The shipping address. Its country cannot change, because taxes and shipping depend on it.
    shipping_address: Option<UpdateOrderAddressRequest>,
    /// The billing address. Its country cannot change.
    billing_address: Option<UpdateOrderAddressRequest>,
    /// Keys to merge into the metadata; a key with an empty value is removed.
    metadata: Option<MetadataPatch>,
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

/// Corrections of an address of an order. Absent fields stay unchanged; null clears a field.
#[request]
pub(super) struct UpdateOrderAddressRequest {
    first_name: Patch<Text>,
    last_name: Patch<Text>,
    company: Patch<Text>,
    /// Street and number.
    address_1: Patch<Text>,
    /// Second line.
    address_2: Patch<Text>,
    city: Patch<Text>,
    postal_code: Patch<Text<64>>,
    /// Province or state.
    province: Patch<Text>,
    phone: Patch<Text<64>>,
    /// Two-letter code; must equal the current country if there is one.
    #[schema(example = "gb")]
    country_code: Option<Text<2>>,
    /// Keys to merge into the metadata; a key with an empty value is removed.
    metadata: Option<MetadataPatch>,
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

/// The body of an action that needs no data.
#[request]
pub(super) struct OrderStepRequest {
    /// Ignored: the path names the order.
    #[serde(default)]
    #[expect(dead_code, reason = "clients send it, but the path already names the order")]
    order_id: Option<String>,
}

/// The new customer of an order.
#[request]
#[schema(example = json!({ "customer_id": "cus_01JD2Q8Z5M6T3W9XKCV4B7N0RE" }))]
pub(super) struct TransferOrderRequest {
    /// A customer who has an account.
    pub(super) customer_id: CustomerId,
    /// Ignored: no notification is sent yet.
    #[expect(dead_code, reason = "clients send it; it is not stored")]
    internal_note: Option<Text<2000>>,
    /// Ignored: no notification is sent yet.
    #[expect(dead_code, reason = "clients send it; it is not stored")]
    description: Option<Text<2000>>,
}

/// Credit that lowers the amount due of an order.
#[request]
#[schema(example = json!({ "amount": 5, "reference": "goodwill", "reference_id": "ticket-17" }))]
pub(super) struct CreateOrderCreditLineRequest {
    /// At most the amount due; negative for a refund to store credit.
    pub(super) amount: Major,
    /// The purpose of the credit.
    pub(super) reference: Text,
    /// The id that belongs to the purpose.
    pub(super) reference_id: Text,
    pub(super) metadata: Option<MetadataPatch>,
}
