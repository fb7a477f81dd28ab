//! The admin routes of customers: `/admin/customers`.

use axum::extract::State;
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::requests::{CreateCustomerRequest, UpdateCustomerRequest};
use crate::auth::AdminReader;
use crate::customers::{
    self, Address, AddressRequest, Customer, CustomerError, CustomerGroup, GroupsRequest, address,
    group,
};
use crate::database::listing::Listing;
use crate::database::{Db, Listable, Tx};
use crate::http::{Answer, HttpError, ListRequest, Listed, Page, Relation, Resource, Shape};
use crate::ids::CustomerId;
use crate::resource::{AdminRoutes, View};
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<Customer, _>::at("/admin/customers", "Admin customers")
        .create(CreateCustomerRequest::create)
        .note("They have no account: an account is made by who registers.")
        .taken("A guest has the address")
        .show()
        .update(UpdateCustomerRequest::update)
        .taken("Another guest has the address")
        .update_part(
            "/addresses",
            "add_customer_address",
            "Add an address to a customer's address book",
            |request: AddressRequest, tx, id| address::add_address(tx, id, request),
        )
        .update_part(
            "/customer-groups",
            "change_groups_of_customer",
            "Add a customer to groups, and remove them from others",
            |groups: GroupsRequest, tx, id| group::change_groups(tx, id, &groups),
        )
        .change_credentials()
        .delete(customers::delete)
        .note("The account is deleted too: the customer is logged out at once and may register again. Their orders stay.")
        .router()
        .routes(routes!(list_customers))
}

impl CreateCustomerRequest {
    fn create(self, tx: &Tx<'_>, by: &str) -> Result<CustomerId, CustomerError> {
        let email = self.email.clone();
        Ok(customers::create(tx, email, by, self.into())?.id)
    }
}

impl UpdateCustomerRequest {
    fn update(self, tx: &Tx<'_>, id: &CustomerId) -> Result<(), CustomerError> {
        customers::update(tx, id, self.into())
    }
}

/// Customers in a list, which include address books on request only.
#[derive(Debug)]
struct ListedCustomer;

impl Resource for ListedCustomer {
    const SHAPE: &'static Shape = {
        static SHAPE: Shape = Shape {
            relations: &[
                Relation::on_request("addresses", Address::SHAPE),
                Relation::on_request("groups", CustomerGroup::SHAPE),
            ],
            ..*Customer::SHAPE
        };
        &SHAPE
    };
}

impl Listed for ListedCustomer {
    const LISTING: &'static Listing = <Customer as Listable>::LISTING;
}

type CustomerListResponse = Page<Customer>;

/// List customers
#[crate::http::operation(get, path = "/admin/customers", tag = "Admin customers", params(ListRequest<ListedCustomer>),
    responses((status = 200, description = "A page", body = CustomerListResponse)))]
async fn list_customers(
    State(db): State<Db>,
    _admin: AdminReader,
    list: ListRequest<ListedCustomer>,
) -> Result<Answer, HttpError> {
    list.read(db, <Customer as View>::page).await
}
