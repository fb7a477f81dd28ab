//! Sales channels: the shops, marketplaces and apps that sell products.

use serde::Serialize;

use super::RegionError;
use crate::clock::Timestamp;
use crate::database::{Record, Table, Tx};
use crate::http::{Resource, ToSchema};
use crate::ids::SalesChannelId;
use crate::metadata::Metadata;

/// A sales channel.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "sales_channel c")]
#[record(list(plural = "sales_channels", usual, search = ["c.name", "c.description"]))]
#[resource(name = "sales channel", object = "sales-channel", error = RegionError)]
pub struct SalesChannel {
    pub id: SalesChannelId,
    #[schema(example = "Web shop")]
    #[column(filter, order)]
    pub name: String,
    #[column(filter)]
    pub description: Option<String>,
    /// Whether it is disabled: publishable keys do not show its products.
    #[column(filter)]
    pub is_disabled: bool,
    pub metadata: Metadata,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Always null: deleted channels are never returned.
    pub deleted_at: Option<Timestamp>,
}

#[derive(Debug, Clone)]
pub struct NewChannel {
    pub name: String,
    pub description: Option<String>,
    pub is_disabled: bool,
    pub metadata: Metadata,
}

impl NewChannel {
    /// Returns an enabled channel with a name.
    pub fn named(name: &str) -> Self {
        let metadata = Metadata::default();
        Self { name: name.to_owned(), description: None, is_disabled: false, metadata }
    }
}

pub fn create_channel(tx: &Tx<'_>, new: NewChannel) -> Result<SalesChannel, RegionError> {
    let channel = SalesChannel {
        id: SalesChannelId::new(),
        name: new.name,
        description: new.description,
        is_disabled: new.is_disabled,
        metadata: new.metadata,
        created_at: tx.now(),
        updated_at: tx.now(),
        deleted_at: None,
    };
    channel.insert(tx)?;
    Ok(channel)
}

pub fn find_channel(tx: &Tx<'_>, id: &SalesChannelId) -> Result<SalesChannel, RegionError> {
    SalesChannel::require(tx, id)
}

/// Deletes a sales channel. Call it through [`crate::auth::Credentials::change`], so that keys change at once.
///
/// # Errors
/// [`RegionError::NotFound`]; [`RegionError::IsDefault`] for the store's default channel.
pub fn delete_channel(tx: &Tx<'_>, id: &SalesChannelId) -> Result<(), RegionError> {
    let store = super::store(tx)?;
    if store.is_some_and(|store| store.default_sales_channel_id.as_ref() == Some(id)) {
        return Err(RegionError::IsDefault { kind: "sales channel", id: id.to_string() });
    }
    SalesChannel::remove(tx, id)
}
