//! The frame around every page, its headers, and the error pages.

use askama::Template;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, REFERER, REFERRER_POLICY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use quotient_foundation::context::Context;

use super::client::{self, Failure};
use crate::http::HttpError;

/// Pages load nothing from elsewhere, and run no inline scripts or styles.
const POLICY: &str =
    "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/// How htmx marks its requests, and how it is redirected.
const HX_REQUEST: HeaderName = HeaderName::from_static("hx-request");
const HX_REDIRECT: HeaderName = HeaderName::from_static("hx-redirect");
const HX_CURRENT: HeaderName = HeaderName::from_static("hx-current-url");

/// A page, or an error page.
pub(super) type PageResult = Result<Response, PageError>;

/// A part of a page, or why it is missing; the rest of the page is shown.
pub(super) type Part<T> = Result<T, Failure>;

/// The sections of the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Overview,
    Metrics,
    Workbench,
    Alerts,
    Reports,
    Orders,
    Products,
    Customers,
    Promotions,
    Subscriptions,
    Flows,
    Partners,
    Webhooks,
    Settings,
    Health,
    None,
}

/// A section's name, its URL, and its key after `g`.
pub(super) type Entry = (Section, &'static str, &'static str, char);

impl Section {
    /// The sections in order.
    pub(super) const ALL: &[Entry] = &[
        (Self::Overview, "Overview", "/app", 'o'),
        (Self::Metrics, "Metrics", "/app/metrics", 'm'),
        (Self::Workbench, "Workbench", "/app/workbench", 'w'),
        (Self::Alerts, "Alerts", "/app/alerts", 'a'),
        (Self::Reports, "Reports", "/app/reports", 'r'),
        (Self::Orders, "Orders", "/app/orders", 'n'),
        (Self::Products, "Products", "/app/products", 'p'),
        (Self::Customers, "Customers", "/app/customers", 'c'),
        (Self::Promotions, "Promotions", "/app/promotions", 'd'),
        (Self::Subscriptions, "Subscriptions", "/app/subscriptions", 's'),
        (Self::Flows, "Flows", "/app/flows", 'f'),
        (Self::Partners, "Partners", "/app/partners", 't'),
        (Self::Webhooks, "Webhooks", "/app/webhooks", 'h'),
        (Self::Settings, "Settings", "/app/people", 'k'),
        (Self::Health, "Health", "/app/health", 'z'),
    ];
}

/// What the frame shows around a page.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) title: String,
    pub(super) section: Section,
    pub(super) store: String,
    /// The store's format of numbers and days, for the script.
    pub(super) locale: &'static str,
    pub(super) email: String,
    pub(super) role: &'static str,
    pub(super) token: String,
    /// The URL, for a link that retries.
    pub(super) address: String,
    /// The notice of the change that led here.
    pub(super) notice: Option<&'static str>,
}

/// Returns a page with the headers of all pages.
pub(super) fn respond(status: StatusCode, template: &impl Template) -> PageResult {
    let html = template.render().map_err(PageError::unwritten)?;
    Ok((status, headers(), html).into_response())
}

/// Returns a page.
pub(super) fn show(template: &impl Template) -> PageResult {
    respond(StatusCode::OK, template)
}

/// Redirects the browser after a change.
pub(super) fn go(address: &str) -> PageResult {
    let to = HeaderValue::try_from(address).map_err(PageError::unwritten)?;
    Ok((StatusCode::SEE_OTHER, [(LOCATION, to)]).into_response())
}

fn headers() -> [(HeaderName, HeaderValue); 4] {
    [
        (CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        // With `no-referrer`, browsers would hide from the server that a form is its own.
        (REFERRER_POLICY, HeaderValue::from_static("same-origin")),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ]
}

/// An error page.
#[derive(Debug)]
pub(super) struct PageError(Box<Response>);

#[derive(Debug, Template)]
#[template(path = "problem.html")]
struct Problem<'a> {
    heading: &'static str,
    message: &'a str,
    request_id: String,
    /// The page on which to try again.
    address: Option<&'a str>,
}

