//! What a metric uses and what uses it, drawn in layers, and its other users.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Context;
use super::list::Uses;
use crate::client::segment;
use crate::page::Part;

/// The sizes of the picture.
const COLUMN: i64 = 230;
const ROW: i64 = 52;
const BOX_WIDTH: i64 = 180;
const BOX_HEIGHT: i64 = 36;

/// Limit: characters of a name in a box.
const LETTERS: usize = 22;

#[derive(Debug)]
pub(super) struct Lineage {
    pub(super) width: i64,
    pub(super) height: i64,
    pub(super) boxes: Vec<LineageBox>,
    pub(super) lines: Vec<String>,
    pub(super) uses: usize,
    pub(super) used_by: usize,
    pub(super) users: Users,
    /// How many use it, in words.
    pub(super) used: String,
}

/// Who uses a metric, by name.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Users {
    pub(super) counts: Uses,
    pub(super) metrics: Vec<MetricUser>,
    pub(super) boards: Vec<BoardUser>,
    pub(super) alerts: Vec<AlertUser>,
}

#[derive(Debug, Deserialize)]
pub(super) struct MetricUser {
    pub(super) key: String,
    pub(super) name: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct BoardUser {
    pub(super) name: String,
    pub(super) is_own: bool,
}

#[derive(Debug, Deserialize)]
pub(super) struct AlertUser {
    pub(super) id: String,
    pub(super) name: String,
}

/// A metric in the picture.
#[derive(Debug)]
pub(super) struct LineageBox {
    pub(super) name: String,
    pub(super) short: String,
    pub(super) address: String,
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) class: &'static str,
}

#[derive(Debug, Deserialize)]
struct Dependency {
    key: String,
    name: String,
    state: Option<String>,
    #[serde(default)]
    children: Vec<Self>,
}

#[derive(Debug, Deserialize)]
struct Dependent {
    key: String,
    name: String,
    state: String,
    depth: i64,
}

/// A metric with its layer: negative for what it uses, positive for what uses it.
#[derive(Debug, Clone)]
struct Layered {
    name: String,
    state: String,
    layer: i64,
}

/// Reads both directions.
pub(super) async fn read((visit, metric, _range): Context<'_>) -> Part<Lineage> {
    let base = format!("/admin/metrics/catalog/{}", segment(&metric.key));
    let (down, up) = (format!("{base}/dependencies"), format!("{base}/dependents"));
    let users = format!("/admin/metrics/definitions/{}/uses", segment(&metric.key));
    let (down, up, users) = tokio::join!(
        visit.api.get_at(&down, "/dependencies"),
        visit.api.get_at::<Vec<Dependent>>(&up, "/dependents"),
        visit.api.get_at::<Users>(&users, "/uses"),
    );
    let picture = picture(&down?, &up?);
    let users = users?;
    Ok(Lineage { used: users.counts.summary(visit.store.locale), users, ..picture })
}

fn picture(root: &Dependency, dependents: &[Dependent]) -> Lineage {
    let mut layers: BTreeMap<String, Layered> = BTreeMap::new();
    let mut edges: Vec<(String, String)> = Vec::new();
    place(root, 0, &mut layers, &mut edges);
    let uses = layers.len().saturating_sub(1);
    for own in dependents {
        let (name, state) = (own.name.clone(), own.state.clone());
        layers.insert(own.key.clone(), Layered { name, state, layer: own.depth });
        if own.depth == 1 {
            edges.push((root.key.clone(), own.key.clone()));
        }
    }
    let first = layers.values().map(|own| own.layer).min().unwrap_or(0);
    let last = layers.values().map(|own| own.layer).max().unwrap_or(0);
    let mut filled: BTreeMap<i64, i64> = BTreeMap::new();
    let mut places: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
    let mut boxes = Vec::new();
    for (key, own) in &layers {
        let row = filled.entry(own.layer).or_default();
        let x = own.layer.saturating_sub(first).saturating_mul(COLUMN).saturating_add(1);
        let y = row.saturating_mul(ROW).saturating_add(1);
        *row = row.saturating_add(1);
        places.insert(key, (x, y));
        boxes.push(of(key, own, x, y));
    }
    let line = |(from, to): &(String, String)| {
        let ((x1, y1), (x2, y2)) = (places.get(&**from)?, places.get(&**to)?);
        let (x1, y1) = (x1.saturating_add(BOX_WIDTH), y1.saturating_add(BOX_HEIGHT / 2));
        let y2 = y2.saturating_add(BOX_HEIGHT / 2);
        let middle = x1.saturating_add(*x2) / 2;
        Some(format!("M{x1} {y1}C{middle} {y1} {middle} {y2} {x2} {y2}"))
    };
    let columns = last.saturating_sub(first);
    let rows = filled.values().copied().max().unwrap_or(1);
    Lineage {
        width: columns.saturating_mul(COLUMN).saturating_add(BOX_WIDTH).saturating_add(2),
        height: rows
            .saturating_sub(1)
            .saturating_mul(ROW)
            .saturating_add(BOX_HEIGHT)
            .saturating_add(2),
        lines: edges.iter().filter_map(line).collect(),
        boxes,
        uses,
        used_by: dependents.len(),
        users: Users::default(),
        used: String::new(),
    }
}

/// Places a metric one layer before its users, and the metrics that it uses before itself.
fn place(
    part: &Dependency,
    layer: i64,
    layers: &mut BTreeMap<String, Layered>,
    edges: &mut Vec<(String, String)>,
) {
    let (name, state) = (part.name.clone(), part.state.clone().unwrap_or_default());
    let own = layers.entry(part.key.clone()).or_insert(Layered { name, state, layer });
    own.layer = own.layer.min(layer);
    for child in &part.children {
        let edge = (child.key.clone(), part.key.clone());
        if !edges.contains(&edge) {
            edges.push(edge);
        }
        place(child, layer.saturating_sub(1), layers, edges);
    }
}

fn of(key: &str, own: &Layered, x: i64, y: i64) -> LineageBox {
    let short: String = own.name.chars().take(LETTERS).collect();
    let is_cut = short.len() < own.name.len();
    LineageBox {
        name: own.name.clone(),
        short: if is_cut { format!("{short}…") } else { short },
        address: format!("/app/metrics/{}?view=lineage", segment(key)),
        x,
        y,
        class: match (own.layer, &*own.state) {
            (0, _) => "own",
            (_, "active" | "deprecated") => "",
            _ => "idle",
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn dependencies_are_drawn_left_of_their_dependents() {
        let tree = json!({ "key": "aov", "name": "AOV", "state": "active", "children": [
            { "key": "net", "name": "Net", "state": "active", "children": [
                { "key": "gross", "name": "Gross", "state": "active" }] },
            { "key": "gross", "name": "Gross", "state": "active" }] });
        let tree: Dependency = serde_json::from_value(tree).unwrap();
        let above = vec![Dependent {
            key: "ltv".to_owned(),
            name: "A very long name of a metric".to_owned(),
            state: "draft".to_owned(),
            depth: 1,
        }];

        let picture = picture(&tree, &above);

        let x = |name: &str| picture.boxes.iter().find(|own| own.name == name).map(|own| own.x);
        assert!(x("Gross") < x("Net") && x("Net") < x("AOV"), "{picture:?}");
        assert!(x("AOV") < x("A very long name of a metric"));
        assert_eq!((picture.lines.len(), picture.uses, picture.used_by), (4, 2, 1));
        assert!(picture.boxes.iter().any(|own| own.short == "A very long name of a …"));
    }
}
