//! Customers as admins keep them: `/admin/customers`.

use axum::extract::State;

use super::requests::{CreateCustomerRequest, UpdateCustomerRequest};
use super::responses::{CustomerListResponse, CustomerResponse, DeletedResponse};
use super::shape::{AdminCustomer, AdminCustomers};
use super::store::view;
use super::with;
use crate::auth::{AdminReader, AdminWriter, Credentials};
use crate::customers::queries::customers as queries;
use crate::customers::{self, Customer};
use crate::database::{self, Db};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Path};
use crate::ids::CustomerId;

/// List customers
#[utoipa::path(get, path = "/admin/customers", tag = "Admin customers", params(ListRequest<AdminCustomers>),
    responses((status = 200, description = "A page", body = CustomerListResponse)))]
pub(in crate::customers) async fn list_customers(
    State(db): State<Db>,
    _admin: AdminReader,
    list: ListRequest<AdminCustomers>,
) -> Result<Answer, HttpError> {
    let (query, wanted) = (list.query.clone(), with(&list.selection));
    let (rows, count) = db
        .read::<(Vec<Customer>, u64), database::Error>(move |tx| {
            let (mut rows, count) = queries::page(tx, query)?;
            customers::load(tx, &mut rows, wanted)?;
            Ok((rows, count))
        })
        .await?;
    list.answer(&rows, count)
}

/// Create a customer
///
/// They have no account: an account is made by who registers.
#[utoipa::path(post, path = "/admin/customers", tag = "Admin customers", params(Fields<AdminCustomer>),
    request_body = CreateCustomerRequest,
    responses((status = 200, description = "The customer", body = CustomerResponse),
              (status = 422, description = "A guest has the address", body = crate::http::ErrorBody)))]
pub(in crate::customers) async fn create_customer(
    State(db): State<Db>,
    admin: AdminWriter,
    fields: Fields<AdminCustomer>,
    Json(request): Json<CreateCustomerRequest>,
) -> Result<Answer, HttpError> {
    let customer = db
        .write(move |tx| {
            let email = request.email.clone();
            customers::create(tx, email, admin.actor_id(), request.into())
        })
        .await?;
    fields.selection.answer("customer", &customer)
}

/// Show a customer
#[utoipa::path(get, path = "/admin/customers/{id}", tag = "Admin customers",
    params(("id" = CustomerId, Path, description = "The customer"), Fields<AdminCustomer>),
    responses((status = 200, description = "The customer", body = CustomerResponse)))]
pub(in crate::customers) async fn show_customer(
    State(db): State<Db>,
    _admin: AdminReader,
    Path(id): Path<CustomerId>,
    fields: Fields<AdminCustomer>,
) -> Result<Answer, HttpError> {
    let wanted = with(&fields.selection);
    let customer = db.read(move |tx| view(tx, &id, wanted)).await?;
    fields.selection.answer("customer", &customer)
}

/// Change a customer
#[utoipa::path(post, path = "/admin/customers/{id}", tag = "Admin customers",
    params(("id" = CustomerId, Path, description = "The customer"), Fields<AdminCustomer>),
    request_body = UpdateCustomerRequest,
    responses((status = 200, description = "The customer", body = CustomerResponse),
              (status = 422, description = "Another guest has the address", body = crate::http::ErrorBody)))]
pub(in crate::customers) async fn update_customer(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<CustomerId>,
    fields: Fields<AdminCustomer>,
    Json(request): Json<UpdateCustomerRequest>,
) -> Result<Answer, HttpError> {
    let wanted = with(&fields.selection);
    let customer = db
        .write(move |tx| {
            customers::update(tx, &id, request.into())?;
            view(tx, &id, wanted)
        })
        .await?;
    fields.selection.answer("customer", &customer)
}

/// Delete a customer
///
/// With the account, so that they are logged out at once and may register anew. Their orders stay.
#[utoipa::path(delete, path = "/admin/customers/{id}", tag = "Admin customers",
    params(("id" = CustomerId, Path, description = "The customer")),
    responses((status = 200, description = "Deleted", body = DeletedResponse)))]
pub(in crate::customers) async fn delete_customer(
    State(credentials): State<Credentials>,
    _admin: AdminWriter,
    Path(id): Path<CustomerId>,
) -> Result<Json<DeletedResponse>, HttpError> {
    let deleted = id.clone();
    credentials.change(move |tx| customers::delete(tx, &id)).await?;
    Ok(Json(DeletedResponse::of("customer", &deleted)))
}
