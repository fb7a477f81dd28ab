//! Selects the page that a storefront is shown; and preview tokens, which show the latest version of one page for a day.

use serde::{Deserialize, Serialize};

use super::content::PageContent;
use super::page::ContentPage;
use super::queries;
use crate::auth::{Secret, SecretDigest, Shop};
use crate::clock::{DAY_MS, Timestamp};
use crate::database::{FromRow, Table as _, Tx};
use crate::error::ContentError;
use crate::http::{IntoParams, ToSchema};
use crate::ids::ContentPageId;
use crate::locale::{Locale, preferences};
use crate::schedule::Window;
use crate::sites;
use crate::slug::Slug;

/// How long a preview token is valid, in milliseconds.
const VALID_MS: i64 = DAY_MS;

/// The query of a page.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct PageQuery {
    /// The page's name in URLs.
    #[param(min_length = 1, max_length = 200, example = "about-us")]
    pub(super) slug: String,
    /// The handle of a site; without it, pages that belong to no site.
    #[param(inline, example = "main")]
    store_handle: Option<Slug>,
    /// The shopper's language. Falls back to the language without the region, then the site's own, then
    /// none.
    #[param(inline, example = "de-AT")]
    locale: Option<Locale>,
    /// Shows the latest version of the token's page.
    #[param(max_length = 200)]
    pub(super) preview_token: Option<String>,
}

/// A page as a storefront shows it.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[schema(as = StoreContentPage)]
pub(super) struct PublishedPage {
    id: ContentPageId,
    slug: String,
    #[serde(flatten)]
    #[column(json)]
    content: PageContent,
    locale: Option<String>,
    version: i64,
    published_at: Option<Timestamp>,
    updated_at: Timestamp,
    #[serde(skip)]
    publish_at: Option<Timestamp>,
    #[serde(skip)]
    unpublish_at: Option<Timestamp>,
}

#[derive(Debug, Default)]
pub(super) struct ServedPage {
    pub(super) page: Option<PublishedPage>,
    /// When the answer changes.
    pub(super) changes_at: Option<Timestamp>,
}

/// Returns the published page with a slug, in the best language available at present.
pub(super) fn find(
    tx: &Tx<'_>,
    shop: &Shop,
    query: &PageQuery,
) -> Result<ServedPage, ContentError> {
    let handle = query.store_handle.as_ref();
    let site = sites::with_handle(tx, handle, &shop.sales_channel_ids)?;
    if handle.is_some() && site.is_none() {
        return Ok(ServedPage::default());
    }
    let pages = queries::published(tx, site.as_ref().map(|site| &site.id), &query.slug)?;
    let locale_of_site = site.as_ref().and_then(|site| site.locale.as_deref());
    let locales = preferences(query.locale.as_ref(), locale_of_site);
    Ok(best(pages, &locales, tx.now()))
}

fn best(pages: Vec<PublishedPage>, locales: &[Option<&str>], now: Timestamp) -> ServedPage {
    let rank =
        |page: &PublishedPage| locales.iter().position(|locale| *locale == page.locale.as_deref());
    let window = |page: &PublishedPage| Window::new(page.publish_at, page.unpublish_at);
    let suitable: Vec<_> = pages.into_iter().filter(|page| rank(page).is_some()).collect();
    let changes_at = suitable.iter().filter_map(|page| window(page).next_change(now)).min();
    let open = suitable.into_iter().filter(|page| window(page).is_open(now));
    ServedPage { page: open.min_by_key(|page| rank(page)), changes_at }
}

/// Returns the latest version of the page that a preview token shows, if the token is valid and the page has this slug.
pub(super) fn find_draft(
    tx: &Tx<'_>,
    token: &str,
    slug: &str,
) -> Result<Option<PublishedPage>, ContentError> {
    let Some(digest) = SecretDigest::of_presented(token) else { return Ok(None) };
    Ok(queries::previewed(tx, digest, slug)?)
}

/// Creates a token for a page; returns when it expires.
pub(super) fn create_preview(
    tx: &Tx<'_>,
    id: &ContentPageId,
    token: &Secret,
) -> Result<Timestamp, ContentError> {
    ContentPage::require::<ContentError>(tx, id)?;
    let expires_at = tx.now().plus_ms(VALID_MS);
    queries::insert_preview(tx, id, token.digest(), expires_at)?;
    Ok(expires_at)
}
