//! `fields`: the selection of a resource's fields for a response.
//!
//! `title,handle` replaces the default, `+metadata` adds, `-description` removes, `*variants` selects a whole relation,
//! `variants.sku` a part of one. Only names listed in a [`Shape`] are accepted, so nothing else can be reached.

mod answer;
mod project;
mod selection;

use std::marker::PhantomData;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::Serialize;
use serde_json::json;
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::{ObjectBuilder, Required, Type};

pub use answer::{Answer, ReplayBody};
pub(super) use project::Only;
pub use selection::Selection;

use super::HttpError;
use super::query::{self, Node};
use crate::database::{self, Db, Tx};

#[derive(Debug)]
pub struct Shape {
    /// The resource in the singular, such as `product`.
    pub name: &'static str,
    /// Fields returned by default. They must include `id`, if there is one.
    pub defaults: &'static [&'static str],
    /// Further stored fields, returned on request and as part of `*relation`.
    pub extras: &'static [&'static str],
    /// Fields returned only when named, because they must be computed.
    pub computed: &'static [&'static str],
    pub relations: &'static [Relation],
}

#[derive(Debug)]
pub struct Relation {
    pub name: &'static str,
    /// The shape of the related resource.
    pub shape: &'static Shape,
    pub is_default: bool,
}

impl Relation {
    /// Creates a relation that is returned by default.
    pub const fn default(name: &'static str, shape: &'static Shape) -> Self {
        Self { name, shape, is_default: true }
    }

    /// Creates a relation that is returned on request.
    pub const fn on_request(name: &'static str, shape: &'static Shape) -> Self {
        Self { name, shape, is_default: false }
    }
}

/// A resource as one API surface returns it: a marker with its shape.
pub trait Resource {
    const SHAPE: &'static Shape;
}

impl<R: Resource> Resource for Option<R> {
    const SHAPE: &'static Shape = R::SHAPE;
}

impl<R: Resource> Resource for Vec<R> {
    const SHAPE: &'static Shape = R::SHAPE;
}

impl<R: Resource> Resource for Box<R> {
    const SHAPE: &'static Shape = R::SHAPE;
}

/// A resource that is returned by itself.
pub trait Keyed: Resource {
    /// The key in responses, such as `product_tag`.
    const KEY: &'static str;
    /// The value of `object` in deletion responses, such as `sales-channel`.
    const OBJECT: &'static str;
    type Id;
    /// The resource as the store API returns it.
    type Store: Resource;
}

/// The selection of the query key `fields`; other keys are ignored.
#[derive(Debug, Clone)]
pub struct Fields<R> {
    /// The fields to load and to return.
    pub selection: Selection,
    resource: PhantomData<fn() -> R>,
}

impl<R: Keyed> Fields<R> {
    /// Returns `{key: resource}` with the selected fields.
    pub fn answer(&self, resource: &impl Serialize) -> Result<Answer, HttpError> {
        self.selection.answer(R::KEY, resource)
    }

