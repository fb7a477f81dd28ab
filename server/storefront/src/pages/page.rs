//! Stored pages.

use serde::{Deserialize, Serialize};

use super::content::PageContent;
use super::queries;
use crate::clock::Timestamp;
use crate::database::{Record, Table as _, Tx, Word};
use crate::error::{ContentError, check_room};
use crate::http::{Resource, ToSchema};
use crate::ids::{ContentPageId, SiteId};
use crate::metadata::Metadata;
use crate::schedule::Window;
use crate::sites::Site;

/// Limit: pages of a store.
const MAX_PAGES: u32 = 10_000;

/// Whether a page is shown within its window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "snake_case")]
pub(super) enum PageStatus {
    Draft,
    Published,
}

/// A page with its latest version.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "content_page p", title = "Content page")]
#[record(list(
    plural = "content_pages",
    usual,
    search = [
        "p.slug",
        "exists (select 1 from content_page_version v
                  where v.page_id = p.id and v.version = p.version and v.content ->> 'title' {})",
    ],
    order = "-created_at",
))]
#[resource(name = "content page", error = ContentError)]
pub(super) struct ContentPage {
    pub(super) id: ContentPageId,
    /// The site that shows it; none for storefronts without a site.
    #[column(filter)]
    pub(super) site_id: Option<SiteId>,
    #[column(filter, order)]
    #[schema(example = "about-us")]
    pub(super) slug: String,
    /// The language; none for a page in every language.
    #[column(filter)]
    pub(super) locale: Option<String>,
    #[column(sql = "iif(p.published_version is null, 'draft', 'published')", filter)]
    pub(super) status: PageStatus,
    /// The number of the latest version.
    pub(super) version: i64,
    /// The version that storefronts show; null for a draft.
    pub(super) published_version: Option<i64>,
    /// When that version was published.
    pub(super) published_at: Option<Timestamp>,
    /// From when a published page is shown.
    #[column(filter, order)]
    pub(super) publish_at: Option<Timestamp>,
    /// From when it is no longer shown.
    #[column(filter, order)]
    pub(super) unpublish_at: Option<Timestamp>,
    #[serde(flatten)]
    #[column(
        json,
        sql = "(select v.content from content_page_version v where v.page_id = p.id and v.version = p.version)"
    )]
    pub(super) content: PageContent,
    pub(super) metadata: Metadata,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
}

impl ContentPage {
    /// Returns the window in which it is shown once published.
    pub(super) const fn window(&self) -> Window {
        Window::new(self.publish_at, self.unpublish_at)
    }

    /// Inserts a page with its first version.
    pub(super) fn add(&self, tx: &Tx<'_>, by: &str) -> Result<(), ContentError> {
        check_room::<Self>(tx, "content pages", MAX_PAGES)?;
        self.check(tx)?;
        self.insert(tx).map_err(|error| error.or_taken(|| self.taken()))?;
        Ok(queries::insert_version(tx, self, by)?)
    }

    /// Updates a page; changed content creates a new version.
    pub(super) fn save(
        mut self,
        tx: &Tx<'_>,
        before: &Self,
        status: Option<PageStatus>,
        by: &str,
    ) -> Result<(), ContentError> {
        self.check(tx)?;
        let is_new = self.content != before.content;
        if is_new {
            self.version = self.version.saturating_add(1);
        }
        if let Some(status) = status {
            self.set_status(status, tx.now());
        }
        self.update(tx).map_err(|error| error.or_taken(|| self.taken()))?;
        if is_new {
            queries::insert_version(tx, &self, by)?;
        }
        Ok(())
    }

    /// Publishes the latest version, or nothing.
    pub(super) fn set_status(&mut self, status: PageStatus, now: Timestamp) {
        let version = (status == PageStatus::Published).then_some(self.version);
        if version != self.published_version {
            self.published_at = version.map(|_| now);
            self.published_version = version;
        }
    }

    fn check(&self, tx: &Tx<'_>) -> Result<(), ContentError> {
        self.window().check()?;
        self.content.check()?;
        if let Some(id) = &self.site_id {
            Site::require::<ContentError>(tx, id)?;
        }
        Ok(())
    }

    fn taken(&self) -> ContentError {
        let locale = self.locale.as_deref().unwrap_or("every language");
        ContentError::Taken { what: "the slug", value: format!("{} ({locale})", self.slug) }
    }
}
