//! The routes of fulfillment sets and their service zones.

use axum::extract::State;

use super::views::{load_set, load_zone};
use crate::auth::{AdminReader, AdminWriter};
use crate::database::Db;
use crate::http::{
    Answer, Deleted, Fields, HttpError, Json, One, OneRequest, PartDeleted, Path, Text, request,
};
use crate::ids::{FulfillmentSetId, ServiceZoneId, StockLocationId};
use crate::inventory::StockLocation;
use crate::metadata::MetadataPatch;
use crate::resource::View;
use crate::shipping::model::{FulfillmentSet, ServiceZone};
use crate::shipping::{GeoZone, NewSet, NewZone, ShippingError, changes, create_set, create_zone};

type StockLocationResponse = One<StockLocation>;
type FulfillmentSetResponse = One<FulfillmentSet>;
type FulfillmentSetDeletedResponse = Deleted<FulfillmentSet>;
type ServiceZoneDeletedResponse = PartDeleted<FulfillmentSet>;
type ServiceZoneResponse = One<ServiceZone>;

/// A request about a zone of a fulfillment set.
type OneZone<Caller, R> = OneRequest<Caller, (FulfillmentSetId, ServiceZoneId), R>;

/// A fulfillment set to create.
#[request]
#[schema(example = json!({ "name": "Delivery", "type": "shipping" }))]
pub(super) struct CreateFulfillmentSetRequest {
    name: Text<255>,
    /// `shipping` or `pickup`.
    #[serde(rename = "type")]
    kind: Text<64>,
}

/// A service zone to create.
#[request]
#[schema(example = json!({ "name": "Britain", "geo_zones": [{ "type": "country", "country_code": "gb" }] }))]
pub(super) struct CreateServiceZoneRequest {
    name: Text<255>,
    /// The places that it covers.
    #[serde(default)]
    #[schema(max_items = 1000)]
    geo_zones: Vec<GeoZone>,
    metadata: Option<MetadataPatch>,
}

/// The fields of a service zone to change; absent fields stay.
#[request]
#[schema(example = json!({ "geo_zones": [{ "type": "country", "country_code": "ie" }] }))]
pub(super) struct UpdateServiceZoneRequest {
    name: Option<Text<255>>,
    /// Replaces all places.
    #[schema(max_items = 1000)]
    geo_zones: Option<Vec<GeoZone>>,
    metadata: Option<MetadataPatch>,
}

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

/// Adds a zone to a fulfillment set.
#[crate::http::operation(post, path = "/admin/fulfillment-sets/{id}/service-zones", tag = "Admin shipping",
    params(("id" = FulfillmentSetId, Path), Fields<FulfillmentSet>),
    request_body = CreateServiceZoneRequest,
    responses((status = 200, description = "The fulfillment set", body = FulfillmentSetResponse)))]
pub(super) async fn create_service_zone(
    OneRequest { db, id, fields, .. }: OneRequest<AdminWriter, FulfillmentSetId, FulfillmentSet>,
    Json(request): Json<CreateServiceZoneRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, _| {
            let new = NewZone {
                name: request.name.into(),
                fulfillment_set_id: id.clone(),
                places: request.geo_zones,
                metadata: request.metadata.unwrap_or_default().create()?,
            };
            create_zone(tx, &new)?;
            load_set(tx, &id)
        })
        .await
}

/// Returns a zone.
#[crate::http::operation(get, path = "/admin/fulfillment-sets/{id}/service-zones/{zone_id}", tag = "Admin shipping",
    params(("id" = FulfillmentSetId, Path), ("zone_id" = ServiceZoneId, Path), Fields<ServiceZone>),
    responses((status = 200, description = "The zone", body = ServiceZoneResponse)))]
pub(super) async fn show_service_zone(
    OneRequest { db, id: (id, zone_id), fields, .. }: OneZone<AdminReader, ServiceZone>,
) -> Result<Answer, HttpError> {
    fields.read(db, move |tx, _| load_zone(tx, &id, &zone_id)).await
}

/// Updates a zone.
#[crate::http::operation(post, path = "/admin/fulfillment-sets/{id}/service-zones/{zone_id}", tag = "Admin shipping",
    params(("id" = FulfillmentSetId, Path), ("zone_id" = ServiceZoneId, Path), Fields<FulfillmentSet>),
    request_body = UpdateServiceZoneRequest,
    responses((status = 200, description = "The fulfillment set", body = FulfillmentSetResponse)))]
pub(super) async fn update_service_zone(
    OneRequest { db, id: (id, zone_id), fields, .. }: OneZone<AdminWriter, FulfillmentSet>,
    Json(request): Json<UpdateServiceZoneRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, _| {
            let name = request.name.map(String::from);
            changes::change_zone(tx, (&id, &zone_id), name, request.geo_zones, request.metadata)?;
            load_set(tx, &id)
        })
        .await
}

/// Deletes a zone with its options. Carts that have chosen one of these lose their method.
#[crate::http::operation(delete, path = "/admin/fulfillment-sets/{id}/service-zones/{zone_id}", tag = "Admin shipping",
    params(("id" = FulfillmentSetId, Path), ("zone_id" = ServiceZoneId, Path), Fields<FulfillmentSet>),
    responses((status = 200, description = "Deleted", body = ServiceZoneDeletedResponse)))]
pub(super) async fn delete_service_zone(
    OneRequest { db, id: (set_id, id), fields, .. }: OneZone<AdminWriter, FulfillmentSet>,
) -> Result<Answer, HttpError> {
    fields
        .delete_part(db, "service_zone", move |tx, _| {
            changes::delete_zone(tx, &set_id, &id)?;
            Ok::<_, ShippingError>((id, load_set(tx, &set_id)?))
        })
        .await
}
