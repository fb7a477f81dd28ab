//! The draft of a flow, as text that is checked before it is saved, and as one form per step.

mod findings;
mod step;

use askama::Template;
use axum::http::header::ETAG;
use axum::http::{HeaderValue, Method, StatusCode};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::REFUSED;
use super::client::{Failure, segment, target};
use super::form::Form;
use super::page::{Frame, PageError, PageResult, Section, go, respond, show};
use super::visit::Visit;
use crate::http::Path;
use findings::{LocatedFinding, Step};
pub(super) use step::{show_step, take_step};

/// Said of a form that began with an older state of its flow.
const CHANGED: &str = "The flow was changed meanwhile. What you typed is kept; save it again if it is to replace that change.";

#[derive(Debug, Template)]
#[template(path = "flows/draft.html")]
struct DraftPage {
    frame: Frame,
    /// The tag of the state with which the form began.
    tag: String,
    name: String,
    text: String,
    /// Why the text could not be parsed, or was rejected.
    refusal: Option<String>,
    /// Errors and warnings of the draft; none before it is checked.
    checked: Option<Checked>,
    steps: Vec<Step>,
    /// The keys of the saved steps, which have forms.
    saved: Vec<String>,
    address: String,
    back: String,
}

impl DraftPage {
    /// Returns the URL of a step's form.
    fn form_of(&self, key: &str) -> Option<String> {
        let is_saved = self.saved.iter().any(|own| own == key);
        is_saved.then(|| target(&format!("{}/step", self.back), &[("of", key)]))
    }
}

/// The result of a check.
#[derive(Debug)]
struct Checked {
    errors: Vec<LocatedFinding>,
    warnings: Vec<LocatedFinding>,
}

#[derive(Debug, Deserialize)]
struct Flow {
    name: String,
    draft: Value,
}

#[derive(Debug, Deserialize)]
struct Validation {
    errors: Vec<findings::Finding>,
    warnings: Vec<findings::Finding>,
}

/// A flow whose draft is being edited.
struct Edited<'a> {
    visit: &'a Visit,
    api: String,
    page: String,
    name: String,
    /// The tag of its present state.
    tag: String,
    /// The tag of the state with which the form began; empty if the form did not say.
    begun: String,
    /// The keys of the steps of the draft.
    keys: Vec<String>,
}

/// Shows the draft with its findings.
pub(super) async fn show_draft(visit: Visit, Path(id): Path<String>) -> PageResult {
    let (edited, draft) = Edited::read(&visit, &id).await?;
    let text = serde_json::to_string_pretty(&draft).unwrap_or_default();
    // In a draft without steps everything is wrong, which does not help a beginner.
    let is_begun =
        draft.get("buttons").and_then(Value::as_object).is_some_and(|all| !all.is_empty());
    let text = if is_begun { text } else { findings::EXAMPLE.to_owned() };
    let checked = if is_begun { edited.check(&draft, &text).await } else { Ok(None) };
    show(&edited.page(text, checked))
}

/// Checks a draft, or saves it.
pub(super) async fn take_draft(
    visit: Visit,
    Path(id): Path<String>,
    Form(typed): Form,
) -> PageResult {
    let (mut edited, _) = Edited::read(&visit, &id).await?;
    typed.text("tag").clone_into(&mut edited.begun);
    let text = typed.raw("draft").to_owned();
    let draft = match serde_json::from_str::<Value>(&text) {
        Ok(draft) => draft,
        Err(error) => {
            let refusal = findings::misread(&error);
            return respond(REFUSED, &edited.page(text, Err(refusal)));
        }
    };
    if typed.text("action") != "save" {
        let checked = edited.check(&draft, &text).await;
        return show(&edited.page(text, checked));
    }
    match edited.save(&draft).await {
        Ok(()) => go(&format!("{}/draft?done=saved", edited.page)),
        Err(failure) => respond(REFUSED, &edited.page(text, Err(failure.permitted()?.message))),
    }
}

impl<'a> Edited<'a> {
    /// Reads a flow, for users who may change it.
    async fn read(visit: &'a Visit, id: &str) -> Result<(Self, Value), PageError> {
        PageError::unless(visit.runs_store())?;
        let api = format!("/admin/flows/{}", segment(id));
        let (headers, body) = visit.api.send(Method::GET, &api, None).await?;
        let Flow { name, draft } = visit.api.parse(&body, "/flow")?;
        let tag = headers.get(ETAG).and_then(|tag| tag.to_str().ok()).unwrap_or_default();
        let page = format!("/app/flows/{}", segment(id));
        let steps = draft.get("buttons").and_then(Value::as_object);
        let keys = steps.into_iter().flat_map(Map::keys).cloned().collect();
        let (tag, begun) = (tag.to_owned(), tag.to_owned());
        Ok((Self { visit, api, page, name, tag, begun, keys }, draft))
    }

    /// Saves a draft if the flow is as it was when the form began.
    async fn save(&mut self, draft: &Value) -> Result<(), Failure> {
        let begun = HeaderValue::try_from(&self.begun).ok().filter(|tag| !tag.is_empty());
        let api = self.visit.api.matching(begun.as_ref());
        let saved = api.post::<Value>(&self.api, &json!({ "draft": draft })).await;
        let Err(failure) = saved else { return Ok(()) };
        // Another conflict is that the form is still being saved, or was.
        if failure.status != StatusCode::CONFLICT || !failure.message.contains("If-Match") {
            return Err(failure);
        }
        // Whoever saves it again knows of the change.
        self.begun.clone_from(&self.tag);
        Err(Failure { message: CHANGED.to_owned(), ..failure })
    }

    /// Asks the API for the findings of a draft, and locates them in the text.
    async fn check(&self, draft: &Value, text: &str) -> Result<Option<Checked>, String> {
        let (path, body) = (format!("{}/validate", self.api), json!({ "draft": draft }));
        let validation = self.visit.api.post_at(&path, &body, "/validation").await;
        let Validation { errors, warnings } = validation.map_err(|failure| failure.message)?;
        let located = |all: Vec<findings::Finding>| -> Vec<LocatedFinding> {
            all.into_iter().map(|own| own.located(text)).collect()
        };
        Ok(Some(Checked { errors: located(errors), warnings: located(warnings) }))
    }

    fn page(&self, text: String, checked: Result<Option<Checked>, String>) -> DraftPage {
        let (checked, refusal) = match checked {
            Ok(checked) => (checked, None),
            Err(refusal) => (None, Some(refusal)),
        };
        let errors = checked.as_ref().map_or(&[][..], |checked| &checked.errors);
        DraftPage {
            frame: self.visit.frame(Section::Flows, "Steps of the draft"),
            tag: self.begun.clone(),
            name: self.name.clone(),
            steps: findings::steps(&text, errors),
            saved: self.keys.clone(),
            text,
            refusal,
            checked,
            address: format!("{}/draft", self.page),
            back: self.page.clone(),
        }
    }
}
