//! The bodies of requests on flows.

use serde::Deserialize;

use super::draft::Draft;
use super::flow::{Flow, FlowKind};
use super::{FlowError, links, write};
use crate::database::Tx;
use crate::http::{IntoParams, Refusal, Text, request};
use crate::ids::FlowId;
use crate::money::Currency;
use crate::regions;

/// Limit: origins and hosts of a flow.
const MAX_NAMES: usize = 20;

/// A new flow.
#[request]
#[schema(example = json!({ "name": "Socks with shoes", "kind": "post_purchase", "is_public": true }))]
pub(super) struct CreateFlowRequest {
    name: Text<120>,
    kind: FlowKind,
    /// Defaults to the store's.
    currency_code: Option<Currency>,
    /// Defaults to false.
    is_public: Option<bool>,
    allowed_origins: Option<Vec<String>>,
    redirect_hosts: Option<Vec<String>>,
    /// Defaults to 60.
    #[schema(minimum = 5, maximum = 1440)]
    offer_window_minutes: Option<i64>,
    draft: Option<Draft>,
}

impl CreateFlowRequest {
    pub(super) fn create(self, tx: &Tx<'_>, by: &str) -> Result<FlowId, FlowError> {
        let currency = regions::currency_or_default(tx, self.currency_code)?;
        let flow = Flow {
            id: FlowId::new(),
            name: self.name.into(),
            kind: self.kind,
            currency,
            is_public: self.is_public.unwrap_or(false),
            allowed_origins: origins(self.allowed_origins.unwrap_or_default())?,
            redirect_hosts: hosts(self.redirect_hosts.unwrap_or_default())?,
            offer_window_minutes: window(self.offer_window_minutes.unwrap_or(60))?,
            draft: self.draft.unwrap_or_default(),
            public_token: write::new_token()?,
            old_token: None,
            old_token_until: None,
            version: None,
            revision: 1,
            created_at: tx.now(),
            updated_at: tx.now(),
        };
        write::create(tx, &flow, by)?;
        Ok(flow.id)
    }
}

/// The fields of a flow to change.
#[request]
#[schema(example = json!({ "name": "Socks with every shoe" }))]
pub(super) struct UpdateFlowRequest {
    name: Option<Text<120>>,
    is_public: Option<bool>,
    allowed_origins: Option<Vec<String>>,
    redirect_hosts: Option<Vec<String>>,
    #[schema(minimum = 5, maximum = 1440)]
    offer_window_minutes: Option<i64>,
    /// Replaces the whole draft.
    draft: Option<Draft>,
}

impl UpdateFlowRequest {
    pub(super) fn apply(self, flow: &mut Flow) -> Result<(), FlowError> {
        crate::assign!(self => flow: name, is_public, draft);
        if let Some(names) = self.allowed_origins {
            flow.allowed_origins = origins(names)?;
        }
        if let Some(names) = self.redirect_hosts {
            flow.redirect_hosts = hosts(names)?;
        }
        if let Some(minutes) = self.offer_window_minutes {
            flow.offer_window_minutes = window(minutes)?;
        }
        Ok(())
    }
}

/// A draft to check; defaults to the flow's own.
#[request]
#[schema(as = ValidateFlowRequest)]
pub(super) struct ValidateRequest {
    pub(super) draft: Option<Draft>,
}

/// A note on a version.
#[request]
#[schema(as = PublishFlowRequest)]
pub(super) struct PublishRequest {
    pub(super) note: Option<Text<500>>,
}

/// The version to publish again.
#[request]
#[schema(as = RollBackFlowRequest, example = json!({ "version": 1 }))]
pub(super) struct RollBackRequest {
    #[schema(minimum = 1)]
    pub(super) version: i64,
}

/// The currency of the copy; defaults to that of the flow.
#[request]
#[schema(as = CopyFlowRequest)]
pub(super) struct CopyRequest {
    pub(super) currency_code: Option<Currency>,
}

/// How long the previous token stays valid; defaults to a day.
#[request]
#[schema(as = RotateFlowTokenRequest)]
pub(super) struct RotateRequest {
    #[schema(minimum = 0, maximum = 720)]
    overlap_hours: Option<i64>,
}

impl RotateRequest {
    pub(super) fn overlap_hours(&self) -> Result<i64, FlowError> {
        let hours = self.overlap_hours.unwrap_or(24);
        if (0..=720).contains(&hours) {
            return Ok(hours);
        }
        Err(Refusal::invalid("Field 'overlap_hours' must be from 0 to 720").into())
    }
}

/// Whether open sessions end.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ArchiveQuery {
    /// Whether open sessions end at once.
    pub(super) revoke: Option<bool>,
}

fn window(minutes: i64) -> Result<i64, FlowError> {
    if (5..=1_440).contains(&minutes) {
        return Ok(minutes);
    }
    Err(Refusal::invalid("Field 'offer_window_minutes' must be from 5 to 1440").into())
}

fn origins(names: Vec<String>) -> Result<Vec<String>, FlowError> {
    checked("allowed_origins", names, links::origin)
}

fn hosts(names: Vec<String>) -> Result<Vec<String>, FlowError> {
    checked("redirect_hosts", names, links::host)
}

fn checked(
    field: &str,
    names: Vec<String>,
    read: impl Fn(&str) -> Option<String>,
) -> Result<Vec<String>, FlowError> {
    if names.len() > MAX_NAMES {
        return Err(Refusal::invalid(format!("Field '{field}' has more than 20 entries")).into());
    }
    let read = |name: String| {
        read(&name)
            .ok_or_else(|| Refusal::invalid(format!("Field '{field}': `{name}` is not valid")))
    };
    Ok(names.into_iter().map(read).collect::<Result<_, _>>()?)
}
