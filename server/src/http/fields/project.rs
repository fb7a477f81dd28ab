//! Dropping from an answer what was not asked for.

use serde_json::Value;

use super::selection::{Kept, Selection};

impl Selection {
    /// The value without what was not asked for. Nothing that stays is copied.
    #[must_use]
    pub fn project(&self, mut value: Value) -> Value {
        prune(&self.0, &mut value);
        value
    }
}

fn prune(kept: &Kept, value: &mut Value) {
    let Kept::Members(members) = kept else {
        return;
    };
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| prune(kept, item)),
        Value::Object(object) => object.retain(|name, value| match members.get(name.as_str()) {
            Some(below) => {
                prune(below, value);
                true
            }
            None => false,
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::selection::tests::PRODUCT;
    use super::*;

    #[test]
    fn what_was_not_asked_for_is_dropped_at_every_depth() {
        let product = json!({
            "id": "prod_1", "title": "Mug", "metadata": {"secret": 1}, "collection": null,
            "variants": [{"id": "v1", "sku": "A", "options": []}, {"id": "v2", "sku": "B", "options": []}],
        });
        let selection = Selection::parse(&PRODUCT, "metadata,variants.sku,collection").unwrap();

        assert_eq!(
            selection.project(product),
            json!({
                "id": "prod_1", "metadata": {"secret": 1}, "collection": null,
                "variants": [{"id": "v1", "sku": "A"}, {"id": "v2", "sku": "B"}],
            })
        );
    }
}
