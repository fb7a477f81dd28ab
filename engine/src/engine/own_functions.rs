//! Functions that a program adds to those of the language.

use super::Engine;
use crate::diagnostics::Diagnostic;
use crate::file::Loaded;
use crate::functions::{Behaviour, DefaultValue, FunctionSpec, ParameterKind, Presence, find};
use crate::schema::{Schema, same_name};
use crate::syntax::{Limits, RESERVED, is_predefined};

/// The reason why a function cannot be added.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FunctionError {
    /// Formulas cannot call it by this name.
    #[error("`{0}` is no name of a function: it has small letters, digits and `_`, a letter first")]
    Name(String),
    /// Something else has the name.
    #[error("`{name}` is {taken} already")]
    Taken {
        /// The name.
        name: String,
        /// What has it.
        taken: &'static str,
    },
    /// It aggregates rows, or does something else that only the language can.
    #[error("`{0}` is no scalar function")]
    NotScalar(String),
    /// A parameter is of a kind that only functions of the language have.
    #[error("`{parameter}` of `{function}` takes a dimension or has no default value")]
    Parameter {
        /// The name of the function.
        function: String,
        /// The name of the parameter.
        parameter: String,
    },
}

impl Engine {
    /// Like [`Self::from_loaded`], with scalar functions of the program's own.
    ///
    /// Formulas call them like those of the language, in aggregates and outside: arguments are checked
    /// against the parameters, and a null argument makes the result null if the function says so. No
    /// database computes them: rows are read, and the function is called for each.
    ///
    /// A function must give the same result for the same arguments, of the type that it declares, since
    /// answers are kept and constants are computed once. Functions of numbers and of texts
    /// ([`Family`](crate::functions::Family)) must not read their environment. Another program, which
    /// lacks the function, cannot read a plan that has been written out with it.
    ///
    /// ```
    /// use quotient::functions::{Behaviour, Family, FunctionSpec, Nulls, Parameter, ParameterKind, Scalar};
    /// use quotient::types::{Reason, Type, Value};
    /// use quotient::{Engine, Inputs, Request, file};
    ///
    /// static DOZENS: FunctionSpec = FunctionSpec {
    ///     name: "dozens",
    ///     aliases: &[],
    ///     family: Family::Numbers,
    ///     signature: "dozens(x)",
    ///     summary: "A number in dozens.",
    ///     details: "",
    ///     parameters: &[Parameter::required("x", ParameterKind::Number)],
    ///     examples: &[],
    ///     exact: true,
    ///     behaviour: Behaviour::Scalar(Scalar {
    ///         result: |_types| Ok(Type::NUMBER),
    ///         call: |arguments, _environment| match arguments {
    ///             [Value::Number(x)] => Value::Number(*x / rust_decimal::Decimal::from(12)),
    ///             _ => Value::missing(Reason::Domain),
    ///         },
    ///         nulls: Nulls::Propagate,
    ///     }),
    /// };
    ///
    /// let loaded = file::load("eggs.metrics", &mut |_| Ok("metric eggs = 30".to_owned()));
    /// let (engine, findings) = Engine::from_loaded_and(&loaded, &[&DOZENS])?;
    /// assert!(findings.is_empty());
    ///
    /// let formula = engine.compile("dozens(eggs)").expect("a formula that checks");
    /// let answers = engine.evaluate(&[&formula], Inputs::default(), &Request::default());
    /// assert_eq!(answers.expect("a value").first().expect("one").formatted, "2.5");
    /// # Ok::<(), quotient::engine::FunctionError>(())
    /// ```
    ///
    /// # Errors
    /// [`FunctionError`] for the first function that cannot be added.
    pub fn from_loaded_and(
        loaded: &Loaded,
        functions: &[&'static FunctionSpec],
    ) -> Result<(Self, Vec<(usize, Diagnostic)>), FunctionError> {
        let mut added: Vec<&'static FunctionSpec> = Vec::with_capacity(functions.len());
        for spec in functions {
            accept(spec)?;
            for name in spec.aliases.iter().chain([&spec.name]) {
                if let Some(taken) = owner(name, loaded, &added) {
                    return Err(FunctionError::Taken { name: (*name).to_owned(), taken });
                }
            }
            added.push(spec);
        }
        Ok(Self::read(loaded, Limits::DEFAULT, added))
    }
}

/// Checks what a function is by itself.
fn accept(spec: &FunctionSpec) -> Result<(), FunctionError> {
    let function = || spec.name.to_owned();
    if !matches!(spec.behaviour, Behaviour::Scalar(_)) {
        return Err(FunctionError::NotScalar(function()));
    }
    if let Some(name) = spec.aliases.iter().chain([&spec.name]).find(|name| !is_name(name)) {
        return Err(FunctionError::Name((*name).to_owned()));
    }
    let unfit = spec.parameters.iter().find(|parameter| {
        let kinds = [ParameterKind::Dimension, ParameterKind::DimensionOrPeriod];
        kinds.contains(&parameter.kind)
            || parameter.presence == Presence::Optional(DefaultValue::Nothing)
    });
    unfit.map_or(Ok(()), |unfit| {
        let parameter = unfit.name.to_owned();
        Err(FunctionError::Parameter { function: function(), parameter })
    })
}

fn is_name(name: &str) -> bool {
    let is_of_name =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(is_of_name)
        && !RESERVED.contains(&name)
        && !["true", "false"].contains(&name)
}

/// Returns what has a name already.
fn owner(name: &str, loaded: &Loaded, added: &[&FunctionSpec]) -> Option<&'static str> {
    if find(name).is_some() || added.iter().any(|spec| spec.is_named(name)) {
        return Some("a function");
    }
    if is_predefined(name) {
        return Some("a name that every formula has");
    }
    if loaded.metrics.iter().any(|metric| same_name(&metric.key.value, name)) {
        return Some("a metric");
    }
    declared(&loaded.schema, name)
}

/// Returns what a schema declares under a name.
pub(super) fn declared(schema: &Schema, name: &str) -> Option<&'static str> {
    if schema.placeholder(name).is_some() || schema.input(name).is_some() {
        return Some("a placeholder or an input");
    }
    let is_rows = schema.source(name).is_some() || schema.population(name).is_some();
    is_rows.then_some("a source")
}
