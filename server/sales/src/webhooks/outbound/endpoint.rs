//! Endpoints: where events are sent, and which ones. A secret is shown once.

use quotient_foundation::webhooks::{Secret, target};
use serde::Serialize;
use serde_json::json;

use super::events::EVENTS;
use crate::audit_log::{self, EntityType};
use crate::clock::{DAY_MS, HOUR_MS, Timestamp};
use crate::database::{self, Record, Table as _, Tx};
use crate::events;
use crate::http::{Patch, Resource, ToSchema};
use crate::ids::WebhookEndpointId;
use crate::webhooks::announce::DISABLED;
use crate::webhooks::error::WebhookError;

/// Limit: endpoints of a store, because each event is compared with all.
const MAX_ENDPOINTS: u32 = 50;

/// Limit: how long an endpoint may fail before it is switched off, in milliseconds.
const MAX_FAILING_MS: i64 = 5 * DAY_MS;

/// The name that matches all events.
const EVERY: &str = "*";

/// An endpoint that events are sent to.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "webhook_endpoint e", title = "Webhook endpoint")]
#[record(list(
    plural = "webhook_endpoints",
    usual,
    search = ["e.url", "e.description"],
    order = "-created_at",
))]
#[resource(name = "webhook endpoint", error = WebhookError)]
pub(crate) struct WebhookEndpoint {
    pub(crate) id: WebhookEndpointId,
    #[schema(example = "https://hooks.shop.example/quotient")]
    pub(crate) url: String,
    /// The names of events: `order.placed`, a family such as `order.*`, or `*`.
    #[column(json)]
    #[schema(example = json!(["order.placed", "shipment.*"]))]
    pub(crate) events: Vec<String>,
    pub(crate) description: Option<String>,
    #[column(filter)]
    pub(crate) is_active: bool,
    /// The signing secret; returned once, when the endpoint is created or the secret is replaced.
    #[column(sql = "null")]
    #[schema(example = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")]
    pub(crate) secret: Option<String>,
    #[serde(skip)]
    #[column(name = "secret")]
    pub(crate) key: Secret,
    #[serde(skip)]
    #[column(name = "previous_secret")]
    pub(crate) previous_key: Option<Secret>,
    /// Until when the secret before signs as well.
    pub(crate) previous_secret_until: Option<Timestamp>,
    /// When the first delivery failed that no success has followed.
    pub(crate) failing_since: Option<Timestamp>,
    /// Why the server has switched it off.
    pub(crate) disabled_reason: Option<String>,
    #[column(once)]
    pub(crate) created_by: Option<String>,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
}

/// An administrator's changes of an endpoint.
#[derive(Debug, Clone)]
pub(crate) struct EndpointChange {
    pub(crate) url: Option<String>,
    pub(crate) events: Option<Vec<String>>,
    pub(crate) description: Patch<String>,
    pub(crate) is_active: Option<bool>,
}

impl EndpointChange {
    fn check(&self, allows_private: bool) -> Result<(), WebhookError> {
        if let Some(url) = &self.url {
            target(url, allows_private)?;
        }
        match self.events.iter().flatten().find(|name| !is_event_name(name)) {
            Some(name) => Err(WebhookError::EventName { name: name.clone(), possible: like(name) }),
            None => Ok(()),
        }
    }
}

fn is_event_name(name: &str) -> bool {
    let is_family = name.strip_suffix('*').is_some_and(|stem| {
        stem.ends_with('.') && EVENTS.iter().any(|event| event.starts_with(stem))
    });
    name == EVERY || is_family || EVENTS.contains(&name)
}

/// Returns the events of a name's family; all families if there is none.
fn like(name: &str) -> String {
    let family = |event: &str| event.split('.').next().unwrap_or_default().to_owned();
    let own = family(name);
    let of_family = EVENTS.iter().filter(|event| family(event) == own);
    let mut possible: Vec<String> = of_family.map(|event| format!("`{event}`")).collect();
    if possible.is_empty() {
        possible = EVENTS.iter().map(|event| format!("`{}.*`", family(event))).collect();
        possible.dedup();
    } else {
        possible.push(format!("`{own}.*`"));
    }
    possible.join(", ")
}

