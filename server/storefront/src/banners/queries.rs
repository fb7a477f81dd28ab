//! Queries for banners.

use rusqlite::named_params;

use super::banner::Banner;
use crate::clock::Timestamp;
use crate::database::{Error, Record as _, Tx};
use crate::ids::{self, ById, CampaignId, SiteId};
use crate::schedule::Window;

/// Returns the enabled banners of a site, or of no site, whose own window has not ended.
pub(super) fn candidates(
    tx: &Tx<'_>,
    site: Option<&SiteId>,
    placement: Option<&str>,
    now: Timestamp,
) -> Result<Vec<Banner>, Error> {
    Banner::select(
        tx,
        "where b.site_id is :site and b.is_enabled and (b.ends_at is null or b.ends_at > :now)
            and (:placement is null or b.placement = :placement)",
        named_params! { ":site": site, ":placement": placement, ":now": now },
    )
}

/// Returns the windows of campaigns that are not deleted.
pub(super) fn campaign_windows(
    tx: &Tx<'_>,
    campaigns: impl IntoIterator<Item: AsRef<str>>,
) -> Result<ById<Window>, Error> {
    tx.sql(
        "select id, starts_at, ends_at from campaign
          where id in (select value from json_each(:ids)) and deleted_at is null",
    )
    .all(named_params! { ":ids": ids::list(campaigns) }, |row| {
        Ok((row.get::<_, CampaignId>(0)?, Window::new(row.get(1)?, row.get(2)?)))
    })
}
