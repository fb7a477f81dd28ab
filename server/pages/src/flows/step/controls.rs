//! The controls of a step's form, each with its findings.

use std::collections::BTreeMap;

use serde_json::Value;

use super::typed::MAX_ROWS;
use crate::parameters::Parameters;
use crate::range::{Choice, choices};

/// The types of steps.
const KINDS: &[(&str, &str)] = &[
    ("offer", "offer: something to buy"),
    ("question", "question: fields to fill in"),
    ("notice", "notice: something to read"),
    ("end", "end of the flow"),
];

const PRICES: &[(&str, &str)] = &[
    ("none", "its own price"),
    ("percent_off", "per cent off"),
    ("amount_off", "an amount off"),
    ("fixed", "another price"),
];

const FIELDS: &[(&str, &str)] = &[
    ("text", "text"),
    ("email", "e-mail"),
    ("phone", "phone"),
    ("number", "number"),
    ("choice", "one of the options"),
    ("choices", "some of the options"),
    ("boolean", "yes or no"),
    ("date", "day"),
];

#[derive(Debug)]
pub(super) struct Control {
    pub(super) name: String,
    pub(super) label: &'static str,
    pub(super) value: String,
    pub(super) kind: ControlKind,
    pub(super) findings: Vec<String>,
}

/// The input type of a control.
#[derive(Debug)]
pub(super) enum ControlKind {
    Line,
    Area,
    Yes,
    Select(Vec<Choice>),
}

/// Controls that belong together, in rows.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) title: &'static str,
    pub(super) hint: &'static str,
    pub(super) rows: Vec<Vec<Control>>,
    /// Findings about the group as a whole.
    pub(super) findings: Vec<String>,
}

/// What the form shows: the step as saved, or as typed.
#[derive(Debug)]
pub(super) struct StepForm<'a> {
    pub(super) step: &'a Value,
    pub(super) typed: Option<&'a Parameters>,
    /// The keys of all steps.
    pub(super) keys: &'a [String],
    /// The SKU of the offered variant.
    pub(super) sku: &'a str,
    /// The findings, by their place in the step.
    pub(super) findings: BTreeMap<String, Vec<String>>,
}

