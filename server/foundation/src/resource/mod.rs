//! Resources with the usual operations under one path: list, show, create, change and delete.
//!
//! A resource declares its rows ([`View`]), by `#[resource(error = CatalogError)]` if they are the resource itself;
//! [`AdminRoutes`] and [`StoreRoutes`] mount the operations and describe them. Other operations of a resource have
//! handlers of their own.
//!
//! ```text
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
//!
//! Changes of what callers are let in by are added after `.change_credentials()`, and audited ones after `.audited(…)`.

mod description;
mod routes;
mod trail;

use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

pub use routes::{AdminRoutes, StoreRoutes};

use crate::database::listing::ListQuery;
use crate::database::{self, Listable, Missing, Table, Tx};
use crate::http::{HttpError, Keyed, Listed, Selection};

pub trait PathId: DeserializeOwned + Serialize + ToSchema + Clone + Send + 'static {}

impl<T: DeserializeOwned + Serialize + ToSchema + Clone + Send + 'static> PathId for T {}

/// A resource in responses, built from rows of one table.
pub trait View:
    Keyed<Id: PathId, Store: Keyed + Listed> + Listed + Serialize + ToSchema + Send + Sized + 'static
{
    /// The type of the rows: the resource itself, if it is a record.
    type Row: Listable<Id = Self::Id> + Into<Self>;
    type Error: From<database::Error> + From<Missing> + Into<HttpError> + Send + 'static;

    /// Loads the selected relations, each by one statement for all resources.
    fn attach(
        _tx: &Tx<'_>,
        _views: &mut [Self],
        _selection: &Selection,
    ) -> Result<(), Self::Error> {
        Ok(())
    }

    fn show(tx: &Tx<'_>, id: &Self::Id, selection: &Selection) -> Result<Self, Self::Error> {
        let row = Self::Row::require::<Self::Error>(tx, id)?;
        let mut view = row.into();
        Self::attach(tx, std::slice::from_mut(&mut view), selection)?;
        Ok(view)
    }

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
