//! What a node means, as a number that is the same wherever the node stands.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::fingerprint::fingerprint;
use super::populations::children;
use super::typed::{Kind, MetricId, NodeId, Typed};

/// What a node means.
#[derive(Debug)]
pub(crate) struct Meaning {
    /// Of its text without places; a metric in it is a number only.
    pub(crate) digest: u128,
    /// The metrics in it.
    pub(crate) metrics: Vec<MetricId>,
}

/// Meanings of a formula's nodes, each found once.
#[derive(Debug, Default)]
pub(crate) struct Meanings(Mutex<BTreeMap<NodeId, Arc<Meaning>>>);

impl Clone for Meanings {
    /// Of another formula, though an equal one: they are found again.
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Sixteen bytes that stand for a text: finding two texts with the same ones is out of reach.
pub(crate) fn digest(text: &str) -> u128 {
    let bytes: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    bytes.iter().take(16).fold(0, |number, byte| (number << 8) | u128::from(*byte))
}

impl Typed {
    /// What a node means.
    pub(crate) fn meaning(&self, id: NodeId) -> Arc<Meaning> {
        let mut known = self.meanings.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(id).or_insert_with(|| Arc::new(self.find_meaning(id))))
    }

    fn find_meaning(&self, id: NodeId) -> Meaning {
        let mut text = fingerprint(self, id, 0);
        let mut metrics = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            let Some(node) = self.nodes.get(id.0).filter(|_| seen.insert(id)) else { continue };
            match &node.kind {
                Kind::Metric(metric) => {
                    metrics.insert(*metric);
                }
                // 50 EUR and 50 USD are one number of two types.
                Kind::Constant(_) => text.push_str(&node.ty.to_string()),
                kind => stack.extend(children(kind)),
            }
        }
        Meaning { digest: digest(&text), metrics: metrics.into_iter().collect() }
    }
}
