//! Buttons as shoppers see them. An offer shows the price that accepting it charges.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::error::SessionError;
use super::session::Session;
use crate::cart::contents::{Cart, Line};
use crate::cart::offers::OfferTerms;
use crate::cart::{self, CartError, OfferPlace};
use crate::database::Tx;
use crate::definition::check;
use crate::definition::draft::{ButtonDraft, ButtonKind, FieldKind, OfferDraft};
use crate::definition::flow::Definition;
use crate::http::ToSchema;
use crate::ids::{FlowButtonId, ProductId, VariantId};
use crate::inventory::{self, InventoryError};
use crate::money::{Amount, Currency};
use crate::orders;

/// A step of a flow, as a shopper sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = FlowButton)]
pub(crate) struct ButtonView {
    id: FlowButtonId,
    /// Its name in the flow.
    #[schema(example = "socks")]
    key: String,
    #[serde(rename = "type")]
    kind: ButtonKind,
    title: String,
    body: Option<String>,
    image_url: Option<String>,
    accept_label: Option<String>,
    decline_label: Option<String>,
    fields: Vec<FieldView>,
    /// Null unless it is an offer with a price.
    offer: Option<OfferView>,
    /// Counted from 1, in topological order.
    position: usize,
    is_terminal: bool,
    /// Where the shopper goes at the end.
    redirect_url: Option<String>,
    /// `payment_declined`, `requires_action` or `offer_closed`, about the last press.
    notice: Option<&'static str>,
    /// What the shopper's browser must do before the offer is pressed again.
    action: Option<ActionView>,
}

/// A customer action that a payment requires.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = FlowPaymentAction)]
pub(crate) struct ActionView {
    pub(super) client_secret: Option<String>,
    pub(super) payment_provider_id: String,
}

/// A field of a question.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = FlowField)]
struct FieldView {
    key: String,
    label: String,
    #[serde(rename = "type")]
    kind: FieldKind,
    required: bool,
    options: Vec<String>,
    max_length: usize,
}

/// What is offered, and exactly what accepting it charges.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = FlowOffer)]
struct OfferView {
    product_id: Option<ProductId>,
    variant_id: VariantId,
    title: String,
    variant_title: Option<String>,
    thumbnail: Option<String>,
    quantity: i64,
    max_quantity: i64,
    /// The list price of the quantity, with tax.
    compare_at_total: Amount,
    subtotal: Amount,
    tax_total: Amount,
    total: Amount,
    currency_code: Currency,
    /// Whether it is in stock.
    available: bool,
}

impl ButtonView {
    /// Returns the button with a notice about the last press.
    pub(super) fn noting(self, notice: Option<&'static str>) -> Self {
        Self { notice, ..self }
    }

    /// Returns the button with the action that the shopper must complete before pressing it again.
    pub(super) fn awaiting(self, action: ActionView) -> Self {
        Self { notice: Some("requires_action"), action: Some(action), ..self }
    }

    /// Returns the text of the answer to a press that leads to this button.
    pub(super) fn answer(&self, is_success: bool) -> String {
        // A view consists of strings, numbers and lists, so serialization cannot fail.
        json!({ "success": is_success, "button": self }).to_string()
    }
}

/// Returns the button with a key as the session sees it at present.
pub(super) fn view(
    tx: &Tx<'_>,
    definition: &Definition,
    key: &str,
    session: Option<&Session>,
) -> Result<ButtonView, SessionError> {
    let draft = definition.button(key).ok_or(SessionError::UnknownButton)?;
    let id = definition.id_of(key).ok_or(SessionError::UnknownButton)?.clone();
    let offer = draft.offer.as_ref().map(|offer| offer_view(tx, &id, offer, session));
    let offer = offer.transpose()?.flatten();
    let text =
        |text: &Option<crate::http::Text<2000>>| text.as_ref().map(|text| text.as_str().to_owned());
    let link = |url: &Option<crate::http::Text<2000>>| {
        definition.allowed(url.as_ref().map(crate::http::Text::as_str)).map(str::to_owned)
    };
    let label =
        |text: &Option<crate::http::Text<200>>| text.as_ref().map(|text| text.as_str().to_owned());
    let order = definition.version.definition.order();
    let position = order.iter().position(|own| *own == key).unwrap_or(0);
    Ok(ButtonView {
        id,
        key: key.to_owned(),
        kind: draft.kind,
        title: draft.title.as_str().to_owned(),
        body: text(&draft.body),
        image_url: link(&draft.image_url),
        accept_label: label(&draft.accept_label),
        decline_label: label(&draft.decline_label),
        fields: fields(draft),
        offer,
        position: position.saturating_add(1),
        is_terminal: draft.kind == ButtonKind::End,
        redirect_url: link(&draft.redirect_url),
        notice: None,
        action: None,
    })
}

