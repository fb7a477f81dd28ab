//! Stored banners.

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::database::{Record, Table as _, Tx, Word};
use crate::error::{ContentError, check_room, must_exist};
use crate::http::{Refusal, Resource, ToSchema};
use crate::ids::{BannerId, CampaignId, CustomerGroupId, SiteId};
use crate::metadata::Metadata;
use crate::schedule::Window;
use crate::sites::Site;

/// Limit: banners of a store, because a request reads all banners of its site.
const MAX_BANNERS: u32 = 1_000;

/// Limit: customer groups of a banner.
const MAX_GROUPS: usize = 50;

/// To whom a banner is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "snake_case")]
pub(super) enum Audience {
    Everyone,
    /// Visitors who are not logged in.
    Guests,
    /// Logged-in customers; only those in `customer_group_ids`, if there are any.
    Customers,
}

/// A banner.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "banner b")]
#[record(list(plural = "banners", usual, search = ["b.title", "b.body", "b.placement"], order = "-created_at"))]
#[resource(name = "banner", error = ContentError)]
pub(super) struct Banner {
    pub(super) id: BannerId,
    /// The site that shows it; none for storefronts without a site.
    #[column(filter)]
    pub(super) site_id: Option<SiteId>,
    /// The placement in the storefront.
    #[column(filter)]
    #[schema(example = "home-top")]
    pub(super) placement: String,
    /// The language; none for a banner in every language.
    #[column(filter)]
    pub(super) locale: Option<String>,
    #[column(order)]
    pub(super) title: String,
    pub(super) body: Option<String>,
    pub(super) image_url: Option<String>,
    pub(super) mobile_image_url: Option<String>,
    pub(super) image_alt: Option<String>,
    pub(super) link_url: Option<String>,
    pub(super) link_label: Option<String>,
    /// Higher ones are shown first.
    #[column(filter, order)]
    pub(super) priority: i64,
    /// The start of its own window.
    #[column(filter, order)]
    pub(super) starts_at: Option<Timestamp>,
    /// The end of its own window.
    #[column(filter, order)]
    pub(super) ends_at: Option<Timestamp>,
    /// The campaign whose window applies if it has none of its own.
    #[column(filter)]
    pub(super) campaign_id: Option<CampaignId>,
    #[column(filter)]
    pub(super) audience: Audience,
    #[column(json)]
    pub(super) customer_group_ids: Vec<CustomerGroupId>,
    pub(super) is_dismissible: bool,
    #[column(filter)]
    pub(super) is_enabled: bool,
    pub(super) metadata: Metadata,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
}

impl Banner {
    /// Returns an empty banner.
    pub(super) fn new(title: String, now: Timestamp) -> Self {
        Self {
            id: BannerId::new(),
            site_id: None,
            placement: "default".to_owned(),
            locale: None,
            title,
            body: None,
            image_url: None,
            mobile_image_url: None,
            image_alt: None,
            link_url: None,
            link_label: None,
            priority: 0,
            starts_at: None,
            ends_at: None,
            campaign_id: None,
            audience: Audience::Everyone,
            customer_group_ids: Vec::new(),
            is_dismissible: false,
            is_enabled: true,
            metadata: Metadata::default(),
            created_at: now,
            updated_at: now,
        }
    }

    /// Returns its own window.
    pub(super) const fn window(&self) -> Window {
        Window::new(self.starts_at, self.ends_at)
    }

    pub(super) fn add(&self, tx: &Tx<'_>) -> Result<(), ContentError> {
        check_room::<Self>(tx, "banners", MAX_BANNERS)?;
        self.check(tx, None)?;
        Ok(self.insert(tx)?)
    }

    pub(super) fn save(&self, tx: &Tx<'_>, before: &Self) -> Result<(), ContentError> {
        self.check(tx, Some(before))?;
        Ok(self.update(tx)?)
    }

    fn check(&self, tx: &Tx<'_>, before: Option<&Self>) -> Result<(), ContentError> {
        self.window().check()?;
        if !self.customer_group_ids.is_empty() && self.audience != Audience::Customers {
            let message = "`customer_group_ids` needs the audience `customers`";
            return Err(Refusal::invalid(message).into());
        }
        if self.customer_group_ids.len() > MAX_GROUPS {
            return Err(Refusal::invalid("`customer_group_ids` has at most 50 entries").into());
        }
        let campaigns = before.into_iter().flat_map(|banner| &banner.campaign_id);
        must_exist(tx, "campaign", "Campaign", &self.campaign_id, campaigns)?;
        let groups = before.into_iter().flat_map(|banner| &banner.customer_group_ids);
        must_exist(tx, "customer_group", "Customer group", &self.customer_group_ids, groups)?;
        if let Some(id) = &self.site_id {
            Site::require::<ContentError>(tx, id)?;
        }
        Ok(())
    }
}
