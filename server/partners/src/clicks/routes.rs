//! `/track/partners/click/{code}`, and the admin's list of clicks.

use axum::Extension;
use axum::extract::State;
use axum::http::header::{ACCEPT_LANGUAGE, LOCATION, REFERER, SET_COOKIE, USER_AGENT};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use cookie::{Cookie, SameSite};
use percent_encoding::percent_decode_str;
use quotient_foundation::routes;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::browser;
use super::click::Click;
use super::visit::{self, Visit};
use crate::clock::Timestamp;
use crate::config::PartnerCookie;
use crate::http::{self, Json, ToSchema};
use crate::ids::PartnerClickId;
use crate::middleware::Client;
use crate::offers::{Offer, landing};
use crate::resource::AdminRoutes;
use crate::state::AppState;

const PATH: &str = "/track/partners/click/";

const COOKIE_NAME: &str = "partner_click";

/// Limit: characters of each `sub`.
const MAX_SUB_CHARS: usize = 100;

const DAY_S: i64 = 24 * 60 * 60;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<Click, _>::at("/admin/partner-clicks", "Admin partners")
        .list()
        .show()
        .router()
        .routes(routes!(follow_partner_link))
}

/// Why a link has no target, or a report is rejected.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PartnerMessage {
    #[schema(example = "This link is not valid")]
    pub(crate) message: &'static str,
}

/// Follow the link of a partner
///
/// Redirects to the offer's landing page with `pclid=<click id>` added, and sets the cookie `partner_click`. Nothing
/// else from the request becomes part of the address. A browser that follows the link again within half an hour gets the
/// same click id. `HEAD`, prefetches and robots are redirected without a click or a cookie. A code that is unknown,
/// malformed, paused, not yet valid or expired is answered with the same 400.
#[crate::http::operation(get, path = "/track/partners/click/{code}", tag = "Partners",
    params(("code" = String, Path, description = "The code of an offer", example = "MOUNTAIN"),
           ("sub1" = Option<String>, Query, description = "Kept with the click, up to 100 characters"),
           ("sub2" = Option<String>, Query, description = "As `sub1`"),
           ("sub3" = Option<String>, Query, description = "As `sub1`")),
    responses((status = 302, description = "To the landing page",
                 headers(("location" = String, description = "The landing page"),
                         ("set-cookie" = String, description = "The click"))),
              (status = 400, description = "The link leads nowhere", body = PartnerMessage)))]
async fn follow_partner_link(
    State(AppState { shared, clicks, .. }): State<AppState>,
    client: Option<Extension<Client>>,
    (method, uri, headers): (Method, Uri, HeaderMap),
) -> Response {
    let visit = read(&method, &uri, &headers, shared.clock.now());
    let found = visit::follow(&shared.db, &clicks, visit).await;
    let location = found.as_ref().and_then(|(offer, click)| {
        let id = click.as_ref().map(PartnerClickId::as_str);
        HeaderValue::try_from(landing::with_click(&offer.landing_url, id)?).ok()
    });
    let (Some((offer, click)), Some(location)) = (found, location) else {
        let error = PartnerMessage { message: "This link is not valid" };
        return (StatusCode::BAD_REQUEST, Json(error)).into_response();
    };
    let mut response = (StatusCode::FOUND, [(LOCATION, location)]).into_response();
    let setting = shared.settings.partners.partner_cookie;
    let is_quiet = header(&headers, &SEC_GPC) == "1" && setting == PartnerCookie::UnlessGpc;
    let is_local = client.is_some_and(|Extension(client)| client.is_local);
    if let Some(value) = set_cookie(&offer, click, is_local).filter(|_| !is_quiet) {
        response.headers_mut().insert(SET_COOKIE, value);
    }
    response
}

const SEC_GPC: HeaderName = HeaderName::from_static("sec-gpc");
const SEC_PURPOSE: HeaderName = HeaderName::from_static("sec-purpose");
const PURPOSE: HeaderName = HeaderName::from_static("purpose");

/// Returns a header as text; empty if it is absent or not ASCII.
fn header<'a>(headers: &'a HeaderMap, name: &HeaderName) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Reads a request. The path is parsed by hand, because a malformed code is rejected like any other invalid one.
fn read(method: &Method, uri: &Uri, headers: &HeaderMap, at: Timestamp) -> Visit {
    let code = uri.path().strip_prefix(PATH).unwrap_or_default();
    let agent = header(headers, &USER_AGENT);
    let is_ahead =
        [SEC_PURPOSE, PURPOSE].iter().any(|name| header(headers, name).contains("prefetch"));
    Visit {
        code: percent_decode_str(code).decode_utf8().unwrap_or_default().into_owned(),
        is_counted: *method == Method::GET && !is_ahead && !browser::is_robot(agent),
        before: http::cookie(headers, COOKIE_NAME).and_then(|id| id.parse().ok()),
        subs: ["sub1", "sub2", "sub3"].map(|name| parameter(uri, name)),
        referrer_host: browser::referrer_host(header(headers, &REFERER)),
        country: browser::country(header(headers, &ACCEPT_LANGUAGE)),
        device: browser::device(agent),
        at,
    }
}

/// Returns a query parameter, unless it is too long.
fn parameter(uri: &Uri, name: &str) -> Option<String> {
    let url = reqwest::Url::parse(&format!("https://own.invalid/?{}", uri.query()?)).ok()?;
    let value = url.query_pairs().find(|(key, _)| key == name)?.1.into_owned();
    let fits = !value.is_empty() && value.chars().count() <= MAX_SUB_CHARS;
    (fits && !value.chars().any(char::is_control)).then_some(value)
}

fn set_cookie(offer: &Offer, click: Option<PartnerClickId>, is_local: bool) -> Option<HeaderValue> {
    let age = cookie::time::Duration::seconds(offer.window_days.saturating_mul(DAY_S));
    let cookie = Cookie::build((COOKIE_NAME, click?.to_string()))
        .path("/")
        .http_only(true)
        // Browsers do not send a secure cookie over plain HTTP to this machine.
        .secure(!is_local)
        .same_site(SameSite::Lax)
        .max_age(age)
        .build();
    HeaderValue::try_from(cookie.to_string()).ok()
}
