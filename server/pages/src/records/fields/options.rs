//! A value for each option of a product, as forms ask for it.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{About, Field};
use crate::parameters::Parameters;

#[derive(Debug, Deserialize)]
pub(crate) struct ProductOption {
    id: String,
    pub(crate) title: String,
    pub(crate) values: Vec<OptionValue>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct OptionValue {
    pub(crate) value: String,
}

impl ProductOption {
    /// Returns a variant's value of the option.
    pub(crate) fn chosen(&self, variant: &Value) -> String {
        let mut all = variant.get("options").and_then(Value::as_array).into_iter().flatten();
        let is_own =
            |own: &&Value| own.get("option_id").and_then(Value::as_str) == Some(self.id.as_str());
        let own = all.find(is_own).and_then(|own| own.get("value")?.as_str());
        own.unwrap_or_default().to_owned()
    }
}

impl Field {
    /// Returns the name of the control for an option.
    pub(crate) fn of_option(&self, option: &ProductOption) -> String {
        format!("{}-{}", self.name, option.title)
    }

    /// Returns the values by option; nothing for a product without options.
    pub(super) fn options(
        &self,
        typed: &Parameters,
        about: &About<'_>,
    ) -> Result<Option<Value>, String> {
        let mut chosen = Map::new();
        for option in about.options {
            let value = typed.text(&self.of_option(option));
            if value.is_empty() {
                return Err(format!("{} is missing.", option.title));
            }
            chosen.insert(option.title.clone(), value.into());
        }
        Ok((!chosen.is_empty()).then_some(Value::Object(chosen)))
    }
}
