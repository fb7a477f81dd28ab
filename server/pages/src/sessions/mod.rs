//! Logging in and out.

use askama::Template;
use axum::Extension;
use axum::extract::State;
use axum::http::header::{LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse as _, Redirect};
use serde_json::json;

use super::client::{Client, Failure};
use super::form::{Form, OpenForm};
use super::page::{PageResult, respond};
use super::parameters::Parameters;
use super::visit::Visit;
use super::{Pages, REFUSED};
use crate::middleware;

#[derive(Debug, Template)]
#[template(path = "sessions/log_in.html")]
struct LogInPage {
    email: String,
    next: String,
    problem: Option<String>,
}

/// Shows the form; redirects people who are already logged in.
pub(super) async fn show_log_in(
    axum::extract::RawQuery(query): axum::extract::RawQuery,
    visit: Option<Visit>,
) -> PageResult {
    let sent = Parameters::parse(query.unwrap_or_default().as_bytes());
    let next = own_address(sent.text("next")).to_owned();
    if visit.is_some() {
        return Ok(Redirect::to(&next).into_response());
    }
    respond(StatusCode::OK, &LogInPage { email: String::new(), next, problem: None })
}

/// Opens a session, as `POST /auth/session` does for the token of a log-in.
pub(super) async fn log_in(
    State(pages): State<Pages>,
    Extension(client): Extension<middleware::Client>,
    headers: HeaderMap,
    OpenForm(fields): OpenForm,
) -> PageResult {
    let client = Client::of(pages.api, &headers, Some(client));
    let next = own_address(fields.text("next")).to_owned();
    match open(client, &fields).await {
        Ok(cookie) => {
            let to = HeaderValue::try_from(next).unwrap_or(HeaderValue::from_static("/app"));
            Ok((StatusCode::SEE_OTHER, [(LOCATION, to), (SET_COOKIE, cookie)]).into_response())
        }
        Err(failure) => {
            let problem = match failure.status {
                StatusCode::UNAUTHORIZED => "The e-mail address or the password is wrong.",
                StatusCode::TOO_MANY_REQUESTS => {
                    "Too many attempts. Wait a minute, then try again."
                }
                StatusCode::FORBIDDEN => "This account is not an admin's.",
                _ => "The server could not log you in. Try again.",
            };
            let page = LogInPage {
                email: fields.text("email").to_owned(),
                next,
                problem: Some(problem.to_owned()),
            };
            let is_limit = failure.status == StatusCode::TOO_MANY_REQUESTS;
            respond(if is_limit { failure.status } else { REFUSED }, &page)
        }
    }
}

/// Returns the cookie of a new session. The token that opens it is revoked, because nothing else uses
/// it.
async fn open(client: Client, fields: &Parameters) -> Result<HeaderValue, Failure> {
    let sent = json!({ "email": fields.text("email"), "password": fields.raw("password") });
    let route = "/auth/user/emailpass";
    let token: String = client.post_at(route, &sent, "/token").await?;
    let holder = client.with_token(&token);
    let (headers, _) = holder.send(Method::POST, "/auth/session", None).await?;
    holder.send(Method::DELETE, "/auth/session", None).await?;
    headers.get(SET_COOKIE).cloned().ok_or_else(Failure::unreadable)
}

pub(super) async fn log_out(visit: Visit, Form(_fields): Form) -> PageResult {
    let (headers, _) = visit.api.send(Method::DELETE, "/auth/session", None).await?;
    let to = HeaderValue::from_static("/app/log-in");
    let mut response = (StatusCode::SEE_OTHER, [(LOCATION, to)]).into_response();
    if let Some(cookie) = headers.get(SET_COOKIE) {
        response.headers_mut().insert(SET_COOKIE, cookie.clone());
    }
    Ok(response)
}

/// Returns an address within the pages; the first page for any other, so that no link leads
/// elsewhere.
fn own_address(address: &str) -> &str {
    let is_own = address == "/app" || address.starts_with("/app/") || address.starts_with("/app?");
    let is_plain = !address.contains(['\\', '\r', '\n']) && !address.starts_with("/app/log-");
    if is_own && is_plain { address } else { "/app" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_in_leads_only_to_own_pages() {
        for (sent, expected) in [
            ("/app/metrics?q=a", "/app/metrics?q=a"),
            ("/app?range=7d", "/app?range=7d"),
            ("", "/app"),
            ("//evil.example", "/app"),
            ("https://evil.example/app", "/app"),
            ("/apple", "/app"),
            ("/app/log-out", "/app"),
        ] {
            assert_eq!(own_address(sent), expected, "{sent}");
        }
    }
}
