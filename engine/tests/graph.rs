//! The graph of metrics: orders, cycles and what an edit affects, against a model that searches
//! everything again.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a failing step fails the test, and keys are one letter and two digits"
)]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use quotient::graph::{GraphError, MetricGraph, UseKinds};

const VALUE: UseKinds = UseKinds::VALUE;
const WINDOW: UseKinds = UseKinds::WINDOW;
const CONDITION: UseKinds = UseKinds::CONDITION;

/// `a b c`, where `b` uses `a` and `c` both.
fn three() -> MetricGraph {
    let mut graph = MetricGraph::new();
    graph.insert("a", &[]).unwrap();
    graph.insert("b", &[("a", VALUE)]).unwrap();
    graph.insert("c", &[("a", WINDOW), ("b", CONDITION), ("a", VALUE)]).unwrap();
    graph
}

#[test]
fn dependencies_and_dependents_come_with_depth_and_kind() {
    let mut graph = three();
    graph.insert("d", &[("c", VALUE)]).unwrap();
    let list = |found: Vec<quotient::graph::RelatedMetric<'_>>| -> Vec<(String, usize, UseKinds)> {
        found.iter().map(|reached| (reached.key.to_owned(), reached.depth, reached.kinds)).collect()
    };
    let entry = |key: &str, depth, kinds| (key.to_owned(), depth, kinds);

    let both = VALUE.and(WINDOW);
    assert_eq!(list(graph.uses("c").unwrap()), [entry("a", 1, both), entry("b", 1, CONDITION)]);
    assert_eq!(
        list(graph.dependencies("d").unwrap()),
        [entry("c", 1, VALUE), entry("a", 2, both), entry("b", 2, CONDITION)]
    );
    assert_eq!(
        list(graph.dependents("a").unwrap()),
        [entry("b", 1, VALUE), entry("c", 1, both.and(CONDITION)), entry("d", 2, VALUE)]
    );
}

#[test]
fn a_tree_opens_each_metric_once() {
    let graph = three();

    let tree: Vec<_> = graph.tree("c").unwrap();

    let rows: Vec<_> = tree.iter().map(|row| (row.key, row.depth, row.repeated)).collect();
    assert_eq!(rows, [("c", 0, false), ("a", 1, false), ("b", 1, false), ("a", 2, true)]);
}

#[test]
fn a_refused_edit_says_why_and_changes_nothing() {
    let mut graph = three();
    let cycle = |way: &[&str]| GraphError::Cycle(way.iter().map(ToString::to_string).collect());
    let before = format!("{graph:?}");

    let cases: [(Result<(), GraphError>, GraphError); 9] = [
        (graph.replace("a", &[("c", VALUE)]), cycle(&["a", "c", "a"])),
        (graph.replace("A", &[("b", VALUE)]), cycle(&["a", "b", "a"])),
        (graph.replace("b", &[("b", VALUE)]), cycle(&["b", "b"])),
        (graph.insert("d", &[("D", VALUE)]), cycle(&["d", "d"])),
        (graph.insert("B", &[]), GraphError::Taken("B".into())),
        (graph.insert("d", &[("x", VALUE)]), GraphError::Unknown("x".into())),
        (graph.replace("x", &[]), GraphError::Unknown("x".into())),
        (
            graph.remove("A"),
            GraphError::Used { key: "a".into(), users: vec!["b".into(), "c".into()] },
        ),
        (graph.rename("a", "B"), GraphError::Taken("B".into())),
    ];

    for (given, expected) in cases {
        assert_eq!(given, Err(expected));
    }
    assert_eq!(format!("{graph:?}"), before);
}

#[test]
fn the_shortest_way_around_a_cycle_is_named() {
    let mut graph = three();
    graph.insert("d", &[("b", VALUE), ("c", VALUE)]).unwrap();

    let refused = graph.check("a", &["d"]).unwrap_err();

    assert_eq!(refused.to_string(), "it would use itself: a → d → b → a");
}

#[test]
fn a_renamed_metric_keeps_its_uses_and_users() {
    let mut graph = three();

    graph.rename("b", "Zeta").unwrap();

    assert_eq!(graph.order(), ["a", "Zeta", "c"]);
    assert!(graph.contains("ZETA") && !graph.contains("b"));
    assert_eq!(graph.users("zeta").unwrap().first().map(|user| user.key), Some("c"));
}

/// An edit of metrics that are numbers.
#[derive(Debug, Clone)]
enum Edit {
    Put(u8, Vec<u8>),
    Remove(u8),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let metric = || 0..14_u8;
    let put = (metric(), proptest::collection::vec(metric(), 0..4));
    let edit = prop_oneof![
        6 => put.prop_map(|(metric, uses)| Edit::Put(metric, uses)),
        1 => metric().prop_map(Edit::Remove),
    ];
    proptest::collection::vec(edit, 0..120)
}

