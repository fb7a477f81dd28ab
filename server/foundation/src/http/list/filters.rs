//! The filters of a list: equality, sets of values, operators, and one level of alternatives.

use super::{HttpError, invalid, values};
use crate::database::listing::{Column, Condition, Kind, ListQuery, Listing, Operator};
use crate::http::query::Node;

/// Limit: alternatives in one `$or`.
const MAX_ALTERNATIVES: usize = 20;

/// The operators by their names in a query.
const OPERATORS: [(&str, Operator); 10] = [
    ("$eq", Operator::AnyOf),
    ("$in", Operator::AnyOf),
    ("$ne", Operator::NoneOf),
    ("$nin", Operator::NoneOf),
    ("$gt", Operator::Greater),
    ("$gte", Operator::GreaterOrEqual),
    ("$lt", Operator::Less),
    ("$lte", Operator::LessOrEqual),
    ("$like", Operator::Like),
    ("$ilike", Operator::Like),
];

pub(super) fn read(list: &mut ListQuery, key: &str, node: Node) -> Result<(), HttpError> {
    let listing = list.listing;
    match key {
        "$and" => {
            for conditions in members(listing, key, node)? {
                list.conditions.extend(conditions);
            }
        }
        "$or" => list.alternatives.push(members(listing, key, node)?),
        _ => list.conditions.extend(column(listing, key, node)?),
    }
    Ok(())
}

/// Parses the members of `$and` or `$or`, each a map of columns.
fn members(
    listing: &'static Listing,
    key: &str,
    node: Node,
) -> Result<Vec<Vec<Condition>>, HttpError> {
    let shape = || invalid(key, format!("Expected type: 'array' for field '{key}'"));
    let Node::List(items) = node else {
        return Err(shape());
    };
    if items.len() > MAX_ALTERNATIVES {
        return Err(invalid(key, format!("Field '{key}': more than {MAX_ALTERNATIVES}")));
    }
    let mut groups = Vec::with_capacity(items.len());
    for item in items {
        let Node::Map(columns) = item else {
            return Err(shape());
        };
        let mut conditions = Vec::new();
        for (name, node) in columns {
            conditions.extend(column(listing, &name, node)?);
        }
        groups.push(conditions);
    }
    Ok(groups)
}

fn column(listing: &'static Listing, name: &str, node: Node) -> Result<Vec<Condition>, HttpError> {
    let column = listing
        .columns
        .iter()
        .find(|column| column.filters && column.name == name)
        .ok_or_else(|| invalid(name, format!("Unrecognized fields: '{name}'")))?;
    match node {
        Node::Text(_) | Node::List(_) => Ok(vec![condition(column, Operator::AnyOf, node)?]),
        Node::Map(operators) => operators
            .into_iter()
            .map(|(sign, node)| condition(column, operator(column, &sign)?, node))
            .collect(),
    }
}

fn operator(column: &Column, sign: &str) -> Result<Operator, HttpError> {
    let fitting = OPERATORS.iter().filter(|(_, operator)| fits(column, *operator));
    if let Some((_, operator)) = fitting.clone().find(|(name, _)| *name == sign) {
        return Ok(*operator);
    }
    let name = column.name;
    let signs = fitting.map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let sentence = format!("Unknown operator '{sign}' for field '{name}', expected one of {signs}");
    Err(invalid(name, sentence))
}

/// Returns whether a column has this comparison.
fn fits(column: &Column, operator: Operator) -> bool {
    let is_one = !column.is_relation();
    match operator {
        Operator::AnyOf | Operator::NoneOf => true,
        Operator::Like => is_one && matches!(column.kind, Kind::Text | Kind::LowerCase),
        Operator::Greater | Operator::GreaterOrEqual | Operator::Less | Operator::LessOrEqual => {
            is_one && !matches!(column.kind, Kind::Code | Kind::Boolean)
        }
    }
}

fn condition(
    column: &'static Column,
    operator: Operator,
    node: Node,
) -> Result<Condition, HttpError> {
    let texts = match node {
        Node::Text(text) => vec![text],
        Node::List(items) => items
            .into_iter()
            .map(|item| match item {
                Node::Text(text) => Ok(text),
                Node::List(_) | Node::Map(_) => Err(values::refused(column, "array")),
            })
            .collect::<Result<_, _>>()?,
        Node::Map(_) => return Err(values::refused(column, "object")),
    };
    let takes_many = matches!(operator, Operator::AnyOf | Operator::NoneOf);
    if !takes_many && texts.len() > 1 {
        return Err(values::refused(column, "array"));
    }
    let values =
        texts.iter().map(|text| values::read(column, operator, text)).collect::<Result<_, _>>()?;
    Ok(Condition { column, operator, values })
}
