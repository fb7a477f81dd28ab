//! The path from a button to the next visible one. Pure: it reads a definition and a record.

use std::cell::OnceCell;

use quotient::data::Record;
use quotient_foundation::digest::sha256_hex;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::conditions::{ConditionPart, Conditions};
use crate::definition::draft::{ButtonKind, Draft, Way};
use crate::http::ToSchema;

/// The record of a visitor, as JSON.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    values: Map<String, Value>,
    /// The record that conditions read; none until one reads it.
    record: OnceCell<Record>,
}

impl From<Map<String, Value>> for Facts {
    fn from(values: Map<String, Value>) -> Self {
        Self { values, record: OnceCell::new() }
    }
}

impl Facts {
    pub(crate) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.values.insert(name.to_owned(), value.into());
        self.record.take();
    }

    fn record(&self) -> &Record {
        let read = |facts: &Map<String, Value>| Record::from_json(&json!(facts).to_string());
        self.record.get_or_init(|| {
            read(&self.values).unwrap_or_else(|error| {
                tracing::error!(%error, "a name of a visitor's record cannot be read");
                let mut readable = self.values.clone();
                readable.retain(|_, value| is_readable(value));
                read(&readable).unwrap_or_default()
            })
        })
    }

    pub(crate) fn hash(&self) -> String {
        sha256_hex(Value::Object(self.values.clone()).to_string())
    }

    /// Records what was done at a button.
    pub(crate) fn after(&mut self, action: &str) {
        let step = self.values.get("step").and_then(Value::as_i64).unwrap_or(0);
        self.set("step", step.saturating_add(1));
        self.set("last_action", action);
    }
}

/// Returns whether a condition can read a value.
pub(super) fn is_readable(value: &Value) -> bool {
    Record::from_json(&json!({ "value": value }).to_string()).is_ok()
}

/// A condition evaluated on the path.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = FlowConditionResult)]
pub(crate) struct Evaluated {
    /// The key of the button that the condition belongs to.
    #[serde(rename = "button")]
    key: String,
    condition: String,
    value: bool,
    /// Its parts with their values.
    explain: Option<ConditionPart>,
}

/// A path that was taken.
#[derive(Debug, Clone, Default)]
pub(crate) struct Path {
    /// The keys of the buttons that were skipped, in order.
    pub(crate) skipped: Vec<String>,
    /// The key of the button that is shown.
    pub(crate) at: String,
    pub(crate) evaluated: Vec<Evaluated>,
}

impl Path {
    /// Returns the conditions with their results, to be stored with the press.
    pub(crate) fn conditions(&self) -> Option<Value> {
        let one = |one: &Evaluated| json!({ "key": one.key, "condition": one.condition, "value": one.value });
        let all: Vec<Value> = self.evaluated.iter().map(one).collect();
        (!all.is_empty()).then_some(Value::Array(all))
    }
}

/// Evaluates the conditions of a definition.
#[derive(Debug)]
pub(crate) struct PathEvaluator<'a> {
    draft: &'a Draft,
    conditions: Conditions,
    explains: bool,
}

impl<'a> PathEvaluator<'a> {
    pub(crate) fn new(draft: &'a Draft, currency: crate::money::Currency) -> Self {
        let conditions = Conditions::new(currency, draft.answers());
        Self { draft, conditions, explains: false }
    }

    /// Returns an evaluator that also explains every condition.
    pub(crate) fn explaining(self) -> Self {
        Self { explains: true, ..self }
    }

    /// Returns the path from the entry.
    pub(crate) fn enter(&self, facts: &mut Facts) -> Path {
        self.show(self.draft.entry.clone(), facts)
    }

    /// Returns the path that leaves a button by one of these paths.
    pub(crate) fn follow(&self, key: &str, ways: &[Way], facts: &mut Facts) -> Path {
        let mut path = Path { at: key.to_owned(), ..Path::default() };
        let next = self.choose(key, ways, facts, &mut path);
        let rest = self.show(next, facts);
        path.evaluated.extend(rest.evaluated);
        Path { at: rest.at, skipped: rest.skipped, ..path }
    }

    /// Continues until a button is visible. A published definition has no cycles, so this takes at most as many steps as
    /// there are buttons.
    fn show(&self, mut key: String, facts: &mut Facts) -> Path {
        let mut path = Path::default();
        for _ in 0..=self.draft.buttons.len() {
            let Some(button) = self.draft.buttons.get(&key) else { break };
            let is_shown = match (&button.show_when, button.kind) {
                (None, _) | (_, ButtonKind::End) => true,
                (Some(condition), _) => self.holds(&key, condition.as_str(), facts, &mut path),
            };
            if is_shown {
                break;
            }
            path.skipped.push(key.clone());
            facts.after("skipped");
            key = self.choose(&key, button.skip_next(), facts, &mut path);
        }
        path.at = key;
        path
    }

    fn choose(&self, key: &str, ways: &[Way], facts: &Facts, path: &mut Path) -> String {
        for way in ways {
            let is_taken = match &way.when {
                Some(condition) => self.holds(key, condition.as_str(), facts, path),
                None => true,
            };
            if is_taken {
                return way.to.clone();
            }
        }
        key.to_owned()
    }

    fn holds(&self, key: &str, condition: &str, facts: &Facts, path: &mut Path) -> bool {
        let record = facts.record();
        let value = self.conditions.holds(condition, record);
        let explain = if self.explains { self.conditions.explain(condition, record) } else { None };
        let (key, condition) = (key.to_owned(), condition.to_owned());
        path.evaluated.push(Evaluated { key, condition, value, explain });
        value
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Facts;

    #[test]
    fn a_name_that_cannot_be_read_takes_no_other_one_with_it() {
        let mut facts = Facts::default();
        facts.set("answer_length", serde_json::from_str::<serde_json::Value>("1e40").unwrap());
        facts.set("country", "gb");
        facts.set("skus", json!(["MUG"]));

        let record = facts.record();

        assert!(record.get("answer_length").is_none());
        assert!(record.get("country").is_some() && record.get("skus").is_some());
    }

    #[test]
    fn the_record_is_read_once_until_a_name_changes() {
        let mut facts = Facts::default();
        facts.set("country", "gb");
        assert!(std::ptr::eq(facts.record(), facts.record()));
        assert!(facts.record().get("last_action").is_none());

        facts.after("declined");

        let action = facts.record().get("last_action");
        assert_eq!(action, Some(&"declined".into()));
        assert!(facts.record().get("country").is_some());
    }
}
