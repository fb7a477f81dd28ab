//! The store routes of products: `/store/products`.

use axum::extract::State;
use serde::Deserialize;

use super::invalid;
use super::products::{ProductListResponse, ProductResponse};
use crate::auth::Shop;
use crate::catalog::queries::products;
use crate::catalog::shopper::{self, PriceContextRequest};
use crate::catalog::view::Product;
use crate::catalog::view::load::{self, Viewer};
use crate::catalog::view::product::StoreProduct;
use crate::catalog::{CatalogError, ProductCounts};
use crate::database::{Db, Table};
use crate::http::{
    Answer, Fields, HttpError, ListRequest, OneRequest, Query, Resource, Selection, Text, text,
};
use crate::ids::{CartId, ProductId, RegionId};

/// The shopper's location, for prices and taxes.
#[derive(Debug, Default, Deserialize, crate::http::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PriceContextQuery {
    /// The region of the prices.
    region_id: Option<RegionId>,
    /// The two-letter code of the country whose taxes apply.
    #[param(value_type = Option<String>, pattern = "^[A-Za-z]{2}$", example = "us")]
    country_code: Option<Text<2>>,
    /// The province whose taxes apply.
    province: Option<Text>,
    /// The cart whose region applies if none is given.
    cart_id: Option<CartId>,
}

impl PriceContextQuery {
    /// Returns the context of a shopper.
    ///
    /// # Errors
    /// If the country is not a code of two letters.
    pub fn into_request(self, shop: &Shop) -> Result<PriceContextRequest, HttpError> {
        let country = self.country_code.map(|code| country(code.as_str())).transpose()?;
        Ok(PriceContextRequest {
            region_id: self.region_id,
            cart_id: self.cart_id,
            country,
            province: self.province.map(String::from),
            customer_id: shop.customer_id.clone(),
        })
    }
}

/// List products
///
/// Only products published in a channel of the key. Prices (`variants.calculated_price`) are included if a region, a
/// cart or a country is given, and otherwise on request for the store's own region; stock
/// (`variants.inventory_quantity`) is included on request.
#[crate::http::operation(get, path = "/store/products", tag = "Store products", params(ListRequest<StoreProduct>, PriceContextQuery),
    responses((status = 200, description = "A page", body = ProductListResponse)))]
pub(crate) async fn list_store_products(
    State(db): State<Db>,
    State(counts): State<ProductCounts>,
    shop: Shop,
    mut list: ListRequest<StoreProduct>,
) -> Result<Answer, HttpError> {
    shop.check_channel()?;
    if let Some(id) = products::foreign_channel(&list.query, &shop.sales_channel_ids) {
        let sentence = format!("the sales channel `{id}` is not one of the publishable key");
        return Err(CatalogError::Invalid(sentence).into());
    }
    let sent = context_of(&list, &shop)?;
    list.selection = priced(list.selection, &sent)?;
    let (query, selection) = (list.query.clone(), list.selection.clone());
    let (rows, count) = db
        .read(move |tx| {
            let query = products::visible(query, &shop.sales_channel_ids);
            let mut rows = products::page(tx, &query)?;
            let place = wants_price(&selection).then(|| shopper::resolve(tx, &sent)).transpose()?;
            let viewer = Viewer::Shopper { channels: shop.sales_channel_ids, place };
            load::attach(tx, &mut rows, &selection, &viewer)?;
            Ok::<_, CatalogError>((rows, counts.count(tx, &query)?))
        })
        .await?;
    list.answer(&rows, count)
}

/// Show a product
///
/// A product that is not published in a channel of the key is not found. Prices are included as in the list.
#[crate::http::operation(get, path = "/store/products/{id}", tag = "Store products",
    params(("id" = ProductId, Path, description = "The product"), Fields<StoreProduct>, PriceContextQuery),
    responses((status = 200, description = "The product", body = ProductResponse)))]
pub(crate) async fn show_store_product(
    OneRequest { caller: shop, db, id, fields }: OneRequest<Shop, ProductId, StoreProduct>,
    Query(place): Query<PriceContextQuery>,
) -> Result<Answer, HttpError> {
    shop.check_channel()?;
    let sent = place.into_request(&shop)?;
    let selection = priced(fields.selection, &sent)?;
    let requested = selection.clone();
    let product = db
        .read(move |tx| {
            let mut product = Product::require::<CatalogError>(tx, &id)?;
            if !products::is_visible(tx, &id, &shop.sales_channel_ids)? {
                return Err(CatalogError::missing("Product", &id));
            }
            let place = wants_price(&requested).then(|| shopper::resolve(tx, &sent)).transpose()?;
            let viewer = Viewer::Shopper { channels: shop.sales_channel_ids, place };
            load::attach(tx, std::slice::from_mut(&mut product), &requested, &viewer)?;
            Ok(product)
        })
        .await?;
    selection.answer("product", &product)
}

/// Returns the price context of a list request.
fn context_of(
    list: &ListRequest<StoreProduct>,
    shop: &Shop,
) -> Result<PriceContextRequest, HttpError> {
    let country = list.extra("country_code")?.map(country).transpose()?;
    let province = list.extra("province")?.map(province).transpose()?;
    let region_id = list.extra("region_id")?.map(str::parse).transpose();
    let cart_id = list.extra("cart_id")?.map(str::parse).transpose();
    Ok(PriceContextRequest {
        region_id: region_id.map_err(|_no_id| invalid("region_id"))?,
        cart_id: cart_id.map_err(|_no_id| invalid("cart_id"))?,
        country,
        province,
        customer_id: shop.customer_id.clone(),
    })
}

/// Converts a two-letter country code to lower case.
fn country(code: &str) -> Result<String, HttpError> {
    let is_sound = code.len() == 2 && code.bytes().all(|letter| letter.is_ascii_alphabetic());
    if is_sound { Ok(code.to_ascii_lowercase()) } else { Err(invalid("country_code")) }
}

fn province(text: &str) -> Result<String, HttpError> {
    let text = text::clean(text, 255).ok().filter(|text| !text.is_empty());
    text.ok_or_else(|| invalid("province"))
}

/// Adds the price to variants with default fields if the request gives the shopper's location.
fn priced(selection: Selection, sent: &PriceContextRequest) -> Result<Selection, HttpError> {
    let is_whole = selection.wants("variants.created_at");
    if !sent.is_somewhere() || !is_whole || wants_price(&selection) {
        return Ok(selection);
    }
    selection.with(StoreProduct::SHAPE, "variants.calculated_price")
}

fn wants_price(selection: &Selection) -> bool {
    selection.wants("variants.calculated_price")
}
