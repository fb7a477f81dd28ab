//! Address books as admins keep them: `/admin/customers/{id}/addresses`.

use axum::extract::State;

use super::requests::AddressRequest;
use super::responses::{
    AddressDeletedResponse, AddressListResponse, AddressResponse, CustomerResponse,
};
use super::shape::{Addresses, AdminCustomer};
use super::store::view;
use super::with;
use crate::auth::{AdminReader, AdminWriter};
use crate::customers::queries::addresses as queries;
use crate::customers::{self, CustomerError, address};
use crate::database::Db;
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Path};
use crate::ids::{CustomerAddressId, CustomerId};

/// List a customer's addresses
#[utoipa::path(get, path = "/admin/customers/{id}/addresses", tag = "Admin customers",
    params(("id" = CustomerId, Path, description = "The customer"), ListRequest<Addresses>),
    responses((status = 200, description = "A page", body = AddressListResponse)))]
pub(in crate::customers) async fn list_customer_addresses(
    State(db): State<Db>,
    _admin: AdminReader,
    Path(id): Path<CustomerId>,
    list: ListRequest<Addresses>,
) -> Result<Answer, HttpError> {
    let query = list.query.clone();
    let (rows, count) = db
        .read::<_, CustomerError>(move |tx| {
            customers::find(tx, &id)?;
            Ok(queries::page(tx, &id, query)?)
        })
        .await?;
    list.answer(&rows, count)
}

/// Add an address to a customer's book
#[utoipa::path(post, path = "/admin/customers/{id}/addresses", tag = "Admin customers",
    params(("id" = CustomerId, Path, description = "The customer"), Fields<AdminCustomer>),
    request_body = AddressRequest,
    responses((status = 200, description = "The customer", body = CustomerResponse)))]
pub(in crate::customers) async fn add_customer_address(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<CustomerId>,
    fields: Fields<AdminCustomer>,
    Json(request): Json<AddressRequest>,
) -> Result<Answer, HttpError> {
    let wanted = with(&fields.selection);
    let customer = db
        .write(move |tx| {
            address::add_address(tx, &id, request.into())?;
            view(tx, &id, wanted)
        })
        .await?;
    fields.selection.answer("customer", &customer)
}

/// Show an address of a customer's
#[utoipa::path(get, path = "/admin/customers/{id}/addresses/{address_id}", tag = "Admin customers",
    params(("id" = CustomerId, Path, description = "The customer"),
           ("address_id" = CustomerAddressId, Path, description = "The address"), Fields<Addresses>),
    responses((status = 200, description = "The address", body = AddressResponse)))]
pub(in crate::customers) async fn show_customer_address(
    State(db): State<Db>,
    _admin: AdminReader,
    Path((id, address_id)): Path<(CustomerId, CustomerAddressId)>,
    fields: Fields<Addresses>,
) -> Result<Answer, HttpError> {
    let address = db.read(move |tx| address::find_address(tx, &id, &address_id)).await?;
    fields.selection.answer("address", &address)
}

/// Change an address of a customer's
#[utoipa::path(post, path = "/admin/customers/{id}/addresses/{address_id}", tag = "Admin customers",
    params(("id" = CustomerId, Path, description = "The customer"),
           ("address_id" = CustomerAddressId, Path, description = "The address"), Fields<AdminCustomer>),
    request_body = AddressRequest,
    responses((status = 200, description = "The customer", body = CustomerResponse)))]
pub(in crate::customers) async fn update_customer_address(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path((id, address_id)): Path<(CustomerId, CustomerAddressId)>,
    fields: Fields<AdminCustomer>,
    Json(request): Json<AddressRequest>,
) -> Result<Answer, HttpError> {
    let wanted = with(&fields.selection);
    let customer = db
        .write(move |tx| {
            address::update_address(tx, &id, &address_id, request.into())?;
            view(tx, &id, wanted)
        })
        .await?;
    fields.selection.answer("customer", &customer)
}

/// Delete an address of a customer's
#[utoipa::path(delete, path = "/admin/customers/{id}/addresses/{address_id}", tag = "Admin customers",
    params(("id" = CustomerId, Path, description = "The customer"),
           ("address_id" = CustomerAddressId, Path, description = "The address"), Fields<AdminCustomer>),
    responses((status = 200, description = "Deleted", body = AddressDeletedResponse)))]
pub(in crate::customers) async fn delete_customer_address(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path((id, address_id)): Path<(CustomerId, CustomerAddressId)>,
    fields: Fields<AdminCustomer>,
) -> Result<Json<AddressDeletedResponse>, HttpError> {
    let (wanted, deleted) = (with(&fields.selection), address_id.clone());
    let customer = db
        .write(move |tx| {
            address::remove_address(tx, &id, &address_id)?;
            view(tx, &id, wanted)
        })
        .await?;
    let parent = fields.selection.value(&customer)?;
    Ok(Json(AddressDeletedResponse::of("customer_address", &deleted, parent)))
}
