//! Plans of formulas: made once, run any number of times.

use std::cell::Cell;

use super::evaluation::refused;
use super::{Engine, Formula, Inputs, Request, request_keys};
use crate::calendar::Period;
use crate::data::plain_name;
use crate::diagnostics::{Code, Diagnostic};
use crate::evaluate::{FrameId, Owner, Runner};
use crate::plan::{Plan, Planner, Site};
use crate::types::{Currency, Reason, Value};

impl Engine {
    /// Compiles several formulas into one plan, with equal parts shared.
    ///
    /// # Errors
    /// One finding if the formulas with all metrics expanded are too large.
    pub fn plan(&self, formulas: &[&Formula]) -> Result<Plan, Vec<Diagnostic>> {
        self.plan_given(formulas, &[], None)
    }

    /// Like [`Self::plan`], for a caller with values for more names than inputs: metrics,
    /// placeholders, or calls such as `previous(net_sales)`, as in a record. Every amount is in one
    /// currency.
    ///
    /// # Errors
    /// One finding if the formulas with all metrics expanded are too large.
    pub fn plan_given(
        &self,
        formulas: &[&Formula],
        given: &[&str],
        currency: Option<Currency>,
    ) -> Result<Plan, Vec<Diagnostic>> {
        let metrics = self.typed_metrics();
        let keys = self.metric_keys();
        let planner = Planner {
            schema: &self.schema,
            metrics: &metrics,
            keys: &keys,
            formulas: formulas.iter().map(|formula| &formula.checked.typed).collect(),
            given: given.iter().map(|name| plain_name(name)).collect(),
            currency,
            part_count: Cell::new(0),
        };
        planner.plan().map_err(|finding| vec![finding])
    }

    /// Computes the values that a request gives to each slot of a plan of these formulas. From
    /// them, a [`Runner`] computes the same answers as [`Engine::evaluate`].
    ///
    /// The currency is the plan's. Slots of branches not taken are filled too. All formulas of
    /// a plan are known equally far: up to the earliest end of coverage among their sources.
    ///
    /// # Errors
    /// The errors of the request or the record, as from [`Engine::evaluate`]; a filter, which the
    /// plan does not have: [`Engine::narrowed`] narrows formulas before they are planned.
    pub fn slot_values(
        &self,
        plan: &Plan,
        formulas: &[&Formula],
        inputs: Inputs<'_>,
        request: &Request,
    ) -> Result<SlotValues, Vec<Diagnostic>> {
        if request.filter.is_some() {
            let message = "a plan has the rows of its formulas, without a filter of the request";
            return Err(refused(Code::E208, message, "narrow the formulas, and plan those"));
        }
        let request = Request { currency: plan.currency, ..request.clone() };
        let keys = self.keys(formulas, &request, &self.limits)?;
        let planned;
        let sites = if plan.sites.len() == plan.slots().len() {
            &plan.sites
        } else {
            planned = self.sites_again(plan, formulas)?;
            &planned
        };
        self.run_grouped((formulas, &keys), inputs, &request, |run| {
            let frame = run.common_frame(formulas, run.frame);
            let owners: Vec<(Owner, FrameId)> =
                (0..formulas.len()).map(|index| (Owner::Formula(index), frame)).collect();
            let grouping = request_keys::of_evaluation(&keys, formulas.len());
            let frame = run.evaluator.grouped_frame(frame, &grouping, &owners);
            let slots = plan.program.slots.iter().zip(sites);
            let values = slots.map(|(slot, site)| {
                run.evaluator.slot_values(slot, site, frame).iter().cloned().collect()
            });
            let by_slot = values.collect();
            SlotValues {
                buckets: run.evaluator.buckets(frame),
                groups: run.evaluator.groups(frame),
                by_slot,
            }
        })
    }

    /// Finds the slots of a deserialized plan in the formulas it was created from.
    fn sites_again(
        &self,
        plan: &Plan,
        formulas: &[&Formula],
    ) -> Result<Vec<Site>, Vec<Diagnostic>> {
        let given: Vec<&str> = plan.given.iter().map(String::as_str).collect();
        let again = self.plan_given(formulas, &given, plan.currency)?;
        if again.program.slots != plan.program.slots {
            let message = "the plan was made of other formulas, or of other metrics below them";
            return Err(refused(Code::E208, message, "plan the formulas anew"));
        }
        Ok(again.sites)
    }

    /// Creates a runner for a plan, with the present and the calendar of a request.
    ///
    /// # Errors
    /// An unknown zone.
    pub fn runner<'p>(
        &self,
        plan: &'p Plan,
        request: &Request,
    ) -> Result<Runner<'p>, Vec<Diagnostic>> {
        Ok(Runner::new(plan, self.calendar_of(request)?, request.now))
    }
}

/// The values of a plan's slots, for each bucket and group of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct SlotValues {
    /// The periods, in order; a single one without buckets.
    pub buckets: Vec<Period>,
    /// The groups, ordered by value; one empty tuple without grouping.
    pub groups: Vec<Vec<Value>>,
    /// By slot, then by bucket, then by group.
    by_slot: Vec<Vec<Value>>,
}

impl SlotValues {
    /// Returns the values of all slots for a bucket and a group, each by index: the argument of
    /// [`Runner::fill`].
    pub fn of(&self, bucket: usize, group: usize) -> Vec<Value> {
        let cell = bucket.saturating_mul(self.groups.len().max(1)).saturating_add(group);
        let value = |cells: &Vec<Value>| {
            cells.get(cell).cloned().unwrap_or(Value::missing(Reason::MissingInput))
        };
        self.by_slot.iter().map(value).collect()
    }

    /// Returns the values of one slot, by bucket, then by group.
    pub fn slot(&self, slot: usize) -> &[Value] {
        self.by_slot.get(slot).map_or(&[][..], Vec::as_slice)
    }
}
