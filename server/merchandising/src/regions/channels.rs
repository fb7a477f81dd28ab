//! Sales channels: the shops, marketplaces and apps that sell products.

use serde::Serialize;

use super::RegionError;
use super::queries;
use crate::clock::Timestamp;
use crate::database::{Record, Table, Tx, first_missing};
use crate::http::{Resource, ToSchema};
use crate::ids::{ProductId, SalesChannelId};
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
    let NewChannel { name, description, is_disabled, metadata } = new;
    let channel = SalesChannel {
        id: SalesChannelId::new(),
        name,
        description,
        is_disabled,
        metadata,
        created_at: tx.now(),
        updated_at: tx.now(),
        deleted_at: None,
    };
    channel.insert(tx)?;
    Ok(channel)
}

/// Returns a sales channel.
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

/// Adds products to a channel and removes others. Adding a present product and removing an absent one have no effect.
///
/// # Errors
/// [`RegionError::NotFound`] for the channel or for a product to add.
pub fn change_channel_products(
    tx: &Tx<'_>,
    id: &SalesChannelId,
    add: &[ProductId],
    remove: &[ProductId],
) -> Result<(), RegionError> {
    find_channel(tx, id)?;
    if let Some(missing) = first_missing::<String>(tx, "product", add)? {
        return Err(RegionError::not_found("Product", &missing));
    }
    queries::CHANNEL_PRODUCTS.add(tx, &[id], add)?;
    Ok(queries::CHANNEL_PRODUCTS.remove(tx, &[id], remove)?)
}
