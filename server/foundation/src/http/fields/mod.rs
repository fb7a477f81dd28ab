//! `fields`: which parts of a resource are answered.
//!
//! `title,handle` replaces the default, `+metadata` adds, `-description` removes, `*variants` is a whole relation,
//! `variants.sku` a part of one. Only what a [`Shape`] lists can be named, so nothing else can be reached.

mod answer;
mod names;
mod project;
mod selection;

use std::marker::PhantomData;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::Serialize;
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::{ObjectBuilder, Required, Type};

pub use answer::{Answer, ReplayBody};
pub use names::{count_names, join_names};
pub(super) use project::Only;
pub use selection::Selection;

use super::HttpError;
use super::query::{self, Node};

/// What can be answered of a resource: its fields and what it is related to.
#[derive(Debug)]
pub struct Shape {
    /// The resource in the singular, as `product`.
    pub name: &'static str,
    /// Answered unless `fields` says otherwise. `id` must be one, where there is one.
    pub defaults: &'static [&'static str],
    /// Stored too, answered when asked for, and part of `*relation`.
    pub extras: &'static [&'static str],
    /// Answered only when named, because they must be worked out.
    pub computed: &'static [&'static str],
    /// What it is related to.
    pub relations: &'static [Relation],
}

/// A field that holds one or several resources.
#[derive(Debug)]
pub struct Relation {
    /// The field.
    pub name: &'static str,
    /// What it holds.
    pub shape: &'static Shape,
    /// Whether it is answered unless `fields` says otherwise.
    pub is_default: bool,
}

impl Relation {
    /// A relation that is answered by default.
    pub const fn default(name: &'static str, shape: &'static Shape) -> Self {
        Self { name, shape, is_default: true }
    }

    /// A relation that must be asked for.
    pub const fn on_request(name: &'static str, shape: &'static Shape) -> Self {
        Self { name, shape, is_default: false }
    }
}

/// A resource as one surface shows it: a marker that carries its shape.
pub trait Resource {
    /// What can be answered of it.
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

/// A resource that is answered on its own.
pub trait Keyed: Resource {
    /// Its key in an answer, as `product_tag`.
    const KEY: &'static str;
    /// What `object` says where one is deleted, as `sales-channel`.
    const OBJECT: &'static str;
    /// The type of its id.
    type Id;
    /// What shoppers see of it.
    type Store: Resource;
}

/// The selection that a request asks for by `fields`; other keys of the query are left to others.
#[derive(Debug, Clone)]
pub struct Fields<R> {
    /// What to load and to answer.
    pub selection: Selection,
    resource: PhantomData<fn() -> R>,
}

impl<R: Keyed> Fields<R> {
    /// `{key: resource}` with what was asked for.
    ///
    /// # Errors
    /// 500 when the resource cannot be written as JSON.
    pub fn answer(&self, resource: &impl Serialize) -> Result<Answer, HttpError> {
        self.selection.answer(R::KEY, resource)
    }
}

impl<R: Resource, S: Send + Sync> FromRequestParts<S> for Fields<R> {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, HttpError> {
        let query = query::pairs(parts.uri.query().unwrap_or_default())?;
        let selection = select(R::SHAPE, query.get("fields"))?;
        Ok(Self { selection, resource: PhantomData })
    }
}

/// The selection for what stands at the key `fields`.
pub(super) fn select(shape: &'static Shape, asked: Option<&Node>) -> Result<Selection, HttpError> {
    match asked {
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

/// The parameter `fields` of an operation on `shape`.
pub(super) fn parameter(shape: &Shape) -> Parameter {
    let relations: Vec<&str> = shape.relations.iter().map(|relation| relation.name).collect();
    let description = format!(
        "What to answer of each {}: `a,b` replaces the default, `+a` adds, `-a` removes, `*r` is a whole relation, \
         `r.a` a part of one. Default: `{}`. On request: `{}`. Relations: `{}`.",
        shape.name,
        shape.defaults.join(","),
        [shape.extras, shape.computed].concat().join(","),
        relations.join(","),
    );
    ParameterBuilder::new()
        .name("fields")
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(description))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern(shape)))))
        .build()
}

/// Limit: relations below each other whose names are written out; those below are named by `*`.
const DESCRIBED_DEPTH: usize = 2;

/// What `fields` may be: names of the shape with their marks, between commas; there may be none.
fn pattern(shape: &Shape) -> String {
    let name = format!(r"(([+-]?|\+?\*)({})|\+?\*)?", names(shape, DESCRIBED_DEPTH));
    let word = format!(r"[ \t\r\n]*{name}[ \t\r\n]*");
    format!("^{word}(,{word})*$")
}

/// The names of a shape and, to a depth, of what it is related to.
fn names(shape: &Shape, depth: usize) -> String {
    let own = [shape.defaults, shape.extras, shape.computed].into_iter().flatten();
    let relations = shape.relations.iter().map(|relation| match depth.checked_sub(1) {
        Some(depth) => format!(r"{}(\.(\*|{}))?", relation.name, names(relation.shape, depth)),
        None => relation.name.to_owned(),
    });
    own.map(|name| (*name).to_owned()).chain(relations).collect::<Vec<_>>().join("|")
}
