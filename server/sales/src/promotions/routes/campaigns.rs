//! `/admin/campaigns`.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use super::requests::{CreateCampaignRequest, UpdateCampaignRequest};
use crate::auth::{AdminReader, AdminWriter};
use crate::database::{Db, Error, Listable, Table};
use crate::http::{Answer, Deleted, Fields, HttpError, Json, ListRequest, One, Page, Path};
use crate::ids::{CampaignId, PromotionId};
use crate::promotions::promotion::Campaign;
use crate::promotions::{PromotionError, write};

type CampaignResponse = One<Campaign>;
type CampaignListResponse = Page<Campaign>;
type CampaignDeletedResponse = Deleted<Campaign>;

/// Promotions to add to a campaign and to remove from it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ChangeCampaignPromotionsRequest {
    #[serde(default)]
    add: Vec<PromotionId>,
    #[serde(default)]
    remove: Vec<PromotionId>,
}

/// Lists campaigns.
#[utoipa::path(get, path = "/admin/campaigns", tag = "Admin campaigns", params(ListRequest<Campaign>),
    responses((status = 200, description = "A page", body = CampaignListResponse)))]
pub(super) async fn list_campaigns(
    _admin: AdminReader,
    State(db): State<Db>,
    list: ListRequest<Campaign>,
) -> Result<Answer, HttpError> {
    list.read::<_, Error>(db, move |tx, query, _| Campaign::page(tx, query)).await
}

/// Creates a campaign.
#[utoipa::path(post, path = "/admin/campaigns", tag = "Admin campaigns", params(Fields<Campaign>),
    request_body = CreateCampaignRequest,
    responses((status = 200, description = "The campaign", body = CampaignResponse)))]
pub(super) async fn create_campaign(
    _admin: AdminWriter,
    State(db): State<Db>,
    fields: Fields<Campaign>,
    Json(request): Json<CreateCampaignRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, _| {
            let campaign = request.into_campaign(tx.now())?;
            write::put_campaign(tx, &campaign)?;
            Ok::<_, PromotionError>(campaign)
        })
        .await
}

/// Returns a campaign.
#[utoipa::path(get, path = "/admin/campaigns/{id}", tag = "Admin campaigns",
    params(("id" = CampaignId, Path), Fields<Campaign>),
    responses((status = 200, description = "The campaign", body = CampaignResponse)))]
pub(super) async fn show_campaign(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<CampaignId>,
    fields: Fields<Campaign>,
) -> Result<Answer, HttpError> {
    fields.read::<_, PromotionError>(db, move |tx, _| Campaign::require(tx, &id)).await
}

/// Updates a campaign.
#[utoipa::path(post, path = "/admin/campaigns/{id}", tag = "Admin campaigns",
    params(("id" = CampaignId, Path), Fields<Campaign>), request_body = UpdateCampaignRequest,
    responses((status = 200, description = "The campaign", body = CampaignResponse)))]
pub(super) async fn update_campaign(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<CampaignId>,
    fields: Fields<Campaign>,
    Json(request): Json<UpdateCampaignRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, _| {
            let mut campaign = Campaign::require::<PromotionError>(tx, &id)?;
            request.apply(&mut campaign)?;
            write::put_campaign(tx, &campaign)?;
            campaign.updated_at = tx.now();
            Ok::<_, PromotionError>(campaign)
        })
        .await
}

/// Deletes a campaign. Its promotions become inactive, because they would run without its dates and its budget.
#[utoipa::path(delete, path = "/admin/campaigns/{id}", tag = "Admin campaigns",
    params(("id" = CampaignId, Path)),
    responses((status = 200, description = "It is deleted", body = CampaignDeletedResponse)))]
pub(super) async fn delete_campaign(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<CampaignId>,
) -> Result<Json<CampaignDeletedResponse>, HttpError> {
    let deleted_id = id.clone();
    db.write(move |tx| write::delete_campaign(tx, &deleted_id)).await?;
    Ok(Json(Deleted::new(id)))
}

/// Adds promotions to a campaign and removes others.
#[utoipa::path(post, path = "/admin/campaigns/{id}/promotions", tag = "Admin campaigns",
    params(("id" = CampaignId, Path), Fields<Campaign>),
    request_body = ChangeCampaignPromotionsRequest,
    responses((status = 200, description = "The campaign", body = CampaignResponse)))]
pub(super) async fn change_campaign_promotions(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<CampaignId>,
    fields: Fields<Campaign>,
    Json(request): Json<ChangeCampaignPromotionsRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, _| write::move_promotions(tx, &id, &request.add, &request.remove))
        .await
}
