//! Request bodies of draft orders.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::auth::Email;
use crate::cart::{AddressInput, AddressRequest, CartError, NewQuote, QuotedItem, QuotedMethod};
use crate::http::Text;
use crate::ids::{CustomerId, RegionId, SalesChannelId, ShippingOptionId, VariantId};
use crate::metadata::MetadataPatch;
use crate::money::{Currency, Major};

/// An order that an administrator makes for a customer.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "region_id": "reg_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "email": "ada@example.com",
    "items": [
        { "variant_id": "variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "quantity": 2 },
        { "title": "Engraving", "quantity": 1, "unit_price": 5 },
    ],
    "shipping_methods": [{ "name": "Courier", "amount": 12.5 }],
    "shipping_address": { "first_name": "Ada", "last_name": "Lovelace", "address_1": "12 St James's Square",
                          "city": "London", "postal_code": "SW1Y 4JH", "country_code": "gb" },
}))]
pub(super) struct CreateDraftOrderRequest {
    /// Where it is sold to, and so in which currency.
    region_id: RegionId,
    /// The region's currency. Another one is refused.
    currency_code: Option<Currency>,
    /// Where it is sold; the store's default channel when it is left out.
    sales_channel_id: Option<SalesChannelId>,
    /// Who orders.
    customer_id: Option<CustomerId>,
    /// Where the confirmation goes; the customer's address when it is left out. An address alone links a guest.
    email: Option<Email>,
    /// An address, or the id of one from the customer's book.
    #[schema(value_type = Option<AddressRequest>)]
    shipping_address: Option<AddressInput>,
    /// An address, or the id of one from the customer's book.
    #[schema(value_type = Option<AddressRequest>)]
    billing_address: Option<AddressInput>,
    /// What is offered.
    #[schema(min_items = 1, max_items = 200)]
    items: Vec<DraftItemRequest>,
    /// How it is sent; nothing has to be chosen.
    #[serde(default)]
    #[schema(max_items = 20)]
    shipping_methods: Vec<DraftShippingMethodRequest>,
    /// Codes of promotions. An unknown one is refused.
    #[serde(default)]
    #[schema(max_items = 100)]
    promo_codes: Vec<Text<100>>,
    /// Ignored: nobody is written to yet.
    #[expect(dead_code, reason = "sent by clients; nobody is written to yet")]
    no_notification_order: Option<bool>,
    metadata: Option<MetadataPatch>,
}

/// Pieces of a variant, or of something that the catalogue does not have.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct DraftItemRequest {
    /// The variant. It must be sold in the channel.
    variant_id: Option<VariantId>,
    /// What it is called, if it is no variant.
    title: Option<Text>,
    /// Pieces, at least one.
    #[schema(minimum = 1, maximum = 9999)]
    quantity: i64,
    /// What one costs without tax. A variant costs its price of today when it is left out; anything else needs one.
    #[schema(minimum = 0)]
    unit_price: Option<Major>,
    /// Whether something that is no variant has to be sent: yes, unless it is said. Of a variant its product says it.
    requires_shipping: Option<bool>,
    metadata: Option<MetadataPatch>,
}

/// A way of sending: one of the store's options, or one by a name and an amount.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct DraftShippingMethodRequest {
    /// One of the options for the address, also of those that shoppers are not offered.
    shipping_option_id: Option<ShippingOptionId>,
    /// What it is called; the option's name when it is left out.
    name: Option<Text>,
    /// What it costs without tax; the option's price when it is left out.
    #[schema(minimum = 0)]
    amount: Option<Major>,
    /// Data for the carrier.
    data: Option<MetadataPatch>,
}

/// Nothing has to be said.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ConvertDraftOrderRequest {}

impl CreateDraftOrderRequest {
    pub(super) fn into_quote(self) -> Result<NewQuote, CartError> {
        let items = self.items.into_iter().map(DraftItemRequest::into_item);
        let methods =
            self.shipping_methods.into_iter().map(DraftShippingMethodRequest::into_method);
        Ok(NewQuote {
            region_id: self.region_id,
            currency: self.currency_code,
            sales_channel_id: self.sales_channel_id,
            customer_id: self.customer_id,
            email: self.email,
            shipping_address: self.shipping_address.map(AddressInput::into_change).transpose()?,
            billing_address: self.billing_address.map(AddressInput::into_change).transpose()?,
            items: items.collect::<Result<_, _>>()?,
            shipping_methods: methods.collect::<Result<_, _>>()?,
            promo_codes: self.promo_codes.into_iter().map(String::from).collect(),
            metadata: self.metadata.unwrap_or_default().apply(None)?,
        })
    }
}

impl DraftItemRequest {
    fn into_item(self) -> Result<QuotedItem, CartError> {
        Ok(QuotedItem {
            variant_id: self.variant_id,
            title: self.title.map(String::from),
            quantity: self.quantity,
            unit_price: self.unit_price,
            requires_shipping: self.requires_shipping.unwrap_or(true),
            metadata: self.metadata.unwrap_or_default().apply(None)?,
        })
    }
}

impl DraftShippingMethodRequest {
    fn into_method(self) -> Result<QuotedMethod, CartError> {
        Ok(QuotedMethod {
            option_id: self.shipping_option_id,
            name: self.name.map(String::from),
            amount: self.amount,
            data: self.data.unwrap_or_default().apply(None)?,
        })
    }
}
