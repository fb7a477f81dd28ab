//! Formulas over a context: a record of values in the request.

use quotient::data::Record;
use quotient::{Answer, Engine, Formula, Inputs, Request};
use thiserror::Error;

use crate::MetricError;
use crate::clock::Timestamp;
use crate::http::HttpError;

#[derive(Debug, Error, HttpError)]
pub enum ContextError {
    /// The context cannot be parsed.
    #[error("The context cannot be read: {0}")]
    #[http(invalid_data)]
    Record(String),
    /// Inputs that the formula needs and the context lacks.
    #[error("Missing inputs: {}", .0.join(", "))]
    #[http(validation)]
    Missing(Vec<String>),
    /// The formula or the record is invalid.
    #[error(transparent)]
    Refused(#[from] MetricError),
}

#[derive(Debug)]
pub(crate) struct ContextAnswer {
    pub answer: Answer,
    /// Inputs from the context that the formula used.
    pub inputs_used: Vec<String>,
}

/// Computes a formula over a context, a JSON object as text.
///
/// # Errors
/// [`ContextError::Missing`] names all missing inputs at once, unless the formula has a value without them.
pub(crate) fn compute(
    engine: &Engine,
    formula: &Formula,
    (context, now): (&str, Timestamp),
) -> Result<ContextAnswer, ContextError> {
    let record =
        Record::from_json(context).map_err(|error| ContextError::Record(error.to_string()))?;
    let request = Request { now: now.to_jiff(), ..Request::default() };
    let answers = engine
        .evaluate(&[formula], Inputs::record(&record), &request)
        .map_err(MetricError::Formula)?;
    let missing = answers.missing_inputs.clone();
    let first = answers.first().cloned();
    match first {
        Some(answer) if answer.value.as_missing().is_none() || missing.is_empty() => {
            Ok(ContextAnswer { answer, inputs_used: answers.inputs_used })
        }
        Some(_) | None => Err(ContextError::Missing(missing)),
    }
}
