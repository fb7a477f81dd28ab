//! Queries for settings.

use rusqlite::named_params;

use super::setting::StorefrontSetting;
use crate::database::{Error, Record as _, Tx};
use crate::ids::{self, SalesChannelId};

/// Returns the setting of the first of these channels, by id, that has one.
pub(super) fn of_channels(
    tx: &Tx<'_>,
    channels: &[SalesChannelId],
) -> Result<Option<StorefrontSetting>, Error> {
    StorefrontSetting::select_one(
        tx,
        "where s.id in (select value from json_each(:channels)) order by s.id limit 1",
        named_params! { ":channels": ids::list(channels) },
    )
}
