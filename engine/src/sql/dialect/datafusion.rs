//! Apache `DataFusion`: sums of plain integers wrap around, so they use 38 decimal digits.

use super::DialectSyntax;
use crate::sql::query::BoundValue;

pub(super) struct DataFusion;

impl DialectSyntax for DataFusion {
    fn mark(&self, number: usize, _value: &BoundValue) -> String {
        format!("${number}")
    }

    fn wide(&self, integer: &str) -> String {
        format!("CAST({integer} AS DECIMAL(38, 0))")
    }

    fn narrow(&self, integer: &str) -> String {
        format!("CAST({integer} AS VARCHAR)")
    }
}
