//! Computed columns: formulas evaluated once, over all of time, when data is loaded.

use std::rc::Rc;

use super::evaluator::{Evaluator, Sources};
use crate::calendar::Period;
use crate::check::{Typed, digest};
use crate::data::{Data, DataError, set_column};
use crate::diagnostics::Diagnostic;
use crate::evaluate::context::Context;
use crate::evaluate::frames::BucketRef;
use crate::evaluate::scan::RowBatch;
use crate::plan::{NodeRef, Owner};
use crate::schema::{FieldId, SourceId};

/// A computed column with its checked formula.
#[derive(Debug, Clone)]
pub(crate) struct ComputedColumn {
    pub(crate) source: SourceId,
    pub(crate) field: FieldId,
    pub(crate) typed: Typed,
}

/// Why a computed column could not be filled.
#[derive(Debug)]
pub(crate) enum FillError {
    /// A computed key is not unique.
    Data(DataError),
    /// The computation exceeded a limit; the column and the findings.
    Findings(SourceId, FieldId, Vec<Diagnostic>),
}

/// Fills computed columns in the given order; a formula may use the columns before it.
///
/// A column provided by the data, as by a context record, is left unchanged. `context.data` is not read.
pub(crate) fn fill_computed(
    context: Context<'_>,
    data: &mut Data,
    columns: &[ComputedColumn],
) -> Result<(), FillError> {
    for ComputedColumn { source, field, typed } in columns {
        let (source, field) = (*source, *field);
        let table = data.table(source);
        if table.is_none_or(|table| table.columns.get(field.0).is_none_or(Option::is_some)) {
            continue;
        }
        let count = u32::try_from(data.row_count(source)).unwrap_or(u32::MAX);
        let rows: Vec<u32> = (0..count).collect();
        let own =
            Context { formulas: &[typed], data: Some(data), rates: Some(&data.rates), ..context };
        let mut evaluator = Evaluator::new(own, Sources::default());
        let frame = evaluator.frames.request(vec![Period::ALWAYS], Period::ALWAYS, None);
        let owner = Owner::Formula(0);
        let root = NodeRef { owner, id: typed.root };
        let meaning = evaluator.context.meaning(root);
        let filled_with = digest(&format!("{} {source:?} {field:?} {meaning}", data.filled));
        let at = BucketRef { frame, bucket: 0 };
        let outer = evaluator.outer_values(root, source, at);
        let batch = RowBatch::new(owner, source, &rows, at, &outer);
        let vector = evaluator.row_expressions().values(&batch, typed.root);
        let findings = evaluator.into_findings();
        if !findings.is_empty() {
            return Err(FillError::Findings(source, field, findings));
        }
        let declared = context.schema.source_at(source).and_then(|table| table.fields.get(field.0));
        let Some(declared) = declared else { continue };
        let filled = Rc::unwrap_or_clone(vector).into_column(&declared.data_type, rows.len());
        data.filled = filled_with;
        set_column(context.schema, data, source, field, filled).map_err(FillError::Data)?;
    }
    Ok(())
}
