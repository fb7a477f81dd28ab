//! Address books: `/store/customers/me/addresses` and `/admin/customers/{id}/addresses`.

use axum::extract::State;
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::CustomerResponse;
use super::store::own;
use crate::auth::{AdminReader, AdminWriter, Shopper};
use crate::customers::{Address, AddressRequest, Customer, CustomerError, StoreCustomer, address};
use crate::database::{self, Db, Table as _};
use crate::http::{
    Answer, Fields, HttpError, Json, ListRequest, One, OneRequest, Page, PartDeleted, Path,
};
use crate::ids::{CustomerAddressId, CustomerId};
use crate::resource::View as _;
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_my_addresses, add_my_address))
        .routes(routes!(show_my_address, update_my_address, delete_my_address))
        .routes(routes!(list_customer_addresses))
        .routes(routes!(show_customer_address, update_customer_address, delete_customer_address))
}

/// A request about an address of a customer.
type OwnedAddress<Caller, R> = OneRequest<Caller, (CustomerId, CustomerAddressId), R>;
type AddressResponse = One<Address>;
type AddressDeletedResponse = PartDeleted<Customer>;
type AddressListResponse = Page<Address>;

/// List the customer's addresses
#[crate::http::operation(get, path = "/store/customers/me/addresses", tag = "Store customers",
    params(ListRequest<Address>),
    responses((status = 200, description = "A page", body = AddressListResponse)))]
async fn list_my_addresses(
    State(db): State<Db>,
    shopper: Shopper,
    list: ListRequest<Address>,
) -> Result<Answer, HttpError> {
    list.read::<_, database::Error>(db, move |tx, query, _| {
        address::page(tx, &shopper.customer_id, query)
    })
    .await
}

/// Add an address
#[crate::http::operation(post, path = "/store/customers/me/addresses", tag = "Store customers",
    params(Fields<StoreCustomer>), request_body = AddressRequest,
    responses((status = 200, description = "The customer", body = CustomerResponse)))]
async fn add_my_address(
    State(db): State<Db>,
    shopper: Shopper,
    fields: Fields<StoreCustomer>,
    Json(request): Json<AddressRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            address::add_address(tx, &shopper.customer_id, request)?;
            own(tx, &shopper, selection)
        })
        .await
}

/// Show one of the customer's addresses
#[crate::http::operation(get, path = "/store/customers/me/addresses/{address_id}", tag = "Store customers",
    params(("address_id" = CustomerAddressId, Path, description = "The address"), Fields<Address>),
    responses((status = 200, description = "The address", body = AddressResponse)))]
async fn show_my_address(
    OneRequest { caller: shopper, db, id, fields }: OneRequest<Shopper, CustomerAddressId, Address>,
) -> Result<Answer, HttpError> {
    fields.read(db, move |tx, _| address::find_address(tx, &shopper.customer_id, &id)).await
}

/// Change one of the customer's addresses
#[crate::http::operation(post, path = "/store/customers/me/addresses/{address_id}", tag = "Store customers",
    params(("address_id" = CustomerAddressId, Path, description = "The address"), Fields<StoreCustomer>),
    request_body = AddressRequest,
    responses((status = 200, description = "The customer", body = CustomerResponse)))]
async fn update_my_address(
    OneRequest { caller, db, id, fields }: OneRequest<Shopper, CustomerAddressId, StoreCustomer>,
    Json(request): Json<AddressRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            address::update_address(tx, &caller.customer_id, &id, request)?;
            own(tx, &caller, selection)
        })
        .await
}

/// Delete one of the customer's addresses
///
/// Returns the customer without the address. `id` is the customer's, as clients of this API expect.
#[crate::http::operation(delete, path = "/store/customers/me/addresses/{address_id}", tag = "Store customers",
    params(("address_id" = CustomerAddressId, Path, description = "The address"), Fields<StoreCustomer>),
    responses((status = 200, description = "Deleted", body = AddressDeletedResponse)))]
async fn delete_my_address(
    OneRequest { caller, db, id, fields }: OneRequest<Shopper, CustomerAddressId, StoreCustomer>,
) -> Result<Answer, HttpError> {
    fields
        .delete_part(db, "address", move |tx, selection| {
            address::remove_address(tx, &caller.customer_id, &id)?;
            let customer = own(tx, &caller, selection)?;
            Ok::<_, CustomerError>((caller.customer_id, customer))
        })
        .await
}

/// List a customer's addresses
#[crate::http::operation(get, path = "/admin/customers/{id}/addresses", tag = "Admin customers",
    params(("id" = CustomerId, Path, description = "The customer"), ListRequest<Address>),
    responses((status = 200, description = "A page", body = AddressListResponse)))]
async fn list_customer_addresses(
    State(db): State<Db>,
    _admin: AdminReader,
    Path(id): Path<CustomerId>,
    list: ListRequest<Address>,
) -> Result<Answer, HttpError> {
    list.read::<_, CustomerError>(db, move |tx, query, _| {
        Customer::require::<CustomerError>(tx, &id)?;
        Ok(address::page(tx, &id, query)?)
    })
    .await
}

/// Show one of a customer's addresses
#[crate::http::operation(get, path = "/admin/customers/{id}/addresses/{address_id}", tag = "Admin customers",
    params(("id" = CustomerId, Path, description = "The customer"),
           ("address_id" = CustomerAddressId, Path, description = "The address"), Fields<Address>),
    responses((status = 200, description = "The address", body = AddressResponse)))]
async fn show_customer_address(
    OneRequest { db, id: (id, address_id), fields, .. }: OwnedAddress<AdminReader, Address>,
) -> Result<Answer, HttpError> {
    fields.read(db, move |tx, _| address::find_address(tx, &id, &address_id)).await
}

/// Change one of a customer's addresses
#[crate::http::operation(post, path = "/admin/customers/{id}/addresses/{address_id}", tag = "Admin customers",
    params(("id" = CustomerId, Path, description = "The customer"),
           ("address_id" = CustomerAddressId, Path, description = "The address"), Fields<Customer>),
    request_body = AddressRequest,
    responses((status = 200, description = "The customer", body = CustomerResponse)))]
async fn update_customer_address(
    OneRequest { db, id: (id, address_id), fields, .. }: OwnedAddress<AdminWriter, Customer>,
    Json(request): Json<AddressRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            address::update_address(tx, &id, &address_id, request)?;
            Customer::show(tx, &id, selection)
        })
        .await
}

/// Delete one of a customer's addresses
#[crate::http::operation(delete, path = "/admin/customers/{id}/addresses/{address_id}", tag = "Admin customers",
    params(("id" = CustomerId, Path, description = "The customer"),
           ("address_id" = CustomerAddressId, Path, description = "The address"), Fields<Customer>),
    responses((status = 200, description = "Deleted", body = AddressDeletedResponse)))]
async fn delete_customer_address(
    OneRequest { db, id: (id, address_id), fields, .. }: OwnedAddress<AdminWriter, Customer>,
) -> Result<Answer, HttpError> {
    fields
        .delete_part(db, "customer_address", move |tx, selection| {
            address::remove_address(tx, &id, &address_id)?;
            Ok::<_, CustomerError>((address_id, Customer::show(tx, &id, selection)?))
        })
        .await
}
