//! Queries for sites.

use rusqlite::named_params;

use super::site::{Site, StoreSite};
use crate::database::{Error, Record as _, Tx};
use crate::ids::{self, SalesChannelId, SiteId};
use crate::slug::Slug;

/// Makes all other sites of a channel not primary.
pub(super) fn only_primary(
    tx: &Tx<'_>,
    channel: &SalesChannelId,
    id: &SiteId,
) -> Result<(), Error> {
    tx.sql(
        "update site set is_primary = 0, updated_at = :now
          where sales_channel_id = :channel and is_primary and id <> :id",
    )
    .run(named_params! { ":channel": channel, ":id": id, ":now": tx.now() })
}

/// Returns the enabled site of a domain in one of the channels, or that of the bare domain if the domain has
/// none.
pub(super) fn with_domain(
    tx: &Tx<'_>,
    (domain, bare): (&str, &str),
    channels: &[SalesChannelId],
) -> Result<Option<StoreSite>, Error> {
    StoreSite::select_one(
        tx,
        "where s.domain in (:domain, :bare) and s.is_enabled
            and s.sales_channel_id in (select value from json_each(:channels))
          order by s.domain = :domain desc limit 1",
        named_params! { ":domain": domain, ":bare": bare, ":channels": ids::list(channels) },
    )
}

/// Returns the enabled site with a handle in one of the channels; none without a handle.
pub(crate) fn with_handle(
    tx: &Tx<'_>,
    handle: Option<&Slug>,
    channels: &[SalesChannelId],
) -> Result<Option<Site>, Error> {
    let Some(handle) = handle else { return Ok(None) };
    Site::select_one(
        tx,
        "where s.handle = :handle and s.is_enabled
            and s.sales_channel_id in (select value from json_each(:channels))",
        named_params! { ":handle": handle.as_str(), ":channels": ids::list(channels) },
    )
}
