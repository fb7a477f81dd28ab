//! Queries: orders, dependencies and dependents.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use petgraph::Direction::{self, Incoming, Outgoing};
use petgraph::stable_graph::NodeIndex;
use petgraph::visit::{EdgeRef, NodeIndexable};

use super::marks::Marks;
use super::{GraphError, MetricGraph, UseKinds};

/// A metric related to another one by uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RelatedMetric<'g> {
    /// Its key.
    pub key: &'g str,
    /// The number of uses between the two; 1 for a direct use.
    pub depth: usize,
    /// How it uses, or is used by, the queried metric and the others reached.
    pub kinds: UseKinds,
}

/// A metric in a tree of uses, listed before its children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch<'g> {
    /// Its key.
    pub key: &'g str,
    /// The depth in the tree; the root is at 0.
    pub depth: usize,
    /// How its parent uses it.
    pub kinds: UseKinds,
    /// Whether it occurs earlier in the list; its children follow its first occurrence only.
    pub repeated: bool,
}

/// By node index: the depth at which a metric was reached, and how it is used.
type ReachTable = Vec<Option<(usize, UseKinds)>>;

fn depth_of(found: &ReachTable, node: NodeIndex) -> usize {
    found.get(node.index()).copied().flatten().map_or(0, |(depth, _)| depth)
}

impl MetricGraph {
    /// Returns all keys in topological order, each after the metrics it uses; ties are in order of
    /// keys.
    pub fn order(&self) -> Vec<&str> {
        let all: Vec<_> = self.by_key.values().copied().collect();
        self.sorted(&all).into_iter().map(|node| self.key(node)).collect()
    }

