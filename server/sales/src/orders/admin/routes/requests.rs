//! Request bodies of orders.

use crate::http::{Text, request};
use crate::ids::CustomerId;
use crate::metadata::MetadataPatch;
use crate::money::Major;

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
