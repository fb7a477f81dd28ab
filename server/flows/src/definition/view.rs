//! The views of flows and versions.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::error::FlowError;
use super::flow::{Flow, FlowKind, Version};
use crate::clock::Timestamp;
use crate::http::Resource;
use crate::ids::{FlowId, FlowVersionId};
use crate::money::Currency;

/// A funnel of offers and questions.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "flow", rows = Flow, error = FlowError)]
#[schema(as = Flow)]
pub(crate) struct FlowView {
    id: FlowId,
    #[schema(example = "Socks with shoes")]
    name: String,
    kind: FlowKind,
    /// Its conditions name amounts in this currency.
    currency_code: Currency,
    /// Whether pages without a publishable key may begin it.
    is_public: bool,
    /// The origins of pages that may call it.
    allowed_origins: Vec<String>,
    /// The hosts of its URLs.
    redirect_hosts: Vec<String>,
    /// How long after the order something can be accepted.
    offer_window_minutes: i64,
    /// What the next version will be, as described with the request.
    #[schema(value_type = Object)]
    draft: Value,
    /// What pages name it by.
    public_token: String,
    /// The number of the published version; null before the first.
    version: Option<i64>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl From<Flow> for FlowView {
    fn from(flow: Flow) -> Self {
        Self {
            id: flow.id,
            name: flow.name,
            kind: flow.kind,
            currency_code: flow.currency,
            is_public: flow.is_public,
            allowed_origins: flow.allowed_origins,
            redirect_hosts: flow.redirect_hosts,
            offer_window_minutes: flow.offer_window_minutes,
            // A draft consists of strings, numbers and lists, so serialization cannot fail.
            draft: serde_json::to_value(flow.draft).unwrap_or_default(),
            public_token: flow.public_token,
            version: flow.version,
            created_at: flow.created_at,
            updated_at: flow.updated_at,
        }
    }
}

/// A published version of a flow.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "flow_version", rows = Version)]
#[schema(as = FlowVersion)]
pub(crate) struct VersionView {
    id: FlowVersionId,
    version: i64,
    note: Option<String>,
    /// The buttons as they were published.
    #[schema(value_type = Object)]
    definition: Value,
    created_by: String,
    created_at: Timestamp,
}

impl From<Version> for VersionView {
    fn from(version: Version) -> Self {
        Self {
            id: version.id,
            version: version.number,
            note: version.note,
            definition: serde_json::to_value(version.definition).unwrap_or_default(),
            created_by: version.created_by,
            created_at: version.created_at,
        }
    }
}
