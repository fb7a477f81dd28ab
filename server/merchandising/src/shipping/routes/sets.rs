//! The routes of fulfillment sets.

use axum::extract::State;

use super::views::load_set;
use super::zones::FulfillmentSetResponse;
use crate::auth::{AdminReader, AdminWriter};
use crate::database::Db;
use crate::http::{Answer, Deleted, Fields, HttpError, Json, One, OneRequest, Path, Text, request};
use crate::ids::{FulfillmentSetId, StockLocationId};
use crate::inventory::StockLocation;
use crate::resource::View;
use crate::shipping::model::FulfillmentSet;
use crate::shipping::{NewSet, ShippingError, changes, create_set};

/// A fulfillment set to create.
#[request]
#[schema(example = json!({ "name": "Delivery", "type": "shipping" }))]
pub(super) struct CreateFulfillmentSetRequest {
    name: Text<255>,
    /// `shipping` or `pickup`.
    #[serde(rename = "type")]
    kind: Text<64>,
}

type StockLocationResponse = One<StockLocation>;
type FulfillmentSetDeletedResponse = Deleted<FulfillmentSet>;

/// Adds a fulfillment set to a location.
#[crate::http::operation(post, path = "/admin/stock-locations/{id}/fulfillment-sets", tag = "Admin stock locations",
    params(("id" = StockLocationId, Path), Fields<StockLocation>),
    request_body = CreateFulfillmentSetRequest,
    responses((status = 200, description = "The stock location", body = StockLocationResponse)))]
pub(super) async fn create_fulfillment_set(
    OneRequest { db, id, fields, .. }: OneRequest<AdminWriter, StockLocationId, StockLocation>,
    Json(request): Json<CreateFulfillmentSetRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            let (name, kind) = (request.name.into(), request.kind.into());
            create_set(tx, &NewSet { name, kind, location_id: id.clone() })?;
            Ok::<_, ShippingError>(StockLocation::show(tx, &id, selection)?)
        })
        .await
}

/// Returns a fulfillment set with its zones and the places that they cover.
#[crate::http::operation(get, path = "/admin/fulfillment-sets/{id}", tag = "Admin shipping",
    params(("id" = FulfillmentSetId, Path), Fields<FulfillmentSet>),
    responses((status = 200, description = "The fulfillment set", body = FulfillmentSetResponse)))]
pub(super) async fn show_fulfillment_set(
    OneRequest { db, id, fields, .. }: OneRequest<AdminReader, FulfillmentSetId, FulfillmentSet>,
) -> Result<Answer, HttpError> {
    fields.read(db, move |tx, _| load_set(tx, &id)).await
}

/// Deletes a fulfillment set with its zones and their options. Carts that have chosen one of these lose their method.
#[crate::http::operation(delete, path = "/admin/fulfillment-sets/{id}", tag = "Admin shipping",
    params(("id" = FulfillmentSetId, Path)),
    responses((status = 200, description = "Deleted", body = FulfillmentSetDeletedResponse)))]
pub(super) async fn delete_fulfillment_set(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<FulfillmentSetId>,
) -> Result<Json<Deleted<FulfillmentSet>>, HttpError> {
    let deleted_id = id.clone();
    db.write(move |tx| changes::delete_set(tx, &deleted_id)).await?;
    Ok(Json(Deleted::<FulfillmentSet>::new(id)))
}
