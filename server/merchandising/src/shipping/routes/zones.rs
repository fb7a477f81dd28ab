//! The routes of service zones.

use serde::Serialize;
use serde_json::Value;

use super::views::{load_set, load_zone};
use crate::auth::{AdminReader, AdminWriter};
use crate::http::{Answer, Fields, HttpError, Json, One, OneRequest, Text, ToSchema, request};
use crate::ids::{FulfillmentSetId, ServiceZoneId};
use crate::metadata::MetadataPatch;
use crate::shipping::model::{FulfillmentSet, ServiceZone};
use crate::shipping::{GeoZone, NewZone, changes, create_zone};

pub(super) type FulfillmentSetResponse = One<FulfillmentSet>;
type ServiceZoneResponse = One<ServiceZone>;

/// A request about a zone of a fulfillment set.
type OneZone<Caller, R> = OneRequest<Caller, (FulfillmentSetId, ServiceZoneId), R>;

/// Confirms that a service zone is deleted.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ServiceZoneDeletedResponse {
    id: ServiceZoneId,
    /// Always `service_zone`.
    #[schema(example = "service_zone")]
    object: &'static str,
    /// Always true.
    deleted: bool,
    /// The fulfillment set after the deletion.
    #[schema(value_type = FulfillmentSet)]
    parent: Value,
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
) -> Result<Json<ServiceZoneDeletedResponse>, HttpError> {
    let deleted_id = id.clone();
    let parent = db
        .write(move |tx| {
            changes::delete_zone(tx, &set_id, &deleted_id)?;
            load_set(tx, &set_id)
        })
        .await?;
    let parent = fields.selection.value(&parent)?;
    Ok(Json(ServiceZoneDeletedResponse { id, object: "service_zone", deleted: true, parent }))
}
