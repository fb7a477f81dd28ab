//! Errors of the catalog and their HTTP statuses.

use crate::database::{self, Missing};
use crate::http::HttpError;
use crate::inventory::InventoryError;
use crate::metadata::MetadataError;
use crate::pricing::PricingError;
use crate::proportion::OutOfRange;
use crate::taxes::TaxError;

#[derive(Debug, thiserror::Error, HttpError)]
pub enum CatalogError {
    #[error(transparent)]
    Db(#[from] database::Error),
    /// A price cannot be loaded or stored.
    #[error(transparent)]
    Pricing(#[from] PricingError),
    /// Stock cannot be loaded or stored.
    #[error(transparent)]
    Inventory(#[from] InventoryError),
    /// Taxes cannot be loaded.
    #[error(transparent)]
    Tax(#[from] TaxError),
    /// A price with its tax overflows.
    #[error(transparent)]
    #[http(invalid_data)]
    OutOfRange(#[from] OutOfRange),
    #[error(transparent)]
    #[http(invalid_data)]
    Metadata(#[from] MetadataError),
    /// The requested resource does not exist.
    #[error(transparent)]
    #[http(not_found)]
    Missing(#[from] Missing),
    /// A handle, SKU or value that is taken.
    #[error("{what} with {field}: {value}, already exists.")]
    #[http(duplicate)]
    Taken {
        /// The kind of resource, such as `Product variant`.
        what: &'static str,
        /// The field that must be unique.
        field: String,
        value: String,
    },
    #[error("{0}")]
    #[http(invalid_data)]
    Invalid(String),
    /// The state of the catalog forbids it.
    #[error("{0}")]
    #[http(not_allowed)]
    NotAllowed(String),
}

impl CatalogError {
    pub(super) fn missing(what: &'static str, id: &impl ToString) -> Self {
        Missing::new(what, id).into()
    }

    pub(super) fn taken(what: &'static str, field: &str, value: &str) -> Self {
        Self::Taken { what, field: field.to_owned(), value: value.to_owned() }
    }

    pub(super) fn unknown_reference(what: &str, id: &str) -> Self {
        Self::Invalid(format!("the {what} `{id}` does not exist"))
    }

    /// A handle that is not valid in a URL.
    pub(super) fn bad_handle(handle: &str) -> Self {
        let rule = "lower-case letters and digits joined by single hyphens";
        Self::Invalid(format!("`{handle}` is no handle: {rule}"))
    }

    pub(super) fn too_many(what: &str, max: usize) -> Self {
        Self::Invalid(format!("more than {max} {what}"))
    }

    pub(super) fn negative(field: &str) -> Self {
        Self::Invalid(format!("`{field}` must not be below zero"))
    }

    pub(super) fn option_twice(title: &str) -> Self {
        Self::Invalid(format!("the option `{title}` is there twice"))
    }

    pub(super) fn option_without_product() -> Self {
        let sentence = "an option belongs to one product: send its `product_id`, or use `/admin/products/:id/options`";
        Self::Invalid(sentence.to_owned())
    }

    /// A variant names an option that its product lacks.
    pub(super) fn unknown_option(title: &str) -> Self {
        Self::Invalid(format!("there is no option `{title}`"))
    }

    pub(super) fn missing_option(title: &str) -> Self {
        Self::Invalid(format!("the option `{title}` has no value"))
    }
}