/// Creates an endpoint with a new secret, which it shows.
pub(crate) fn create(
    tx: &Tx<'_>,
    change: EndpointChange,
    allows_private: bool,
    actor: &str,
) -> Result<WebhookEndpoint, WebhookError> {
    change.check(allows_private)?;
    if WebhookEndpoint::count(tx)? >= MAX_ENDPOINTS {
        return Err(WebhookError::TooManyEndpoints(MAX_ENDPOINTS));
    }
    let key = new_key()?;
    let endpoint = WebhookEndpoint {
        id: WebhookEndpointId::new(),
        url: change.url.unwrap_or_default(),
        events: change.events.unwrap_or_default(),
        description: change.description.apply(None),
        is_active: change.is_active.unwrap_or(true),
        secret: Some(key.text().to_owned()),
        key,
        previous_key: None,
        previous_secret_until: None,
        failing_since: None,
        disabled_reason: None,
        created_by: Some(actor.to_owned()),
        created_at: tx.now(),
        updated_at: tx.now(),
    };
    endpoint.insert(tx)?;
    note(tx, "create", None, Some(&endpoint), actor)?;
    Ok(endpoint)
}

/// Changes an endpoint. If it is enabled again, or its URL changes, its failures are reset.
pub(crate) fn update(
    tx: &Tx<'_>,
    id: &WebhookEndpointId,
    change: EndpointChange,
    allows_private: bool,
    actor: &str,
) -> Result<WebhookEndpoint, WebhookError> {
    change.check(allows_private)?;
    let before = WebhookEndpoint::require::<WebhookError>(tx, id)?;
    let mut endpoint = before.clone();
    let is_enabled = change.is_active == Some(true);
    crate::assign!(change => endpoint: url, events, description, is_active);
    if is_enabled {
        endpoint.disabled_reason = None;
    }
    if is_enabled || endpoint.url != before.url {
        endpoint.failing_since = None;
    }
    endpoint.update(tx)?;
    note(tx, "update", Some(&before), Some(&endpoint), actor)?;
    Ok(endpoint)
}

/// Deletes an endpoint; its waiting deliveries are abandoned when their turn comes.
pub(crate) fn delete(tx: &Tx<'_>, id: &WebhookEndpointId, actor: &str) -> Result<(), WebhookError> {
    let before = WebhookEndpoint::require::<WebhookError>(tx, id)?;
    WebhookEndpoint::remove::<WebhookError>(tx, id)?;
    note(tx, "delete", Some(&before), None, actor)
}

/// Replaces the secret, which the result contains; the previous one also signs for some hours.
pub(crate) fn rotate(
    tx: &Tx<'_>,
    id: &WebhookEndpointId,
    overlap_hours: u32,
    actor: &str,
) -> Result<WebhookEndpoint, WebhookError> {
    let before = WebhookEndpoint::require::<WebhookError>(tx, id)?;
    let key = new_key()?;
    let overlap_ms = i64::from(overlap_hours).saturating_mul(HOUR_MS);
    let endpoint = WebhookEndpoint {
        secret: Some(key.text().to_owned()),
        previous_key: Some(before.key.clone()).filter(|_| overlap_hours > 0),
        previous_secret_until: Some(tx.now().plus_ms(overlap_ms)).filter(|_| overlap_hours > 0),
        key,
        ..before.clone()
    };
    endpoint.update(tx)?;
    note(tx, "rotate_secret", Some(&before), Some(&endpoint), actor)?;
    Ok(endpoint)
}

fn new_key() -> Result<Secret, WebhookError> {
    Secret::generate().map_err(|_none| WebhookError::NoRandomNumbers)
}

