//! Keys as numbers, given by the database.

use std::collections::BTreeMap;

use quotient::states::{KeyNumbers, Part};

use crate::database::{Error, Tx};
use crate::metrics::queries::states as queries;

/// The numbers of keys in a transaction.
pub(super) struct Numbers<'t, 'c> {
    tx: &'t Tx<'c>,
    known: BTreeMap<(String, String), u32>,
    failure: Option<Error>,
}

impl<'t, 'c> Numbers<'t, 'c> {
    pub(super) const fn new(tx: &'t Tx<'c>) -> Self {
        Self { tx, known: BTreeMap::new(), failure: None }
    }

    /// What went wrong, if anything did: then keys are without numbers that have one.
    pub(super) fn finish(self) -> Result<(), Error> {
        self.failure.map_or(Ok(()), Err)
    }
}

impl KeyNumbers for Numbers<'_, '_> {
    fn number(&mut self, of: &str, key: &Part) -> Option<u32> {
        let Part::Text(text) = key else { return None };
        let own = (of.to_owned(), text.to_string());
        if let Some(known) = self.known.get(&own) {
            return Some(*known);
        }
        match queries::key_number(self.tx, of, text) {
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
