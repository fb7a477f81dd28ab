//! The region, the customer and the promotions of a cart, each loaded on request by one or two statements.

use serde::Serialize;

use super::charges::ReferenceView;
use crate::cart::contents::Cart;
use crate::cart::error::CartError;
use crate::clock::Timestamp;
use crate::customers::{self, Customer};
use crate::database::{Table as _, Tx};
use crate::http::{Resource, ToSchema};
use crate::ids::{ApplicationMethodId, CustomerId, PromotionId, RegionId};
use crate::metadata::Metadata;
use crate::money::{Amount, Currency};
use crate::promotions;
use crate::promotions::allocation::{Spread, TargetKind};
use crate::promotions::promotion::{Promotion, ValueType};
use crate::regions::{self, CountryView, Region};

/// The region of a cart.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "region")]
#[schema(as = StoreCartRegion)]
pub(super) struct CartRegionView {
    id: RegionId,
    name: String,
    currency_code: Currency,
    automatic_taxes: bool,
    #[field(extra)]
    is_tax_inclusive: bool,
    #[field(extra)]
    metadata: Metadata,
    #[field(extra)]
    created_at: Timestamp,
    #[field(extra)]
    updated_at: Timestamp,
    #[field(extra)]
    deleted_at: Option<Timestamp>,
    #[field(relation)]
    countries: Vec<CountryView>,
}

/// The customer of a cart. Names, company and phone are null for a guest.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "customer")]
#[schema(as = StoreCartCustomer)]
pub(super) struct CartCustomerView {
    id: CustomerId,
    email: String,
    #[field(extra)]
    first_name: Option<String>,
    #[field(extra)]
    last_name: Option<String>,
    #[field(extra)]
    company_name: Option<String>,
    #[field(extra)]
    phone: Option<String>,
    #[field(extra)]
    has_account: bool,
    #[field(relation)]
    groups: Vec<ReferenceView>,
}

/// A promotion of a cart.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "promotion")]
#[schema(as = StoreCartPromotion)]
pub(super) struct CartPromotionView {
    id: PromotionId,
    code: String,
    is_automatic: bool,
    is_tax_inclusive: bool,
    #[field(relation)]
    application_method: CartPromotionMethodView,
}

/// The application method of a promotion.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "application method")]
#[schema(as = StoreCartPromotionMethod)]
struct CartPromotionMethodView {
    id: ApplicationMethodId,
    #[serde(rename = "type")]
    kind: ValueType,
    /// Per cent, or an amount in major units.
    value: Amount,
    currency_code: Option<Currency>,
    #[field(extra)]
    target_type: TargetKind,
    #[field(extra)]
    allocation: Option<Spread>,
}

pub(super) fn region(tx: &Tx<'_>, cart: &Cart) -> Result<Option<CartRegionView>, CartError> {
    let Some(id) = &cart.region_id else { return Ok(None) };
    // A region may be deleted while a cart of it is open.
    let Some(region) = Region::find(tx, id)? else { return Ok(None) };
    let mut found = regions::countries_of(tx, std::slice::from_ref(id))?;
    let countries = found.remove(id).unwrap_or_default().into_iter();
    Ok(Some(CartRegionView {
        countries: countries.map(|country| CountryView::new(country, id)).collect(),
        id: region.id,
        name: region.name,
        currency_code: region.currency,
        automatic_taxes: region.automatic_taxes,
        is_tax_inclusive: region.is_tax_inclusive,
        metadata: region.metadata,
        created_at: region.created_at,
        updated_at: region.updated_at,
        deleted_at: region.deleted_at,
    }))
}

pub(super) fn customer(tx: &Tx<'_>, cart: &Cart) -> Result<Option<CartCustomerView>, CartError> {
    let Some(id) = &cart.customer_id else { return Ok(None) };
    // A deleted guest may have left a cart.
    let Some(customer) = Customer::find(tx, id)? else { return Ok(None) };
    let Customer { id, email, first_name, last_name, company_name, phone, has_account, .. } =
        customer;
    // Somebody who types a guest's address must not learn the guest's identity.
    let groups = if has_account { customers::group_ids(tx, &id)? } else { Vec::new() };
    let own = |text: Option<String>| text.filter(|_| has_account);
    Ok(Some(CartCustomerView {
        id,
        email: email.to_string(),
        first_name: own(first_name),
        last_name: own(last_name),
        company_name: own(company_name),
        phone: own(phone),
        has_account,
        groups: groups.into_iter().map(|id| ReferenceView { id: id.to_string() }).collect(),
    }))
}

/// Returns the promotions of the cart's codes, whether or not they apply yet, and the automatic ones that apply.
pub(super) fn promotions_of(tx: &Tx<'_>, cart: &Cart) -> Result<Vec<CartPromotionView>, CartError> {
    let found = promotions::of_cart(tx, &cart.promotion_ids(), &cart.promo_codes)?;
    Ok(found.into_iter().map(CartPromotionView::new).collect())
}

impl CartPromotionView {
    fn new(promotion: Promotion) -> Self {
        Self {
            id: promotion.id,
            code: promotion.code,
            is_automatic: promotion.is_automatic,
            is_tax_inclusive: promotion.is_tax_inclusive,
            application_method: CartPromotionMethodView {
                id: promotion.application_method_id,
                kind: promotion.application_type,
                value: promotion.value.decimal().into(),
                currency_code: promotion.value_currency,
                target_type: promotion.target_type,
                allocation: promotion.allocation,
            },
        }
    }
}
