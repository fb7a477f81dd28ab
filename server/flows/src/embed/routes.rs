//! `/flow-builder/embed.js` and `/flow-builder/embed-demo`.

use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use quotient_foundation::routes;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;

use super::page::{SCRIPT, VERSION, page};
use crate::database::Db;
use crate::definition::queries as flows;
use crate::http::{HttpError, Query, etag, has_state};
use crate::ids::{CartId, OrderId};
use crate::state::AppState;

const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; \
                           base-uri 'none'; frame-ancestors 'none'; form-action 'none'";

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(show_embed_script)).routes(routes!(show_embed_demo))
}

/// The version of the script that a page asks for.
#[derive(Debug, Deserialize, crate::http::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct EmbedQuery {
    /// The hash of the script; with the current one, the response may be cached for a year.
    v: Option<String>,
}

/// The subject for which the demo page shows a flow.
#[derive(Debug, Deserialize, crate::http::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct DemoQuery {
    /// The cart, or the cart that became the order.
    cart: Option<CartId>,
    /// The order, for flows after the purchase.
    order: Option<OrderId>,
}

/// The script of pages
///
/// Shows a flow: `<script src="…/flow-builder/embed.js" data-flow="pf_…" data-order="…" data-cart="…">`.
#[crate::http::operation(get, path = "/flow-builder/embed.js", tag = "Flow pages", params(EmbedQuery), security(()),
    responses((status = 200, description = "The script", content_type = "text/javascript", body = String),
              (status = 304, description = "The caller has it already")))]
async fn show_embed_script(Query(query): Query<EmbedQuery>, headers: HeaderMap) -> Response {
    let is_named = query.v.as_deref() == Some(VERSION.as_str());
    let caching =
        if is_named { "public, max-age=31536000, immutable" } else { "public, max-age=300" };
    let described = [
        (CACHE_CONTROL, HeaderValue::from_static(caching)),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            HeaderValue::from_static("cross-origin"),
        ),
        (CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8")),
    ];
    if has_state(&headers, &VERSION) {
        return (StatusCode::NOT_MODIFIED, etag(&VERSION), described).into_response();
    }
    (etag(&VERSION), described, SCRIPT).into_response()
}

/// The page to try the script on
///
/// Shows the newest public flow for a cart or an order.
#[crate::http::operation(get, path = "/flow-builder/embed-demo", tag = "Flow pages", params(DemoQuery), security(()),
    responses((status = 200, description = "The page", content_type = "text/html", body = String)))]
async fn show_embed_demo(
    State(db): State<Db>,
    Query(query): Query<DemoQuery>,
) -> Result<Response, HttpError> {
    let token = db.read(flows::newest_public).await?;
    let described = [
        (CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static(PAGE_POLICY)),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((described, page(token.as_deref(), (query.cart.as_ref(), query.order.as_ref())))
        .into_response())
}
