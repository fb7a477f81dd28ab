//! Dimension keys on reading: which groups they belong to, and which residual conditions they meet.

use super::scalar::ScalarValue;
use super::strategy::{DeclineReason, PER_ROW, RollupPlan};
use super::table::{DimensionKey, Rollup};
use crate::evaluate::{Evaluation, Frame, GivenColumns, GroupKey, GroupValue, NodeRef};
use crate::schema::{Path, SourceId};
use crate::types::{Reason, Value};

/// For each dimension key of a rollup the index of the group that it merges into, if any.
pub(super) type GroupOfKey = Vec<Option<usize>>;

/// Assigns dimension keys to groups; where currencies are kept apart, to one group per group and currency.
pub(super) fn group_of_key(
    evaluation: &mut dyn Evaluation<'_>,
    frame: &Frame,
    plan: &RollupPlan,
    rollup: &Rollup,
    codes: &[ScalarValue],
) -> Result<GroupOfKey, DeclineReason> {
    let matching = matching_keys(evaluation, plan, rollup);
    let positions = key_positions(&frame.groups.keys, plan)?;
    let per_group = codes.len().max(1);
    let group = |(key, matches): (&DimensionKey, bool)| {
        let positions = positions.as_ref().filter(|_| matches)?;
        let own = positions.iter().map(|at| key.get(*at).map(group_value));
        let group = frame.groups.find(&own.collect::<Option<Vec<_>>>()?)?;
        let code = key.last().and_then(|code| codes.binary_search(code).ok()).unwrap_or(0);
        Some(group.saturating_mul(per_group).saturating_add(code))
    };
    Ok(rollup.keys().iter().zip(matching).map(group).collect())
}

/// Returns the filters of a frame, each with the source that it narrows.
pub(super) fn filters(frame: &Frame) -> Vec<(SourceId, NodeRef)> {
    let each = frame.filters.iter().flat_map(|filter| {
        let node = |id| NodeRef { owner: filter.owner, id };
        filter.conditions.iter().map(move |(source, id)| (*source, node(*id)))
    });
    each.collect()
}

/// Returns for each dimension key whether it meets the residual conditions.
pub(super) fn matching_keys(
    evaluation: &mut dyn Evaluation<'_>,
    plan: &RollupPlan,
    rollup: &Rollup,
) -> Vec<bool> {
    let count = rollup.keys().len();
    let mut matching = vec![true; count];
    for condition in &plan.residual {
        let column = |(index, path): (usize, &Path)| {
            let value = |key: &DimensionKey| {
                key.get(index).map_or(Value::missing(Reason::NullValue), ScalarValue::to_value)
            };
            (path.clone(), rollup.keys().iter().map(value).collect())
        };
        let columns = plan.dimensions.iter().enumerate().map(column).collect();
        let columns = GivenColumns { source: plan.source, columns };
        let holds = evaluation.conditions_hold(*condition, columns, count);
        for (matches, holds) in matching.iter_mut().zip(holds) {
            *matches &= holds;
        }
    }
    matching
}

/// Returns the positions of group keys in a dimension key; `None` if the source lacks one, and so
/// has no groups.
pub(super) fn key_positions(
    keys: &[GroupKey],
    plan: &RollupPlan,
) -> Result<Option<Vec<usize>>, DeclineReason> {
    let mut positions = Vec::with_capacity(keys.len());
    for key in keys {
        let key = match key {
            GroupKey::Columns(key) => key,
            GroupKey::Expression { .. } => {
                return Err("its groups are computed from the rows".to_owned());
            }
            GroupKey::RowOf(_) => return Err(PER_ROW.to_owned()),
        };
        let own = key.columns.iter().find(|(source, _)| *source == plan.source);
        let Some((_, path)) = own else { return Ok(None) };
        let position = plan.dimensions.iter().position(|dimension| dimension == path);
        positions
            .push(position.ok_or_else(|| format!("its rollup lacks the dimension {}", key.name))?);
    }
    Ok(Some(positions))
}

pub(super) fn group_value(part: &ScalarValue) -> GroupValue {
    GroupValue::of(&part.to_value())
}