fn fields(draft: &ButtonDraft) -> Vec<FieldView> {
    let field = |field: &crate::definition::draft::FieldDraft| FieldView {
        key: field.key.clone(),
        label: field.label.as_str().to_owned(),
        kind: field.kind,
        required: field.required,
        options: field.options.iter().map(|option| option.as_str().to_owned()).collect(),
        max_length: field.max_length(),
    };
    draft.fields.iter().map(field).collect()
}

/// Returns an offer; none if it no longer has a price, or its cart has changed to another currency.
fn offer_view(
    tx: &Tx<'_>,
    id: &FlowButtonId,
    offer: &OfferDraft,
    session: Option<&Session>,
) -> Result<Option<OfferView>, SessionError> {
    let Some(session) = session else { return Ok(None) };
    let place = place(tx, session)?;
    if place.currency != session.currency {
        return Ok(None);
    }
    let channel = place.sales_channel_id.clone();
    let terms = terms(offer, session.currency, (id.as_str(), offer.quantity))?;
    let cart = match cart::price_offer(tx, place, &offer.variant_id, terms) {
        Ok(cart) => cart,
        Err(CartError::UnknownVariant { .. } | CartError::NoPrice { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let Some(line) = cart.lines.first() else { return Ok(None) };
    let quantity = [(offer.variant_id.clone(), offer.quantity)];
    let available = match &channel {
        Some(channel) => match inventory::check(tx, &quantity, channel) {
            Err(InventoryError::Db(error)) => return Err(error.into()),
            checked => checked.is_ok(),
        },
        None => true,
    };
    Ok(Some(OfferView::new(&cart, line, offer, available)))
}

impl OfferView {
    fn new(cart: &Cart, line: &Line, offer: &OfferDraft, available: bool) -> Self {
        let (amounts, currency) = (line.totals.amounts, cart.currency);
        Self {
            product_id: line.item.product_id.clone(),
            variant_id: offer.variant_id.clone(),
            title: line.item.title.clone(),
            variant_title: line.item.variant_title.clone(),
            thumbnail: line.item.thumbnail.clone(),
            quantity: line.quantity,
            max_quantity: offer.max_quantity(),
            compare_at_total: currency.amount(amounts.original_total),
            subtotal: currency.amount(amounts.subtotal.saturating_sub(amounts.discount_subtotal)),
            tax_total: currency.amount(amounts.tax_total),
            total: currency.amount(amounts.total),
            currency_code: currency,
            available,
        }
    }
}

pub(super) fn terms(
    offer: &OfferDraft,
    currency: Currency,
    (reference, quantity): (&str, i64),
) -> Result<OfferTerms, SessionError> {
    let price = check::price(offer, currency).map_err(SessionError::Invalid)?;
    Ok(OfferTerms { reference: reference.to_owned(), quantity, price })
}

/// Returns where and to whom a session makes an offer.
pub(super) fn place(tx: &Tx<'_>, session: &Session) -> Result<OfferPlace, SessionError> {
    match (&session.order_id, &session.cart_id) {
        (Some(order), _) => Ok(orders::addition::place(&orders::addition::placed(tx, order)?)),
        (None, Some(id)) => Ok(OfferPlace::of(&cart::load(tx, id)?)),
        (None, None) => Ok(OfferPlace {
            region_id: None,
            sales_channel_id: None,
            currency: session.currency,
            customer_id: None,
            email: None,
            locale: session.locale.clone(),
            shipping_address: None,
            billing_address: None,
        }),
    }
}

/// The answer to a press, as stored with it; the two surfaces name its parts differently.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct PressAnswer {
    pub(crate) success: bool,
    pub(crate) button: Value,
}

impl PressAnswer {
    pub(super) fn read(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    pub(crate) fn part(&self, name: &str) -> Value {
        self.button.get(name).cloned().unwrap_or_default()
    }
}
