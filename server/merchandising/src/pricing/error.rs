//! What can be wrong with prices, and how it is answered.

use crate::database;
use crate::http::HttpError;
use crate::ids::{PriceId, PriceListId, PricePreferenceId, VariantId};
use crate::metadata::MetadataError;
use crate::money::{Currency, MoneyError};

/// Why prices cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum PricingError {
    /// The database failed.
    #[error(transparent)]
    Db(#[from] database::Error),
    /// An amount does not fit its currency.
    #[error(transparent)]
    Money(#[from] MoneyError),
    /// The metadata is too large.
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    /// An amount below zero.
    #[error("a price must not be below zero")]
    Negative,
    /// A tier that no quantity is in.
    #[error("`min_quantity` must be at least 1 and not above `max_quantity`")]
    EmptyTier,
    /// More prices than a set may have.
    #[error("more than {max} prices")]
    TooMany {
        /// How many there may be.
        max: usize,
    },
    /// Two prices that differ in nothing but their amount.
    #[error("two prices in {currency} are for the same quantities and the same rules")]
    Twice {
        /// Their currency.
        currency: Currency,
    },
    /// A rule on something that prices do not depend on.
    #[error(
        "prices do not depend on `{attribute}`; they do on region_id, customer.groups.id and item_total"
    )]
    UnknownAttribute {
        /// What was sent.
        attribute: String,
    },
    /// A rule whose value does not fit.
    #[error("`{value}` is no value for a rule on `{attribute}`")]
    BadValue {
        /// What the rule is on.
        attribute: String,
        /// What was sent.
        value: String,
    },
    /// A rule names a region that is not there.
    #[error("the region `{id}` does not exist")]
    UnknownRegion {
        /// What was sent.
        id: String,
    },
    /// A price that is not in this set or list.
    #[error("the price `{0}` does not exist here")]
    UnknownPrice(PriceId),
    /// A price for a variant that is not there.
    #[error("the variant `{0}` does not exist")]
    UnknownVariant(VariantId),
    /// No such price list.
    #[error("Price list with id: {0} was not found")]
    NoList(PriceListId),
    /// A price list that ends before it starts.
    #[error("`ends_at` must be after `starts_at`")]
    EmptySpan,
    /// No such price preference.
    #[error("Price preference with id: {0} was not found")]
    NoPreference(PricePreferenceId),
    /// There is a preference for this value.
    #[error("a price preference for {attribute}: {value}, already exists")]
    PreferenceExists {
        /// `currency_code` or `region_id`.
        attribute: String,
        /// Its value.
        value: String,
    },
    /// No such variant.
    #[error("Product variant with id: {0} was not found")]
    NoVariant(VariantId),
    /// Prices were asked for without saying where.
    #[error("Missing required pricing context to calculate prices - region_id")]
    NoContext,
}

impl From<rusqlite::Error> for PricingError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Db(error.into())
    }
}

impl From<PricingError> for HttpError {
    fn from(error: PricingError) -> Self {
        match error {
            PricingError::Db(cause) => cause.into(),
            PricingError::NoList(_)
            | PricingError::NoPreference(_)
            | PricingError::NoVariant(_) => Self::not_found(error.to_string()),
            PricingError::PreferenceExists { .. } => Self::duplicate(error.to_string()),
            PricingError::Money(_)
            | PricingError::Metadata(_)
            | PricingError::Negative
            | PricingError::EmptyTier
            | PricingError::TooMany { .. }
            | PricingError::Twice { .. }
            | PricingError::UnknownAttribute { .. }
            | PricingError::BadValue { .. }
            | PricingError::UnknownRegion { .. }
            | PricingError::UnknownPrice(_)
            | PricingError::UnknownVariant(_)
            | PricingError::EmptySpan
            | PricingError::NoContext => Self::invalid_data(error.to_string()),
        }
    }
}
