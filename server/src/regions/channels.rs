//! Sales channels: the shops, markets and apps that products are offered in.

use serde::Serialize;
use utoipa::ToSchema;

use super::RegionError;
use super::queries::channels as queries;
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::SalesChannelId;
use crate::metadata::Metadata;

/// A sales channel.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct SalesChannel {
    /// Its id.
    pub(crate) id: SalesChannelId,
    /// What people call it.
    #[schema(example = "Web shop")]
    pub(crate) name: String,
    /// What it is for.
    pub(crate) description: Option<String>,
    /// Whether it is closed: keys show nothing of it.
    pub(crate) is_disabled: bool,
    /// What the store keeps with it.
    pub(crate) metadata: Metadata,
    /// When it was made.
    pub(crate) created_at: Timestamp,
    /// When it was changed last.
    pub(crate) updated_at: Timestamp,
    /// Always null: what is deleted is not answered.
    pub(crate) deleted_at: Option<Timestamp>,
}

/// What a new sales channel is made of.
#[derive(Debug, Clone)]
pub(crate) struct NewChannel {
    /// What people call it.
    pub(crate) name: String,
    /// What it is for.
    pub(crate) description: Option<String>,
    /// Whether it is closed.
    pub(crate) is_disabled: bool,
    /// What the store keeps with it.
    pub(crate) metadata: Metadata,
}

impl NewChannel {
    /// An open channel of this name.
    pub(crate) fn named(name: &str) -> Self {
        let metadata = Metadata::default();
        Self { name: name.to_owned(), description: None, is_disabled: false, metadata }
    }
}

/// Makes a sales channel.
///
/// # Errors
/// [`RegionError::Db`].
pub(crate) fn create_channel(tx: &Tx<'_>, new: NewChannel) -> Result<SalesChannel, RegionError> {
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
pub(crate) fn find_channel(tx: &Tx<'_>, id: &SalesChannelId) -> Result<SalesChannel, RegionError> {
    queries::find(tx, id)?.ok_or_else(|| RegionError::not_found("Sales channel", id))
}