type Model = BTreeMap<u8, BTreeSet<u8>>;

/// What is reachable from the first metrics, with the least number of steps.
fn reach(model: &Model, first: &BTreeSet<u8>) -> BTreeMap<u8, usize> {
    let mut found = BTreeMap::new();
    let mut level = first.clone();
    for depth in 1.. {
        level.retain(|metric| !found.contains_key(metric));
        if level.is_empty() {
            break;
        }
        found.extend(level.iter().map(|metric| (*metric, depth)));
        level = level.iter().filter_map(|metric| model.get(metric)).flatten().copied().collect();
    }
    found
}

fn key(metric: u8) -> String {
    format!("m{metric:02}")
}

/// Whether the keys go around a cycle that an edit would close.
fn is_way_around(model: &Model, metric: u8, uses: &BTreeSet<u8>, way: &[String]) -> bool {
    let number = |key: &String| key[1..].parse::<u8>().unwrap();
    let steps = way.windows(2).all(|pair| {
        let (from, to) = (number(&pair[0]), number(&pair[1]));
        let below = if from == metric { Some(uses) } else { model.get(&from) };
        below.is_some_and(|below| below.contains(&to))
    });
    steps && way.len() >= 2 && way.first() == way.last() && way.first() == Some(&key(metric))
}

fn put(graph: &mut MetricGraph, model: &mut Model, metric: u8, uses: BTreeSet<u8>) {
    let keys: Vec<String> = uses.iter().copied().map(key).collect();
    let named: Vec<(&str, UseKinds)> = keys.iter().map(|key| (key.as_str(), VALUE)).collect();
    let is_known = model.contains_key(&metric);
    let outcome = if is_known {
        graph.replace(&key(metric), &named)
    } else {
        graph.insert(&key(metric), &named)
    };
    let known = |used: &u8| model.contains_key(used) || !is_known && *used == metric;
    let circular = reach(model, &uses).contains_key(&metric);
    match outcome {
        Ok(()) => {
            assert!(uses.iter().all(known) && !circular);
            model.insert(metric, uses);
        }
        Err(GraphError::Cycle(way)) => {
            assert!(circular && is_way_around(model, metric, &uses, &way), "{way:?}");
        }
        Err(GraphError::Unknown(_)) => assert!(!uses.iter().all(known)),
        Err(other) => panic!("{other}"),
    }
}

fn agrees(graph: &MetricGraph, model: &Model) {
    let order = graph.order();
    assert_eq!(order.len(), model.len());
    for (metric, uses) in model {
        let place = |metric: u8| order.iter().position(|own| *own == key(metric)).expect("there");
        assert!(uses.iter().all(|used| place(*used) < place(*metric)));

        let below: BTreeMap<String, usize> =
            reach(model, uses).into_iter().map(|(metric, depth)| (key(metric), depth)).collect();
        let found = graph.dependencies(&key(*metric)).unwrap();
        let found: BTreeMap<String, usize> =
            found.iter().map(|reached| (reached.key.to_owned(), reached.depth)).collect();
        assert_eq!(found, below);

        let impact = graph.impact(&key(*metric)).unwrap();
        let impact: Vec<&str> = impact.iter().map(|reached| reached.key).collect();
        let mut expected: Vec<&str> = order
            .iter()
            .copied()
            .filter(|other| {
                let other = other[1..].parse::<u8>().unwrap();
                other == *metric || reach(model, &model[&other]).contains_key(metric)
            })
            .collect();
        assert_eq!(BTreeSet::from_iter(&impact), BTreeSet::from_iter(&expected));
        expected.sort_by_key(|key| impact.iter().position(|own| own == key));
        assert_eq!(impact, expected);
    }
}

proptest! {
    #[test]
    fn any_edits_leave_the_graph_that_a_search_of_everything_would(edits in edits()) {
        let (mut graph, mut model) = (MetricGraph::new(), Model::new());
        for edit in edits {
            match edit {
                Edit::Put(metric, uses) => {
                    put(&mut graph, &mut model, metric, uses.into_iter().collect());
                }
                Edit::Remove(metric) => {
                    let used = model.values().any(|uses| uses.contains(&metric));
                    let removed = graph.remove(&key(metric)).is_ok();
                    prop_assert_eq!(removed, model.contains_key(&metric) && !used);
                    if removed {
                        model.remove(&metric);
                    }
                }
            }
        }
        agrees(&graph, &model);

        // The order follows from the metrics, not from the edits.
        let mut again = MetricGraph::new();
        for key in graph.order() {
            let uses = graph.uses(key).unwrap();
            let uses: Vec<_> = uses.iter().map(|reached| (reached.key, reached.kinds)).collect();
            again.insert(key, &uses).unwrap();
        }
        prop_assert_eq!(again.order(), graph.order());
    }
}
