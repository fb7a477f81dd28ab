//! Flows and their versions, as stored.

use serde::{Deserialize, Serialize, Serializer};

use super::draft::{ButtonDraft, Draft};
use super::{FlowError, links};
use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind};
use crate::database::{Filtered as _, Record, Word};
use crate::http::{Resource, ToSchema};
use crate::ids::{FlowButtonId, FlowId, FlowVersionId};
use crate::money::Currency;

/// When a flow is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FlowKind {
    /// Before the purchase: accepted offers are added to the cart.
    PrePurchase,
    /// After the purchase: accepted offers are charged and added to the order.
    PostPurchase,
}

/// A funnel of offers and questions.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "flow f", title = "Flow", soft_delete)]
#[record(list(
    plural = "flows",
    search = ["f.name", "f.id"],
    order = "-created_at",
    columns = [Column::filter("currency_code", "f.currency", Currency::KIND)],
))]
#[resource(name = "flow", error = FlowError)]
pub(crate) struct Flow {
    #[column(filter, order)]
    pub(crate) id: FlowId,
    #[column(filter, order)]
    #[schema(example = "Socks with shoes")]
    pub(crate) name: String,
    #[column(filter)]
    pub(crate) kind: FlowKind,
    /// Its conditions name amounts in this currency.
    #[column(name = "currency")]
    #[serde(rename = "currency_code")]
    pub(crate) currency: Currency,
    /// Whether pages can start it without a publishable key.
    #[column(filter)]
    pub(crate) is_public: bool,
    /// The origins of pages that can call it.
    #[column(json)]
    pub(crate) allowed_origins: Vec<String>,
    /// The hosts that its URLs may use.
    #[column(json)]
    pub(crate) redirect_hosts: Vec<String>,
    /// How long after the order offers can be accepted.
    pub(crate) offer_window_minutes: i64,
    /// The next version, as described for the request.
    #[column(json)]
    #[serde(serialize_with = "by_name")]
    #[schema(value_type = Object)]
    pub(crate) draft: Draft,
    /// The token that pages use for it.
    pub(crate) public_token: String,
    /// The previous token, which is valid until a given time.
    #[serde(skip)]
    pub(crate) old_token: Option<String>,
    #[serde(skip)]
    pub(crate) old_token_until: Option<Timestamp>,
    /// The number of the published version; null before the first one.
    pub(crate) version: Option<i64>,
    /// Incremented by every change.
    #[serde(skip)]
    pub(crate) revision: i64,
    #[column(filter, order)]
    pub(crate) created_at: Timestamp,
    #[column(filter, order)]
    pub(crate) updated_at: Timestamp,
}

/// Serializes a draft with its members sorted by name.
fn by_name<S: Serializer>(draft: &Draft, serializer: S) -> Result<S::Ok, S::Error> {
    // A draft consists of strings, numbers and lists, so this cannot fail.
    serde_json::to_value(draft).unwrap_or_default().serialize(serializer)
}

/// A published version of a flow.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "flow_version v", title = "Flow version")]
#[record(list(
    plural = "versions",
    order = "-version",
    limit = 200,
    columns = [Column::new("version", "v.number", Kind::Integer)],
))]
#[resource(name = "flow_version")]
#[schema(as = FlowVersion)]
pub(crate) struct Version {
    pub(crate) id: FlowVersionId,
    #[serde(skip)]
    pub(crate) flow_id: FlowId,
    #[column(name = "number")]
    #[serde(rename = "version")]
    pub(crate) number: i64,
    pub(crate) note: Option<String>,
    /// The buttons as they were published.
    #[column(json)]
    #[serde(serialize_with = "by_name")]
    #[schema(value_type = Object)]
    pub(crate) definition: Draft,
    pub(crate) created_by: String,
    pub(crate) created_at: Timestamp,
}

#[derive(Debug, Clone)]
pub(crate) struct Definition {
    pub(crate) version: Version,
    /// Keys with the ids of their buttons, in the order of the keys.
    pub(crate) buttons: Vec<(String, FlowButtonId)>,
    /// The hosts that the flow allows at present.
    pub(crate) redirect_hosts: Vec<String>,
}

impl Definition {
    pub(crate) fn button(&self, key: &str) -> Option<&ButtonDraft> {
        self.version.definition.buttons.get(key)
    }

    pub(crate) fn id_of(&self, key: &str) -> Option<&FlowButtonId> {
        self.buttons.iter().find(|(own, _)| own == key).map(|(_, id)| id)
    }

    /// Returns a URL if it may be sent: the allowed hosts may have changed since the version was
    /// published.
    pub(crate) fn allowed<'u>(&self, url: Option<&'u str>) -> Option<&'u str> {
        url.filter(|url| links::is_allowed(url, &self.redirect_hosts))
    }

    pub(crate) fn key_of(&self, id: &FlowButtonId) -> Option<&str> {
        self.buttons.iter().find(|(_, own)| own == id).map(|(key, _)| key.as_str())
    }
}