    /// Returns the metrics that a metric uses directly, in order of keys.
    pub fn uses(&self, key: &str) -> Result<Vec<RelatedMetric<'_>>, GraphError> {
        self.direct(key, Outgoing)
    }

    /// Returns the metrics that use a metric directly, in order of keys.
    pub fn users(&self, key: &str) -> Result<Vec<RelatedMetric<'_>>, GraphError> {
        self.direct(key, Incoming)
    }

    /// Returns all metrics that a metric depends on, the nearest first, then in order of keys.
    pub fn dependencies(&self, key: &str) -> Result<Vec<RelatedMetric<'_>>, GraphError> {
        self.known(key).map(|node| self.nearest_first(node, Outgoing))
    }

    /// Returns all metrics that depend on a metric, the nearest first, then in order of keys.
    pub fn dependents(&self, key: &str) -> Result<Vec<RelatedMetric<'_>>, GraphError> {
        self.known(key).map(|node| self.nearest_first(node, Incoming))
    }

    /// Returns the metrics whose values may change with a metric: itself at depth 0, then its
    /// dependents, each after the metrics it uses.
    pub fn impact(&self, key: &str) -> Result<Vec<RelatedMetric<'_>>, GraphError> {
        let node = self.known(key)?;
        let (list, found) = self.reached(node, Incoming);
        let order = self.sorted(&self.in_order_of_keys(list));
        Ok(order.into_iter().map(|node| self.found(node, &found)).collect())
    }

    /// Returns the dependencies of a metric as a tree; a metric has its children where it first occurs.
    pub fn tree(&self, key: &str) -> Result<Vec<Branch<'_>>, GraphError> {
        let mut stack = vec![(self.known(key)?, 0_usize, UseKinds::default())];
        let mut opened = Marks::new(self.graph.node_bound());
        let mut branches = Vec::new();
        while let Some((node, depth, kinds)) = stack.pop() {
            let repeated = !opened.insert(node, ());
            branches.push(Branch { key: self.key(node), depth, kinds, repeated });
            if !repeated {
                let mut below: Vec<_> = self
                    .graph
                    .edges(node)
                    .map(|edge| (edge.target(), depth.saturating_add(1), *edge.weight()))
                    .collect();
                below.sort_by_key(|(node, ..)| Reverse(self.plain(*node)));
                stack.extend(below);
            }
        }
        Ok(branches)
    }

    fn direct(
        &self,
        key: &str,
        direction: Direction,
    ) -> Result<Vec<RelatedMetric<'_>>, GraphError> {
        let node = self.known(key)?;
        let edges = self.graph.edges_directed(node, direction);
        let mut direct: Vec<_> = edges
            .map(|edge| {
                let other = if direction == Outgoing { edge.target() } else { edge.source() };
                (other, *edge.weight())
            })
            .collect();
        direct.sort_by_key(|(other, _)| self.plain(*other));
        let reached = |(other, kinds)| RelatedMetric { key: self.key(other), depth: 1, kinds };
        Ok(direct.into_iter().map(reached).collect())
    }

    fn nearest_first(&self, node: NodeIndex, direction: Direction) -> Vec<RelatedMetric<'_>> {
        let (list, found) = self.reached(node, direction);
        let mut others: Vec<NodeIndex> = list.into_iter().skip(1).collect();
        others.sort_by_key(|node| (depth_of(&found, *node), self.plain(*node)));
        others.into_iter().map(|other| self.found(other, &found)).collect()
    }

    fn found(&self, node: NodeIndex, found: &ReachTable) -> RelatedMetric<'_> {
        let (depth, kinds) = found.get(node.index()).copied().flatten().unwrap_or_default();
        RelatedMetric { key: self.key(node), depth, kinds }
    }

    /// Returns the metrics reached from a metric, itself first, and by node index their smallest depth
    /// with all kinds of use on the way.
    fn reached(&self, node: NodeIndex, direction: Direction) -> (Vec<NodeIndex>, ReachTable) {
        let mut found: ReachTable = vec![None; self.graph.node_bound()];
        let mut list = vec![node];
        if let Some(slot) = found.get_mut(node.index()) {
            *slot = Some((0, UseKinds::default()));
        }
        let mut next = 0_usize;
        while let Some(at) = list.get(next).copied() {
            next = next.saturating_add(1);
            let below = depth_of(&found, at).saturating_add(1);
            for edge in self.graph.edges_directed(at, direction) {
                let other = if direction == Outgoing { edge.target() } else { edge.source() };
                let Some(slot) = found.get_mut(other.index()) else { continue };
                if slot.is_none() {
                    list.push(other);
                }
                let (depth, kinds) = slot.unwrap_or((below, UseKinds::default()));
                *slot = Some((depth, kinds.and(*edge.weight())));
            }
        }
        (list, found)
    }

    /// Sorts metrics, given in order of keys, so that each follows the metrics it uses; ties stay in
    /// order of keys.
    fn sorted(&self, by_key: &[NodeIndex]) -> Vec<NodeIndex> {
        let mut places = vec![None; self.graph.node_bound()];
        for (place, node) in by_key.iter().enumerate() {
            if let Some(slot) = places.get_mut(node.index()) {
                *slot = Some(place);
            }
        }
        let beside = |node: NodeIndex, direction: Direction| {
            let others = self.graph.neighbors_directed(node, direction);
            others.filter_map(|other| places.get(other.index()).copied().flatten())
        };
        let mut waits_for: Vec<usize> =
            by_key.iter().map(|node| beside(*node, Outgoing).count()).collect();
        let ready = waits_for.iter().enumerate().filter(|(_, count)| **count == 0);
        let mut ready: BinaryHeap<Reverse<usize>> = ready.map(|(at, _)| Reverse(at)).collect();
        let mut order = Vec::with_capacity(by_key.len());
        while let Some(Reverse(at)) = ready.pop() {
            let Some(node) = by_key.get(at).copied() else { continue };
            order.push(node);
            for user in beside(node, Incoming) {
                let Some(count) = waits_for.get_mut(user) else { continue };
                *count = count.saturating_sub(1);
                if *count == 0 {
                    ready.push(Reverse(user));
                }
            }
        }
        order
    }
}