impl WebhookEndpoint {
    /// Returns the secrets that sign at an instant, newest first.
    pub(super) fn keys(&self, now: Timestamp) -> Vec<Secret> {
        let is_valid = self.previous_secret_until.is_some_and(|until| now < until);
        let previous = self.previous_key.clone().filter(|_| is_valid);
        std::iter::once(self.key.clone()).chain(previous).collect()
    }

    pub(super) fn wants(&self, event: &str) -> bool {
        self.events.iter().any(|wanted| {
            let family = wanted.strip_suffix('*');
            wanted == event || family.is_some_and(|family| event.starts_with(family))
        })
    }

    /// Records that a delivery was taken.
    pub(super) fn succeed(mut self, tx: &Tx<'_>) -> Result<(), database::Error> {
        if self.failing_since.is_none() {
            return Ok(());
        }
        self.failing_since = None;
        self.update(tx)
    }

    /// Records that a delivery was not accepted; after five days of failures only, the endpoint is
    /// disabled.
    pub(super) fn fail(mut self, tx: &Tx<'_>) -> Result<(), WebhookError> {
        let since = *self.failing_since.get_or_insert(tx.now());
        if self.is_active && tx.now() >= since.plus_ms(MAX_FAILING_MS) {
            return self.disable(tx, "five days of nothing but failures");
        }
        Ok(self.update(tx)?)
    }

    /// Disables it, and reports that.
    pub(super) fn disable(mut self, tx: &Tx<'_>, reason: &str) -> Result<(), WebhookError> {
        let before = self.clone();
        self.is_active = false;
        self.disabled_reason = Some(reason.to_owned());
        self.update(tx)?;
        tracing::warn!(endpoint = self.id.as_str(), reason, "an endpoint is switched off");
        note(tx, "disable", Some(&before), Some(&self), "")?;
        let event = json!({ "id": self.id, "reason": reason });
        Ok(events::record(tx, DISABLED, &event)?)
    }
}

/// Records a change in the audit log, without secrets.
fn note(
    tx: &Tx<'_>,
    action: &str,
    before: Option<&WebhookEndpoint>,
    after: Option<&WebhookEndpoint>,
    actor_id: &str,
) -> Result<(), WebhookError> {
    let Some(endpoint) = before.or(after) else { return Ok(()) };
    let entity = (EntityType::WebhookEndpoint, endpoint.id.as_str());
    let state = |endpoint: &WebhookEndpoint| {
        json!({
            "url": endpoint.url, "events": endpoint.events, "description": endpoint.description,
            "is_active": endpoint.is_active, "disabled_reason": endpoint.disabled_reason,
            "previous_secret_until": endpoint.previous_secret_until,
        })
    };
    let change = (before.map(state), after.map(state));
    Ok(audit_log::record_change(tx, entity, action, change, actor_id)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_events_are_words_families_or_everything() {
        for (name, is_name) in [
            ("order.placed", true),
            ("metric.alert.fired", true),
            ("order.*", true),
            ("metric.alert.*", true),
            ("*", true),
            ("orders.*", false),
            ("order.plced", false),
            ("metric.alarm.*", false),
            ("auth.password_reset", false),
            ("invite.*", false),
            ("order", false),
            ("order.", false),
            (".*", false),
            ("order*", false),
            ("order.p*", false),
            ("*.placed", false),
            ("Order.placed", false),
            ("", false),
        ] {
            assert_eq!(is_event_name(name), is_name, "{name}");
        }
    }

    #[test]
    fn a_wrong_name_is_answered_with_those_of_its_family_or_with_the_families() {
        let of_family = "`sms.opted_in`, `sms.received`, `sms.withdrawn`, `sms.*`";
        assert_eq!(like("sms.recieved"), of_family);
        assert!(like("orders.placed").starts_with("`alert.*`, `cart.*`, `customer.*`, "));
        assert!(EVENTS.is_sorted());
    }
}
