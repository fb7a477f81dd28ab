//! Templates of common metrics: `definitions/templates.metrics`, loaded once.
//!
//! A metric created from a template is an ordinary metric. Metrics that the formula uses are created too, as drafts, if
//! the store has none with the key.

mod instantiate;
mod parameters;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use quotient::Engine;
use quotient::file::{self, Loaded, MetricDefinition};
use quotient::syntax::Limits;
use quotient::types::Currency;

pub use instantiate::create_demo_metrics;
pub(crate) use instantiate::{TemplateInstance, instantiate};
pub(crate) use parameters::{Parameter, ParameterKind};

use super::schema;
use super::vocabulary::{Category, DataType, kind};
use crate::database::Word as _;

/// The templates as a formula file.
const FILE: &str = include_str!("../../../definitions/templates.metrics");

/// The name in that file of the file with the store's sources.
const STORE_FILE: &str = "store.metrics";

/// The currency of amounts in both files.
const WRITTEN_IN: &str = " USD";

/// The prefix of template ids.
const ID_PREFIX: &str = "tmpl_";

#[derive(Debug, Clone)]
pub(crate) struct Template {
    /// The name in formulas of other templates, and the default key of its metric.
    pub key: String,
    pub name: String,
    pub description: Option<String>,
    pub category: Category,
    /// Amounts in it are in dollars.
    pub formula: String,
    pub data_type: DataType,
    /// Keys of the templates that the formula uses.
    pub uses: Vec<String>,
    /// Sources whose rows it reads, including those of the templates it uses.
    pub sources: Vec<String>,
}

impl Template {
    pub(crate) fn id(&self) -> String {
        format!("{ID_PREFIX}{}", self.key)
    }

    /// Returns the formula with amounts in a currency.
    pub(crate) fn formula_in(&self, currency: Currency) -> String {
        in_currency(&self.formula, currency)
    }
}

/// Returns a text of the files with amounts in a currency.
fn in_currency(text: &str, currency: Currency) -> String {
    text.replace(WRITTEN_IN, &format!(" {}", currency.code()))
}

static TEMPLATES: LazyLock<Vec<Template>> = LazyLock::new(read);

pub(crate) fn all() -> &'static [Template] {
    &TEMPLATES
}

pub(crate) fn find(id_or_key: &str) -> Option<&'static Template> {
    let key = id_or_key.strip_prefix(ID_PREFIX).unwrap_or(id_or_key);
    TEMPLATES.iter().find(|template| template.key == key)
}

/// Returns the standard formulas with the sources that they read, with amounts in a currency.
pub(crate) fn loaded(currency: Currency) -> Loaded {
    let mut loaded = file::load("templates.metrics", &mut |name| {
        Ok(in_currency(if name == STORE_FILE { schema::STORE } else { FILE }, currency))
    });
    schema::cover(&mut loaded.schema);
    loaded
}

/// Returns an engine with the standard formulas. All of them check, as a test ensures; an error would be logged.
pub(crate) fn engine(loaded: &Loaded, limits: Limits) -> Engine {
    let (engine, found) = Engine::from_loaded_with(loaded, limits);
    for (_, finding) in found.into_iter().filter(|(_, finding)| finding.is_error()) {
        let currency = loaded.schema.store.currency.code();
        tracing::error!(%finding.message, currency, "a standard formula is invalid");
    }
    engine
}

fn read() -> Vec<Template> {
    let loaded = loaded(Currency::USD);
    let engine = engine(&loaded, Limits::DEFAULT);
    loaded.metrics.iter().filter_map(|metric| template(&engine, metric)).collect()
}

fn template(engine: &Engine, metric: &MetricDefinition) -> Option<Template> {
    let formula = engine.compile(&metric.formula.text).ok()?;
    let declared = metric.data_type.as_ref().map(|declared| declared.value.name());
    let word = declared.unwrap_or(kind(formula.ty()).0);
    let category = metric.category.as_deref().and_then(Category::from_word);
    let key = metric.key.value.clone();
    Some(Template {
        name: metric.title.clone().unwrap_or_else(|| key.clone()),
        description: metric.description.clone(),
        category: category.unwrap_or(Category::Custom),
        formula: metric.formula.text.clone(),
        data_type: DataType::from_word(word).unwrap_or(DataType::Number),
        uses: formula.metrics().to_vec(),
        sources: formula.sources().to_vec(),
        key,
    })
}
