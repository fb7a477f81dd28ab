//! Explanations of values: expanded into parts, attributed to their inputs, compared.

use quotient::explain::{
    ChangeKind, Contribution, DecomposeError, Decomposition, Diff, DiffError, DiffStep,
    Explanation, Method, Scope, Side,
};
use quotient::{Engine, Inputs};
use serde::Serialize;

use super::store::{compile_item, database, refused};
use super::view::{PeriodView, formatted_value};
use super::{Question, ValueView};
use crate::database::Tx;
use crate::http::ToSchema;
use crate::registry::vocabulary::kind;
use crate::rollups::StoreRows;
use crate::rollups::StoredRollups;
use crate::{MetricError, RegistrySnapshot};

/// A part of a formula, with its value.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct PartView {
    /// The part of the formula, or the metric's key.
    #[schema(example = "net_sales")]
    label: String,
    /// The metric's formula, if the part is a metric.
    formula: Option<String>,
    /// The hash of the metric's definition, if the part is a metric.
    definition: Option<String>,
    value: ValueView,
    /// The value formatted for display.
    formatted: String,
    #[serde(rename = "type")]
    kind: &'static str,
    /// The currency or the counted unit.
    unit: Option<String>,
    /// Why there is no value.
    null_reason: Option<&'static str>,
    period: Option<PeriodView>,
    /// The index of the part among those that count rows, for listing its rows; null if it counts none, or several
    /// kinds of rows.
    aggregate: Option<usize>,
    /// The statements run for the part, or why its rows were fetched; shared statements are listed at the first part.
    sql: Vec<String>,
    /// Whether the part was expanded earlier in the tree; then `children` is empty.
    repeated: bool,
    /// The parts that it is computed from.
    #[schema(no_recursion)]
    children: Vec<Self>,
}

impl PartView {
    fn of(part: &Explanation) -> Self {
        let (kind, unit) = kind(&part.ty);
        Self {
            label: part.label.clone(),
            formula: part.formula.clone(),
            definition: part.definition.clone(),
            value: ValueView::of(&part.value),
            formatted: formatted_value(&part.value, &part.formatted),
            kind,
            unit,
            null_reason: part.null_reason.map(quotient::types::Reason::name),
            period: part.period.as_ref().map(PeriodView::of),
            aggregate: part.aggregate,
            sql: part.ran.clone(),
            repeated: part.repeated,
            children: part.children.iter().map(Self::of).collect(),
        }
    }
}

/// An aggregate that no rollup provides.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct RowsReadView {
    /// The part of the formula.
    #[schema(example = "percentile(orders.total, 90%)")]
    aggregate: String,
    /// Why rollups do not provide it.
    #[schema(example = "an exact percentile needs the rows")]
    reason: String,
}

/// The explanation of a value.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ExplanationView {
    /// The tree of parts, computed from rows.
    #[serde(flatten)]
    tree: PartView,
    /// The aggregates that are always computed from rows; hourly and daily rollups provide the others.
    read_from_rows: Vec<RowsReadView>,
}

/// Explains the value of a formula, or of a metric given by its key.
pub(crate) fn explain(
    tx: &Tx<'_>,
    snapshot: &RegistrySnapshot,
    formula: &str,
    question: &Question,
) -> Result<ExplanationView, MetricError> {
    let currency_engine = snapshot.engine_for(question.currency);
    let compiled = compile_item(&currency_engine, &currency_engine.engine, formula, question)?;
    let rows = StoreRows(tx);
    let database = database(&rows, &currency_engine.engine, &currency_engine.binding);
    let request = question.request();
    let tree = currency_engine.engine.explain(&compiled, Inputs::store(&database), &request);
    let tree = tree.map(|tree| PartView::of(&tree)).map_err(refused)?;
    let rollups = StoredRollups::read(tx, question.currency, None)?;
    let outcome = rollups.before(&database, |inputs| {
        currency_engine.engine.evaluate(&[&compiled], inputs, &request).map(drop)
    });
    outcome.map_err(refused)?;
    let read = rollups.declined().into_iter();
    let read_from_rows = read.map(|(aggregate, reason)| RowsReadView { aggregate, reason });
    Ok(ExplanationView { tree, read_from_rows: read_from_rows.collect() })
}

/// A value on one side of a comparison.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct SideView {
    value: ValueView,
    /// The value formatted for display.
    formatted: String,
    period: Option<PeriodView>,
}

impl SideView {
    fn of(side: &Side) -> Self {
        Self {
            value: ValueView::of(&side.value),
            formatted: formatted_value(&side.value, &side.formatted),
            period: side.period.as_ref().map(PeriodView::of),
        }
    }
}

/// The contribution of one input to a change.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ContributionView {
    /// The metric's key, or the part of the formula.
    label: String,
    /// The metric's formula, if the input is a metric.
    formula: Option<String>,
    /// The input before.
    from: SideView,
    /// The input after.
    to: SideView,
    /// How it changed: `unchanged`, `changed`, `appeared`, `vanished`.
    presence: &'static str,
    /// The contribution, in the answer's unit.
    amount: ValueView,
    /// The contribution formatted for display.
    formatted: String,
    /// The contribution as a fraction of the change.
    share: ValueView,
}

impl ContributionView {
    fn of(own: &Contribution) -> Self {
        Self {
            label: own.label.clone(),
            formula: own.formula.clone(),
            from: SideView::of(&own.from),
            to: SideView::of(&own.to),
            presence: match own.presence {
                ChangeKind::Unchanged => "unchanged",
                ChangeKind::Changed => "changed",
                ChangeKind::Appeared => "appeared",
                ChangeKind::Vanished => "vanished",
            },
            amount: ValueView::of(&own.amount),
            formatted: formatted_value(&own.amount, &own.formatted),
            share: ValueView::of(&own.share),
        }
    }
}

