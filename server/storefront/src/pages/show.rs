//! Selects the page that a storefront is shown.

use serde::Serialize;

use super::content::PageContent;
use super::page::ContentPage;
use super::{preview, queries};
use crate::auth::Shop;
use crate::clock::Timestamp;
use crate::database::{FromRow, Tx};
use crate::error::ContentError;
use crate::http::ToSchema;
use crate::ids::ContentPageId;
use crate::locale::{Locale, preferences};
use crate::schedule::Window;
use crate::sites;

/// What a storefront asks for.
#[derive(Debug)]
pub(super) struct PageAddress {
    pub(super) slug: String,
    pub(super) site_handle: Option<String>,
    pub(super) locale: Option<Locale>,
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

impl From<ContentPage> for PublishedPage {
    fn from(page: ContentPage) -> Self {
        Self {
            id: page.id,
            slug: page.slug,
            content: page.content,
            locale: page.locale,
            version: page.version,
            published_at: page.published_at,
            updated_at: page.updated_at,
            publish_at: page.publish_at,
            unpublish_at: page.unpublish_at,
        }
    }
}

/// The page to show, if there is one.
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
    address: &PageAddress,
) -> Result<ServedPage, ContentError> {
    let site = match &address.site_handle {
        Some(handle) => match sites::with_handle(tx, handle, &shop.sales_channel_ids)? {
            Some(site) => Some(site),
            None => return Ok(ServedPage::default()),
        },
        None => None,
    };
    let pages = queries::published(tx, site.as_ref().map(|site| &site.id), &address.slug)?;
    let locale_of_site = site.as_ref().and_then(|site| site.locale.as_deref());
    let locales = preferences(address.locale.as_ref(), locale_of_site);
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

/// Returns the latest version of the page that a preview token shows.
pub(super) fn find_draft(
    tx: &Tx<'_>,
    token: &str,
    slug: &str,
) -> Result<Option<PublishedPage>, ContentError> {
    Ok(preview::find(tx, token, slug)?.map(Into::into))
}
