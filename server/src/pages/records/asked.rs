//! What forms need to know of the store beside the record: the options of a product, and variants by their SKUs.

use serde::Deserialize;
use serde_json::Value;

use super::fields::{FormSpec, Input, ProductOption};
use super::forms::Subject;
use crate::pages::Pages;
use crate::pages::client::{Failure, target};
use crate::pages::parameters::Parameters;
use crate::pages::visit::Visit;

#[derive(Debug, Deserialize)]
struct OptionsAnswer {
    product_options: Vec<ProductOption>,
}

/// Reads the options of the product, if the form asks for their values.
pub(super) async fn read_options(
    pages: &Pages,
    visit: &Visit,
    subject: Subject<'_>,
) -> Result<Vec<ProductOption>, Failure> {
    if !subject.form.fields.iter().any(|field| matches!(field.input, Input::Options)) {
        return Ok(Vec::new());
    }
    let path = subject.route("/admin/products/{id}/options");
    let answer = pages.client.get::<OptionsAnswer>(&visit.origin, &path).await?;
    Ok(answer.product_options)
}

/// Reads the id of the variant with the SKU that was typed; none if there is none.
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
    if sku.is_empty() {
        return Ok(None);
    }
    let path = target("/admin/product-variants", &[("sku", sku), ("fields", "id"), ("limit", "1")]);
    let answer = pages.client.get::<Value>(&visit.origin, &path).await?;
    Ok(answer.pointer("/variants/0/id").and_then(Value::as_str).map(str::to_owned))
}
