//! Maintenance of ranks as uses are added and removed: the dynamic topological order of Pearce and
//! Kelly.
//!
//! petgraph's own wrapper for this recurses along chains, is not `Sync`, and reports one metric of a
//! cycle instead of the whole cycle, so only its graph is used.

use std::collections::VecDeque;

use petgraph::Direction::{self, Incoming, Outgoing};
use petgraph::stable_graph::NodeIndex;
use petgraph::visit::NodeIndexable;

use super::MetricGraph;
use super::marks::Marks;

impl MetricGraph {
    /// Returns the keys along the cycle that uses of `targets` by `node` would close: the shortest
    /// one, and of several of the same length the first by keys.
    ///
    /// Only metrics that lead to `node` and rank no higher than the targets are visited.
    pub(super) fn cycle(&self, node: NodeIndex, targets: &[NodeIndex]) -> Option<Vec<String>> {
        let steps = self.steps_to(node, targets);
        let step = |at: &NodeIndex| steps.get(*at);
        let nearest = |candidates: Vec<NodeIndex>| {
            let candidates = self.in_order_of_keys(candidates);
            candidates.into_iter().filter(|at| step(at).is_some()).min_by_key(|at| step(at))
        };
        let mut at = nearest(targets.to_vec())?;
        let mut way = vec![node];
        while at != node {
            way.push(at);
            at = nearest(self.graph.neighbors_directed(at, Outgoing).collect())?;
        }
        way.push(node);
        Some(way.into_iter().map(|node| self.key(node).to_owned()).collect())
    }

    /// Returns the smallest number of uses from a metric to `node`, for all metrics no further away
    /// than the nearest target.
    fn steps_to(&self, node: NodeIndex, targets: &[NodeIndex]) -> Marks<usize> {
        let ceiling = targets.iter().map(|target| self.rank(*target)).max().unwrap_or(0);
        let mut steps = Marks::new(self.graph.node_bound());
        let mut queue = VecDeque::from([(node, 0_usize)]);
        while let Some((at, count)) = queue.pop_front() {
            if !steps.insert(at, count) {
                continue;
            }
            if targets.contains(&at) {
                break;
            }
            let users = self.graph.neighbors_directed(at, Incoming);
            let users = users.filter(|user| self.rank(*user) <= ceiling);
            queue.extend(users.map(|user| (user, count.saturating_add(1))));
        }
        // The rest of the queue has metrics at the same distance as the target found.
        while let Some((at, count)) = queue.pop_front() {
            steps.insert(at, count);
        }
        steps
    }

    /// Ranks `node` above `used`, which does not lead to it.
    pub(super) fn rank_above(&mut self, node: NodeIndex, used: NodeIndex) {
        let (low, high) = (self.rank(node), self.rank(used));
        if low > high {
            return;
        }
        // Metrics that lead to `node` move above those that `used` leads to; both groups keep their order.
        let above = self.between(node, Incoming, low, high);
        let below = self.between(used, Outgoing, low, high);
        let in_order: Vec<(u64, NodeIndex)> = below.into_iter().chain(above).collect();
        let mut ranks: Vec<u64> = in_order.iter().map(|(rank, _)| *rank).collect();
        ranks.sort_unstable();
        for (rank, (_, node)) in ranks.into_iter().zip(in_order) {
            if let Some(weight) = self.graph.node_weight_mut(node) {
                weight.rank = rank;
            }
        }
    }

    /// Returns the metrics reached from a metric within these ranks, in order of rank.
    fn between(
        &self,
        from: NodeIndex,
        direction: Direction,
        low: u64,
        high: u64,
    ) -> Vec<(u64, NodeIndex)> {
        let mut seen = Marks::new(self.graph.node_bound());
        let mut reached = Vec::new();
        let mut stack = vec![from];
        while let Some(at) = stack.pop() {
            let rank = self.rank(at);
            if (low..=high).contains(&rank) && seen.insert(at, ()) {
                reached.push((rank, at));
                stack.extend(self.graph.neighbors_directed(at, direction));
            }
        }
        reached.sort_unstable();
        reached
    }

    pub(super) fn in_order_of_keys(&self, mut nodes: Vec<NodeIndex>) -> Vec<NodeIndex> {
        nodes.sort_by_key(|node| self.plain(*node));
        nodes
    }

    /// Returns the lower-case key of a metric, by which lists are sorted.
    pub(super) fn plain(&self, node: NodeIndex) -> &str {
        self.graph.node_weight(node).map_or("", |node| &node.plain)
    }
}
