//! Queries for pages, their versions and their preview tokens.

use rusqlite::named_params;

use super::content::PageVersion;
use super::page::ContentPage;
use super::show::PublishedPage;
use crate::auth::SecretDigest;
use crate::clock::Timestamp;
use crate::database::{Error, FromRow, Stored, Tx};
use crate::ids::{ContentPageId, SiteId};

/// Returns the number of pages.
pub(super) fn count(tx: &Tx<'_>) -> Result<u32, Error> {
    tx.sql("select count(*) from content_page").one([], |row| row.get(0))
}

/// Inserts the latest version of a page.
pub(super) fn insert_version(tx: &Tx<'_>, page: &ContentPage, by: &str) -> Result<(), Error> {
    tx.insert(
        "content_page_version",
        named_params! {
            ":page_id": page.id, ":version": page.version, ":content": Stored(&page.content),
            ":created_by": by, ":created_at": tx.now(),
        },
    )
}

/// Returns the versions of a page, newest first.
pub(super) fn versions(
    tx: &Tx<'_>,
    id: &ContentPageId,
    (limit, offset): (u32, u32),
) -> Result<Vec<PageVersion>, Error> {
    tx.sql(
        "select version, content, created_by, created_at from content_page_version
          where page_id = :id order by version desc limit :limit offset :offset",
    )
    .all(named_params! { ":id": id, ":limit": limit, ":offset": offset }, PageVersion::from_row)
}

pub(super) fn version(
    tx: &Tx<'_>,
    id: &ContentPageId,
    version: i64,
) -> Result<Option<PageVersion>, Error> {
    tx.sql(
        "select version, content, created_by, created_at from content_page_version
          where page_id = :id and version = :version",
    )
    .first(named_params! { ":id": id, ":version": version }, PageVersion::from_row)
}

/// Returns the published pages with a slug on a site, or on no site: one per language.
pub(super) fn published(
    tx: &Tx<'_>,
    site: Option<&SiteId>,
    slug: &str,
) -> Result<Vec<PublishedPage>, Error> {
    tx.sql(
        "select p.id, p.slug, p.locale, v.version, v.content, p.publish_at, p.unpublish_at, p.published_at, p.updated_at
           from content_page p
           join content_page_version v on v.page_id = p.id and v.version = p.published_version
          where p.site_id is :site and p.slug = :slug",
    )
    .all(named_params! { ":site": site, ":slug": slug }, PublishedPage::from_row)
}

/// Stores a preview token of a page, and deletes expired ones.
pub(super) fn insert_preview(
    tx: &Tx<'_>,
    id: &ContentPageId,
    token: SecretDigest,
    expires_at: Timestamp,
) -> Result<(), Error> {
    tx.sql("delete from content_preview where expires_at <= :now")
        .run(named_params! { ":now": tx.now() })?;
    tx.insert(
        "content_preview",
        named_params! {
            ":hash": token, ":page_id": id, ":created_at": tx.now(), ":expires_at": expires_at,
        },
    )
}

/// Returns the page that a preview token shows.
pub(super) fn previewed(tx: &Tx<'_>, token: SecretDigest) -> Result<Option<ContentPageId>, Error> {
    tx.sql("select page_id from content_preview where hash = :hash and expires_at > :now")
        .first(named_params! { ":hash": token, ":now": tx.now() }, |row| row.get(0))
}
