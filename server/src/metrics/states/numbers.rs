//! Keys as numbers, given by the database.

use std::collections::BTreeMap;

use quotient::states::{KeyNumbers, Part};

use super::rows::StateError;
use crate::database::Tx;
use crate::metrics::queries::states as queries;

/// The source whose rows have numbers of their own.
const CUSTOMERS: &str = "customers";

/// Whether keys that are new get a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// They do, in a transaction that writes.
    Anew,
    /// None is new: those of rows that were folded have numbers.
    Known,
}

/// The numbers of keys in a transaction.
pub(super) struct Numbers<'t, 'c> {
    tx: &'t Tx<'c>,
    naming: Naming,
    known: BTreeMap<(String, String), u32>,
    failure: Option<StateError>,
}

impl<'t, 'c> Numbers<'t, 'c> {
    pub(super) const fn new(tx: &'t Tx<'c>, naming: Naming) -> Self {
        Self { tx, naming, known: BTreeMap::new(), failure: None }
    }

    /// What went wrong, if anything did: then keys are without numbers that have one.
    pub(super) fn finish(self) -> Result<(), StateError> {
        self.failure.map_or(Ok(()), Err)
    }

    fn find(&self, of: &str, text: &str) -> Result<i64, StateError> {
        let known = match self.naming {
            _ if of == CUSTOMERS => queries::customer_number(self.tx, text)?,
            Naming::Anew => return Ok(queries::key_number(self.tx, of, text)?),
            Naming::Known => queries::known_key_number(self.tx, of, text)?,
        };
        known.ok_or_else(|| StateError::Rows(format!("`{text}` of {of} has no number")))
    }
}

impl KeyNumbers for Numbers<'_, '_> {
    fn number(&mut self, of: &str, key: &Part) -> Option<u32> {
        let Part::Text(text) = key else { return None };
        let own = (of.to_owned(), text.to_string());
        if let Some(known) = self.known.get(&own) {
            return Some(*known);
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
