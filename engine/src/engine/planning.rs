//! Plans of formulas: made once, run any number of times.

use std::collections::BTreeSet;

use super::{Engine, Formula};
use crate::data::plain_name;
use crate::diagnostics::Diagnostic;
use crate::plan::{Plan, Planner};
use crate::types::Currency;

impl Engine {
    /// The plan of several formulas, sharing what is equal between them.
    ///
    /// # Errors
    /// One finding if the formulas with all metrics written out are too large.
    pub fn plan(&self, formulas: &[&Formula]) -> Result<Plan, Vec<Diagnostic>> {
        self.plan_given(formulas, &[], None)
    }

    /// The same where the caller has values for more names than inputs: metrics, placeholders, or
    /// calls such as `previous(net_sales)`, as in a record; and with every amount in one currency.
    ///
    /// # Errors
    /// One finding if the formulas with all metrics written out are too large.
    pub fn plan_given(
        &self,
        formulas: &[&Formula],
        given: &[&str],
        currency: Option<Currency>,
    ) -> Result<Plan, Vec<Diagnostic>> {
        let metrics = self.typed_metrics();
        let keys: Vec<&str> = self.metrics.iter().map(|metric| metric.key.as_str()).collect();
        let planner = Planner {
            schema: &self.schema,
            metrics: &metrics,
            keys: &keys,
            asked: formulas.iter().map(|formula| &formula.checked.typed).collect(),
            given: given.iter().map(|name| plain_name(name)).collect::<BTreeSet<_>>(),
            currency,
        };
        planner.plan().map_err(|finding| vec![finding])
    }
}
