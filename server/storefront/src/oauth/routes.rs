//! `/admin/oauth-clients` and `/store/oauth/token`.

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::WWW_AUTHENTICATE;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use quotient_foundation::middleware::Client;
use quotient_foundation::routes;
use serde::Serialize;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::client::{self, OauthClient};
use super::token::{self, TokenError, VALID_S};
use super::token_request::{Fault, TokenRequest};
use crate::AppState;
use crate::audit_log::{self, EntityType};
use crate::auth::clients::{CLIENT_TOKEN_PREFIX, Scope, end_tokens};
use crate::auth::{AdminWriter, Secret, Shop};
use crate::database::{Db, Table as _, Tx, Word as _};
use crate::error::{ContentError, with_message};
use crate::http::{Answer, Fields, HttpError, Json, One, OneRequest, Text, ToSchema, request};
use crate::ids::OauthClientId;
use crate::resource::AdminRoutes;

/// Limit: failed token requests from one address within a minute.
const MAX_FAILURES: u32 = 10;

/// The account name under which failures are counted.
const ACCOUNT: &str = "oauth token";

pub(crate) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<OauthClient, _>::at("/admin/oauth-clients", "Admin storefront")
        .audited(EntityType::OauthClient)
        .list()
        .show()
        .update(UpdateClientRequest::update)
        .note("Its tokens lose at once what the client loses.")
        .delete(OauthClient::remove)
        .note("Its tokens end at once.")
        .router()
        .routes(routes!(create_oauth_client))
        .routes(routes!(rotate_oauth_client_secret))
        .routes(routes!(create_oauth_token))
}

type OauthClientResponse = One<OauthClient>;

/// A new client.
#[request]
#[schema(example = json!({ "name": "Web server", "scopes": ["storefront"] }))]
struct CreateClientRequest {
    name: Text,
    /// The permissions that its tokens can have.
    scopes: Vec<Scope>,
}

/// The fields of a client to change.
#[request]
#[schema(example = json!({ "is_enabled": false }))]
struct UpdateClientRequest {
    name: Option<Text>,
    scopes: Option<Vec<Scope>>,
    is_enabled: Option<bool>,
}

impl UpdateClientRequest {
    fn update(self, tx: &Tx<'_>, id: &OauthClientId) -> Result<(), ContentError> {
        let mut client = OauthClient::require::<ContentError>(tx, id)?;
        crate::assign!(self => client: name, is_enabled);
        if let Some(scopes) = self.scopes {
            client.scopes = client::checked(scopes)?;
        }
        client.update(tx)?;
        // A client that is enabled again starts without its old tokens.
        if client.is_enabled { Ok(()) } else { Ok(end_tokens(tx, id)?) }
    }
}

/// Returns the response with the secret, and the one for repetitions, without it.
fn with_secret(fields: &Fields<OauthClient>, client: OauthClient) -> Result<Answer, HttpError> {
    let answer = fields.answer(&client)?;
    let again = fields.answer(&OauthClient { secret: None, ..client })?;
    Ok(answer.once(again))
}

/// Records a change of a client, without its secret.
fn note(
    tx: &Tx<'_>,
    action: &str,
    before: Option<&OauthClient>,
    after: &OauthClient,
    actor_id: &str,
) -> Result<(), ContentError> {
    let state = |client: &OauthClient| json!({ "name": client.name, "scopes": client.scopes, "redacted": client.redacted });
    let (entity, change) =
        ((EntityType::OauthClient, after.id.as_str()), (before.map(state), Some(state(after))));
    Ok(audit_log::record_change(tx, entity, action, change, actor_id)?)
}

/// Create an OAuth client
///
/// The secret is shown only in this response.
#[crate::http::operation(post, path = "/admin/oauth-clients", tag = "Admin storefront", params(Fields<OauthClient>),
    request_body = CreateClientRequest,
    responses((status = 200, description = "The client with its secret", body = OauthClientResponse)))]
async fn create_oauth_client(
    admin: AdminWriter,
    State(db): State<Db>,
    fields: Fields<OauthClient>,
    Json(request): Json<CreateClientRequest>,
) -> Result<Answer, HttpError> {
    let secret = client::new_secret()?;
    let created = db
        .write(move |tx| {
            let named = (request.name.into(), request.scopes);
            let client = client::create(tx, named, &secret, admin.actor_id())?;
            note(tx, "create", None, &client, admin.actor_id())?;
            Ok::<_, ContentError>(client)
        })
        .await?;
    with_secret(&fields, created)
}

