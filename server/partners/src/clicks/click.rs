//! Stored clicks.

use serde::Serialize;

use crate::clock::Timestamp;
use crate::database::Record;
use crate::error::PartnerError;
use crate::http::{Resource, ToSchema};
use crate::ids::{PartnerClickId, PartnerId, PartnerOfferId};

/// A click on a partner's link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema, Record, Resource)]
#[record(table = "partner_click k", title = "Partner click")]
#[record(list(plural = "partner_clicks", order = "-clicked_at", limit = 50))]
#[resource(name = "partner click", error = PartnerError)]
#[schema(as = PartnerClick)]
pub struct Click {
    #[column(filter)]
    pub id: PartnerClickId,
    #[column(once, filter)]
    pub offer_id: PartnerOfferId,
    #[column(once, filter)]
    pub partner_id: PartnerId,
    /// Random; the same for all clicks of a browser that keeps its cookie.
    #[column(once, filter)]
    pub visitor: String,
    #[column(once)]
    pub sub1: Option<String>,
    #[column(once)]
    pub sub2: Option<String>,
    #[column(once)]
    pub sub3: Option<String>,
    /// The site with the link, if the browser sends it.
    #[column(once)]
    #[schema(example = "blog.example")]
    pub referrer_host: Option<String>,
    /// The country of the browser's first language, if it names one.
    #[column(once)]
    #[schema(example = "at")]
    pub country: Option<String>,
    /// `desktop`, `mobile` or `tablet`.
    #[column(once)]
    #[schema(example = "mobile")]
    pub device: String,
    /// How often the link was followed again within half an hour.
    pub repeat_count: i64,
    #[column(once, filter, order)]
    pub clicked_at: Timestamp,
}
