//! Response bodies around resources: `{"product_tag": …}`, a page, and a deletion.
//!
//! [`One`] and [`Page`] only describe responses, which are written by [`Fields::answer`](super::Fields::answer) and
//! [`ListRequest::answer`](super::ListRequest::answer), because these know the requested fields. A custom handler names
//! them by an alias, such as `type CollectionResponse = One<Collection>;`, in its `body = CollectionResponse`.

use std::borrow::Cow;
use std::marker::PhantomData;

use serde::Serialize;
use utoipa::openapi::schema::{KnownFormat, SchemaFormat};
use utoipa::openapi::{Array, ObjectBuilder, Ref, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::{Keyed, Listed, Resource};
use crate::routing::{DESCRIBES, is_describing};

/// One resource under its key.
#[derive(Debug)]
pub struct One<R>(PhantomData<fn() -> R>);

/// A page of a list under its key, with its position among all pages.
#[derive(Debug)]
pub struct Page<R>(PhantomData<fn() -> R>);

/// Confirms that a part of a resource is deleted, and returns the resource after it. Written by
/// [`Fields::part_deleted`](super::Fields::part_deleted).
#[derive(Debug)]
pub struct PartDeleted<R>(PhantomData<fn() -> R>);

#[derive(Debug, Serialize)]
#[serde(bound = "R::Id: Serialize")]
#[expect(clippy::struct_field_names, reason = "the names are fixed by the API")]
pub struct Deleted<R: Keyed> {
    id: R::Id,
    object: &'static str,
    deleted: bool,
}

impl<R: Keyed> Deleted<R> {
    /// Creates the response for a deleted resource.
    pub const fn new(id: R::Id) -> Self {
        Self { id, object: R::OBJECT, deleted: true }
    }
}

/// Returns the name of a schema derived from a resource's own: `Tag` and `TagView` give `TagResponse`.
fn derived_name<R: ToSchema>(suffix: &str) -> Cow<'static, str> {
    let name = R::name();
    format!("{}{suffix}", name.strip_suffix("View").unwrap_or(&name)).into()
}

/// Adds the schema of a type and of its parts, if they are described.
pub(crate) fn add_schema<T: ToSchema>(schemas: &mut Vec<(String, RefOr<Schema>)>) {
    if DESCRIBES && is_describing() {
        schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(schemas);
    }
}

fn reference<T: ToSchema>() -> Ref {
    Ref::from_schema_name(T::name())
}

fn count(format: KnownFormat, description: &str) -> ObjectBuilder {
    let format = SchemaFormat::KnownFormat(format);
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .format(Some(format))
        .minimum(Some(0))
        .description(Some(description))
}

fn always_true() -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::Boolean)
        .description(Some("Always true; failures are errors."))
}

impl<R: Keyed + ToSchema> PartialSchema for One<R> {
    fn schema() -> RefOr<Schema> {
        let name = R::SHAPE.name;
        let object = ObjectBuilder::new().property(R::KEY, reference::<R>()).required(R::KEY);
        object.description(Some(format!("The {name} under its key."))).into()
    }
}

impl<R: Keyed + ToSchema> ToSchema for One<R> {
    fn name() -> Cow<'static, str> {
        derived_name::<R>("Response")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        add_schema::<R>(schemas);
    }
}

impl<R: Listed + ToSchema> PartialSchema for Page<R> {
    fn schema() -> RefOr<Schema> {
        let plural = R::LISTING.plural;
        let object = ObjectBuilder::new()
            .property(plural, Array::new(reference::<R>()))
            .property("count", count(KnownFormat::Int64, "The number of items on all pages."))
            .property("offset", count(KnownFormat::Int32, "The number of items before the page."))
            .property(
                "limit",
                count(KnownFormat::Int32, "The maximum number of items on the page."),
            );
        let names = [plural, "count", "offset", "limit"];
        let object = names.into_iter().fold(object, ObjectBuilder::required);
        object.description(Some(format!("A page of {}.", plural.replace('_', " ")))).into()
    }
}

impl<R: Listed + ToSchema> ToSchema for Page<R> {
    fn name() -> Cow<'static, str> {
        derived_name::<R>("ListResponse")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        add_schema::<R>(schemas);
    }
}

impl<R: Keyed<Id: ToSchema> + ToSchema> PartialSchema for Deleted<R> {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some([R::OBJECT]))
            .description(Some(format!("Always `{}`.", R::OBJECT)));
        let all = ObjectBuilder::new()
            .property("id", reference::<R::Id>())
            .property("object", object)
            .property("deleted", always_true());
        let all = ["id", "object", "deleted"].into_iter().fold(all, ObjectBuilder::required);
        all.description(Some(format!("Confirms that the {} is deleted.", R::SHAPE.name))).into()
    }
}

impl<R: Keyed<Id: ToSchema> + ToSchema> ToSchema for Deleted<R> {
    fn name() -> Cow<'static, str> {
        derived_name::<R>("DeletedResponse")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        add_schema::<R::Id>(schemas);
    }
}

impl<R: Resource + ToSchema> PartialSchema for PartDeleted<R> {
    fn schema() -> RefOr<Schema> {
        let name = R::SHAPE.name;
        let text = |description: &str| {
            ObjectBuilder::new().schema_type(Type::String).description(Some(description))
        };
        let all = ObjectBuilder::new()
            .property("id", text("The id of the part."))
            .property("object", text("What the part is."))
            .property("deleted", always_true())
            .property("parent", reference::<R>());
        let names = ["id", "object", "deleted", "parent"];
        let all = names.into_iter().fold(all, ObjectBuilder::required);
        all.description(Some(format!(
            "Confirms that a part of the {name} is deleted; `parent` is the {name} after it."
        )))
        .into()
    }
}

impl<R: Resource + ToSchema> ToSchema for PartDeleted<R> {
    fn name() -> Cow<'static, str> {
        derived_name::<R>("PartDeletedResponse")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        add_schema::<R>(schemas);
    }
}
