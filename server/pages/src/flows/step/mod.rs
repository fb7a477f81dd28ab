//! A step of a flow's draft as a form, with the findings beside each field.
//!
//! [`controls`] defines the fields of each type of step, [`typed`] writes the input into the draft.

mod controls;
mod typed;

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use serde_json::{Value, json};

use super::{Checked, Edited};
use crate::REFUSED;
use crate::client::{Failure, target};
use crate::form::Form;
use crate::http::Path;
use crate::page::{Frame, PageError, PageResult, Section, go, respond, show};
use crate::parameters::Parameters;
use crate::records::{names, variant_of};
use crate::visit::Visit;
use controls::{ControlKind, Group, StepForm};

#[derive(Debug, Template)]
#[template(path = "flows/step.html")]
struct StepPage {
    frame: Frame,
    /// The tag of the state of the flow with which the form began.
    tag: String,
    /// The page of the draft, and the name of the flow.
    back: (String, String),
    address: String,
    /// The key; empty for a new step.
    key: String,
    is_first: bool,
    /// The type whose fields are shown.
    shown: String,
    groups: Vec<Group>,
    /// Findings about the step as a whole.
    findings: Vec<String>,
    refusal: Option<String>,
}

/// A step of a draft.
struct Step<'a> {
    edited: Edited<'a>,
    draft: Value,
    key: String,
}

/// The findings, by their place in the step.
type Findings = BTreeMap<String, Vec<String>>;

/// Shows the form of a step, or of a new one.
pub(crate) async fn show_step(visit: Visit, Path(id): Path<String>) -> PageResult {
    let step = Step::read(&visit, &id).await?;
    let checked = step.edited.check(&step.draft, "").await;
    let (findings, refusal) = match checked {
        Ok(checked) => (step.findings(checked), None),
        Err(refusal) => (Findings::new(), Some(refusal)),
    };
    let sku = step.sku().await;
    show(&step.page(None, &sku, findings, refusal))
}

/// Saves a step, or removes it from the draft.
pub(crate) async fn take_step(
    visit: Visit,
    Path(id): Path<String>,
    Form(typed): Form,
) -> PageResult {
    let mut step = Step::read(&visit, &id).await?;
    typed.text("tag").clone_into(&mut step.edited.begun);
    let is_removed = typed.text("action") == "remove";
    let (key, draft) = if is_removed {
        (String::new(), step.without())
    } else {
        let variant = step.variant(typed.text("offer.variant_id")).await;
        match step.with(&typed, variant.as_deref()) {
            Ok(own) => own,
            Err((name, message)) => {
                let findings = Findings::from([(name, vec![message])]);
                return respond(REFUSED, &step.page(Some(&typed), "", findings, None));
            }
        }
    };
    let draft_page = format!("{}/draft", step.edited.page);
    match step.edited.save(&draft).await {
        Ok(()) if is_removed => go(&format!("{draft_page}?done=saved")),
        Ok(()) => go(&target(&step.address(), &[("of", &*key), ("done", "saved")])),
        Err(failure) => {
            let failure = failure.permitted()?;
            let (findings, refusal) = (findings_of(&failure, &key), failure.message);
            respond(REFUSED, &step.page(Some(&typed), "", findings, Some(refusal)))
        }
    }
}

/// Returns the API's findings about a rejected step.
fn findings_of(failure: &Failure, key: &str) -> Findings {
    let before = format!("draft.buttons.{key}.");
    let mut findings = Findings::new();
    for (path, message) in &failure.details {
        let part = path.strip_prefix(&before).unwrap_or(path).to_owned();
        findings.entry(part).or_default().push(message.clone());
    }
    findings
}

impl<'a> Step<'a> {
    /// Reads the step in the URL; none if there is none.
    async fn read(visit: &'a Visit, id: &str) -> Result<Self, PageError> {
        let (edited, draft) = Edited::read(visit, id).await?;
        let key = visit.parameters.text("of").to_owned();
        let step = Self { edited, draft, key };
        let is_there = step.key.is_empty() || step.edited.keys.contains(&step.key);
        if is_there { Ok(step) } else { Err(visit.missing()) }
    }

