//! Routes that create and place orders of administrators.

use axum::extract::State;
use serde::Deserialize;

use crate::auth::{AdminWriter, Email};
use crate::cart::{AddressInput, AddressRequest, CartError, NewQuote, QuotedItem, QuotedMethod};
use crate::checkout::{CheckoutError, drafts};
use crate::database::Db;
use crate::http::{Answer, Fields, HttpError, Json, OneRequest, Text, ToSchema, request};
use crate::ids::{CustomerId, OrderId, RegionId, SalesChannelId, ShippingOptionId, VariantId};
use crate::metadata::MetadataPatch;
use crate::money::{Currency, Major};
use crate::orders::OrderResponse;
use crate::orders::admin::drafts::view;
use crate::orders::admin::{DraftOrderResponse, order_view};
use crate::orders::view::OrderView;

/// Creates a draft order for a customer. It is computed like a cart: current prices where none are given, the taxes of
/// the address, the promotions of the codes, and automatic promotions. Given prices exclude tax. No stock is reserved
/// and no promotion is used until the draft is converted.
#[crate::http::operation(post, path = "/admin/draft-orders", tag = "Admin draft orders",
    params(Fields<OrderView>), request_body = CreateDraftOrderRequest,
    responses((status = 200, description = "The draft", body = DraftOrderResponse,
        example = json!({"draft_order": {
            "id": "order_01M7XZN1R5ET565WMXF2N6TJHK", "status": "draft", "display_id": 58, "total": 35.75,
            "currency_code": "gbp", "payment_status": "not_paid", "fulfillment_status": "not_fulfilled",
        }}))))]
pub(super) async fn create_draft_order(
    _admin: AdminWriter,
    State(db): State<Db>,
    fields: Fields<OrderView>,
    Json(request): Json<CreateDraftOrderRequest>,
) -> Result<Answer, HttpError> {
    let no_notification = request.no_notification_order.unwrap_or_default();
    let new: NewQuote = request.into_quote()?;
    let selection = fields.selection.clone();
    let draft = db
        .write(move |tx| {
            let id = drafts::make(tx, new, no_notification)?;
            Ok::<_, CheckoutError>(view(tx, &id, &selection)?)
        })
        .await?;
    fields.selection.answer("draft_order", &draft)
}

/// Converts a draft to an order at the offered prices: reserves its stock, counts its promotion uses, and emits the
/// event. If the stock is too low or a promotion is used up, it stays a draft: 400. To collect the amount due, create a
/// collection with `POST /admin/payment-collections` and record the payment with its `mark-as-paid`.
#[crate::http::operation(post, path = "/admin/draft-orders/{id}/convert-to-order", tag = "Admin draft orders",
    params(("id" = OrderId, Path, description = "The draft"), Fields<OrderView>),
    request_body = ConvertDraftOrderRequest,
    responses((status = 200, description = "The order", body = OrderResponse,
        example = json!({"order": {
            "id": "order_01M7XZN1R5ET565WMXF2N6TJHK", "status": "pending", "display_id": 58, "total": 35.75,
            "currency_code": "gbp", "payment_status": "not_paid", "fulfillment_status": "not_fulfilled",
        }})),
        (status = 400, description = "It is no draft any more, an item is out of stock or deleted, or a promotion is used up",
            body = crate::http::ErrorBody)))]
pub(super) async fn convert_draft_order(
    OneRequest { db, id, fields, .. }: OneRequest<AdminWriter, OrderId, OrderView>,
    Json(ConvertDraftOrderRequest {}): Json<ConvertDraftOrderRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            drafts::place(tx, &id)?;
            Ok::<_, CheckoutError>(order_view(tx, &id, selection)?)
        })
        .await
}

/// Places an order for a customer, for example by telephone: a draft is created and converted, both or neither. It is
/// not paid; to collect the amount due, create a collection with `POST /admin/payment-collections` and record the
/// payment with its `mark-as-paid`.
#[crate::http::operation(post, path = "/admin/orders", tag = "Admin orders",
    params(Fields<OrderView>), request_body = CreateDraftOrderRequest,
    responses((status = 200, description = "The order", body = OrderResponse,
        example = json!({"order": {
            "id": "order_01M7XZN1R5ET565WMXF2N6TJHK", "status": "pending", "display_id": 58, "total": 35.75,
            "currency_code": "gbp", "payment_status": "not_paid", "fulfillment_status": "not_fulfilled",
        }}))))]
pub(super) async fn create_order(
    _admin: AdminWriter,
    State(db): State<Db>,
    fields: Fields<OrderView>,
    Json(request): Json<CreateDraftOrderRequest>,
) -> Result<Answer, HttpError> {
    let no_notification = request.no_notification_order.unwrap_or_default();
    let new: NewQuote = request.into_quote()?;
    fields
        .write(db, move |tx, selection| {
            let id = drafts::make(tx, new, no_notification)?;
            drafts::place(tx, &id)?;
            Ok::<_, CheckoutError>(order_view(tx, &id, selection)?)
        })
        .await
}

/// An order that an administrator creates for a customer.
#[request]
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
    /// The region, which determines the currency.
    region_id: RegionId,
    /// Must be the region's currency.
    currency_code: Option<Currency>,
    /// Defaults to the store's default channel.
    sales_channel_id: Option<SalesChannelId>,
    customer_id: Option<CustomerId>,
    /// The address of the confirmation; defaults to the customer's address. An address alone links a guest.
    email: Option<Email>,
    /// An address, or the id of one from the customer's address book.
    #[schema(value_type = Option<AddressRequest>)]
    shipping_address: Option<AddressInput>,
    /// An address, or the id of one from the customer's address book.
    #[schema(value_type = Option<AddressRequest>)]
    billing_address: Option<AddressInput>,
    /// The items offered.
    #[schema(min_items = 1, max_items = 200)]
    items: Vec<DraftItemRequest>,
    /// The shipping methods; may be empty.
    #[serde(default)]
    #[schema(max_items = 20)]
    shipping_methods: Vec<DraftShippingMethodRequest>,
    /// Promotion codes. Unknown codes are rejected.
    #[serde(default)]
    #[schema(max_items = 100)]
    promo_codes: Vec<Text<100>>,
    /// Whether to send no e-mails about the order.
    pub(super) no_notification_order: Option<bool>,
    metadata: Option<MetadataPatch>,
}

/// A quantity of a variant or of a custom item.
#[request]
struct DraftItemRequest {
    /// The variant. It must be sold in the channel.
    variant_id: Option<VariantId>,
    /// The title of a custom item.
    title: Option<Text>,
    /// At least one.
    #[schema(minimum = 1, maximum = 9999)]
    quantity: i64,
    /// The net price of one piece. A variant defaults to its current price; a custom item needs one.
    #[schema(minimum = 0)]
    unit_price: Option<Major>,
    /// Whether a custom item needs shipping, true by default. A variant takes it from its product.
    requires_shipping: Option<bool>,
    metadata: Option<MetadataPatch>,
}

/// One of the store's shipping options, or a custom method with a name and an amount.
#[request]
struct DraftShippingMethodRequest {
    /// An option for the address; it may be one that shoppers are not offered.
    shipping_option_id: Option<ShippingOptionId>,
    /// Defaults to the option's name.
    name: Option<Text>,
    /// The net price; defaults to the option's price.
    #[schema(minimum = 0)]
    amount: Option<Major>,
    /// Data for the carrier.
    data: Option<MetadataPatch>,
}

/// An empty body.
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
