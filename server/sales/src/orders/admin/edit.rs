//! Corrections of orders by admins: e-mail address, addresses and customer.

use serde_json::{Map, json};

use super::{destination, drafts, record_change, record_event};
use crate::auth::Email;
use crate::cart::contents;
use crate::customers::Customer;
use crate::database::{Table as _, Tx};
use crate::http::{Patch, Refusal, Text, request};
use crate::ids::{CustomerId, OrderId};
use crate::metadata::MetadataPatch;
use crate::orders::order::{Address, Order};
use crate::orders::queries::admin::{self as queries, Details};
use crate::orders::{OrderError, addition, convert};
use crate::regions::Country;

/// Corrections of an order. Absent fields stay unchanged.
#[request]
#[schema(example = json!({ "email": "ada@example.com", "metadata": { "gift": true } }))]
pub struct UpdateOrderRequest {
    /// The address for notifications about the order.
    email: Option<Email>,
    /// The shipping address. Its country cannot change, because taxes and shipping depend on it.
    shipping_address: Option<UpdateOrderAddressRequest>,
    /// The billing address. Its country cannot change.
    billing_address: Option<UpdateOrderAddressRequest>,
    /// Keys to merge into the metadata; a key with an empty value is removed.
    metadata: Option<MetadataPatch>,
}

/// Corrections of an address of an order. Absent fields stay unchanged; null clears a field.
#[request]
struct UpdateOrderAddressRequest {
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

impl UpdateOrderAddressRequest {
    /// Returns the address after the change.
    fn apply(self, before: Option<Address>) -> Result<Address, OrderError> {
        let empty = || convert::address(&contents::Address::empty());
        let mut address = before.unwrap_or_else(empty);
        crate::assign!(self => address: first_name, last_name, company, address_1, address_2, city, postal_code,
                       province, phone);
        if let Some(code) = self.country_code {
            address.country_code = Some(country(address.country_code.as_deref(), code.as_str())?);
        }
        if let Some(metadata) = self.metadata {
            address.metadata = metadata.apply(address.metadata)?;
        }
        Ok(address)
    }
}

fn country(before: Option<&str>, code: &str) -> Result<String, OrderError> {
    let code = code.to_lowercase();
    match before {
        Some(before) if before == code => Ok(code),
        Some(_) => {
            Err(Refusal::not_allowed("the country of an order's address cannot be changed").into())
        }
        None if Country::find(&code).is_some() => Ok(code),
        None => Err(Refusal::invalid(format!("country `{code}` does not exist")).into()),
    }
}

/// Corrects an order. Its items and amounts stay unchanged.
pub fn correct(
    tx: &Tx<'_>,
    id: &OrderId,
    correction: UpdateOrderRequest,
    actor_id: Option<&str>,
) -> Result<(), OrderError> {
    let order = addition::placed(tx, id)?;
    amend(tx, order, correction, actor_id)?;
    record_event(tx, "order.updated", id)
}

/// Corrects a draft, without an event. Its items and prices stay unchanged, and its taxes follow its destination.
///
/// # Errors
/// Those of [`correct`]; [`OrderError::Refused`] for a placed order, and for a country that its region does not have.
pub(crate) fn correct_draft(
    tx: &Tx<'_>,
    id: &OrderId,
    correction: UpdateOrderRequest,
    actor_id: Option<&str>,
) -> Result<(), OrderError> {
    let draft = drafts::find(tx, id)?;
    let after = amend(tx, draft.clone(), correction, actor_id)?;
    match &after {
        Some(address)
            if place_of(address) != draft.shipping_address.as_ref().and_then(place_of) =>
        {
            destination::set(tx, &draft, address)
        }
        Some(_) | None => Ok(()),
    }
}

/// Returns the country and the province of an address.
fn place_of(address: &Address) -> Option<(&str, Option<&str>)> {
    Some((address.country_code.as_deref()?, address.province.as_deref()))
}

/// Writes a correction, and returns the shipping address after it.
fn amend(
    tx: &Tx<'_>,
    order: Order,
    correction: UpdateOrderRequest,
    actor_id: Option<&str>,
) -> Result<Option<Address>, OrderError> {
    let id = &order.id;
    let UpdateOrderRequest { email, shipping_address, billing_address, metadata } = correction;
    let mut changed = Map::new();
    if let Some(email) = &email {
        changed.insert("email".to_owned(), json!({ "old": order.email, "new": email }));
    }
    if shipping_address.is_some() {
        changed.insert("shipping_address".to_owned(), json!({ "old": order.shipping_address }));
    }
    if billing_address.is_some() {
        changed.insert("billing_address".to_owned(), json!({ "old": order.billing_address }));
    }
    let after = |change: Option<UpdateOrderAddressRequest>, before| match change {
        Some(change) => change.apply(before).map(Some),
        None => Ok(before),
    };
    let email = email.map(|email| email.to_string()).or(order.email);
    let shipping_address = after(shipping_address, order.shipping_address)?;
    let billing_address = after(billing_address, order.billing_address)?;
    let metadata = match metadata {
        Some(change) => change.apply(order.metadata)?,
        None => order.metadata,
    };
    queries::set_details(
        tx,
        id,
        &Details {
            email: email.as_deref(),
            shipping_address: shipping_address.as_ref(),
            billing_address: billing_address.as_ref(),
            metadata: metadata.as_ref(),
        },
    )?;
    if !changed.is_empty() {
        let actions = json!([{ "action": "UPDATE_ORDER_PROPERTIES", "details": changed }]);
        record_change(tx, id, "update_order", &actions, actor_id)?;
    }
    Ok(shipping_address)
}

/// Transfers an order to another customer, who must have an account and gets its notifications from now on.
///
/// # Errors
/// [`OrderError::Missing`]; [`OrderError::Refused`] for a canceled order, for a guest and for the same customer;
/// [`OrderError::NotFound`].
pub(crate) fn transfer(
    tx: &Tx<'_>,
    id: &OrderId,
    customer_id: &CustomerId,
    actor_id: Option<&str>,
) -> Result<(), OrderError> {
    let order = addition::placed(tx, id)?;
    if order.canceled_at.is_some() {
        return Err(Refusal::not_allowed("a canceled order cannot be transferred").into());
    }
    let customer = Customer::require::<OrderError>(tx, customer_id)?;
    if !customer.has_account {
        let message = format!("customer `{customer_id}` has no account");
        return Err(Refusal::not_allowed(message).into());
    }
    if order.customer_id.as_ref() == Some(customer_id) {
        let message = format!("order `{id}` belongs to customer `{customer_id}` already");
        return Err(Refusal::not_allowed(message).into());
    }
    queries::set_customer(tx, id, &customer)?;
    let details = json!({ "old": order.customer_id, "new": customer_id });
    let actions = json!([{ "action": "TRANSFER_CUSTOMER", "details": details }]);
    record_change(tx, id, "transfer", &actions, actor_id)?;
    record_event(tx, "order.updated", id)
}