/// Replace the secret of an OAuth client
///
/// The new secret is shown only in this response. The old one and the client's tokens become
/// invalid immediately.
#[crate::http::operation(post, path = "/admin/oauth-clients/{id}/rotate-secret", tag = "Admin storefront",
    params(("id" = OauthClientId, Path, description = "The client"), Fields<OauthClient>),
    responses((status = 200, description = "The client with its new secret", body = OauthClientResponse)))]
async fn rotate_oauth_client_secret(
    OneRequest { caller: admin, db, id, fields }: OneRequest<
        AdminWriter,
        OauthClientId,
        OauthClient,
    >,
) -> Result<Answer, HttpError> {
    let secret = client::new_secret()?;
    let rotated = db
        .write(move |tx| {
            let (before, client) = client::rotate(tx, &id, &secret)?;
            note(tx, "rotate_secret", Some(&before), &client, admin.actor_id())?;
            Ok::<_, ContentError>(client)
        })
        .await?;
    with_secret(&fields, rotated)
}

/// A client token.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OauthTokenResponse)]
#[schema(example = json!({
    "access_token": "oat_4a1f", "token_type": "bearer", "expires_in": 3600, "scope": "storefront",
}))]
struct TokenResponse {
    /// Sent as a bearer token, or as `x-client-token` beside a customer's token.
    access_token: String,
    token_type: &'static str,
    /// In seconds.
    expires_in: i64,
    /// Its permissions, separated by blanks.
    scope: String,
}

/// Get a token for a client
///
/// The grant `client_credentials` of OAuth 2, as JSON or as a form. The client authenticates in the body or with Basic in
/// the `Authorization` header. With a token for `storefront`, store calls are counted per client instead of per address;
/// with one for `tracking:write`, those of `/store/tracking/events`. A token for `metrics:read` can read under
/// `/admin/metrics`. A token expires after an hour, or with its client.
#[crate::http::operation(post, path = "/store/oauth/token", tag = "Store content",
    request_body(content((TokenRequest = "application/json"), (TokenRequest = "application/x-www-form-urlencoded"))),
    responses(
        (status = 200, description = "The token", body = TokenResponse),
        (status = 400, description = "`{error, details}` for a malformed request; `{error, message}` for \
            `unsupported_grant_type` and `invalid_scope`", body = Object),
        (status = 401, description = "`{error, message}`: `invalid_client`", body = Object),
        (status = 500, description = "`{error, message}`", body = Object)),
    security(("publishable_key" = [])))]
async fn create_oauth_token(
    _shop: Shop,
    State(AppState { shared, .. }): State<AppState>,
    Extension(caller): Extension<Client>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<TokenResponse>, HttpError> {
    let request = TokenRequest::read(&headers, &body).map_err(malformed)?;
    shared.rates.begin_login((ACCOUNT, caller.address), MAX_FAILURES)?;
    let token = Secret::generate(CLIENT_TOKEN_PREFIX);
    let token = token.map_err(|cause| with_message(HttpError::unexpected(cause)))?;
    let access_token = token.reveal().to_owned();
    let outcome = shared.db.write(move |tx| token::exchange(tx, &request, &token)).await;
    if !matches!(outcome, Err(TokenError::InvalidClient)) {
        shared.rates.remove_failure(ACCOUNT, caller.address);
    }
    let scopes = outcome.map_err(refused)?;
    let scope = scopes.into_iter().map(Scope::as_str).collect::<Vec<_>>().join(" ");
    Ok(Json(TokenResponse { access_token, token_type: "bearer", expires_in: VALID_S, scope }))
}

fn malformed(fault: Fault) -> HttpError {
    let details = json!([{ "path": fault.path, "message": fault.message }]);
    let body = json!({ "error": "invalid_request", "details": details });
    HttpError::shaped(StatusCode::BAD_REQUEST, body)
}

fn refused(error: TokenError) -> HttpError {
    let message = error.to_string();
    let shaped =
        |status, error| HttpError::shaped(status, json!({ "error": error, "message": message }));
    match error {
        TokenError::Db(cause) => with_message(cause.into()),
        TokenError::InvalidClient => shaped(StatusCode::UNAUTHORIZED, "invalid_client")
            .with_header(WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"oauth\"")),
        TokenError::InvalidScope => shaped(StatusCode::BAD_REQUEST, "invalid_scope"),
        TokenError::UnsupportedGrantType => {
            shaped(StatusCode::BAD_REQUEST, "unsupported_grant_type")
        }
    }
}
