//! Tokens for clients.

use super::client::OauthClient;
use super::token_request::TokenRequest;
use crate::auth::clients::{Scope, issue};
use crate::auth::{Secret, SecretDigest};
use crate::database::{self, Table as _, Tx, Word as _};
use crate::ids::OauthClientId;

/// How long a token is valid, in seconds.
pub(super) const VALID_S: i64 = 3_600;

#[derive(Debug, thiserror::Error)]
pub(super) enum TokenError {
    #[error(transparent)]
    Db(#[from] database::Error),
    /// Unknown clients and wrong secrets are not distinguished.
    #[error("Client authentication failed")]
    InvalidClient,
    #[error("`scope` must be scopes of the client, with blanks between")]
    InvalidScope,
    #[error("`grant_type` must be client_credentials")]
    UnsupportedGrantType,
}

/// Issues a token; returns its permissions.
pub(super) fn exchange(
    tx: &Tx<'_>,
    request: &TokenRequest,
    token: &Secret,
) -> Result<Vec<Scope>, TokenError> {
    let client = authenticated(tx, request)?;
    if request.grant_type != "client_credentials" {
        return Err(TokenError::UnsupportedGrantType);
    }
    let scopes = requested(request.scope.as_deref(), &client.scopes)?;
    let expires_at = tx.now().plus_ms(VALID_S.saturating_mul(1_000));
    issue(tx, &client.id, (token, &scopes), expires_at)?;
    Ok(scopes)
}

fn authenticated(tx: &Tx<'_>, request: &TokenRequest) -> Result<OauthClient, TokenError> {
    let id = request.client_id.as_deref().and_then(|id| id.parse::<OauthClientId>().ok());
    let digest = SecretDigest::of_presented(request.client_secret.as_deref().unwrap_or_default());
    let client = id.map(|id| OauthClient::find(tx, &id)).transpose()?.flatten();
    client
        .filter(|client| client.is_enabled && Some(client.secret_hash) == digest)
        .ok_or(TokenError::InvalidClient)
}

fn requested(scope: Option<&str>, of_client: &[Scope]) -> Result<Vec<Scope>, TokenError> {
    let words = scope.unwrap_or_default().split_ascii_whitespace();
    let scopes: Option<Vec<Scope>> = words.map(Scope::from_word).collect();
    let mut scopes = scopes.ok_or(TokenError::InvalidScope)?;
    if scopes.is_empty() {
        return Ok(of_client.to_vec());
    }
    scopes.sort_unstable();
    scopes.dedup();
    if scopes.iter().all(|scope| of_client.contains(scope)) {
        Ok(scopes)
    } else {
        Err(TokenError::InvalidScope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_for_scopes_of_its_client_only() {
        let own = [Scope::Storefront, Scope::MetricsRead];
        for (scope, expected) in [
            (None, Some(own.to_vec())),
            (Some(" "), Some(own.to_vec())),
            (Some("metrics:read  metrics:read"), Some(vec![Scope::MetricsRead])),
            (Some("tracking:write"), None),
            (Some("storefront unknown"), None),
        ] {
            assert_eq!(requested(scope, &own).ok(), expected, "{scope:?}");
        }
    }
}
