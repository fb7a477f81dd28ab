//! Stored sites.

use serde::Serialize;

use crate::clock::Timestamp;
use crate::database::listing::Kind;
use crate::database::{Record, Table as _, Tx};
use crate::error::{ContentError, check_room, must_exist};
use crate::http::{Resource, ToSchema};
use crate::ids::{RegionId, SalesChannelId, SiteId};
use crate::link::Seo;
use crate::money::Currency;
use crate::sites::queries;

/// Limit: sites of a store.
const MAX_SITES: u32 = 1_000;

/// A site: a domain with its sales channel, region, language and currency.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "site s")]
#[record(list(plural = "sites", usual, search = ["s.name", "s.handle", "s.domain"], order = "-created_at"))]
#[resource(name = "site", error = ContentError)]
pub(crate) struct Site {
    pub(crate) id: SiteId,
    #[column(filter, order)]
    #[schema(example = "main")]
    pub(crate) handle: String,
    /// In lower case and in ASCII.
    #[column(filter, order, kind = Kind::LowerCase)]
    #[schema(example = "shop.example")]
    pub(crate) domain: String,
    #[column(order)]
    pub(crate) name: String,
    #[column(filter)]
    pub(crate) sales_channel_id: SalesChannelId,
    #[column(filter)]
    pub(crate) region_id: Option<RegionId>,
    /// The language of content that is missing in the shopper's.
    pub(crate) locale: Option<String>,
    #[column(name = "currency")]
    #[schema(value_type = Option<String>, example = "eur")]
    pub(crate) currency_code: Option<Currency>,
    /// Whether it is the main site of its sales channel.
    #[column(filter)]
    pub(crate) is_primary: bool,
    #[column(filter)]
    pub(crate) is_enabled: bool,
    /// Where its shoppers are redirected.
    pub(crate) redirect_to: Option<String>,
    #[column(json)]
    pub(crate) seo: Option<Seo>,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
}

/// A site as a storefront sees it.
#[derive(Debug, Serialize, ToSchema, Record)]
#[record(table = "site s")]
pub(super) struct StoreSite {
    id: SiteId,
    handle: String,
    domain: String,
    name: String,
    sales_channel_id: SalesChannelId,
    pub(super) region_id: Option<RegionId>,
    locale: Option<String>,
    #[column(name = "currency")]
    #[schema(value_type = Option<String>)]
    currency_code: Option<Currency>,
    is_primary: bool,
    redirect_to: Option<String>,
    #[column(json)]
    seo: Option<Seo>,
}

impl Site {
    pub(super) fn add(&self, tx: &Tx<'_>) -> Result<(), ContentError> {
        check_room::<Self>(tx, "sites", MAX_SITES)?;
        self.check(tx, None)?;
        self.insert(tx).map_err(|error| error.or_taken(|| self.taken()))
    }

    pub(super) fn save(&self, tx: &Tx<'_>, before: &Self) -> Result<(), ContentError> {
        self.check(tx, Some(before))?;
        self.update(tx).map_err(|error| error.or_taken(|| self.taken()))
    }

    fn check(&self, tx: &Tx<'_>, before: Option<&Self>) -> Result<(), ContentError> {
        let channel = before.map(|site| &site.sales_channel_id);
        must_exist(tx, "sales_channel", "Sales channel", [&self.sales_channel_id], channel)?;
        let region = before.into_iter().flat_map(|site| &site.region_id);
        must_exist(tx, "region", "Region", &self.region_id, region)?;
        if self.is_primary {
            queries::only_primary(tx, &self.sales_channel_id, &self.id)?;
        }
        Ok(())
    }

    fn taken(&self) -> ContentError {
        let value = format!("{} or {}", self.domain, self.handle);
        ContentError::Taken { what: "the domain or the handle", value }
    }
}
