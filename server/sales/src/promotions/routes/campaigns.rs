//! `/admin/campaigns`.
use utoipa_axum::router::OpenApiRouter;

use super::requests::{CreateCampaignRequest, UpdateCampaignRequest};
use crate::database::{Table as _, Tx};
use crate::http::request;
use crate::ids::{CampaignId, PromotionId};
use crate::promotions::promotion::Campaign;
use crate::promotions::{PromotionError, write};
use crate::resource::{AdminRoutes, View};
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<Campaign, _>::at("/admin/campaigns", "Admin campaigns")
        .list()
        .create(CreateCampaignRequest::create)
        .show()
        .update(UpdateCampaignRequest::update)
        .delete(write::delete_campaign)
        .note("Its promotions become inactive, because they would run without its dates and its budget.")
        .update_part(
            "/promotions",
            "change_campaign_promotions",
            "Add promotions to a campaign, and remove others",
            ChangeCampaignPromotionsRequest::change,
        )
        .router()
}

impl View for Campaign {
    type Row = Self;
    type Error = PromotionError;
}

impl CreateCampaignRequest {
    fn create(self, tx: &Tx<'_>, _by: &str) -> Result<CampaignId, PromotionError> {
        let campaign = self.into_campaign(tx.now())?;
        write::put_campaign(tx, &campaign)?;
        Ok(campaign.id)
    }
}

impl UpdateCampaignRequest {
    fn update(self, tx: &Tx<'_>, id: &CampaignId) -> Result<(), PromotionError> {
        let mut campaign = Campaign::require::<PromotionError>(tx, id)?;
        self.apply(&mut campaign)?;
        write::put_campaign(tx, &campaign)
    }
}

/// Promotions to add to a campaign and to remove from it.
#[request]
struct ChangeCampaignPromotionsRequest {
    #[serde(default)]
    add: Vec<PromotionId>,
    #[serde(default)]
    remove: Vec<PromotionId>,
}

impl ChangeCampaignPromotionsRequest {
    fn change(self, tx: &Tx<'_>, id: &CampaignId) -> Result<(), PromotionError> {
        write::move_promotions(tx, id, &self.add, &self.remove)
    }
}
