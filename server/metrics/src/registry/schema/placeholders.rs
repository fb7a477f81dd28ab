//! Placeholders: user-defined names for fields of sources, or for inputs that only a context provides.

use quotient::diagnostics::{Diagnostic, nearest};
use quotient::schema::{Input, Path, Placeholder, Schema, Source, SourceId};
use quotient::syntax::{Limits, canonical, parse};
use quotient::types::{CurrencyOf, DeclaredType, Type, Unit};
use quotient::{Engine, functions};

use crate::registry::queries::placeholders::PlaceholderRow;
use crate::registry::vocabulary::DataType;

/// The data source of values that are never read from the store.
const INPUT: &str = "input";

/// The aggregation of a placeholder that is never used alone.
const NO_AGGREGATION: &str = "none";

/// Why a placeholder is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlaceholderError {
    /// The key is not a valid name.
    #[error("`{0}` cannot be a key: letters, digits and `_`, no word of the language")]
    Key(String),
    #[error("`{key}` is {by} already")]
    Taken { key: String, by: &'static str },
    #[error("there is no data source `{0}`{hint}", hint = did_you_mean(.1.as_deref()))]
    Source(String, Option<String>),
    #[error("`{source_name}` has no field `{field}`{hint}", hint = did_you_mean(.near.as_deref()))]
    Field { source_name: String, field: String, near: Option<String> },
    #[error("`{field}` holds {holds}, which is not {declared}")]
    Type { field: String, holds: String, declared: &'static str },
    /// The aggregation does not apply to the values.
    #[error("{}", .0.iter().map(|finding| finding.message.as_str()).collect::<Vec<_>>().join("; "))]
    Aggregation(Vec<Diagnostic>),
}

fn did_you_mean(near: Option<&str>) -> String {
    near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
}

pub(crate) fn add(schema: &mut Schema, new: &PlaceholderRow) -> Result<(), PlaceholderError> {
    check_key(schema, &new.key)?;
    if new.data_source == INPUT {
        let ty = type_of(new.data_type, schema);
        let (name, description) = (new.key.clone(), new.description.clone());
        schema.inputs.push(Input { name, description, ty });
        return Ok(());
    }
    let source = source(schema, &new.data_source)?;
    let field = path(schema, source, &new.source_field)?;
    check_type(schema, source, &field, new)?;
    let aggregation = new.default_aggregation.clone().filter(|word| word != NO_AGGREGATION);
    let (key, description) = (new.key.clone(), new.description.clone());
    schema.placeholders.push(Placeholder { key, description, source, field, aggregation });
    Ok(())
}

/// Adds a placeholder to a schema and checks the formula that it stands for when used alone.
pub(crate) fn resolve(schema: &Schema, new: &PlaceholderRow) -> Result<Schema, PlaceholderError> {
    let mut extended = schema.clone();
    add(&mut extended, new)?;
    let stands_alone = extended.placeholder(&new.key).is_some_and(|own| own.aggregation.is_some());
    if stands_alone {
        let engine = Engine::new(extended.clone());
        let aggregation = new.default_aggregation.as_deref().unwrap_or_default();
        let PlaceholderRow { key, data_source, source_field, .. } = new;
        for formula in [key, &format!("{aggregation}({data_source}.{source_field})")] {
            engine.compile(formula).map_err(PlaceholderError::Aggregation)?;
        }
    }
    Ok(extended)
}

fn check_key(schema: &Schema, key: &str) -> Result<(), PlaceholderError> {
    let parsed = parse(key, &Limits::DEFAULT);
    let is_plain = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_name = parsed.diagnostics.is_empty()
        && parsed.expr.is_some_and(|expr| canonical(&expr) == key.to_ascii_lowercase());
    if !is_plain || !is_name || key.starts_with(|first: char| first.is_ascii_digit()) {
        return Err(PlaceholderError::Key(key.to_owned()));
    }
    let by = if schema.source(key).is_some() {
        Some("a source")
    } else if schema.population(key).is_some() {
        Some("a population")
    } else if functions::find(key).is_some() {
        Some("a function")
    } else if schema.placeholder(key).is_some() || schema.input(key).is_some() {
        Some("a placeholder")
    } else {
        None
    };
    by.map_or(Ok(()), |by| Err(PlaceholderError::Taken { key: key.to_owned(), by }))
}

fn source(schema: &Schema, name: &str) -> Result<SourceId, PlaceholderError> {
    schema.source(name).ok_or_else(|| {
        let known = schema.sources.iter().map(|source| source.name.as_str());
        let near = nearest(name, known.chain([INPUT])).map(str::to_owned);
        PlaceholderError::Source(name.to_owned(), near)
    })
}

/// Resolves `order.country`: links, then a field.
fn path(schema: &Schema, source: SourceId, text: &str) -> Result<Path, PlaceholderError> {
    let mut links = Vec::new();
    let mut at = schema.source_at(source);
    let mut words: Vec<&str> = text.split('.').collect();
    let last = words.pop().unwrap_or_default();
    for word in words {
        let found = at.and_then(|at| Some((at.link(word)?, at)));
        let link = found.and_then(|(link, at)| Some((link, at.links.get(link.0)?.target)));
        let Some((link, target)) = link else { return Err(unknown_field(at, word)) };
        links.push(link);
        at = schema.source_at(target);
    }
    match at.and_then(|at| at.field(last)) {
        Some(field) => Ok(Path { links, field }),
        None => Err(unknown_field(at, last)),
    }
}

fn unknown_field(source: Option<&Source>, field: &str) -> PlaceholderError {
    let fields = source.map_or(&[][..], |source| &source.fields);
    let near = nearest(field, fields.iter().map(|field| field.name.as_str())).map(str::to_owned);
    let source_name = source.map_or_else(String::new, |source| source.name.clone());
    PlaceholderError::Field { source_name, field: field.to_owned(), near }
}

/// Checks the declared type. A counted field needs none: its count is a number whatever its values are.
fn check_type(
    schema: &Schema,
    source: SourceId,
    path: &Path,
    new: &PlaceholderRow,
) -> Result<(), PlaceholderError> {
    let declared = DeclaredType::from(new.data_type);
    let counts = matches!(new.default_aggregation.as_deref(), Some("count" | "count_distinct"));
    let ty = schema.field_at(source, path).map(|(_, field)| &field.data_type);
    let ty = ty.map(|data_type| data_type.to_type(schema.store.currency));
    match ty.filter(|ty| !declared.fits(ty) && !counts) {
        None => Ok(()),
        Some(ty) => Err(PlaceholderError::Type {
            field: new.source_field.clone(),
            holds: ty.to_string(),
            declared: declared.name(),
        }),
    }
}

fn type_of(data_type: DataType, schema: &Schema) -> Type {
    Type::Quantity(match data_type {
        DataType::Number => Unit::NUMBER,
        DataType::Integer => Unit::count("items"),
        DataType::Currency => Unit::money(CurrencyOf::Fixed(schema.store.currency)),
        DataType::Percentage => Unit::PERCENT,
        DataType::Ratio => Unit::RATIO,
        DataType::Duration => Unit::DURATION,
        DataType::Boolean => return Type::Bool,
        DataType::String => return Type::Text,
        DataType::Date => return Type::Date,
    })
}
