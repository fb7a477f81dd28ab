//! What can be wrong with products, and how it is answered.

use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::inventory::InventoryError;
use crate::metadata::MetadataError;
use crate::pricing::PricingError;
use crate::proportion::OutOfRange;
use crate::taxes::TaxError;

/// Why something of the catalog cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// The database failed.
    #[error(transparent)]
    Db(#[from] database::Error),
    /// A price cannot be read or written.
    #[error(transparent)]
    Pricing(#[from] PricingError),
    /// Stock cannot be read or written.
    #[error(transparent)]
    Inventory(#[from] InventoryError),
    /// Taxes cannot be read.
    #[error(transparent)]
    Tax(#[from] TaxError),
    /// A price with its tax does not fit.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// The metadata is too large.
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    /// What the address names is not there.
    #[error(transparent)]
    Missing(#[from] Missing),
    /// What the request refers to is not there.
    #[error("the {what} `{id}` does not exist")]
    UnknownReference {
        /// What it would be, as `collection`.
        what: String,
        /// What was sent.
        id: String,
    },
    /// A handle, sku or value that something else has.
    #[error("{what} with {field}: {value}, already exists.")]
    Taken {
        /// What there is, as `Product variant`.
        what: &'static str,
        /// Which field must differ.
        field: String,
        /// What was sent.
        value: String,
    },
    /// A handle that would not stand in an address.
    #[error("`{handle}` is no handle: lower-case letters and digits joined by single hyphens")]
    BadHandle {
        /// What was sent.
        handle: String,
    },
    /// More than there may be.
    #[error("more than {max} {what}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there may be.
        max: usize,
    },
    /// A size or weight below zero.
    #[error("`{field}` must not be below zero")]
    Negative {
        /// Which.
        field: &'static str,
    },
    /// Two options of one title.
    #[error("the option `{title}` is there twice")]
    OptionTwice {
        /// The title.
        title: String,
    },
    /// A value twice in one option.
    #[error("the option `{title}` has the value `{value}` twice")]
    ValueTwice {
        /// The option.
        title: String,
        /// The value.
        value: String,
    },
    /// A variant names an option that its product has not.
    #[error("there is no option `{title}`")]
    UnknownOption {
        /// The title.
        title: String,
    },
    /// A variant has no value of an option.
    #[error("the option `{title}` has no value")]
    MissingOption {
        /// The title.
        title: String,
    },
    /// A variant names a value that the option has not.
    #[error("`{value}` is no value of the option `{title}`")]
    UnknownValue {
        /// The option.
        title: String,
        /// The value.
        value: String,
    },
    /// Two variants of one combination.
    #[error("Variant ({title}) with provided options already exists.")]
    CombinationTwice {
        /// The values.
        title: String,
    },
    /// An option or a value that variants have.
    #[error("`{title}` is used by variants")]
    OptionInUse {
        /// The option or the value.
        title: String,
    },
    /// A category below itself.
    #[error("a category cannot be below itself")]
    CategoryCycle,
    /// Categories below each other deeper than the limit.
    #[error("categories are at most {max} deep")]
    CategoryDepth {
        /// The limit.
        max: usize,
    },
    /// A category that has others below it.
    #[error("Deleting ProductCategory ({id}) with category children is not allowed")]
    CategoryHasChildren {
        /// The category.
        id: String,
    },
    /// A channel that the key does not open.
    #[error("the sales channel `{id}` is not one of the publishable key")]
    ForeignChannel {
        /// What was sent.
        id: String,
    },
}

impl From<rusqlite::Error> for CatalogError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Db(error.into())
    }
}

impl CatalogError {
    /// Nothing of this kind has the id.
    pub(super) fn missing(what: &'static str, id: &impl ToString) -> Self {
        Missing::new(what, id).into()
    }
}

impl From<CatalogError> for HttpError {
    fn from(error: CatalogError) -> Self {
        match error {
            CatalogError::Db(cause) => cause.into(),
            CatalogError::Pricing(cause) => cause.into(),
            CatalogError::Inventory(cause) => cause.into(),
            CatalogError::Tax(cause) => cause.into(),
            CatalogError::Missing(_) => Self::not_found(error.to_string()),
            CatalogError::Taken { .. } => Self::duplicate(error.to_string()),
            CatalogError::CategoryHasChildren { .. } | CatalogError::OptionInUse { .. } => {
                Self::not_allowed(error.to_string())
            }
            CatalogError::Metadata(_)
            | CatalogError::OutOfRange(_)
            | CatalogError::UnknownReference { .. }
            | CatalogError::BadHandle { .. }
            | CatalogError::TooMany { .. }
            | CatalogError::Negative { .. }
            | CatalogError::OptionTwice { .. }
            | CatalogError::ValueTwice { .. }
            | CatalogError::UnknownOption { .. }
            | CatalogError::MissingOption { .. }
            | CatalogError::UnknownValue { .. }
            | CatalogError::CombinationTwice { .. }
            | CatalogError::CategoryCycle
            | CatalogError::CategoryDepth { .. }
            | CatalogError::ForeignChannel { .. } => Self::invalid_data(error.to_string()),
        }
    }
}
