//! The parts of a formula that a database cannot compute, determined without a database.

use super::{Engine, Formula, Inputs, Request};
use crate::diagnostics::{Code, Diagnostic, in_order};
use crate::sql::{Database, Dialect, EachRow, Execution, Query, Store, StoreError};

/// A database without rows.
#[derive(Debug)]
struct Empty;

impl Store for Empty {
    fn query(&self, _query: &Query, _each: &mut EachRow<'_>) -> Result<(), StoreError> {
        Ok(())
    }
}

impl Engine {
    /// Returns a warning for each part of a formula that a database of this dialect cannot compute
    /// as the engine does, so that its rows would be streamed.
    ///
    /// Amounts that only a request converts are not included.
    pub fn streamed(&self, formula: &Formula, dialect: Dialect) -> Vec<Diagnostic> {
        let database = Database::new(&Empty, dialect, &self.schema);
        // Parts that cannot be computed at all are reported during evaluation.
        self.evaluate(&[formula], Inputs::store(&database), &Request::default()).ok();
        let mut found: Vec<Diagnostic> = Vec::new();
        for ran in database.take_ran() {
            let Execution::Streamed { at, .. } = &ran else { continue };
            let finding = Diagnostic::new(Code::W401, at.unwrap_or_default(), ran.to_string());
            if !found.contains(&finding) {
                found.push(finding);
            }
        }
        in_order(found)
    }
}