impl PageError {
    fn problem(
        status: StatusCode,
        heading: &'static str,
        message: &str,
        address: Option<&str>,
    ) -> Self {
        let request_id = Context::current().request_id().to_owned();
        let problem = Problem { heading, message, request_id, address };
        respond(status, &problem).map_or_else(|error| error, |response| Self(Box::new(response)))
    }

    /// A page could not be rendered.
    fn unwritten(cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self(Box::new(HttpError::unexpected(cause).into_response()))
    }

    /// Nothing exists at this address.
    pub(super) fn missing(path: &str) -> Self {
        let message = format!("There is nothing at {path}.");
        Self::problem(StatusCode::NOT_FOUND, "Not found", &message, None)
    }

    /// A change was rejected; links back to the page on which it was made.
    pub(super) fn refused_change(failure: &Failure, back: &str) -> Self {
        Self::problem(failure.status, "This was refused", &failure.message, Some(back))
    }

    /// The subject of a change has changed in the meantime.
    pub(super) fn outdated(message: &str, back: &str) -> Self {
        Self::problem(StatusCode::CONFLICT, "This is no longer possible", message, Some(back))
    }

    /// Refuses what the role does not permit.
    pub(super) fn unless(is_permitted: bool) -> Result<(), Self> {
        if is_permitted { Ok(()) } else { Err(Self::forbidden()) }
    }

    /// The role does not permit it.
    pub(super) fn forbidden() -> Self {
        let message = "Your role does not permit this.";
        Self::problem(StatusCode::FORBIDDEN, "Not permitted", message, None)
    }

    /// The form does not belong to a page of this session.
    pub(super) fn foreign() -> Self {
        let message = "The form was sent from another page or for another session. Open the page \
                       again and repeat it.";
        Self::problem(StatusCode::FORBIDDEN, "The form has expired", message, None)
    }

    /// The request cannot be read.
    pub(super) fn refused(error: &HttpError) -> Self {
        Self::problem(error.status(), "This did not work", error.message(), None)
    }

    /// There is no session: redirects to the log-in and back to this URL, or to the page that contains a part or on
    /// which a change was made.
    pub(super) fn logged_out(headers: &HeaderMap, address: Option<&str>) -> Self {
        let is_part = headers.contains_key(HX_REQUEST);
        let shown = headers.get(if is_part { HX_CURRENT } else { REFERER });
        let shown = shown.and_then(|url| Some(url.to_str().ok()?.split_once("://")?.1));
        let shown = shown.and_then(|rest| rest.find('/').and_then(|at| rest.get(at..)));
        let next = address.filter(|_| !is_part).or(shown).unwrap_or_default();
        let log_in = client::target("/app/log-in", &[("next", next)]);
        let to = HeaderValue::try_from(log_in).unwrap_or(HeaderValue::from_static("/app/log-in"));
        if is_part {
            let response = (StatusCode::UNAUTHORIZED, [(HX_REDIRECT, to)]).into_response();
            return Self(Box::new(response));
        }
        Self(Box::new((StatusCode::SEE_OTHER, [(LOCATION, to)]).into_response()))
    }
}

impl Failure {
    /// Returns the failure of a change; an error page if the role does not permit the change.
    pub(super) fn permitted(self) -> Result<Self, PageError> {
        if self.status == StatusCode::FORBIDDEN { Err(PageError::forbidden()) } else { Ok(self) }
    }
}

impl From<Failure> for PageError {
    /// The subject of the page could not be read.
    fn from(failure: Failure) -> Self {
        let heading = match failure.status {
            StatusCode::NOT_FOUND => "Not found",
            StatusCode::FORBIDDEN => "Not permitted",
            StatusCode::TOO_MANY_REQUESTS => "Too many requests",
            _ => "This did not work",
        };
        let says_no_more =
            failure.status == StatusCode::NOT_FOUND && failure.message.starts_with(heading);
        let nothing = "There is nothing at this address, or not any more.";
        let message = if says_no_more { nothing } else { &failure.message };
        Self::problem(failure.status, heading, message, None)
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        *self.0
    }
}
