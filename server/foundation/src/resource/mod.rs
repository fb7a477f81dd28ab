//! Resources that are listed, shown, made, changed and deleted in the usual way, under one address.
//!
//! A resource says which rows it is made of ([`View`]); [`AdminRoutes`] and [`StoreRoutes`] mount the operations and describe them. What a
//! resource does differently is a handler written by hand, beside these.
//!
//! ```text
//! impl View for Tag {
//!     type Row = Self;
//!     type Error = CatalogError;
//! }
//!
//! AdminRoutes::<Tag, _>::at("/admin/product-tags", "Admin products")
//!     .list()
//!     .create(CreateTagRequest::create)
//!     .taken("The name is taken")
//!     .show()
//!     .update(UpdateTagRequest::update)
//!     .taken("The name is taken")
//!     .delete(delete_tag)
//!     .note("No product has it any more.")
//!     .update_part("/products", "change_tag_products", "Change the products of a tag", ChangeProductsRequest::apply)
//!     .router()
//! ```

mod description;
mod routes;

use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

pub use routes::{AdminRoutes, StoreRoutes};

use crate::database::listing::ListQuery;
use crate::database::{self, Listable, Missing, Table, Tx};
use crate::http::{HttpError, Keyed, Listed, Selection};

/// An id that stands in an address and in answers.
pub trait PathId: DeserializeOwned + Serialize + ToSchema + Clone + Send + 'static {}

impl<T: DeserializeOwned + Serialize + ToSchema + Clone + Send + 'static> PathId for T {}

/// A resource as it is answered, made of rows of one table.
pub trait View:
    Keyed<Id: PathId, Store: Keyed + Listed> + Listed + Serialize + ToSchema + Send + Sized + 'static
{
    /// The rows: itself, where it is a record.
    type Row: Listable<Id = Self::Id> + Into<Self>;
    /// Why it cannot be read or written.
    type Error: From<database::Error> + From<Missing> + Into<HttpError> + Send + 'static;

    /// Adds the relations that are asked for, each by one statement for all.
    ///
    /// # Errors
    /// When a relation cannot be read.
    fn attach(
        _tx: &Tx<'_>,
        _views: &mut [Self],
        _selection: &Selection,
    ) -> Result<(), Self::Error> {
        Ok(())
    }

    /// The one of an id.
    ///
    /// # Errors
    /// [`Missing`] when it is not there.
    fn show(tx: &Tx<'_>, id: &Self::Id, selection: &Selection) -> Result<Self, Self::Error> {
        let row = Self::Row::require::<Self::Error>(tx, id)?;
        let mut view = row.into();
        Self::attach(tx, std::slice::from_mut(&mut view), selection)?;
        Ok(view)
    }

    /// A page, and how many there are on all pages.
    ///
    /// # Errors
    /// When they cannot be read.
    fn page(
        tx: &Tx<'_>,
        query: ListQuery,
        selection: &Selection,
    ) -> Result<(Vec<Self>, u64), Self::Error> {
        let (rows, count) = Self::Row::page(tx, query)?;
        let mut views: Vec<Self> = rows.into_iter().map(Into::into).collect();
        Self::attach(tx, &mut views, selection)?;
        Ok((views, count))
    }
}
