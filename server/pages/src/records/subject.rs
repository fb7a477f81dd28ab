//! The record that a form is about, and what the form needs beside it: a product's options, and variants by SKU.

use serde_json::Value;

use super::fields::{FormSpec, Input, ProductOption};
use super::kinds::Kind;
use crate::client::{Failure, segment, target};
use crate::parameters::Parameters;
use crate::visit::Visit;

/// A form about a record, or about a new one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) kind: &'static Kind,
    pub(super) form: &'static FormSpec,
    /// The record; empty for a new one.
    pub(super) id: &'a str,
    /// The record's row.
    pub(super) of: &'a str,
}

impl Subject<'_> {
    /// Returns an API route about it.
    pub(super) fn route(&self, path: &str) -> String {
        path.replace("{id}", &segment(self.id)).replace("{of}", &segment(self.of))
    }

    /// Returns a route that also contains texts of the present record, such as
    /// `{fulfillment_set_id}`.
    pub(super) fn route_within(&self, path: &str, present: Option<&Value>) -> String {
        let members = present.and_then(Value::as_object).into_iter().flatten();
        let texts = members.filter_map(|(name, value)| Some((name, value.as_str()?)));
        texts.fold(self.route(path), |path, (name, text)| {
            path.replace(&format!("{{{name}}}"), &segment(text))
        })
    }

    /// Returns the route of the list, or of the record if there is one.
    pub(super) fn own_route(&self) -> String {
        let list = self.kind.api;
        if self.id.is_empty() { list.to_owned() } else { format!("{list}/{{id}}") }
    }

    /// Returns the page that the form leads back to.
    pub(super) fn page(&self) -> String {
        let list = format!("/app/{}", self.kind.name);
        if self.id.is_empty() { list } else { format!("{list}/{}", segment(self.id)) }
    }

    pub(super) fn address(&self) -> String {
        target(&format!("{}/{}", self.page(), self.form.word), &[("of", self.of)])
    }
}

/// Reads the product's options, if the form asks for their values.
pub(super) async fn read_options(
    visit: &Visit,
    subject: Subject<'_>,
) -> Result<Vec<ProductOption>, Failure> {
    if !subject.form.fields.iter().any(|field| matches!(field.input, Input::Options)) {
        return Ok(Vec::new());
    }
    let path = subject.route("/admin/products/{id}/options");
    visit.api.get_at(&path, "/product_options").await
}

/// Reads the id of the variant with the typed SKU; none if there is none.
pub(super) async fn read_variant(
    visit: &Visit,
    form: &FormSpec,
    typed: &Parameters,
) -> Result<Option<String>, Failure> {
    let mut fields = form.fields.iter();
    let Some(field) = fields.find(|field| matches!(field.input, Input::Sku)) else {
        return Ok(None);
    };
    let sku = typed.text(field.name);
    if sku.is_empty() { Ok(None) } else { variant_of(visit, sku).await }
}

/// Reads the id of the variant with a SKU; none if there is none.
pub(crate) async fn variant_of(visit: &Visit, sku: &str) -> Result<Option<String>, Failure> {
    let path = target("/admin/product-variants", &[("sku", sku), ("fields", "id"), ("limit", "1")]);
    visit.api.get_at(&path, "/variants/0/id").await
}
