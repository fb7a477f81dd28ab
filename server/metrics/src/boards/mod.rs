//! Boards: which figures a person has pinned, and in which order.
//!
//! A board belongs to its owner, who alone can change it; others see it once it is shared. Its tiles are keys: of metrics,
//! and `standard:` with the key of a dashboard card. A tile whose metric no longer exists stays until it is removed.

mod queries;
mod routes;

pub(crate) use queries::visible;
pub(crate) use routes::router;

use serde::Serialize;

use crate::clock::Timestamp;
use crate::database::FromRow;
use crate::http::ToSchema;

/// Limit: boards of one person.
const MAX_BOARDS: i64 = 50;

/// A board.
#[derive(Debug, Clone, Serialize, ToSchema, FromRow)]
#[schema(example = json!({ "name": "overview", "owner_id": "user_01M86YFX3HTETCF1JQQBZ73F91", "is_own": true,
    "is_shared": false, "tiles": ["standard:net_sales", "aov"], "updated_at": "2026-11-21T09:00:00.000Z" }))]
pub(crate) struct Board {
    /// The name, unique among the owner's boards.
    pub name: String,
    /// The user or the key that it belongs to.
    pub owner_id: String,
    /// Whether it is the caller's.
    pub is_own: bool,
    /// Whether others see it.
    pub is_shared: bool,
    /// The keys of the pinned figures, in order.
    #[column(json)]
    pub tiles: Vec<String>,
    /// When it was last changed.
    pub updated_at: Timestamp,
}