/// A change attributed to inputs; the contributions and `unassigned` add up to `change`.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct DecompositionView {
    /// The value before.
    from: SideView,
    /// The value after.
    to: SideView,
    /// The value after less the value before.
    change: ValueView,
    change_formatted: String,
    contributions: Vec<ContributionView>,
    /// How contributions are computed: over `every_order` of the inputs, over `some_orders`, or `none`.
    method: &'static str,
    /// Why there are no contributions.
    null_reason: Option<&'static str>,
    /// The rest that belongs to no input.
    unassigned: ValueView,
}

impl DecompositionView {
    fn of(own: &Decomposition) -> Self {
        let (method, null_reason) = match own.method {
            Method::EveryOrder => ("every_order", None),
            Method::SomeOrders => ("some_orders", None),
            Method::None(reason) => ("none", Some(reason.name())),
        };
        Self {
            from: SideView::of(&own.from),
            to: SideView::of(&own.to),
            change: ValueView::of(&own.change),
            change_formatted: own.change_formatted.clone(),
            contributions: own.contributions.iter().map(ContributionView::of).collect(),
            method,
            null_reason,
            unassigned: ValueView::of(&own.unassigned),
        }
    }
}

/// Attributes the change of a metric between two queries in one currency to the inputs of its formula.
pub(crate) fn decompose(
    tx: &Tx<'_>,
    snapshot: &RegistrySnapshot,
    (formula, levels): (&str, usize),
    (from, to): (&Question, &Question),
) -> Result<DecompositionView, MetricError> {
    let currency_engine = snapshot.engine_for(to.currency);
    let compiled = currency_engine.engine.compile(formula);
    let compiled = compiled.map_err(|findings| currency_engine.refusal(formula, findings))?;
    let rows = StoreRows(tx);
    let database = database(&rows, &currency_engine.engine, &currency_engine.binding);
    let inputs = Inputs::store(&database);
    let (before, after) = (from.filtered_request(), to.filtered_request());
    let from = Scope { inputs, request: &before };
    let to = Scope { inputs, request: &after };
    let split = currency_engine.engine.decompose(&compiled, (&from, &to), levels);
    split.map(|split| DecompositionView::of(&split)).map_err(|error| match error {
        DecomposeError::Refused(findings) => refused(findings),
        DecomposeError::NotANumber(_)
        | DecomposeError::Unlike
        | DecomposeError::TooManyInputs(_) => MetricError::Compared(error.to_string()),
    })
}

/// One difference between two answers.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct CauseView {
    /// `currency`, `data`, `definition`, `time zone`, `filter`, `present` or `period`.
    cause: &'static str,
    /// The earlier setting.
    from: String,
    /// The later setting.
    to: String,
}

/// One step between two answers: one cause, or several if an intermediate answer has no value.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct StepView {
    causes: Vec<CauseView>,
    /// The change of the answer at this step.
    amount: ValueView,
    /// The change formatted for display.
    formatted: String,
    /// The answer after this step, formatted for display.
    after: String,
}

impl StepView {
    fn of(step: &DiffStep) -> Self {
        let cause = |(cause, from, to): &(quotient::explain::Cause, String, String)| CauseView {
            cause: cause.name(),
            from: from.clone(),
            to: to.clone(),
        };
        Self {
            causes: step.causes.iter().map(cause).collect(),
            amount: ValueView::of(&step.amount),
            formatted: formatted_value(&step.amount, &step.formatted),
            after: step.after.clone(),
        }
    }
}

/// Two answers and the steps between them; the amounts of the steps add up to `change`.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct DiffView {
    from: super::AnswerView,
    to: super::AnswerView,
    /// The second answer less the first.
    change: ValueView,
    change_formatted: String,
    steps: Vec<StepView>,
}

impl DiffView {
    fn of(own: &Diff) -> Self {
        Self {
            from: super::AnswerView::of(&own.from),
            to: super::AnswerView::of(&own.to),
            change: ValueView::of(&own.change),
            change_formatted: formatted_value(&own.change, &own.formatted),
            steps: own.steps.iter().map(StepView::of).collect(),
        }
    }
}

/// Lists the causes of the difference between two answers. Each side is a formula with its question; both use one
/// currency.
pub(crate) fn diff(
    tx: &Tx<'_>,
    snapshot: &RegistrySnapshot,
    (from, question_from): (&str, &Question),
    (to, question_to): (&str, &Question),
) -> Result<DiffView, MetricError> {
    let currency_engine = snapshot.engine_for(question_to.currency);
    let engine: &Engine = &currency_engine.engine;
    let rows = StoreRows(tx);
    let database = database(&rows, engine, &currency_engine.binding);
    let inputs = Inputs::store(&database);
    let (before, after) = (question_from.filtered_request(), question_to.filtered_request());
    let side =
        |formula, request| quotient::explain::FormulaRequest { engine, formula, inputs, request };
    let diff = quotient::explain::diff(&side(from, &before), &side(to, &after));
    diff.map(|diff| DiffView::of(&diff)).map_err(|error| match error {
        DiffError::Refused(findings) => {
            let refused = if engine.compile(from).is_err() { from } else { to };
            currency_engine.refusal(refused, findings)
        }
        DiffError::Unlike(..) => MetricError::Compared(error.to_string()),
    })
}
