//! Errors of prices and their HTTP statuses.

use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::ids::PriceId;
use crate::metadata::MetadataError;
use crate::money::{Currency, MoneyError};

#[derive(Debug, thiserror::Error, HttpError)]
pub enum PricingError {
    #[error(transparent)]
    Db(#[from] database::Error),
    /// An amount does not fit its currency.
    #[error(transparent)]
    #[http(invalid_data)]
    Money(#[from] MoneyError),
    #[error(transparent)]
    #[http(invalid_data)]
    Metadata(#[from] MetadataError),
    #[error(transparent)]
    #[http(not_found)]
    NotFound(#[from] Missing),
    /// The value already has a preference.
    #[error("a price preference for {attribute}: {value}, already exists")]
    #[http(duplicate)]
    PreferenceExists { attribute: &'static str, value: String },
    #[error("{0}")]
    #[http(invalid_data)]
    Invalid(String),
}

impl PricingError {
    pub(super) fn negative() -> Self {
        Self::Invalid("a price must not be below zero".to_owned())
    }

    pub(super) fn too_many(max: usize) -> Self {
        Self::Invalid(format!("more than {max} prices"))
    }

    /// Two prices differ only in their amount.
    pub(super) fn twice(currency: Currency) -> Self {
        let sentence =
            format!("two prices in {currency} are for the same quantities and the same rules");
        Self::Invalid(sentence)
    }

    pub(super) fn unknown_attribute(attribute: &str) -> Self {
        let known = "region_id, customer.groups.id and item_total";
        Self::Invalid(format!("prices do not depend on `{attribute}`; they do on {known}"))
    }

    pub(super) fn bad_value(attribute: &str, value: &str) -> Self {
        Self::Invalid(format!("`{value}` is no value for a rule on `{attribute}`"))
    }

    pub(crate) fn unknown_region(id: &str) -> Self {
        Self::Invalid(format!("the region `{id}` does not exist"))
    }

    /// A price that does not belong to this set or list.
    pub(super) fn unknown_price(id: &PriceId) -> Self {
        Self::Invalid(format!("the price `{id}` does not exist here"))
    }
}
