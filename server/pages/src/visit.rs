//! Who views a page, and at which URL.

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::StatusCode;
use axum::http::request::Parts;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Deserialize;

use super::Pages;
use super::client::{Client, Failure};
use super::form;
use super::locale::Locale;
use super::page::{Frame, PageError, Section};
use super::parameters::Parameters;
use super::store::Store;
use crate::auth::Role;
use crate::middleware;

/// The notices of changes on the page that follows them, by the word in the URL.
const NOTICES: &[(&str, &str)] = &[
    ("board", "The overview was changed."),
    ("saved", "Saved."),
    ("deleted", "Deleted."),
    ("done", "Done."),
    ("begun", "This takes longer. What comes of it is shown here when it has ended."),
];

/// A logged-in person at a URL.
#[derive(Debug, Clone)]
pub(super) struct Visit {
    pub(super) api: Client,
    pub(super) user: User,
    pub(super) store: Store,
    /// The session's token and the page's key, which every form carries.
    pub(super) token: String,
    /// The URL without its query.
    pub(super) path: String,
    pub(super) parameters: Parameters,
    /// The present day in the store's time zone.
    pub(super) today: Date,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct User {
    pub(super) email: String,
    pub(super) role: Role,
}

impl Visit {
    /// Returns whether the person may edit metrics.
    pub(super) const fn edits_metrics(&self) -> bool {
        self.user.role.may_edit_metrics()
    }

    /// Returns whether the person may change the store's data.
    pub(super) const fn runs_store(&self) -> bool {
        self.user.role.may_write()
    }

    /// Returns the URL with other parameters.
    pub(super) fn address_with(&self, changes: &[(&str, &str)]) -> String {
        self.parameters.with(&self.path, changes)
    }

    /// Returns what the frame shows around a page.
    pub(super) fn frame(&self, section: Section, title: impl Into<String>) -> Frame {
        let done = self.parameters.text("done");
        Frame {
            title: title.into(),
            section,
            store: self.store.name.clone(),
            locale: self.store.locale.tag(),
            email: self.user.email.clone(),
            role: match self.user.role {
                Role::Admin => "admin",
                Role::Analyst => "analyst",
                Role::Viewer => "viewer",
            },
            token: self.token.clone(),
            address: self.address_with(&[("done", "")]),
            notice: NOTICES.iter().find(|(word, _)| *word == done).map(|(_, text)| *text),
        }
    }

    /// Nothing exists at this URL.
    pub(super) fn missing(&self) -> PageError {
        PageError::missing(&self.path)
    }
}

impl FromRequestParts<Pages> for Visit {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, pages: &Pages) -> Result<Self, PageError> {
        let client = parts.extensions.get::<middleware::Client>().copied();
        let api = Client::of(pages.api.clone(), &parts.headers, client);
        parts.extensions.insert(api.form_key.clone());
        let path = parts.uri.path().to_owned();
        let parameters = Parameters::parse(parts.uri.query().unwrap_or_default().as_bytes());
        let log_in = || {
            let is_read = parts.method.is_safe();
            let address = is_read.then(|| parameters.with(&path, &[]));
            PageError::logged_out(&parts.headers, address.as_deref())
        };
        let token = form::token_and_key(&parts.headers).ok_or_else(log_in)?;
        let (user, stores) = tokio::join!(
            api.get_at("/admin/users/me", "/user"),
            api.get_at::<Vec<Store>>("/admin/stores", "/stores"),
        );
        let refused = |failure: Failure| {
            let is_unknown =
                [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN, StatusCode::NOT_FOUND];
            if is_unknown.contains(&failure.status) { log_in() } else { failure.into() }
        };
        let user = user.map_err(refused)?;
        let store = stores.map_err(refused)?.into_iter().next();
        let store = store.unwrap_or_else(|| Store {
            name: "Quotient".to_owned(),
            default_currency_code: "usd".to_owned(),
            time_zone: "UTC".to_owned(),
            locale: Locale::default(),
            supported_currencies: Vec::new(),
        });
        let api = api.writing(&store);
        let zone = TimeZone::get(&store.time_zone).unwrap_or(TimeZone::UTC);
        let today = zone.to_datetime(pages.clock.now().to_jiff()).date();
        Ok(Self { api, user, store, token, path, parameters, today })
    }
}

impl OptionalFromRequestParts<Pages> for Visit {
    type Rejection = PageError;

    async fn from_request_parts(
        parts: &mut Parts,
        pages: &Pages,
    ) -> Result<Option<Self>, PageError> {
        Ok(<Self as FromRequestParts<Pages>>::from_request_parts(parts, pages).await.ok())
    }
}
