//! `/admin/campaigns`.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::requests::{CreateCampaignRequest, UpdateCampaignRequest};
use super::shape::{AdminCampaigns, CampaignView};
use crate::auth::{AdminReader, AdminWriter};
use crate::database::{Db, Error};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Path};
use crate::ids::{CampaignId, PromotionId};
use crate::promotions::{PromotionError, queries, write};

/// A campaign.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CampaignResponse {
    /// The campaign.
    campaign: CampaignView,
}

/// A page of campaigns.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CampaignListResponse {
    /// The page.
    campaigns: Vec<CampaignView>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// That a campaign is deleted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "id": "procamp_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "object": "campaign", "deleted": true }))]
pub(super) struct CampaignDeletedResponse {
    /// The campaign.
    id: CampaignId,
    /// Always `campaign`.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

/// Which promotions come into a campaign, and which leave it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ChangeCampaignPromotionsRequest {
    #[serde(default)]
    add: Vec<PromotionId>,
    #[serde(default)]
    remove: Vec<PromotionId>,
}

/// Lists campaigns.
#[utoipa::path(get, path = "/admin/campaigns", tag = "Admin campaigns", params(ListRequest<AdminCampaigns>),
    responses((status = 200, description = "A page", body = CampaignListResponse)))]
pub(super) async fn list_campaigns(
    _admin: AdminReader,
    State(db): State<Db>,
    list: ListRequest<AdminCampaigns>,
) -> Result<Answer, HttpError> {
    let query = list.query.clone();
    let (campaigns, count) =
        db.read::<_, Error>(move |tx| queries::campaigns::page(tx, query)).await?;
    let rows: Vec<_> = campaigns.iter().map(CampaignView::new).collect();
    list.answer(&rows, count)
}

/// Makes a campaign.
#[utoipa::path(post, path = "/admin/campaigns", tag = "Admin campaigns", params(Fields<AdminCampaigns>),
    request_body = CreateCampaignRequest,
    responses((status = 200, description = "The campaign", body = CampaignResponse)))]
pub(super) async fn create_campaign(
    _admin: AdminWriter,
    State(db): State<Db>,
    fields: Fields<AdminCampaigns>,
    Json(request): Json<CreateCampaignRequest>,
) -> Result<Answer, HttpError> {
    let campaign = db
        .write(move |tx| {
            let campaign = request.into_campaign(tx.now())?;
            write::put_campaign(tx, &campaign)?;
            Ok::<_, PromotionError>(campaign)
        })
        .await?;
    fields.selection.answer("campaign", &CampaignView::new(&campaign))
}

/// Shows a campaign.
#[utoipa::path(get, path = "/admin/campaigns/{id}", tag = "Admin campaigns",
    params(("id" = CampaignId, Path), Fields<AdminCampaigns>),
    responses((status = 200, description = "The campaign", body = CampaignResponse)))]
pub(super) async fn show_campaign(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<CampaignId>,
    fields: Fields<AdminCampaigns>,
) -> Result<Answer, HttpError> {
    let campaign = db.read(move |tx| write::find_campaign(tx, &id)).await?;
    fields.selection.answer("campaign", &CampaignView::new(&campaign))
}

/// Changes a campaign.
#[utoipa::path(post, path = "/admin/campaigns/{id}", tag = "Admin campaigns",
    params(("id" = CampaignId, Path), Fields<AdminCampaigns>), request_body = UpdateCampaignRequest,
    responses((status = 200, description = "The campaign", body = CampaignResponse)))]
pub(super) async fn update_campaign(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<CampaignId>,
    fields: Fields<AdminCampaigns>,
    Json(request): Json<UpdateCampaignRequest>,
) -> Result<Answer, HttpError> {
    let campaign = db
        .write(move |tx| {
            let mut campaign = write::find_campaign(tx, &id)?;
            request.apply(&mut campaign)?;
            write::put_campaign(tx, &campaign)?;
            campaign.updated_at = tx.now();
            Ok::<_, PromotionError>(campaign)
        })
        .await?;
    fields.selection.answer("campaign", &CampaignView::new(&campaign))
}

/// Deletes a campaign. Its promotions become inactive, for they would run without its dates and its budget.
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
    Ok(Json(CampaignDeletedResponse { id, object: "campaign", deleted: true }))
}

/// Puts promotions into a campaign and takes others out of it.
#[utoipa::path(post, path = "/admin/campaigns/{id}/promotions", tag = "Admin campaigns",
    params(("id" = CampaignId, Path), Fields<AdminCampaigns>),
    request_body = ChangeCampaignPromotionsRequest,
    responses((status = 200, description = "The campaign", body = CampaignResponse)))]
pub(super) async fn change_campaign_promotions(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<CampaignId>,
    fields: Fields<AdminCampaigns>,
    Json(request): Json<ChangeCampaignPromotionsRequest>,
) -> Result<Answer, HttpError> {
    let campaign =
        db.write(move |tx| write::move_promotions(tx, &id, &request.add, &request.remove)).await?;
    fields.selection.answer("campaign", &CampaignView::new(&campaign))
}
