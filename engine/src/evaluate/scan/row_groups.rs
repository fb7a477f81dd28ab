//! Assigns rows to groups, and finds the groups that rows have.

use std::rc::Rc;

use super::batch::RowBatch;
use super::columns::{column, rows_reached};
use super::group_codes::{GroupCodes, KeyCodes, codes_of_rows, codes_of_values};
use super::selection_cache::SelectionCache;
use super::vector::Vector;
use crate::data::NO_ROW;
use crate::evaluate::context::Context;
use crate::evaluate::frames::{GroupKey, GroupValue, Groups};
use crate::schema::{SourceId, link_chain};

/// The group number of each row in a batch; `None` if there is only one group. `computed` has the values of
/// the keys that are expressions.
pub(crate) fn group_of_each(
    context: &Context<'_>,
    cache: &mut SelectionCache,
    (batch, computed): (&RowBatch<'_>, &[Option<Rc<Vector>>]),
    groups: &Rc<Groups>,
) -> Option<Rc<Vec<u32>>> {
    if groups.keys.is_empty() {
        return None;
    }
    let compute = || group_numbers(context, batch, computed, groups);
    Some(match batch.selection {
        Some(selection) => cache.group_numbers(selection, groups, compute),
        None => Rc::new(compute()),
    })
}

fn group_numbers(
    context: &Context<'_>,
    batch: &RowBatch<'_>,
    computed: &[Option<Rc<Vector>>],
    groups: &Groups,
) -> Vec<u32> {
    if let Some(entity) = groups.entity() {
        return entity_rows(context, batch, entity);
    }
    match key_codes(context, batch, computed, &groups.keys) {
        Some(codes) => GroupCodes::new(codes).places(groups),
        None => vec![NO_ROW; batch.len()],
    }
}

/// The key tuples that occur in a batch; empty if the source lacks a key.
pub(crate) fn tuples(
    context: &Context<'_>,
    (batch, computed): (&RowBatch<'_>, &[Option<Rc<Vector>>]),
    keys: &[GroupKey],
) -> Vec<Vec<GroupValue>> {
    let codes = key_codes(context, batch, computed, keys);
    codes.map_or_else(Vec::new, |codes| GroupCodes::new(codes).tuples())
}

/// The encoded keys of the rows; `None` if the source lacks one of them.
fn key_codes(
    context: &Context<'_>,
    batch: &RowBatch<'_>,
    computed: &[Option<Rc<Vector>>],
    keys: &[GroupKey],
) -> Option<Vec<KeyCodes>> {
    let codes = |(index, key): (usize, &GroupKey)| {
        Some(match key {
            GroupKey::Expression { .. } => {
                let values = computed.get(index)?.as_ref()?;
                codes_of_values(values, batch.len())
            }
            GroupKey::RowOf(entity) => codes_of_rows(&entity_rows(context, batch, *entity)),
            GroupKey::Columns(key) => {
                let (_, path) = key.columns.iter().find(|(of, _)| *of == batch.source)?;
                codes_of_values(&column(context, batch, path), batch.len())
            }
        })
    };
    keys.iter().enumerate().map(codes).collect()
}

/// The entity row that each row reaches.
fn entity_rows(context: &Context<'_>, batch: &RowBatch<'_>, entity: SourceId) -> Vec<u32> {
    match link_chain(context.schema, batch.source, entity) {
        Some(links) => rows_reached(context, batch.source, &links, batch.rows.to_vec()),
        None => vec![NO_ROW; batch.len()],
    }
}
