//! Numbers of keys, assigned by the database.

use std::collections::BTreeMap;

use quotient::rollup::{KeyNumbers, ScalarValue};

use super::error::RollupError;
use super::queries::tables as queries;
use crate::database::Tx;

/// The source whose rows have their own numbers.
pub(super) const CUSTOMERS: &str = "customers";

/// The source of orders.
const ORDERS: &str = "orders";

/// Whether new keys get a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyAssignment<'w> {
    Assign,
    /// The only new keys are those of pending orders, sorted: these get the highest numbers, the same within one
    /// snapshot.
    Known(&'w [String]),
}

pub(super) struct StoredKeyNumbers<'t, 'c> {
    tx: &'t Tx<'c>,
    naming: KeyAssignment<'t>,
    known: BTreeMap<(String, String), u32>,
    failure: Option<RollupError>,
}

impl<'t, 'c> StoredKeyNumbers<'t, 'c> {
    pub(super) const fn new(tx: &'t Tx<'c>, naming: KeyAssignment<'t>) -> Self {
        Self { tx, naming, known: BTreeMap::new(), failure: None }
    }

    /// Adds the numbers of some customers.
    pub(super) fn with(mut self, customers: &[(String, i64)]) -> Self {
        let own = customers.iter().filter_map(|(id, number)| {
            Some(((CUSTOMERS.to_owned(), id.clone()), u32::try_from(*number).ok()?))
        });
        self.known.extend(own);
        self
    }

    /// Returns the error, if there was one: then keys lack numbers.
    pub(super) fn check(&mut self) -> Result<(), RollupError> {
        self.failure.take().map_or(Ok(()), Err)
    }

    fn find(&self, of: &str, text: &str) -> Result<i64, RollupError> {
        let number = match self.naming {
            _ if of == CUSTOMERS => queries::customer_number(self.tx, text)?,
            KeyAssignment::Assign => return Ok(queries::key_number(self.tx, of, text)?),
            KeyAssignment::Known(pending) => queries::known_key_number(self.tx, of, text)?
                .or_else(|| (of == ORDERS).then(|| last_but(pending, text)).flatten()),
        };
        number.ok_or_else(|| RollupError::Rows(format!("`{text}` of {of} has no number")))
    }
}

/// Returns the highest number less the index of an order in a list.
fn last_but(pending: &[String], order: &str) -> Option<i64> {
    let place = pending.binary_search_by(|id| id.as_str().cmp(order)).ok()?;
    i64::from(u32::MAX).checked_sub(i64::try_from(place).ok()?)
}

impl KeyNumbers for StoredKeyNumbers<'_, '_> {
    fn number(&mut self, of: &str, key: &ScalarValue) -> Option<u32> {
        let ScalarValue::Text(text) = key else { return None };
        let own = (of.to_owned(), text.to_string());
        if let Some(number) = self.known.get(&own) {
            return Some(*number);
        }
        match self.find(of, text) {
            Ok(number) => {
                let number = u32::try_from(number).ok()?;
                self.known.insert(own, number);
                Some(number)
            }
            Err(error) => {
                self.failure = Some(error);
                None
            }
        }
    }
}
