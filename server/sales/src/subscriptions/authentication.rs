//! The data with which customers authenticate a card whose charge was refused in their absence.

use serde::Serialize;

use super::error::SubscriptionError;
use super::queries;
use crate::database::{Table as _, Tx};
use crate::http::ToSchema;
use crate::ids::SubscriptionId;
use crate::payments::payment::Session;
use crate::payments::provider::AUTHENTICATION_REQUIRED;

/// What authenticates the card.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = SubscriptionDunningAction)]
pub(super) struct Authentication {
    /// Always `authenticate`.
    #[serde(rename = "type")]
    #[schema(example = "authenticate")]
    kind: &'static str,
    provider_id: String,
    /// The secret of the refused payment, for the provider's script. Once the card is authenticated, the cycle is paid.
    client_secret: String,
}

/// Returns the authentication of the last card that the open cycle was charged to and that awaits its holder.
pub(super) fn of(
    tx: &Tx<'_>,
    id: &SubscriptionId,
) -> Result<Option<Authentication>, SubscriptionError> {
    let Some(cycle) = queries::open_cycle(tx, id)? else { return Ok(None) };
    let attempt = queries::last_refused_for(tx, &cycle.id, AUTHENTICATION_REQUIRED)?;
    let Some(session_id) = attempt.and_then(|attempt| attempt.payment_session_id) else {
        return Ok(None);
    };
    let session = Session::find(tx, &session_id)?;
    Ok(session.and_then(|session| {
        let client_secret = session.data.get("client_secret")?.as_str()?.to_owned();
        let kind = "authenticate";
        Some(Authentication { kind, provider_id: session.provider_id, client_secret })
    }))
}