    /// Reads a resource, and returns it like [`answer`](Self::answer).
    pub async fn read<T, E>(
        self,
        db: Db,
        find: impl FnOnce(&Tx<'_>, &Selection) -> Result<T, E> + Send + 'static,
    ) -> Result<Answer, HttpError>
    where
        T: Serialize + Send + 'static,
        E: From<database::Error> + Into<HttpError> + Send + 'static,
    {
        let selection = self.selection.clone();
        let found = db.read(move |tx| find(tx, &selection)).await;
        self.answer(&found.map_err(Into::into)?)
    }

    pub async fn write<T, E>(
        self,
        db: Db,
        change: impl FnOnce(&Tx<'_>, &Selection) -> Result<T, E> + Send + 'static,
    ) -> Result<Answer, HttpError>
    where
        T: Serialize + Send + 'static,
        E: From<database::Error> + Into<HttpError> + Send + 'static,
    {
        let selection = self.selection.clone();
        let changed = db.write(move |tx| change(tx, &selection)).await;
        self.answer(&changed.map_err(Into::into)?)
    }
}

impl<R: Resource> Fields<R> {
    /// Deletes a part of a resource and returns what [`part_deleted`](Self::part_deleted) does; `delete` returns the id of
    /// the part, and the resource after the deletion.
    pub async fn delete_part<I, T, E>(
        self,
        db: Db,
        object: &str,
        delete: impl FnOnce(&Tx<'_>, &Selection) -> Result<(I, T), E> + Send + 'static,
    ) -> Result<Answer, HttpError>
    where
        I: Serialize + Send + 'static,
        T: Serialize + Send + 'static,
        E: From<database::Error> + Into<HttpError> + Send + 'static,
    {
        let selection = self.selection.clone();
        let deleted = db.write(move |tx| delete(tx, &selection)).await;
        let (id, parent) = deleted.map_err(Into::into)?;
        self.part_deleted(object, &id, &parent)
    }

    /// Returns the response that confirms the deletion of a part of a resource, with the resource after it.
    pub fn part_deleted(
        &self,
        object: &str,
        id: &impl Serialize,
        parent: &impl Serialize,
    ) -> Result<Answer, HttpError> {
        let parent = self.selection.value(parent)?;
        Answer::of(&json!({ "id": id, "object": object, "deleted": true, "parent": parent }))
    }
}

impl<R: Resource, S: Send + Sync> FromRequestParts<S> for Fields<R> {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, HttpError> {
        let keys = query::parse(parts.uri.query().unwrap_or_default())?;
        Ok(Self { selection: select(R::SHAPE, keys.get("fields"))?, resource: PhantomData })
    }
}

/// Returns the selection for the value of the key `fields`.
pub(super) fn select(shape: &'static Shape, value: Option<&Node>) -> Result<Selection, HttpError> {
    match value {
        None => Ok(Selection::of_defaults(shape)),
        Some(Node::Text(text)) => Selection::parse(shape, text),
        Some(Node::List(items)) => {
            let texts: Option<Vec<&str>> = items
                .iter()
                .map(|item| match item {
                    Node::Text(text) => Some(text.as_str()),
                    Node::List(_) | Node::Map(_) => None,
                })
                .collect();
            let texts = texts.ok_or_else(malformed)?;
            Selection::parse(shape, &texts.join(","))
        }
        Some(Node::Map(_)) => Err(malformed()),
    }
}

fn malformed() -> HttpError {
    HttpError::invalid_data("Invalid request: Expected type: 'string' for field 'fields'")
}

impl<R: Resource> IntoParams for Fields<R> {
    fn into_params(_place: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![parameter(R::SHAPE)]
    }
}

/// Returns the parameter `fields` of an operation on `shape`.
pub(super) fn parameter(shape: &Shape) -> Parameter {
    let relations: Vec<&str> = shape.relations.iter().map(|relation| relation.name).collect();
    let description = format!(
        "The fields of each {} to return: `a,b` replaces the default, `+a` adds, `-a` removes, `*r` is a whole relation, \
         `r.a` a part of one. Default: `{}`. On request: `{}`. Relations: `{}`.",
        shape.name,
        shape.defaults.join(","),
        [shape.extras, shape.computed].concat().join(","),
        relations.join(","),
    );
    let schema = ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern(shape)));
    in_query("fields", &description, schema)
}

pub(super) fn in_query(name: &str, description: &str, schema: ObjectBuilder) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(description))
        .schema(Some(schema))
        .build()
}

/// Limit: nested relations whose names are written out; deeper ones are represented by `*`.
const DESCRIBED_DEPTH: usize = 2;

/// Returns the pattern of `fields`: names of the shape with their marks, separated by commas; may be empty.
fn pattern(shape: &Shape) -> String {
    let name = format!(r"(([+-]?|\+?\*)({})|\+?\*)?", names(shape, DESCRIBED_DEPTH));
    let word = format!(r"[ \t\r\n]*{name}[ \t\r\n]*");
    format!("^{word}(,{word})*$")
}

/// Returns the names of a shape and, up to a depth, of its relations.
fn names(shape: &Shape, depth: usize) -> String {
    let own = [shape.defaults, shape.extras, shape.computed].into_iter().flatten();
    let relations = shape.relations.iter().map(|relation| match depth.checked_sub(1) {
        Some(depth) => format!(r"{}(\.(\*|{}))?", relation.name, names(relation.shape, depth)),
        None => relation.name.to_owned(),
    });
    own.map(|name| (*name).to_owned()).chain(relations).collect::<Vec<_>>().join("|")
}

/// Returns the number of names in lists, at compile time.
pub const fn count_names(mut lists: &[&[&str]]) -> usize {
    let mut count = 0_usize;
    while let [list, rest @ ..] = lists {
        count = count.saturating_add(list.len());
        lists = rest;
    }
    count
}

/// Concatenates lists of `N` names in total, at compile time.
pub const fn join_names<const N: usize>(mut lists: &[&[&'static str]]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut places: &mut [&'static str] = &mut names;
    while let [list, rest @ ..] = lists {
        let (own, after) = places.split_at_mut(list.len());
        own.copy_from_slice(list);
        places = after;
        lists = rest;
    }
    names
}
