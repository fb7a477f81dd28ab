//! The bodies of requests on pages.

use serde_json::Value;

use super::content::{Format, PageContent};
use super::page::{ContentPage, PageStatus};
use super::queries;
use crate::clock::Timestamp;
use crate::database::{Missing, Table as _, Tx};
use crate::error::ContentError;
use crate::http::{Patch, Text, request};
use crate::ids::{ContentPageId, SiteId};
use crate::link::Seo;
use crate::locale::Locale;
use crate::metadata::MetadataPatch;
use crate::slug::Slug;

/// A new page: a draft, unless its status says otherwise.
#[request]
#[schema(example = json!({
    "slug": "about-us", "title": "About us", "body": "We sell **mugs**.", "status": "published",
}))]
pub(super) struct CreatePageRequest {
    slug: Slug,
    title: Text,
    site_id: Option<SiteId>,
    locale: Option<Locale>,
    excerpt: Option<Text<500>>,
    /// Defaults to `markdown`.
    format: Option<Format>,
    /// Markdown without HTML.
    body: Option<Text<200_000>>,
    /// Objects with a `type`.
    #[schema(value_type = Option<Vec<Object>>)]
    blocks: Option<Vec<Value>>,
    seo: Option<Seo>,
    /// Defaults to `draft`.
    status: Option<PageStatus>,
    publish_at: Option<Timestamp>,
    unpublish_at: Option<Timestamp>,
    metadata: Option<MetadataPatch>,
}

/// The fields of a page to change. Changed content creates a new version, which is shown once it is
/// published.
#[request]
#[schema(example = json!({ "body": "We sell **mugs and lamps**.", "status": "published" }))]
pub(super) struct UpdatePageRequest {
    slug: Option<Slug>,
    title: Option<Text>,
    site_id: Patch<SiteId>,
    locale: Patch<Locale>,
    excerpt: Patch<Text<500>>,
    format: Option<Format>,
    body: Patch<Text<200_000>>,
    #[schema(value_type = Option<Vec<Object>>)]
    blocks: Option<Vec<Value>>,
    seo: Option<Seo>,
    /// `published` shows the latest version, `draft` none. If absent, storefronts keep showing what
    /// they show.
    status: Option<PageStatus>,
    publish_at: Patch<Timestamp>,
    unpublish_at: Patch<Timestamp>,
    metadata: Option<MetadataPatch>,
}

impl CreatePageRequest {
    pub(super) fn create(self, tx: &Tx<'_>, by: &str) -> Result<ContentPageId, ContentError> {
        let mut page = ContentPage {
            id: ContentPageId::new(),
            site_id: self.site_id,
            slug: self.slug.into(),
            locale: self.locale.map(Into::into),
            status: PageStatus::Draft,
            version: 1,
            published_version: None,
            published_at: None,
            publish_at: self.publish_at,
            unpublish_at: self.unpublish_at,
            content: PageContent {
                title: self.title.into(),
                excerpt: self.excerpt.map(Into::into),
                format: self.format.unwrap_or_default(),
                body: self.body.map(Into::into),
                blocks: self.blocks.unwrap_or_default(),
                seo: self.seo.unwrap_or_default(),
            },
            metadata: self.metadata.unwrap_or_default().create()?,
            created_at: tx.now(),
            updated_at: tx.now(),
        };
        page.set_status(self.status.unwrap_or(PageStatus::Draft), tx.now());
        page.add(tx, by)?;
        Ok(page.id)
    }
}

impl UpdatePageRequest {
    pub(super) fn update(
        self,
        tx: &Tx<'_>,
        id: &ContentPageId,
        by: &str,
    ) -> Result<(), ContentError> {
        let before = ContentPage::require::<ContentError>(tx, id)?;
        let mut page = before.clone();
        crate::assign!(self => page: slug, site_id, locale, publish_at, unpublish_at);
        let content = &mut page.content;
        crate::assign!(self => content: title, excerpt, format, body, blocks, seo);
        page.metadata.merge(self.metadata)?;
        page.save(tx, &before, self.status, by)
    }
}

/// The version to restore.
#[request]
#[schema(example = json!({ "version": 1 }))]
pub(super) struct RestorePageRequest {
    #[schema(minimum = 1)]
    version: i64,
}

impl RestorePageRequest {
    pub(super) fn restore(
        self,
        tx: &Tx<'_>,
        id: &ContentPageId,
        by: &str,
    ) -> Result<(), ContentError> {
        let before = ContentPage::require::<ContentError>(tx, id)?;
        let found = queries::version(tx, id, self.version)?;
        let missing = || Missing::new("Version of the content page", &self.version);
        let content = found.ok_or_else(missing)?.content;
        let restored = ContentPage { content, ..before.clone() };
        restored.save(tx, &before, None, by)
    }
}
