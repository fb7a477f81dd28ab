//! Sales channels: the shops, markets and apps that products are offered in.

use serde::Serialize;
use utoipa::ToSchema;

use super::RegionError;
use super::queries::channels as queries;
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::{ProductId, SalesChannelId};
use crate::metadata::{Metadata, MetadataPatch};
use crate::sent::Sent;

/// A sales channel.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SalesChannel {
    /// Its id.
    pub id: SalesChannelId,
    /// What people call it.
    #[schema(example = "Web shop")]
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// Whether it is closed: keys show nothing of it.
    pub is_disabled: bool,
    /// What the store keeps with it.
    pub metadata: Metadata,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// Always null: what is deleted is not answered.
    pub deleted_at: Option<Timestamp>,
}

/// What a new sales channel is made of.
#[derive(Debug, Clone)]
pub struct NewChannel {
    /// What people call it.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// Whether it is closed.
    pub is_disabled: bool,
    /// What the store keeps with it.
    pub metadata: Metadata,
}

impl NewChannel {
    /// An open channel of this name.
    pub fn named(name: &str) -> Self {
        let metadata = Metadata::default();
        Self { name: name.to_owned(), description: None, is_disabled: false, metadata }
    }
}

/// Makes a sales channel.
///
/// # Errors
/// [`RegionError::Db`].
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
    queries::insert(tx, &channel)?;
    Ok(channel)
}

/// The sales channel of this id.
///
/// # Errors
/// [`RegionError::NotFound`].
pub fn find_channel(tx: &Tx<'_>, id: &SalesChannelId) -> Result<SalesChannel, RegionError> {
    queries::find(tx, id)?.ok_or_else(|| RegionError::not_found("Sales channel", id))
}

/// A change of a sales channel; what is `None` stays.
#[derive(Debug, Clone, Default)]
pub struct ChannelChange {
    /// What people call it.
    pub name: Option<String>,
    /// What it is for.
    pub description: Sent<String>,
    /// Whether it is closed.
    pub is_disabled: Option<bool>,
    /// What is merged into its metadata.
    pub metadata: Option<MetadataPatch>,
}

/// Changes a sales channel. Called through [`crate::auth::Credentials::change`], so that keys follow at once.
///
/// # Errors
/// [`RegionError::NotFound`].
pub fn change_channel(
    tx: &Tx<'_>,
    id: &SalesChannelId,
    change: ChannelChange,
) -> Result<(), RegionError> {
    let mut channel = find_channel(tx, id)?;
    channel.name = change.name.unwrap_or(channel.name);
    channel.description = change.description.unwrap_or(channel.description);
    channel.is_disabled = change.is_disabled.unwrap_or(channel.is_disabled);
    if let Some(patch) = change.metadata {
        channel.metadata = patch.merge(&channel.metadata)?;
    }
    channel.updated_at = tx.now();
    Ok(queries::update(tx, &channel)?)
}

/// Deletes a sales channel. Called through [`crate::auth::Credentials::change`], so that keys follow at once.
///
/// # Errors
/// [`RegionError::NotFound`]; [`RegionError::IsDefault`] for the store's default channel.
pub fn delete_channel(tx: &Tx<'_>, id: &SalesChannelId) -> Result<(), RegionError> {
    let store = super::store(tx)?;
    if store.is_some_and(|store| store.default_sales_channel_id.as_ref() == Some(id)) {
        return Err(RegionError::IsDefault { kind: "sales channel", id: id.to_string() });
    }
    if queries::delete(tx, id)? { Ok(()) } else { Err(RegionError::not_found("Sales channel", id)) }
}

/// Puts products into a channel and takes others out of it. What is there or gone already stays so.
///
/// # Errors
/// [`RegionError::NotFound`] for the channel or for a product that is to come in.
pub fn change_channel_products(
    tx: &Tx<'_>,
    id: &SalesChannelId,
    add: &[ProductId],
    remove: &[ProductId],
) -> Result<(), RegionError> {
    find_channel(tx, id)?;
    if let Some(missing) = queries::missing_product(tx, add)? {
        return Err(RegionError::not_found("Product", &missing));
    }
    queries::add_products(tx, id, add)?;
    queries::remove_products(tx, id, remove)?;
    Ok(())
}