impl StepForm<'_> {
    /// Returns the value at a place.
    fn value(&self, name: &str) -> String {
        if let Some(typed) = self.typed {
            return typed.text(name).to_owned();
        }
        if name == "offer.variant_id" {
            return self.sku.to_owned();
        }
        let pointer = format!("/{}", name.replace("].", "/").replace(['[', '.'], "/"));
        match self.step.pointer(&pointer) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            Some(Value::Bool(true)) => "yes".to_owned(),
            Some(Value::Array(all)) => {
                all.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
            }
            Some(Value::Bool(false) | Value::Null | Value::Object(_)) | None => String::new(),
        }
    }

    fn control(
        &mut self,
        name: impl Into<String>,
        label: &'static str,
        kind: ControlKind,
    ) -> Control {
        let name = name.into();
        let value = self.value(&name);
        let findings = self.findings.remove(&name).unwrap_or_default();
        Control { name, label, value, kind, findings }
    }

    fn line(&mut self, name: impl Into<String>, label: &'static str) -> Control {
        self.control(name, label, ControlKind::Line)
    }

    fn select(
        &mut self,
        name: impl Into<String>,
        label: &'static str,
        all: &[(&str, &str)],
    ) -> Control {
        let name = name.into();
        let choices = choices(all, &self.value(&name));
        self.control(name, label, ControlKind::Select(choices))
    }

    /// Returns the number of rows of a list, including an empty one.
    fn rows(&self, list: &str, name: &str) -> usize {
        let own = self.step.get(list).and_then(Value::as_array).map_or(0, Vec::len);
        let is_typed = |index: &usize| {
            self.typed.is_some_and(|typed| typed.has(&format!("{list}[{index}].{name}")))
        };
        let typed = (0..MAX_ROWS).rev().find(is_typed).map_or(0, |index| index.saturating_add(1));
        own.max(typed).saturating_add(1).min(MAX_ROWS)
    }

    /// Returns a group with the findings about the whole of its list or object.
    fn group(
        &mut self,
        (title, hint): (&'static str, &'static str),
        rows: Vec<Vec<Control>>,
        place: &str,
    ) -> Group {
        let findings = self.findings.remove(place).unwrap_or_default();
        Group { title, hint, rows, findings }
    }

    fn ways(&mut self, list: &'static str, title: &'static str, label: &'static str) -> Group {
        let keys = self.keys.to_vec();
        let mut all = vec![("", "nowhere")];
        all.extend(keys.iter().map(|key| (&**key, &**key)));
        let name = if list == "accept_next" { "accept_label" } else { "decline_label" };
        let mut rows = vec![vec![self.line(name, label)]];
        for index in 0..self.rows(list, "to") {
            let to = self.select(format!("{list}[{index}].to"), "Leads to", &all);
            rows.push(vec![to, self.line(format!("{list}[{index}].when"), "If")]);
        }
        let hint = "The first way whose condition holds is taken; the last has none. A row that leads nowhere is taken away.";
        self.group((title, hint), rows, list)
    }

    fn offer(&mut self) -> Group {
        let sku = self.line("offer.variant_id", "SKU");
        let least = self.line("offer.quantity", "Pieces");
        let most = self.line("offer.max_quantity", "Pieces at most");
        let kind = self.select("offer.price.type", "Price", PRICES);
        let value = self.line("offer.price.value", "Per cent, or amount");
        let rows = vec![vec![sku, least, most], vec![kind, value]];
        self.group(("What it offers", ""), rows, "offer")
    }

    fn questions(&mut self) -> Group {
        let mut rows = Vec::new();
        for index in 0..self.rows("fields", "key") {
            let name = |part: &str| format!("fields[{index}].{part}");
            let key = self.line(name("key"), "Key");
            let label = self.line(name("label"), "What the shopper reads");
            let kind = self.select(name("type"), "Takes", FIELDS);
            let options = self.control(name("options"), "Options, one a line", ControlKind::Area);
            let required = self.control(name("required"), "Must be filled in", ControlKind::Yes);
            rows.push(vec![key, label, kind, options, required]);
        }
        let hint = "Conditions name an answer answer_ and its key. A row without a key and a text is taken away.";
        self.group(("What it asks", hint), rows, "fields")
    }

    /// Returns the controls of a new step; the others appear once its type is known.
    pub(super) fn beginning(&mut self) -> Group {
        let row = vec![
            self.line("key", "Key"),
            self.select("type", "Type", KINDS),
            self.line("title", "Title"),
        ];
        let hint = "The key has letters, digits, _ and -. The other fields follow from the type.";
        Group { title: "What it is", hint, rows: vec![row], findings: Vec::new() }
    }

    /// Returns the groups of the form, and takes out the findings that belong to them.
    pub(super) fn groups(&mut self) -> Vec<Group> {
        let kind = self.step.get("type").and_then(Value::as_str).unwrap_or("notice").to_owned();
        let head = vec![self.select("type", "Type", KINDS), self.line("title", "Title")];
        let mut rows = vec![head, vec![self.control("body", "Text", ControlKind::Area)]];
        let mut last = vec![self.line("image_url", "Address of a picture")];
        if kind != "end" {
            last.push(self.line("show_when", "Shown only if"));
        }
        rows.push(last);
        let mut groups =
            vec![Group { title: "What it shows", hint: "", rows, findings: Vec::new() }];
        match &*kind {
            "offer" => groups.push(self.offer()),
            "question" => groups.push(self.questions()),
            _ => {}
        }
        if kind == "end" {
            let rows = vec![vec![self.line("redirect_url", "Leads to the address")]];
            groups.push(Group { title: "At the end", hint: "", rows, findings: Vec::new() });
        } else {
            groups.push(self.ways("accept_next", "When it is accepted", "Text of the button"));
        }
        if matches!(&*kind, "offer" | "question") {
            groups.push(self.ways(
                "decline_next",
                "When it is declined",
                "Text of the button to decline",
            ));
        }
        groups
    }
}
