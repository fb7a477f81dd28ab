//! The content of a page version.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::clock::Timestamp;
use crate::database::Record;
use crate::http::{Refusal, Resource, ToSchema};
use crate::link;
use crate::link::Seo;
use crate::markup;

/// Limit: blocks of a page.
const MAX_BLOCKS: usize = 200;

/// Limit: bytes of a page's blocks.
const MAX_BLOCK_BYTES: usize = 256 * 1024;

/// The format of a page's text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ContentFormat)]
#[serde(rename_all = "snake_case")]
pub(super) enum Format {
    /// In `body`, as Markdown without HTML.
    #[default]
    Markdown,
    /// In `blocks`, as objects with a `type`.
    Blocks,
}

/// The content of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema, Resource)]
#[resource(name = "page content")]
pub(super) struct PageContent {
    pub(super) title: String,
    pub(super) excerpt: Option<String>,
    pub(super) format: Format,
    pub(super) body: Option<String>,
    #[schema(value_type = Vec<Object>)]
    pub(super) blocks: Vec<Value>,
    pub(super) seo: Seo,
}

/// A version of a page.
#[derive(Debug, Serialize, ToSchema, Record)]
#[record(table = "content_page_version v")]
pub(super) struct PageVersion {
    version: i64,
    #[serde(flatten)]
    #[column(json)]
    pub(super) content: PageContent,
    created_by: String,
    created_at: Timestamp,
}

impl PageContent {
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let texts = [Some(&self.title), self.excerpt.as_ref(), self.body.as_ref()];
        texts.into_iter().flatten().try_for_each(|text| markup::check(text))?;
        if self.blocks.len() > MAX_BLOCKS {
            return Err(Refusal::invalid("`blocks` has at most 200 entries"));
        }
        let blocks = Value::from(self.blocks.clone());
        if blocks.to_string().len() > MAX_BLOCK_BYTES {
            return Err(Refusal::invalid("`blocks` is larger than 262144 bytes"));
        }
        for (index, block) in self.blocks.iter().enumerate() {
            if !block.get("type").is_some_and(Value::is_string) {
                return Err(Refusal::invalid(format!("`blocks[{index}]` has no `type`")));
            }
            check_texts(block)?;
        }
        match link::first_bad(&blocks) {
            Some(path) => {
                Err(Refusal::invalid(format!("`blocks.{path}` is not a link that may be shown")))
            }
            None => Ok(()),
        }
    }
}

/// Checks each text of a block, at any depth.
fn check_texts(value: &Value) -> Result<(), Refusal> {
    match value {
        Value::String(text) => markup::check(text),
        Value::Array(items) => items.iter().try_for_each(check_texts),
        Value::Object(members) => members.values().try_for_each(check_texts),
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}
