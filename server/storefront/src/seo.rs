//! Data for search engines about a site or a page.

use crate::http::ToSchema;
use serde::{Deserialize, Serialize};

/// Data for search engines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Seo {
    title: Option<crate::http::Text<200>>,
    description: Option<crate::http::Text<500>>,
    image_url: Option<crate::link::Link>,
    canonical_url: Option<crate::link::Link>,
    /// Whether search engines are asked not to index it.
    #[serde(default)]
    no_index: bool,
}
