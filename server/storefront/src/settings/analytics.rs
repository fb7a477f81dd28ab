//! Which service counts the visits of a storefront.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::http::{Refusal, ToSchema};

/// Where events of this server's own analytics are sent.
const EVENTS_PATH: &str = "/store/tracking/events";

/// Limit: characters of a value.
const MAX_CHARS: usize = 200;

/// Who counts visits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Provider {
    #[default]
    None,
    /// This server.
    Quotient,
    Ga4,
    Matomo,
    Plausible,
    Posthog,
}

/// The analytics of a sales channel.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "provider": "plausible", "id": "shop.example", "host": "https://plausible.io" }))]
pub(super) struct Analytics {
    pub(super) provider: Provider,
    /// The store's public id with the provider.
    id: Option<String>,
    /// The origin from which the provider's script is loaded.
    host: Option<String>,
    /// Whether visits are counted only with the shopper's consent.
    #[serde(default)]
    consent_required: bool,
}

impl Analytics {
    /// Rejects a missing id, and anything that looks like a secret.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let is_external = !matches!(self.provider, Provider::None | Provider::Quotient);
        if is_external && self.id.as_ref().is_none_or(|id| id.trim().is_empty()) {
            return Err(Refusal::invalid("`analytics.id` is required for this provider"));
        }
        for text in [&self.id, &self.host].into_iter().flatten() {
            check_short(text)?;
        }
        match &self.host {
            Some(host) if !host.starts_with("https://") || !crate::link::is_link(host) => {
                Err(Refusal::invalid("`analytics.host` must be an https URL without credentials"))
            }
            _ => Ok(()),
        }
    }

    /// Returns the part that storefronts need.
    pub(super) fn config(&self) -> Value {
        match self.provider {
            Provider::None => json!({}),
            Provider::Quotient => {
                json!({ "endpoint": EVENTS_PATH, "consent_required": self.consent_required })
            }
            Provider::Ga4 | Provider::Matomo | Provider::Plausible | Provider::Posthog => json!({
                "id": self.id, "host": self.host, "consent_required": self.consent_required,
            }),
        }
    }
}

pub(super) fn check_public(text: &str) -> Result<(), Refusal> {
    const SECRET: [&str; 5] = ["sk_", "rk_", "whsec_", "phx_", "-----BEGIN"];
    let has_secret = SECRET.iter().any(|mark| {
        text.match_indices(mark).any(|(place, _)| {
            let before = text.get(..place).and_then(|before| before.chars().next_back());
            before.is_none_or(|before| !before.is_ascii_alphanumeric())
        })
    });
    if has_secret {
        return Err(Refusal::invalid(
            "what looks like a secret is not stored: every shopper could read it",
        ));
    }
    Ok(())
}

/// Rejects a text that looks like a secret, or is as long as one.
pub(super) fn check_short(text: &str) -> Result<(), Refusal> {
    if text.chars().count() > MAX_CHARS {
        return Err(Refusal::invalid("a value of a setting has at most 200 characters"));
    }
    check_public(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_refused() {
        for (text, is_public) in [
            ("G-ABC123", true),
            ("task_list", true),
            ("sk_live_1", false),
            ("key=sk_live_1", false),
            ("-----BEGIN PRIVATE KEY-----", false),
        ] {
            assert_eq!(check_public(text).is_ok(), is_public, "{text}");
        }
        assert!(check_short(&"a".repeat(201)).is_err());
    }
}