    fn present(&self) -> &Value {
        let own = self.draft.get("buttons").and_then(|all| all.get(&self.key));
        own.unwrap_or(&Value::Null)
    }

    fn address(&self) -> String {
        format!("{}/step", self.edited.page)
    }

    /// Returns the draft without the step.
    fn without(&self) -> Value {
        let mut draft = self.draft.clone();
        if let Some(steps) = draft.get_mut("buttons").and_then(Value::as_object_mut) {
            steps.remove(&self.key);
        }
        draft
    }

    /// Returns the key of the step, and the draft with the step as typed.
    fn with(
        &self,
        typed: &Parameters,
        variant: Option<&str>,
    ) -> Result<(String, Value), typed::Misfit> {
        let key = if self.key.is_empty() { typed.text("key") } else { &self.key };
        let misfit = |message: &str| Err(("key".to_owned(), message.to_owned()));
        if key.is_empty() {
            return misfit("Other steps lead here by the key, such as thanks.");
        }
        if self.key.is_empty() && self.edited.keys.iter().any(|own| own == key) {
            return misfit("Another step has this key.");
        }
        let step = typed::step(self.present(), typed, variant)?;
        let mut draft = self.draft.clone();
        let is_begun =
            draft.get("entry").and_then(Value::as_str).is_some_and(|own| !own.is_empty());
        if let Some(members) = draft.as_object_mut() {
            let steps = members.entry("buttons").or_insert_with(|| json!({}));
            if let Some(steps) = steps.as_object_mut() {
                steps.insert(key.to_owned(), step);
            }
            if !is_begun || typed.has("first") {
                members.insert("entry".to_owned(), key.into());
            }
        }
        Ok((key.to_owned(), draft))
    }

    fn findings(&self, checked: Option<Checked>) -> Findings {
        let all = checked.into_iter().flat_map(|own| own.errors.into_iter().chain(own.warnings));
        let mut findings = Findings::new();
        for own in all.filter(|own| own.step.as_ref() == Some(&self.key)) {
            findings.entry(own.part).or_default().push(own.message);
        }
        findings
    }

    /// Returns the SKU of the offered variant, or its id if it has none.
    async fn sku(&self) -> String {
        let id = self.present().pointer("/offer/variant_id").and_then(Value::as_str);
        let (Some(id), Some(variants)) = (id, names::of_source("variants")) else {
            return String::new();
        };
        let ids = BTreeSet::from([id]);
        let mut names = variants.read(self.edited.visit, &ids).await;
        names.remove(id).map_or_else(|| id.to_owned(), |(sku, _)| sku)
    }

    /// Returns the id of the variant with a SKU; for the variant already offered, its id is also
    /// accepted.
    async fn variant(&self, sku: &str) -> Option<String> {
        if sku.is_empty() {
            return None;
        }
        let present = self.present().pointer("/offer/variant_id").and_then(Value::as_str);
        if present == Some(sku) {
            return present.map(str::to_owned);
        }
        variant_of(self.edited.visit, sku).await.ok()?
    }

    fn page(
        &self,
        typed: Option<&Parameters>,
        sku: &str,
        findings: Findings,
        refusal: Option<String>,
    ) -> StepPage {
        let keys = &self.edited.keys;
        let mut form = StepForm { step: self.present(), typed, keys, sku, findings };
        let (title, groups) = if self.key.is_empty() {
            ("New step".to_owned(), vec![form.beginning()])
        } else {
            (format!("Step {}", self.key), form.groups())
        };
        let entry = self.draft.get("entry").and_then(Value::as_str);
        let shown = self.present().get("type").and_then(Value::as_str).unwrap_or_default();
        StepPage {
            frame: self.edited.visit.frame(Section::Flows, title),
            tag: self.edited.begun.clone(),
            back: (format!("{}/draft", self.edited.page), self.edited.name.clone()),
            address: target(&self.address(), &[("of", &self.key)]),
            is_first: entry == Some(self.key.as_str()),
            key: self.key.clone(),
            shown: shown.to_owned(),
            groups,
            findings: form.findings.into_values().flatten().collect(),
            refusal,
        }
    }
}
