//! What forms need to know about the store beside the record: a product's options, and variants by SKU.

use super::fields::{FormSpec, Input, ProductOption};
use super::forms::Subject;
use crate::Pages;
use crate::client::{Failure, target};
use crate::parameters::Parameters;
use crate::visit::Visit;

/// Reads the product's options, if the form asks for their values.
pub(super) async fn read_options(
    pages: &Pages,
    visit: &Visit,
    subject: Subject<'_>,
) -> Result<Vec<ProductOption>, Failure> {
    if !subject.form.fields.iter().any(|field| matches!(field.input, Input::Options)) {
        return Ok(Vec::new());
    }
    let path = subject.route("/admin/products/{id}/options");
    pages.client.get_at(&visit.origin, &path, "/product_options").await
}

/// Reads the id of the variant with the typed SKU; none if there is none.
pub(super) async fn read_variant(
    pages: &Pages,
    visit: &Visit,
    (form, typed): (&FormSpec, &Parameters),
) -> Result<Option<String>, Failure> {
    let mut fields = form.fields.iter();
    let Some(field) = fields.find(|field| matches!(field.input, Input::Sku)) else {
        return Ok(None);
    };
    let sku = typed.text(field.name);
    if sku.is_empty() { Ok(None) } else { variant_of(pages, visit, sku).await }
}

/// Reads the id of the variant with a SKU; none if there is none.
pub(crate) async fn variant_of(
    pages: &Pages,
    visit: &Visit,
    sku: &str,
) -> Result<Option<String>, Failure> {
    let path = target("/admin/product-variants", &[("sku", sku), ("fields", "id"), ("limit", "1")]);
    pages.client.get_at(&visit.origin, &path, "/variants/0/id").await
}
