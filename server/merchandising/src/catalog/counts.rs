//! The total counts of product lists, cached until the catalog changes.

use moka::sync::Cache;

use super::CatalogError;
use super::queries::products;
use crate::database::Tx;
use crate::database::listing::ListQuery;

/// Limit: cached counts.
const MAX_COUNTS: u64 = 10_000;

/// Counts by catalog version and condition. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct ProductCounts(Cache<(String, String), u64>);

impl Default for ProductCounts {
    fn default() -> Self {
        Self(Cache::new(MAX_COUNTS))
    }
}

impl ProductCounts {
    /// Returns the number of products on all pages, by one statement, or two if the count is not cached.
    pub(crate) fn count(&self, tx: &Tx<'_>, query: &ListQuery) -> Result<u64, CatalogError> {
        let clause = query.where_clause();
        let key = (products::version(tx)?, format!("{} {:?}", clause.sql, clause.values));
        if let Some(count) = self.0.get(&key) {
            return Ok(count);
        }
        let count = query.count(tx)?;
        self.0.insert(key, count);
        Ok(count)
    }
}
