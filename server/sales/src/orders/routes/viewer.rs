//! The extractor of what a caller in a storefront presents to see an order.

use axum::extract::FromRequestParts;
use axum::http::HeaderName;
use axum::http::request::Parts;

use crate::auth::{SecretDigest, Shop};
use crate::http::HttpError;
use crate::orders::access::Viewer;
use crate::state::AppState;

/// The header with the token that a guest's completion returns.
const TOKEN: HeaderName = HeaderName::from_static("x-order-token");

/// The header with the e-mail address of a guest's order.
const EMAIL: HeaderName = HeaderName::from_static("x-order-email");

impl FromRequestParts<AppState> for Viewer {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, HttpError> {
        let shop = Shop::from_request_parts(parts, state).await?;
        let header = |name| parts.headers.get(name).and_then(|value| value.to_str().ok());
        Ok(Self {
            shop,
            token: header(TOKEN).and_then(SecretDigest::of_presented),
            email: header(EMAIL).map(str::to_owned),
        })
    }
}
