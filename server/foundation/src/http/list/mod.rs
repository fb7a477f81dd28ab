//! Lists: parses limit, offset, order, search and filters for all of them.

mod filters;
mod parameters;
mod values;

use std::collections::BTreeMap;
use std::marker::PhantomData;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::fields::{self, Answer, Only, Resource, Selection, Shape};
use super::query::{self, Node};
use super::{HttpError, text};
use crate::database::listing::{Column, ListQuery, Listing};
use crate::database::{self, Db, Tx};

/// Limit: rows on a page.
pub const MAX_LIMIT: u32 = 200;

/// Limit: rows before a page.
pub const MAX_OFFSET: u32 = 10_000_000;

pub trait Listed: Resource {
    const LISTING: &'static Listing;
}

#[derive(Debug, Clone)]
pub struct ListRequest<R> {
    pub query: ListQuery,
    /// The selected fields of each row.
    pub selection: Selection,
    extra: Extra,
    resource: PhantomData<fn() -> R>,
}

impl<R: Listed, S: Send + Sync> FromRequestParts<S> for ListRequest<R> {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, HttpError> {
        Self::parse(parts.uri.query().unwrap_or_default())
    }
}

impl<R: Listed> ListRequest<R> {
    /// Parses a query.
    ///
    /// # Errors
    /// 400 for an unknown key, or an invalid or out-of-range value.
    pub fn parse(query: &str) -> Result<Self, HttpError> {
        let (query, selection, extra) = parse(R::LISTING, R::SHAPE, query)?;
        Ok(Self { query, selection, extra, resource: PhantomData })
    }

    /// Returns the value of a key that the route parses itself, if present.
    ///
    /// # Errors
    /// 400 if the value is a list or a map.
    pub fn extra(&self, name: &str) -> Result<Option<&str>, HttpError> {
        self.extra.get(name).map(|node| one(name, node)).transpose()
    }

    /// Reads the rows of the page and the total number, and returns them like [`answer`](Self::answer).
    pub async fn read<T, E>(
        self,
        db: Db,
        page: impl FnOnce(&Tx<'_>, ListQuery, &Selection) -> Result<(Vec<T>, u64), E> + Send + 'static,
    ) -> Result<Answer, HttpError>
    where
        T: Serialize + Send + 'static,
        E: From<database::Error> + Into<HttpError> + Send + 'static,
    {
        let (query, selection) = (self.query.clone(), self.selection.clone());
        let (rows, count) =
            db.read(move |tx| page(tx, query, &selection)).await.map_err(Into::into)?;
        self.answer(&rows, count)
    }

    /// Returns `{<plural>: rows, count, offset, limit}`, with the selected fields of each row.
    pub fn answer<T: Serialize>(&self, rows: &[T], count: u64) -> Result<Answer, HttpError> {
        let ListQuery { listing, offset, limit, .. } = self.query;
        Answer::of(&Page {
            plural: listing.plural,
            rows: self.selection.of(rows),
            count,
            offset,
            limit,
        })
    }
}

type Extra = BTreeMap<String, Node>;

/// Parses a query. Not generic, so that it is compiled once and not for each resource.
fn parse(
    listing: &'static Listing,
    shape: &'static Shape,
    query: &str,
) -> Result<(ListQuery, Selection, Extra), HttpError> {
    let (column, is_descending) = order(listing, listing.default_order)?;
    let mut list = ListQuery::new(listing, column);
    list.is_descending = is_descending;
    let mut selection = Selection::of_defaults(shape);
    let mut extra = Extra::new();
    for (key, node) in query::parse(query)? {
        match key.as_str() {
            "limit" => list.limit = count(&key, &node, MAX_LIMIT)?,
            "offset" => list.offset = count(&key, &node, MAX_OFFSET)?,
            "order" => (list.order, list.is_descending) = order(listing, one(&key, &node)?)?,
            "fields" => selection = fields::select(shape, Some(&node))?,
            "q" if !listing.search.is_empty() => list.search = search(one(&key, &node)?)?,
            name if listing.extra.contains(&name) => {
                extra.insert(key, node);
            }
            _ => filters::read(&mut list, &key, node)?,
        }
    }
    Ok((list, selection, extra))
}

struct Page<'a, T> {
    plural: &'static str,
    rows: Only<'a, [T]>,
    count: u64,
    offset: u32,
    limit: u32,
}

impl<T: Serialize> Serialize for Page<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut page = serializer.serialize_struct("Page", 4)?;
        page.serialize_field(self.plural, &self.rows)?;
        page.serialize_field("count", &self.count)?;
        page.serialize_field("offset", &self.offset)?;
        page.serialize_field("limit", &self.limit)?;
        page.end()
    }
}

fn one<'a>(key: &str, node: &'a Node) -> Result<&'a str, HttpError> {
    match node {
        Node::Text(text) => Ok(text),
        Node::List(_) | Node::Map(_) => {
            Err(invalid(key, format!("Expected type: 'string' for field '{key}'")))
        }
    }
}

fn count(key: &str, node: &Node, max: u32) -> Result<u32, HttpError> {
    let text = one(key, node)?;
    text.parse::<u32>().ok().filter(|number| *number <= max).ok_or_else(|| {
        invalid(key, format!("Value for field '{key}' must be a whole number from 0 to {max}"))
    })
}

fn order(listing: &'static Listing, text: &str) -> Result<(&'static Column, bool), HttpError> {
    let (name, is_descending) = match text.strip_prefix('-') {
        Some(name) => (name, true),
        None => (text.trim_start_matches(['+', ' ']), false),
    };
    let columns = listing.columns.iter().filter(|column| column.orders);
    let column = columns.clone().find(|column| column.name == name).ok_or_else(|| {
        let names = columns.map(|column| column.name).collect::<Vec<_>>().join(", ");
        let sentence = format!("Order field {name} is not valid, expected one of {names}");
        HttpError::invalid_data(&*sentence).with_details("order", &*sentence)
    })?;
    Ok((column, is_descending))
}

fn search(text: &str) -> Result<Option<String>, HttpError> {
    let text = text::clean(text, query::MAX_SEARCH_CHARS)
        .map_err(|error| invalid("q", format!("Field 'q': {error}")))?;
    Ok(Some(text).filter(|text| !text.is_empty()))
}

/// Returns the 400 for an error at `path`.
fn invalid(path: &str, sentence: impl Into<String>) -> HttpError {
    let sentence = sentence.into();
    HttpError::invalid_data(format!("Invalid request: {sentence}")).with_details(path, sentence)
}

#[cfg(test)]
mod tests;
