//! A customer's own address book: `/store/customers/me/addresses`.

use axum::extract::State;

use super::requests::AddressRequest;
use super::responses::{
    AddressDeletedResponse, AddressListResponse, AddressResponse, CustomerResponse,
};
use super::shape::{Addresses, StoreCustomer};
use super::store::view;
use super::with;
use crate::auth::Shopper;
use crate::customers::address;
use crate::customers::queries::addresses as queries;
use crate::database::{self, Db};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Path};
use crate::ids::CustomerAddressId;

/// List the customer's addresses
#[utoipa::path(get, path = "/store/customers/me/addresses", tag = "Store customers",
    params(ListRequest<Addresses>),
    responses((status = 200, description = "A page", body = AddressListResponse)),
    security(("publishable_key" = [], "customer" = []), ("publishable_key" = [], "session" = [])))]
pub(in crate::customers) async fn list_my_addresses(
    State(db): State<Db>,
    shopper: Shopper,
    list: ListRequest<Addresses>,
) -> Result<Answer, HttpError> {
    let query = list.query.clone();
    let (rows, count) = db
        .read::<_, database::Error>(move |tx| queries::page(tx, &shopper.customer_id, query))
        .await?;
    list.answer(&rows, count)
}

/// Add an address
#[utoipa::path(post, path = "/store/customers/me/addresses", tag = "Store customers",
    params(Fields<StoreCustomer>), request_body = AddressRequest,
    responses((status = 200, description = "The customer", body = CustomerResponse)),
    security(("publishable_key" = [], "customer" = []), ("publishable_key" = [], "session" = [])))]
pub(in crate::customers) async fn add_my_address(
    State(db): State<Db>,
    shopper: Shopper,
    fields: Fields<StoreCustomer>,
    Json(request): Json<AddressRequest>,
) -> Result<Answer, HttpError> {
    let wanted = with(&fields.selection);
    let customer = db
        .write(move |tx| {
            address::add_address(tx, &shopper.customer_id, request.into())?;
            view(tx, &shopper.customer_id, wanted)
        })
        .await?;
    fields.selection.answer("customer", &customer)
}

/// Show an address of the customer's
#[utoipa::path(get, path = "/store/customers/me/addresses/{address_id}", tag = "Store customers",
    params(("address_id" = CustomerAddressId, Path, description = "The address"), Fields<Addresses>),
    responses((status = 200, description = "The address", body = AddressResponse)),
    security(("publishable_key" = [], "customer" = []), ("publishable_key" = [], "session" = [])))]
pub(in crate::customers) async fn show_my_address(
    State(db): State<Db>,
    shopper: Shopper,
    Path(id): Path<CustomerAddressId>,
    fields: Fields<Addresses>,
) -> Result<Answer, HttpError> {
    let address = db.read(move |tx| address::find_address(tx, &shopper.customer_id, &id)).await?;
    fields.selection.answer("address", &address)
}

/// Change an address of the customer's
#[utoipa::path(post, path = "/store/customers/me/addresses/{address_id}", tag = "Store customers",
    params(("address_id" = CustomerAddressId, Path, description = "The address"), Fields<StoreCustomer>),
    request_body = AddressRequest,
    responses((status = 200, description = "The customer", body = CustomerResponse)),
    security(("publishable_key" = [], "customer" = []), ("publishable_key" = [], "session" = [])))]
pub(in crate::customers) async fn update_my_address(
    State(db): State<Db>,
    shopper: Shopper,
    Path(id): Path<CustomerAddressId>,
    fields: Fields<StoreCustomer>,
    Json(request): Json<AddressRequest>,
) -> Result<Answer, HttpError> {
    let wanted = with(&fields.selection);
    let customer = db
        .write(move |tx| {
            address::update_address(tx, &shopper.customer_id, &id, request.into())?;
            view(tx, &shopper.customer_id, wanted)
        })
        .await?;
    fields.selection.answer("customer", &customer)
}

/// Delete an address of the customer's
///
/// Answers the customer without it. `id` is the customer's, as clients of this API expect.
#[utoipa::path(delete, path = "/store/customers/me/addresses/{address_id}", tag = "Store customers",
    params(("address_id" = CustomerAddressId, Path, description = "The address"), Fields<StoreCustomer>),
    responses((status = 200, description = "Deleted", body = AddressDeletedResponse)),
    security(("publishable_key" = [], "customer" = []), ("publishable_key" = [], "session" = [])))]
pub(in crate::customers) async fn delete_my_address(
    State(db): State<Db>,
    shopper: Shopper,
    Path(id): Path<CustomerAddressId>,
    fields: Fields<StoreCustomer>,
) -> Result<Json<AddressDeletedResponse>, HttpError> {
    let wanted = with(&fields.selection);
    let customer = db
        .write(move |tx| {
            address::remove_address(tx, &shopper.customer_id, &id)?;
            view(tx, &shopper.customer_id, wanted)
        })
        .await?;
    let parent = fields.selection.value(&customer)?;
    Ok(Json(AddressDeletedResponse::of("address", &customer.id, parent)))
}
