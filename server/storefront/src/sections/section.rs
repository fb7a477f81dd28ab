//! Selects the visible sections of a product page.

use serde_json::{Map, Value};

use crate::clock::Timestamp;
use crate::ids::SalesChannelId;
use crate::link;
use crate::schedule::Window;

/// The key of the metadata.
pub(super) const KEY: &str = "pdp_sections";

/// Members that decide whether and where a section is shown, and are themselves omitted.
const CONTROLS: [&str; 5] = ["position", "visible", "starts_at", "ends_at", "sales_channel_ids"];

#[derive(Debug, Default)]
pub(super) struct Sections {
    /// The visible ones, in order.
    pub(super) visible: Vec<Value>,
    /// When one of them next appears or disappears.
    pub(super) changes_at: Option<Timestamp>,
}

/// Returns the visible sections in stored metadata.
pub(super) fn read(metadata: &str, channels: &[SalesChannelId], now: Timestamp) -> Sections {
    let metadata: Map<String, Value> = serde_json::from_str(metadata).unwrap_or_default();
    let Some(Value::Array(items)) = metadata.get(KEY) else { return Sections::default() };
    let sections: Vec<&Map<String, Value>> = items
        .iter()
        .filter_map(Value::as_object)
        .filter(|section| section.get("type").is_some_and(Value::is_string))
        .filter(|section| section.get("visible") != Some(&Value::Bool(false)))
        .filter(|section| is_in(section, channels))
        .collect();
    let changes_at = sections.iter().filter_map(|section| window(section).next_change(now)).min();
    let mut visible: Vec<_> =
        sections.into_iter().filter(|section| window(section).is_open(now)).collect();
    visible.sort_by_key(|section| position(section));
    Sections { visible: visible.into_iter().map(visible_section).collect(), changes_at }
}

/// Returns whether a section is for one of the channels; without a list it is for all of them.
fn is_in(section: &Map<String, Value>, channels: &[SalesChannelId]) -> bool {
    match section.get("sales_channel_ids") {
        Some(Value::Array(ids)) => {
            channels.iter().any(|channel| ids.iter().any(|id| id == channel.as_str()))
        }
        _ => true,
    }
}

fn window(section: &Map<String, Value>) -> Window {
    let at = |name: &str| section.get(name).and_then(Value::as_str).and_then(|at| at.parse().ok());
    Window::new(at("starts_at"), at("ends_at"))
}

/// Returns the position of a section; sections without one come last.
fn position(section: &Map<String, Value>) -> i64 {
    section.get("position").and_then(Value::as_i64).unwrap_or(i64::MAX)
}

fn visible_section(section: &Map<String, Value>) -> Value {
    let members = section.iter().filter(|(name, _)| !CONTROLS.contains(&name.as_str()));
    let members = members.map(|(name, value)| (name.clone(), value.clone())).collect();
    let mut section_view = Value::Object(members);
    link::remove_bad(&mut section_view);
    section_view
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn sections_are_shown_by_time_channel_and_position_and_the_rest_is_skipped() {
        let (own, other) = (SalesChannelId::seeded(0, 1), SalesChannelId::seeded(0, 2));
        let metadata = json!({ KEY: [
            { "type": "last", "content": 1 },
            { "type": "second", "position": 2, "image_url": "javascript:x" },
            { "type": "first", "position": 1, "sales_channel_ids": [own] },
            { "type": "foreign", "sales_channel_ids": [other] },
            { "type": "hidden", "visible": false },
            { "type": "over", "ends_at": "1970-01-01T00:00:01Z" },
            { "type": "later", "starts_at": "1970-01-01T00:00:03Z" },
            { "title": "no type" }, "text", null, 7, ["type"],
        ] });
        let now = Timestamp::from_millis(1_000);

        let sections = read(&metadata.to_string(), &[own], now);

        let expected = json!([
            { "type": "first" }, { "type": "second", "image_url": null }, { "type": "last", "content": 1 },
        ]);
        assert_eq!(Value::from(sections.visible), expected);
        assert_eq!(sections.changes_at, Some(Timestamp::from_millis(3_000)));
        for broken in ["", "[]", "{}", r#"{"pdp_sections": {}}"#] {
            assert!(read(broken, &[], now).visible.is_empty(), "{broken}");
        }
    }
}
