//! The bodies of requests on banners.

use super::banner::{Audience, Banner};
use crate::clock::Timestamp;
use crate::database::{Table as _, Tx};
use crate::error::ContentError;
use crate::http::{Patch, Text, request};
use crate::ids::{BannerId, CampaignId, CustomerGroupId, SiteId};
use crate::link::Link;
use crate::locale::Locale;
use crate::metadata::MetadataPatch;
use crate::slug::Slug;

/// A new banner. It is shown in its own window, or, without one, while its campaign runs.
#[request]
#[schema(example = json!({
    "placement": "home-top", "title": "Winter sale", "link_url": "/sale", "priority": 10,
    "starts_at": "2026-12-01T00:00:00Z", "ends_at": "2027-01-01T00:00:00Z",
}))]
pub(super) struct CreateBannerRequest {
    title: Text,
    site_id: Option<SiteId>,
    /// Defaults to `default`.
    placement: Option<Slug>,
    locale: Option<Locale>,
    /// Plain text.
    body: Option<Text<2000>>,
    image_url: Option<Link>,
    mobile_image_url: Option<Link>,
    image_alt: Option<Text>,
    link_url: Option<Link>,
    link_label: Option<Text<60>>,
    /// Defaults to 0; higher ones are shown first.
    priority: Option<i32>,
    starts_at: Option<Timestamp>,
    ends_at: Option<Timestamp>,
    campaign_id: Option<CampaignId>,
    /// Defaults to `everyone`.
    audience: Option<Audience>,
    customer_group_ids: Option<Vec<CustomerGroupId>>,
    is_dismissible: Option<bool>,
    /// Defaults to true.
    is_enabled: Option<bool>,
    metadata: Option<MetadataPatch>,
}

/// The fields of a banner to change.
#[request]
#[schema(example = json!({ "priority": 20, "ends_at": null }))]
pub(super) struct UpdateBannerRequest {
    title: Option<Text>,
    site_id: Patch<SiteId>,
    placement: Option<Slug>,
    locale: Patch<Locale>,
    body: Patch<Text<2000>>,
    image_url: Patch<Link>,
    mobile_image_url: Patch<Link>,
    image_alt: Patch<Text>,
    link_url: Patch<Link>,
    link_label: Patch<Text<60>>,
    priority: Option<i32>,
    starts_at: Patch<Timestamp>,
    ends_at: Patch<Timestamp>,
    campaign_id: Patch<CampaignId>,
    audience: Option<Audience>,
    customer_group_ids: Option<Vec<CustomerGroupId>>,
    is_dismissible: Option<bool>,
    is_enabled: Option<bool>,
    metadata: Option<MetadataPatch>,
}

impl CreateBannerRequest {
    pub(super) fn create(self, tx: &Tx<'_>, _by: &str) -> Result<BannerId, ContentError> {
        let mut banner = Banner::new(self.title.into(), tx.now());
        crate::assign!(self => banner:
            site_id, placement, locale, body, image_url, mobile_image_url, image_alt, link_url,
            link_label, priority, starts_at, ends_at, campaign_id, audience, customer_group_ids,
            is_dismissible, is_enabled
        );
        banner.metadata.merge(self.metadata)?;
        banner.add(tx)?;
        Ok(banner.id)
    }
}

impl UpdateBannerRequest {
    pub(super) fn update(self, tx: &Tx<'_>, id: &BannerId) -> Result<(), ContentError> {
        let before = Banner::require::<ContentError>(tx, id)?;
        let mut banner = before.clone();
        crate::assign!(self => banner:
            title, site_id, placement, locale, body, image_url, mobile_image_url, image_alt,
            link_url, link_label, priority, starts_at, ends_at, campaign_id, audience,
            customer_group_ids, is_dismissible, is_enabled
        );
        banner.metadata.merge(self.metadata)?;
        banner.save(tx, &before)
    }
}
