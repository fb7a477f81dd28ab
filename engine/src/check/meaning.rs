//! Digests of the meaning of nodes, independent of their place, and the data that nodes read.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use super::facts::{DataUse, Facts, Meaning};
use super::fingerprint::fingerprint;
use super::typed::{Kind, MetricId, NodeId, Typed, descend, descend_where};

/// A 16-byte digest of a text; collisions are out of reach.
pub(crate) fn digest(text: &str) -> u128 {
    finished(Sha256::new().chain_update(text))
}

/// A digest of a text and the digests of its children.
pub(super) fn digest_above(text: &str, below: &[u128]) -> u128 {
    let count = u64::try_from(below.len()).unwrap_or(u64::MAX);
    let hash = Sha256::new().chain_update(count.to_le_bytes());
    let with = |hash: Sha256, number: &u128| hash.chain_update(number.to_le_bytes());
    finished(below.iter().fold(hash, with).chain_update(text))
}

fn finished(hash: Sha256) -> u128 {
    let bytes: [u8; 32] = hash.finalize().into();
    bytes.iter().take(16).fold(0, |number, byte| (number << 8) | u128::from(*byte))
}

impl Typed {
    pub(crate) fn meaning(&self, id: NodeId) -> Option<&Meaning> {
        Some(self.facts_of(id)?.meaning.get_or_init(|| self.find_meaning(id)))
    }

    pub(crate) fn data_use(&self, id: NodeId) -> Option<&DataUse> {
        Some(self.facts_of(id)?.data_use.get_or_init(|| self.find_data_use(id)))
    }

    fn facts_of(&self, id: NodeId) -> Option<&Facts> {
        let all = || self.nodes.iter().map(|_| Facts::default()).collect();
        self.facts.nodes.get_or_init(all).get(id.0)
    }

    fn find_data_use(&self, id: NodeId) -> DataUse {
        let mut found = DataUse::default();
        let mut columns = BTreeSet::new();
        let is_per_row = |kind: &Kind| matches!(kind, Kind::PerRow(inner) if self.is_atom(*inner));
        for node in descend_where(&self.nodes, id, |kind| !is_per_row(kind)) {
            match &node.kind {
                Kind::Column(path) => {
                    columns.insert(path);
                }
                Kind::PerRow(inner) if self.is_atom(*inner) => found.per_row.push(*inner),
                Kind::PerRow(_) | Kind::Outer(_) | Kind::Metric(_) => found.holds_others = true,
                Kind::Now | Kind::Today => found.knows_present = true,
                Kind::Convert { .. } => found.converts = true,
                _ => {}
            }
        }
        found.columns = columns.into_iter().cloned().collect();
        found
    }

    fn is_atom(&self, id: NodeId) -> bool {
        self.nodes.get(id.0).is_some_and(|node| matches!(node.kind, Kind::Atom(_)))
    }

    fn find_meaning(&self, id: NodeId) -> Meaning {
        let named = descend(&self.nodes, id).filter_map(|node| match node.kind {
            Kind::Metric(metric) => Some(metric),
            _ => None,
        });
        let metrics: BTreeSet<MetricId> = named.collect();
        let digest = digest(&fingerprint(self, id, 0));
        Meaning { digest, metrics: metrics.into_iter().collect() }
    }
}
