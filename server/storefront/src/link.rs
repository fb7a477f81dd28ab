//! Links in content: where a storefront may send its shoppers, and where pictures are; and data for search engines.
//!
//! A link is parsed both when stored and when sent.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::http;
use crate::http::{Text, ToSchema};

/// Limit: characters of a link.
const MAX_CHARS: usize = 2_000;

/// A path such as `/sale`, or an https URL without credentials.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(max_length = 2000, examples("/sale"))]
pub(crate) struct Link(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a path such as /sale or an https URL without credentials")]
pub(crate) struct LinkError;

pub(crate) fn is_link(text: &str) -> bool {
    text.chars().count() <= MAX_CHARS && http::Link::read(text).is_some()
}

/// Returns whether the name of a member of a block or a section says that it is a link.
fn names_link(name: &str) -> bool {
    matches!(name, "url" | "href" | "src") || name.ends_with("_url")
}

/// Returns whether a member should be a link but is not a valid one.
fn is_bad(name: &str, member: &Value) -> bool {
    names_link(name) && member.as_str().is_some_and(|text| !is_link(text))
}

/// Returns the path of the first member, at any depth, that should be a link but is not a valid
/// one.
pub(crate) fn first_bad(value: &Value) -> Option<String> {
    if let Some(members) = value.as_object() {
        return members.iter().find_map(|(name, member)| {
            if is_bad(name, member) {
                return Some(name.clone());
            }
            first_bad(member).map(|path| format!("{name}.{path}"))
        });
    }
    let mut items = value.as_array()?.iter().enumerate();
    items.find_map(|(index, item)| first_bad(item).map(|path| format!("{index}.{path}")))
}

/// Replaces each member, at any depth, that should be a link but is not a valid one, by null.
pub(crate) fn remove_bad(value: &mut Value) {
    if let Some(members) = value.as_object_mut() {
        for (name, member) in members {
            if is_bad(name, member) {
                *member = Value::Null;
            } else {
                remove_bad(member);
            }
        }
    } else if let Some(items) = value.as_array_mut() {
        items.iter_mut().for_each(remove_bad);
    }
}

impl From<Link> for String {
    fn from(link: Link) -> Self {
        link.0
    }
}

impl From<Link> for Option<String> {
    fn from(link: Link) -> Self {
        Some(link.0)
    }
}

impl TryFrom<String> for Link {
    type Error = LinkError;

    fn try_from(text: String) -> Result<Self, LinkError> {
        let text = text.trim();
        if is_link(text) { Ok(Self(text.to_owned())) } else { Err(LinkError) }
    }
}

/// Data for search engines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Seo {
    title: Option<Text<200>>,
    description: Option<Text<500>>,
    image_url: Option<Link>,
    canonical_url: Option<Link>,
    /// Whether search engines are asked not to index it.
    #[serde(default)]
    no_index: bool,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn bad_links_are_found_and_removed_at_any_depth() {
        let mut block = json!({ "items": [{ "url": "/a" }, { "image_url": "javascript:x" }], "text": "javascript:" });

        assert_eq!(first_bad(&block).as_deref(), Some("items.1.image_url"));
        remove_bad(&mut block);
        assert_eq!(first_bad(&block), None);
        assert_eq!(block["items"], json!([{ "url": "/a" }, { "image_url": null }]));
    }
}
