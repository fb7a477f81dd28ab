//! One change of several metrics, and the result for each of them.
//!
//! Each metric is changed by the route for a single one, with its rules: a metric used by others is not archived before them.

use askama::Template;
use axum::http::{Method, StatusCode};
use serde_json::json;

use super::{Metric, change_state, read};
use crate::REFUSED;
use crate::client::{Failure, segment};
use crate::form::Form;
use crate::page::{Frame, PageError, PageResult, Section, respond, show};
use crate::visit::Visit;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Change {
    State(&'static str),
    Tag(String),
    Untag(String),
    Remove,
}

/// Limit: metrics of a page, which are changed together.
pub(super) const MAX_METRICS: usize = 50;

/// The changes, with the words of the form and their names.
pub(super) const CHANGES: &[(&str, &str)] = &[
    ("active", "put into use"),
    ("deprecated", "deprecate"),
    ("archived", "archive"),
    ("draft", "bring back as drafts"),
    ("tag", "add the tag"),
    ("untag", "take the tag away"),
    ("remove", "remove"),
];

impl Change {
    /// Returns the change that a form requests; none if it is unknown, or its tag is missing.
    fn of(word: &str, tag: &str) -> Option<Self> {
        let own_tag = || Some(tag.to_owned()).filter(|tag| !tag.is_empty());
        match word {
            "tag" => own_tag().map(Self::Tag),
            "untag" => own_tag().map(Self::Untag),
            "remove" => Some(Self::Remove),
            state => CHANGES.iter().find(|(own, _)| *own == state).map(|(own, _)| Self::State(own)),
        }
    }

    /// Returns the tags after the change.
    fn tags(&self, mut tags: Vec<String>) -> Vec<String> {
        match self {
            Self::Tag(tag) if !tags.contains(tag) => tags.push(tag.clone()),
            Self::Untag(tag) => tags.retain(|own| own != tag),
            Self::Tag(_) | Self::State(_) | Self::Remove => {}
        }
        tags
    }
}

/// The result for a metric.
#[derive(Debug)]
struct Outcome {
    key: String,
    /// The metric afterwards; none if it was removed or does not exist.
    metric: Option<Metric>,
    failure: Option<Failure>,
}

#[derive(Debug, Template)]
#[template(path = "metrics/bulk.html")]
struct BulkPage {
    frame: Frame,
    done: usize,
    outcomes: Vec<Outcome>,
    /// The previous list.
    back: String,
}

#[derive(Debug, Template)]
#[template(path = "metrics/unasked.html")]
struct UnaskedPage {
    frame: Frame,
    back: String,
}

/// Changes the metrics that were selected.
pub(crate) async fn change_metrics(visit: Visit, Form(fields): Form) -> PageResult {
    PageError::unless(visit.edits_metrics())?;
    let frame = visit.frame(Section::Metrics, "Change of metrics");
    let back = visit.address_with(&[("done", "")]);
    let mut keys: Vec<&str> = fields.all("key").collect();
    keys.sort_unstable();
    keys.dedup();
    keys.truncate(MAX_METRICS);
    let change = Change::of(fields.text("action"), fields.text("tag"));
    let Some(change) = change.filter(|_| !keys.is_empty()) else {
        return respond(REFUSED, &UnaskedPage { frame, back });
    };
    let outcomes = change_all(&visit, &keys, &change).await;
    let done = outcomes.iter().filter(|own| own.failure.is_none()).count();
    show(&BulkPage { frame, done, outcomes, back })
}

/// Changes metrics. A metric that others block is tried again after them, as long as that makes progress.
async fn change_all(visit: &Visit, keys: &[&str], change: &Change) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    let mut open: Vec<&str> = keys.to_vec();
    while !open.is_empty() {
        let mut refused = Vec::new();
        let before = outcomes.len();
        for key in open {
            let outcome = change_one(visit, key, change).await;
            if outcome.failure.is_some() { refused.push(outcome) } else { outcomes.push(outcome) }
        }
        if outcomes.len() == before {
            outcomes.append(&mut refused);
            break;
        }
        let is_open = |key: &&&str| refused.iter().any(|own| own.key == **key);
        open = keys.iter().filter(is_open).copied().collect();
    }
    outcomes.sort_by(|a, b| a.key.cmp(&b.key));
    outcomes
}

async fn change_one(visit: &Visit, key: &str, change: &Change) -> Outcome {
    let failure = send(visit, key, change).await.err();
    let metric = read(visit, key).await.ok();
    Outcome { key: key.to_owned(), metric, failure }
}

async fn send(visit: &Visit, key: &str, change: &Change) -> Result<(), Failure> {
    let path = format!("/admin/metrics/definitions/{}", segment(key));
    let api = &visit.api;
    match change {
        Change::State(state) => change_state(visit, key, state).await,
        Change::Remove => api.send(Method::DELETE, &path, None).await.map(drop),
        Change::Tag(_) | Change::Untag(_) => {
            let present = api.get_at(&path, "/metric/tags").await?;
            let tags = json!({ "tags": change.tags(present) });
            api.send(Method::PUT, &path, Some(&tags)).await.map(drop)
        }
    }
}

impl Outcome {
    /// Returns why it was not changed.
    fn reason(&self) -> Option<&str> {
        let failure = self.failure.as_ref()?;
        let is_missing = failure.status == StatusCode::NOT_FOUND;
        Some(if is_missing { "There is no such metric." } else { &failure.message })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_tags_needs_a_tag_and_an_unknown_one_is_none() {
        assert_eq!(Change::of("archived", ""), Some(Change::State("archived")));
        assert_eq!(Change::of("tag", "board"), Some(Change::Tag("board".to_owned())));
        for (word, tag) in [("tag", ""), ("untag", ""), ("explode", ""), ("", "board")] {
            assert_eq!(Change::of(word, tag), None, "{word} {tag}");
        }
    }

    #[test]
    fn a_tag_is_added_once_and_taken_away() {
        let tag = Change::Tag("board".to_owned());
        let with = tag.tags(vec!["weekly".to_owned()]);
        assert_eq!(with, ["weekly", "board"]);
        assert_eq!(tag.tags(with.clone()), with);
        assert_eq!(Change::Untag("board".to_owned()).tags(with), ["weekly"]);
    }
}
