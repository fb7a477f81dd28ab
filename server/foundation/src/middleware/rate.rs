//! Applies the rate limits: by address here, and by user where credentials are checked.

use std::sync::{Arc, OnceLock};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Client;
use super::rate_limits::{Bucket, RateLimits};
use super::token_bucket::{Allowance, LIMIT};
use super::webhooks::{is_warehouse, limited_receiver};

/// The allowance of the user who makes a request, once the user is known.
#[derive(Debug, Clone, Default)]
pub struct UserAllowance(Arc<OnceLock<Allowance>>);

impl UserAllowance {
    pub fn set(&self, allowance: Allowance) {
        self.0.set(allowance).ok();
    }
}

/// The OAuth client whose bucket a store call uses, instead of that of its address.
#[derive(Debug, Clone)]
pub struct LimitedClient(pub String);

/// Takes a token from the bucket of the client's address, and of a webhook's receiver. Under `/admin`, this applies only to
/// requests without valid credentials, because the others have a bucket per user.
pub(super) async fn limit(
    State(rates): State<Arc<RateLimits>>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(bucket) = bucket(request.method(), request.uri().path()) else {
        return next.run(request).await;
    };
    let client = request.extensions().get::<Client>().copied();
    let named = request.extensions().get::<LimitedClient>();
    let address = client.map(|client| client.address.to_string()).unwrap_or_default();
    let key = match (limited_receiver(request.uri().path()), named) {
        // Not the receiver alone: the signature is checked later, so anybody could use up the bucket of its sender.
        (Some(receiver), _) => format!("{receiver} {address}"),
        (None, Some(LimitedClient(id))) => id.clone(),
        (None, None) => address,
    };
    if bucket == Bucket::Admin {
        let user = UserAllowance::default();
        request.extensions_mut().insert(user.clone());
        let mut response = next.run(request).await;
        if response.status() == StatusCode::UNAUTHORIZED {
            match rates.check(bucket, &key) {
                Ok(allowance) => add_headers(response.headers_mut(), allowance),
                Err(error) => return error.into_response(),
            }
        } else if let Some(allowance) = user.0.get() {
            add_headers(response.headers_mut(), *allowance);
        }
        return response;
    }
    match rates.check(bucket, &key) {
        Ok(allowance) => {
            let mut response = next.run(request).await;
            add_headers(response.headers_mut(), allowance);
            response
        }
        Err(error) => error.into_response(),
    }
}

/// Returns the class of a route, from the beginning of its path.
fn bucket(method: &Method, path: &str) -> Option<Bucket> {
    if is_warehouse(path) {
        return None;
    }
    if limited_receiver(path).is_some() {
        return Some(Bucket::Webhook);
    }
    let path = path.strip_prefix('/').unwrap_or(path);
    let (class, rest) = path.split_once('/').unwrap_or((path, ""));
    match class {
        "admin" => Some(Bucket::Admin),
        "auth" if method == Method::POST && guesses_a_secret(rest) => Some(Bucket::Login),
        "health" => None,
        "flow-builder" => Some(match rest {
            "init" if method == Method::POST => Bucket::FlowBegin,
            "accept" | "decline" if method == Method::POST => Bucket::FlowPress,
            "embed.js" | "embed-demo" => Bucket::Store,
            _ => Bucket::FlowRead,
        }),
        "track" if rest == "partners/conversion" => Some(Bucket::Conversion),
        _ => Some(Bucket::Store),
    }
}

/// Returns whether the rest of a path under `/auth` is a login, a registration or a reset, rather than a use of a token.
fn guesses_a_secret(rest: &str) -> bool {
    rest.split_once('/').is_some_and(|(actor, _)| actor != "token" && actor != "session")
}

fn add_headers(headers: &mut HeaderMap, allowance: Allowance) {
    // A route with its own limit has already set its headers.
    if !headers.contains_key(LIMIT) {
        headers.extend(allowance.headers());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_counted_in_their_bucket() {
        for (method, path, expected) in [
            (Method::GET, "/store/products", Some(Bucket::Store)),
            (Method::POST, "/admin/products", Some(Bucket::Admin)),
            (Method::POST, "/auth/customer/emailpass", Some(Bucket::Login)),
            (Method::POST, "/auth/customer/emailpass/register", Some(Bucket::Login)),
            (Method::POST, "/auth/customer/emailpass/reset-password", Some(Bucket::Login)),
            (Method::POST, "/auth/token/refresh", Some(Bucket::Store)),
            (Method::POST, "/auth/session", Some(Bucket::Store)),
            (Method::DELETE, "/auth/session", Some(Bucket::Store)),
            (Method::GET, "/openapi.json", Some(Bucket::Store)),
            (Method::POST, "/nowhere", Some(Bucket::Store)),
            (Method::POST, "/webhooks/email-provider", Some(Bucket::Webhook)),
            (Method::POST, "/webhooks/shipping-platform/tracking", Some(Bucket::Webhook)),
            (Method::POST, "/webhooks/nowhere", Some(Bucket::Store)),
            (Method::POST, "/webhooks/warehouse-integration", None),
            (Method::POST, "/track/partners/conversion", Some(Bucket::Conversion)),
            (Method::POST, "/flow-builder/init", Some(Bucket::FlowBegin)),
            (Method::POST, "/flow-builder/decline", Some(Bucket::FlowPress)),
            (Method::OPTIONS, "/flow-builder/decline", Some(Bucket::FlowRead)),
            (Method::GET, "/track/partners/click/A", Some(Bucket::Store)),
            (Method::GET, "/", Some(Bucket::Store)),
            (Method::GET, "/health/live", None),
        ] {
            assert_eq!(bucket(&method, path), expected, "{method} {path}");
        }
    }
}
