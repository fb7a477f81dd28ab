//! `/admin/campaigns`.
use utoipa_axum::router::OpenApiRouter;

use super::requests::{CreateCampaignRequest, UpdateCampaignRequest};
use crate::http::request;
use crate::ids::PromotionId;
use crate::promotions::promotion::Campaign;
use crate::promotions::write;
use crate::resource::AdminRoutes;
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<Campaign, _>::at("/admin/campaigns", "Admin campaigns")
        .list()
        .create(CreateCampaignRequest::create)
        .taken("The campaign_identifier is taken")
        .show()
        .update(UpdateCampaignRequest::update)
        .taken("The campaign_identifier is taken")
        .delete(write::delete_campaign)
        .note("Its promotions become inactive, because they would run without its dates and its budget.")
        .update_part(
            "/promotions",
            "change_campaign_promotions",
            "Add promotions to a campaign, and remove others",
            |request: ChangeCampaignPromotionsRequest, tx, id| {
                write::move_promotions(tx, id, &request.add, &request.remove)
            },
        )
        .router()
}

/// Promotions to add to a campaign and to remove from it.
#[request]
struct ChangeCampaignPromotionsRequest {
    #[serde(default)]
    add: Vec<PromotionId>,
    #[serde(default)]
    remove: Vec<PromotionId>,
}
