//! The description of the usual operations, made from a resource's own names.

use utoipa::openapi::path::{
    HttpMethod, OperationBuilder, Parameter, ParameterBuilder, ParameterIn, PathItem, Paths,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::{Content, Ref, RefOr, Required, Response, ResponseBuilder, Schema};
use utoipa::{IntoParams, ToSchema};

use crate::http::{ErrorBody, Listed, add_schema};

/// Schemas that operations name.
pub(super) type Schemas = Vec<(String, RefOr<Schema>)>;

/// What a resource is called, as `product tag` and `product tags`.
pub(super) struct Words {
    /// One.
    pub(super) one: String,
    /// Several.
    pub(super) many: String,
    /// One in the names of operations, as `tag` in `show_tag`.
    one_id: String,
    /// Several, as `tags` in `list_tags`.
    many_id: String,
}

impl Words {
    /// The words of a resource of this key.
    pub(super) fn new<R: Listed>(key: &str) -> Self {
        let plural = R::LISTING.plural;
        let one_id = R::SHAPE.name.replace(' ', "_").to_lowercase();
        // A `product_tag` is a `tag`, so `product_tags` are `tags`.
        let prefix = key.strip_suffix(&one_id).unwrap_or_default();
        let many_id = plural.strip_prefix(prefix).unwrap_or(plural).to_owned();
        Self { one: key.replace('_', " "), many: plural.replace('_', " "), one_id, many_id }
    }

    /// One with its article, as `a tag` or `an item`.
    pub(super) fn a(&self) -> String {
        let is_vowel = self.one.starts_with(['a', 'e', 'i', 'o']);
        format!("{} {}", if is_vowel { "an" } else { "a" }, self.one)
    }

    /// The name of an operation on one, as `show_tag`.
    pub(super) fn on_one(&self, verb: &str) -> String {
        format!("{verb}_{}", self.one_id)
    }

    /// The name of an operation on several, as `list_tags`.
    pub(super) fn on_many(&self, verb: &str) -> String {
        format!("{verb}_{}", self.many_id)
    }
}

/// An operation that is being described.
pub(super) struct Described {
    method: HttpMethod,
    path: String,
    operation: OperationBuilder,
    schemas: Schemas,
}

impl Described {
    /// An operation of a method on a path.
    pub(super) fn new(method: HttpMethod, path: String) -> Self {
        Self { method, path, operation: OperationBuilder::new(), schemas: Schemas::new() }
    }

    /// Its name, its summary and its group.
    pub(super) fn named(self, id: String, summary: String, tag: &str) -> Self {
        self.with(|operation| operation.operation_id(Some(id)).summary(Some(summary)).tag(tag))
    }

    /// More about it.
    pub(super) fn note(self, text: &str) -> Self {
        self.with(|operation| operation.description(Some(text)))
    }

    /// The id in its path.
    pub(super) fn id<Id: ToSchema>(self, description: String) -> Self {
        let parameter: Parameter = ParameterBuilder::new()
            .name("id")
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .description(Some(description))
            .schema(Some(Ref::from_schema_name(Id::name())))
            .build();
        let mut described = self.with(|operation| operation.parameter(parameter));
        add_schema::<Id>(&mut described.schemas);
        described
    }

    /// Its query.
    pub(super) fn query<P: IntoParams>(self) -> Self {
        let parameters = P::into_params(|| Some(ParameterIn::Query));
        self.with(|operation| parameters.into_iter().fold(operation, OperationBuilder::parameter))
    }

    /// Its body.
    pub(super) fn body<T: ToSchema>(self) -> Self {
        let body = RequestBodyBuilder::new()
            .content("application/json", Content::new(Some(Ref::from_schema_name(T::name()))))
            .required(Some(Required::True))
            .build();
        let mut described = self.with(|operation| operation.request_body(Some(body)));
        add_schema::<T>(&mut described.schemas);
        described
    }

    /// An answer.
    pub(super) fn answer<T: ToSchema>(self, status: &str, description: &str) -> Self {
        let mut described =
            self.with(|operation| operation.response(status, json::<T>(description)));
        add_schema::<T>(&mut described.schemas);
        described
    }

    /// That a value is taken already.
    pub(super) fn taken(self, when: &str) -> Self {
        self.answer::<ErrorBody>("422", when)
    }

    /// What a router takes.
    pub(super) fn build(self) -> (Schemas, Paths) {
        let item = PathItem::new(self.method, self.operation);
        (self.schemas, Paths::builder().path(self.path, item).build())
    }

    fn with(mut self, change: impl FnOnce(OperationBuilder) -> OperationBuilder) -> Self {
        self.operation = change(self.operation);
        self
    }
}

fn json<T: ToSchema>(description: &str) -> Response {
    ResponseBuilder::new()
        .description(description)
        .content("application/json", Content::new(Some(Ref::from_schema_name(T::name()))))
        .build()
}
