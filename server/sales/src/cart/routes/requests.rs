//! Request bodies of carts.

use crate::auth::Email;
use crate::cart::changes::address::{AddressInput, AddressRequest};
use crate::cart::contents::Address;
use crate::http::{OptionalText, Patch, Text, request};
use crate::ids::{RegionId, SalesChannelId};
use crate::metadata::MetadataPatch;

/// The fields of a cart to change.
#[request]
#[schema(example = json!({
    "email": "ada@example.com",
    "shipping_address": { "first_name": "Ada", "last_name": "Lovelace", "address_1": "12 St James's Square",
                          "city": "London", "postal_code": "SW1Y 4JH", "country_code": "gb" },
}))]
pub(super) struct UpdateCartRequest {
    pub(super) region_id: Option<RegionId>,
    pub(super) sales_channel_id: Option<SalesChannelId>,
    #[schema(value_type = Option<Email>)]
    pub(super) email: Patch<Email>,
    /// An address, the id of one from the customer's address book, or null to remove it.
    #[schema(value_type = Option<AddressRequest>)]
    pub(super) shipping_address: Patch<AddressInput>,
    /// An address, the id of one from the customer's address book, or null to remove it.
    #[schema(value_type = Option<AddressRequest>)]
    pub(super) billing_address: Patch<AddressInput>,
    /// Replaces all promotion codes of the cart.
    pub(super) promo_codes: Option<Vec<Text<100>>>,
    #[schema(example = "en-GB")]
    pub(super) locale: Patch<Text<35>>,
    pub(super) metadata: Option<MetadataPatch>,
}

/// The fields of the shipping address to change; an empty text clears one.
#[request]
#[schema(example = json!({ "city": "London", "postal_code": "SW1Y 4JH" }))]
pub(super) struct BatchUpdateRequest {
    first_name: Option<OptionalText<200>>,
    last_name: Option<OptionalText<200>>,
    address_1: Option<OptionalText<200>>,
    address_2: Option<OptionalText<200>>,
    city: Option<OptionalText<200>>,
    /// Two-letter code.
    #[schema(example = "gb")]
    country_code: Option<OptionalText<2>>,
    province: Option<OptionalText<200>>,
    postal_code: Option<OptionalText<32>>,
    phone: Option<OptionalText<64>>,
}

impl BatchUpdateRequest {
    pub(super) fn apply(self, address: &mut Address) {
        crate::assign!(self => address: first_name, last_name, address_1, address_2, city, country_code, province,
                       postal_code, phone);
    }
}

/// The fields of a line to change.
#[request]
#[schema(example = json!({ "quantity": 3 }))]
pub(super) struct UpdateLineItemRequest {
    /// Zero removes the line.
    #[schema(minimum = 0, maximum = 9999)]
    pub(super) quantity: Option<i64>,
    pub(super) metadata: Option<MetadataPatch>,
}
