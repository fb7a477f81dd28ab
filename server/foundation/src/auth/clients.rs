//! Clients of OAuth: programs that get short-lived tokens for themselves.
//!
//! Invariant: a token is looked up in the database each time, so that it becomes invalid with its client
//! immediately, and grants no permission that the client has lost.

use serde::{Deserialize, Serialize};

use super::credentials::Credentials;
use super::queries;
use super::secret::{Secret, SecretDigest};
use crate::clock::Timestamp;
use crate::database::{self, FromRow, Tx};
use crate::http::ToSchema;
use crate::ids::OauthClientId;

pub const CLIENT_TOKEN_PREFIX: &str = "oat_";

/// What a client token is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub enum Scope {
    /// Store calls are counted per client instead of per address.
    #[serde(rename = "storefront")]
    Storefront,
    /// Calls of `/store/tracking/events` are counted per client.
    #[serde(rename = "tracking:write")]
    TrackingWrite,
    /// Read access under `/admin/metrics`.
    #[serde(rename = "metrics:read")]
    MetricsRead,
}

crate::stored_as_word!(
    Scope: Storefront = "storefront", TrackingWrite = "tracking:write", MetricsRead = "metrics:read"
);

/// A valid client token.
#[derive(Debug, Clone, FromRow)]
pub struct ClientToken {
    pub client_id: OauthClientId,
    /// What the token is for.
    #[column(json)]
    scopes: Vec<Scope>,
    /// The present permissions of its client.
    #[column(json)]
    client_scopes: Vec<Scope>,
}

impl ClientToken {
    /// Returns whether the token has this scope, and its client still does.
    pub fn allows(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope) && self.client_scopes.contains(&scope)
    }

    /// Returns whether calls of a store path are counted per client.
    pub(super) fn counts_at(&self, path: &str) -> bool {
        let is_tracking = path == "/store/tracking/events";
        self.allows(if is_tracking { Scope::TrackingWrite } else { Scope::Storefront })
    }
}

/// Stores a token of a client.
pub fn issue(
    tx: &Tx<'_>,
    client_id: &OauthClientId,
    (token, scopes): (&Secret, &[Scope]),
    expires_at: Timestamp,
) -> Result<(), database::Error> {
    queries::insert_client_token(tx, client_id, token.digest(), scopes, expires_at)
}

pub fn end_tokens(tx: &Tx<'_>, client_id: &OauthClientId) -> Result<(), database::Error> {
    queries::delete_client_tokens(tx, client_id)
}

impl Credentials {
    pub(super) async fn client_token(
        &self,
        secret: &str,
    ) -> Result<Option<ClientToken>, database::Error> {
        let Some(digest) = SecretDigest::of_presented(secret).filter(|_| is_client_token(secret))
        else {
            return Ok(None);
        };
        self.db.read(move |tx| queries::client_token(tx, digest)).await
    }
}

/// Returns whether a presented secret has the form of a client's token.
pub(super) fn is_client_token(secret: &str) -> bool {
    secret.starts_with(CLIENT_TOKEN_PREFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_grants_its_scopes_as_far_as_its_client_still_has_them() {
        let token = ClientToken {
            client_id: OauthClientId::new(),
            scopes: vec![Scope::Storefront, Scope::MetricsRead],
            client_scopes: vec![Scope::Storefront, Scope::TrackingWrite],
        };
        assert!(token.allows(Scope::Storefront) && token.counts_at("/store/products"));
        assert!(!token.allows(Scope::MetricsRead), "taken from the client");
        assert!(!token.counts_at("/store/tracking/events"), "not of the token");
    }
}
