//! Stored clients.

use serde::Serialize;

use crate::auth::clients::{Scope, end_tokens};
use crate::auth::{Secret, SecretDigest};
use crate::clock::Timestamp;
use crate::database::{Record, Table as _, Tx};
use crate::error::{ContentError, check_room};
use crate::http::{Refusal, Resource, ToSchema};
use crate::ids::OauthClientId;

/// Limit: clients of a store.
const MAX_CLIENTS: u32 = 200;

const SECRET_PREFIX: &str = "ocs_";

/// A program that gets tokens for itself.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "oauth_client c", title = "OAuth client")]
#[record(list(plural = "oauth_clients", usual, search = ["c.name", "c.id"], order = "-created_at"))]
#[resource(name = "oauth client", error = ContentError)]
pub(super) struct OauthClient {
    /// The `client_id` in token requests.
    pub(super) id: OauthClientId,
    #[column(order)]
    pub(super) name: String,
    /// The `client_secret` in token requests; shown once, when the client is created or its secret is replaced.
    #[column(sql = "null")]
    pub(super) secret: Option<String>,
    #[serde(skip)]
    pub(super) secret_hash: SecretDigest,
    /// The first and last characters of the secret.
    #[schema(example = "ocs_18***4fb")]
    pub(super) redacted: String,
    /// The permissions that its tokens can have.
    #[column(json)]
    pub(super) scopes: Vec<Scope>,
    /// Whether it can get tokens and its tokens are valid.
    #[column(filter)]
    pub(super) is_enabled: bool,
    #[column(once)]
    pub(super) created_by: Option<String>,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
}

/// Creates a client, which includes its secret.
pub(super) fn create(
    tx: &Tx<'_>,
    (name, scopes): (String, Vec<Scope>),
    secret: &Secret,
    by: &str,
) -> Result<OauthClient, ContentError> {
    check_room::<OauthClient>(tx, "OAuth clients", MAX_CLIENTS)?;
    let client = OauthClient {
        id: OauthClientId::new(),
        name,
        secret: Some(secret.reveal().to_owned()),
        secret_hash: secret.digest(),
        redacted: secret.redacted(),
        scopes: checked(scopes)?,
        is_enabled: true,
        created_by: Some(by.to_owned()),
        created_at: tx.now(),
        updated_at: tx.now(),
    };
    client.insert(tx)?;
    Ok(client)
}

/// Replaces a client's secret, which the result includes, and revokes its tokens.
pub(super) fn rotate(
    tx: &Tx<'_>,
    id: &OauthClientId,
    secret: &Secret,
) -> Result<(OauthClient, OauthClient), ContentError> {
    let before = OauthClient::require::<ContentError>(tx, id)?;
    let client = OauthClient {
        secret: Some(secret.reveal().to_owned()),
        secret_hash: secret.digest(),
        redacted: secret.redacted(),
        ..before.clone()
    };
    client.update(tx)?;
    end_tokens(tx, id)?;
    Ok((before, client))
}

pub(super) fn new_secret() -> Result<Secret, ContentError> {
    Ok(Secret::generate(SECRET_PREFIX)?)
}

/// Returns the scopes sorted, without duplicates.
pub(super) fn checked(mut scopes: Vec<Scope>) -> Result<Vec<Scope>, Refusal> {
    scopes.sort_unstable();
    scopes.dedup();
    if scopes.is_empty() {
        return Err(Refusal::invalid("`scopes` must name at least one scope"));
    }
    Ok(scopes)
}
