//! Ranks kept above those of all used metrics while uses come and go: the order maintenance of
//! Pearce and Kelly.
//!
//! The wrapper of petgraph that does the same recurses along chains, is not `Sync`, and names one
//! metric of a circle instead of the way around it, so only its graph is used.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use petgraph::Direction::{self, Incoming, Outgoing};
use petgraph::stable_graph::NodeIndex;

use super::MetricGraph;

impl MetricGraph {
    /// The keys around the circle that uses of these metrics would close; the shortest there is.
    ///
    /// Only metrics ranked above `node` are looked at: no other one can lead to it.
    pub(super) fn circle(&self, node: NodeIndex, targets: &[NodeIndex]) -> Option<Vec<String>> {
        let floor = self.rank(node);
        let mut came_from: BTreeMap<NodeIndex, NodeIndex> = BTreeMap::new();
        let mut queue = VecDeque::new();
        let mut found = targets.contains(&node).then_some(node);
        for target in self.in_order_of_keys(targets.to_vec()) {
            if self.rank(target) > floor {
                came_from.entry(target).or_insert_with(|| {
                    queue.push_back(target);
                    node
                });
            }
        }
        while let (None, Some(at)) = (found, queue.pop_front()) {
            let used = self.graph.neighbors_directed(at, Outgoing);
            let used = used.filter(|used| self.rank(*used) >= floor).collect();
            for used in self.in_order_of_keys(used) {
                if used == node {
                    found = Some(at);
                    break;
                }
                came_from.entry(used).or_insert_with(|| {
                    queue.push_back(used);
                    at
                });
            }
        }
        let mut way = vec![node];
        let mut at = found?;
        while at != node {
            way.push(at);
            at = *came_from.get(&at)?;
        }
        way.push(node);
        way.reverse();
        Some(way.into_iter().map(|node| self.key(node).to_owned()).collect())
    }

    /// Ranks `node` above `used`, which does not lead to it.
    pub(super) fn rank_above(&mut self, node: NodeIndex, used: NodeIndex) {
        let (low, high) = (self.rank(node), self.rank(used));
        if low > high {
            return;
        }
        // What leads to `node` moves behind what `used` leads to; both keep their own order.
        let above = self.between(node, Incoming, (low, high));
        let below = self.between(used, Outgoing, (low, high));
        let ranks: BTreeSet<u64> = above.keys().chain(below.keys()).copied().collect();
        for (rank, node) in ranks.into_iter().zip(below.into_values().chain(above.into_values())) {
            if let Some(weight) = self.graph.node_weight_mut(node) {
                weight.rank = rank;
            }
        }
    }

    /// What is reached from a metric within these ranks, by rank.
    fn between(
        &self,
        from: NodeIndex,
        direction: Direction,
        (low, high): (u64, u64),
    ) -> BTreeMap<u64, NodeIndex> {
        let mut reached = BTreeMap::new();
        let mut stack = vec![from];
        while let Some(at) = stack.pop() {
            let rank = self.rank(at);
            if (low..=high).contains(&rank) && reached.insert(rank, at).is_none() {
                stack.extend(self.graph.neighbors_directed(at, direction));
            }
        }
        reached
    }

    pub(super) fn in_order_of_keys(&self, mut nodes: Vec<NodeIndex>) -> Vec<NodeIndex> {
        nodes.sort_by(|left, right| self.plain(*left).cmp(self.plain(*right)));
        nodes
    }

    /// The key of a metric as lists are ordered by it.
    pub(super) fn plain(&self, node: NodeIndex) -> &str {
        self.graph.node_weight(node).map_or("", |node| &node.plain)
    }
}
