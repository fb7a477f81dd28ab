//! The descriptions of the usual operations, generated from a resource's names.

use axum::routing::MethodRouter;
use utoipa::openapi::path::{
    HttpMethod, OperationBuilder, ParameterBuilder, ParameterIn, PathItem, Paths,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::{Content, Ref, Required, ResponseBuilder};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::PathItemExt as _;
use utoipa_axum::router::UtoipaMethodRouter;

use crate::http::{Listed, add_schema};
use crate::routing::{AnyHandler, DESCRIBES, Schemas, is_describing};

/// The names of a resource, such as `product tag` and `product tags`.
pub(super) struct ResourceNames {
    /// The singular.
    pub(super) one: String,
    /// The plural.
    pub(super) many: String,
    /// The singular in operation ids, such as `tag` in `show_tag`.
    one_id: String,
    /// The plural in operation ids, such as `tags` in `list_tags`.
    many_id: String,
}

impl ResourceNames {
    pub(super) fn new<R: Listed>(key: &str) -> Self {
        let plural = R::LISTING.plural;
        let one_id = R::SHAPE.name.replace(' ', "_").to_lowercase();
        // A `product_tag` is a `tag`, so `product_tags` are `tags`.
        let prefix = key.strip_suffix(&one_id).unwrap_or_default();
        let many_id = plural.strip_prefix(prefix).unwrap_or(plural).to_owned();
        Self { one: key.replace('_', " "), many: plural.replace('_', " "), one_id, many_id }
    }

    /// Returns the singular with its article, such as `a tag` or `an item`.
    pub(super) fn a(&self) -> String {
        let is_vowel = self.one.starts_with(['a', 'e', 'i', 'o']);
        format!("{} {}", if is_vowel { "an" } else { "a" }, self.one)
    }

    /// Returns the id of an operation on one resource, such as `show_tag`.
    pub(super) fn on_one(&self, verb: &str) -> String {
        format!("{verb}_{}", self.one_id)
    }

    /// Returns the id of an operation on several resources, such as `list_tags`.
    pub(super) fn on_many(&self, verb: &str) -> String {
        format!("{verb}_{}", self.many_id)
    }
}

pub(super) struct Described {
    method: HttpMethod,
    path: String,
    operation: OperationBuilder,
    schemas: Schemas,
}

impl Described {
    pub(super) fn new(method: HttpMethod, path: String) -> Self {
        Self { method, path, operation: OperationBuilder::new(), schemas: Schemas::new() }
    }

    pub(super) fn named(self, id: String, summary: String, tag: &str) -> Self {
        self.with(|operation| operation.operation_id(Some(id)).summary(Some(summary)).tag(tag))
    }

    pub(super) fn note(self, text: &str) -> Self {
        self.with(|operation| operation.description(Some(text)))
    }

    pub(super) fn id<Id: ToSchema>(self, description: String) -> Self {
        let next = self.with(|operation| {
            let parameter = ParameterBuilder::new()
                .name("id")
                .parameter_in(ParameterIn::Path)
                .required(Required::True)
                .description(Some(description))
                .schema(Some(Ref::from_schema_name(Id::name())));
            operation.parameter(parameter)
        });
        next.schema::<Id>()
    }

    pub(super) fn query<P: IntoParams>(self) -> Self {
        self.with(|operation| {
            let parameters = P::into_params(|| Some(ParameterIn::Query));
            parameters.into_iter().fold(operation, OperationBuilder::parameter)
        })
    }

    pub(super) fn body<T: ToSchema>(self) -> Self {
        let next = self.with(|operation| {
            let body = RequestBodyBuilder::new()
                .content("application/json", Content::new(Some(Ref::from_schema_name(T::name()))))
                .required(Some(Required::True));
            operation.request_body(Some(body.build()))
        });
        next.schema::<T>()
    }

    pub(super) fn answer<T: ToSchema>(self, status: &str, description: &str) -> Self {
        let next = self.with(|operation| {
            let response = ResponseBuilder::new()
                .description(description)
                .content("application/json", Content::new(Some(Ref::from_schema_name(T::name()))));
            operation.response(status, response.build())
        });
        next.schema::<T>()
    }

    fn schema<T: ToSchema>(mut self) -> Self {
        add_schema::<T>(&mut self.schemas);
        self
    }

    /// Returns the operation in the router's format.
    pub(super) fn build<S>(self, handler: AnyHandler<S>) -> UtoipaMethodRouter<S>
    where
        S: Clone + Send + Sync + 'static,
    {
        let handlers = MethodRouter::new().on(self.method.to_method_filter(), handler);
        let item = PathItem::new(self.method, self.operation);
        (self.schemas, Paths::builder().path(self.path, item).build(), handlers)
    }

    fn with(mut self, change: impl FnOnce(OperationBuilder) -> OperationBuilder) -> Self {
        if DESCRIBES && is_describing() {
            self.operation = change(self.operation);
        }
        self
    }
}
