//! Queries for pages, their versions and their preview tokens.

use rusqlite::named_params;

use super::content::PageVersion;
use super::page::ContentPage;
use super::show::PublishedPage;
use crate::auth::SecretDigest;
use crate::clock::Timestamp;
use crate::database::{Error, FromRow as _, Record as _, Stored, Tx};
use crate::ids::{ContentPageId, SiteId};

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
    let rest = "where v.page_id = :id order by v.version desc limit :limit offset :offset";
    PageVersion::select(tx, rest, named_params! { ":id": id, ":limit": limit, ":offset": offset })
}

pub(super) fn version(
    tx: &Tx<'_>,
    id: &ContentPageId,
    version: i64,
) -> Result<Option<PageVersion>, Error> {
    let rest = "where v.page_id = :id and v.version = :version";
    PageVersion::select_one(tx, rest, named_params! { ":id": id, ":version": version })
}

/// What a storefront is shown of a page, whose version is joined.
const SHOWN: &str =
    "select p.id, p.slug, p.locale, v.version, v.content, p.publish_at, p.unpublish_at,
       p.published_at, p.updated_at from content_page p";

/// Returns the published pages with a slug on a site, or on no site: one per language.
pub(super) fn published(
    tx: &Tx<'_>,
    site: Option<&SiteId>,
    slug: &str,
) -> Result<Vec<PublishedPage>, Error> {
    let rest = "join content_page_version v on v.page_id = p.id and v.version = p.published_version
                where p.site_id is :site and p.slug = :slug";
    tx.sql(&format!("{SHOWN} {rest}"))
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

/// Returns the latest version of the page that a preview token shows, if the page has this slug.
pub(super) fn previewed(
    tx: &Tx<'_>,
    token: SecretDigest,
    slug: &str,
) -> Result<Option<PublishedPage>, Error> {
    let rest = "join content_page_version v on v.page_id = p.id and v.version = p.version
                where p.id = (select page_id from content_preview where hash = :hash and expires_at > :now)
                  and p.slug = :slug";
    tx.sql(&format!("{SHOWN} {rest}")).first(
        named_params! { ":hash": token, ":now": tx.now(), ":slug": slug },
        PublishedPage::from_row,
    )
}
