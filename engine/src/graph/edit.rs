//! Edits: each is applied as a whole or leaves the graph unchanged.

use std::collections::BTreeMap;

use petgraph::stable_graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::{GraphError, MetricGraph, MetricNode, UseKinds};

impl MetricGraph {
    /// Adds a metric that uses others, which must exist.
    pub fn insert(&mut self, key: &str, uses: &[(&str, UseKinds)]) -> Result<(), GraphError> {
        if self.contains(key) {
            return Err(GraphError::Taken(key.to_owned()));
        }
        let own = key.to_lowercase();
        if uses.iter().any(|(used, _)| used.to_lowercase() == own) {
            return Err(GraphError::Cycle(vec![key.to_owned(), key.to_owned()]));
        }
        let uses = self.resolved(uses)?;
        // A new metric has no users, so it ranks above all others and nothing is reordered.
        let node = self.graph.add_node(MetricNode {
            key: key.to_owned(),
            plain: own.clone(),
            rank: self.next_rank,
        });
        self.next_rank = self.next_rank.saturating_add(1);
        for (used, kinds) in uses {
            self.graph.add_edge(node, used, kinds);
        }
        self.by_key.insert(own, node);
        Ok(())
    }

    /// Replaces the uses of a metric.
    pub fn replace(&mut self, key: &str, uses: &[(&str, UseKinds)]) -> Result<(), GraphError> {
        let node = self.known(key)?;
        let uses = self.resolved(uses)?;
        let targets: Vec<NodeIndex> = uses.keys().copied().collect();
        if let Some(cycle) = self.cycle(node, &targets) {
            return Err(GraphError::Cycle(cycle));
        }
        let before: Vec<_> = self.graph.edges(node).map(|edge| edge.id()).collect();
        for edge in before {
            self.graph.remove_edge(edge);
        }
        for (used, kinds) in uses {
            self.rank_above(node, used);
            self.graph.add_edge(node, used, kinds);
        }
        Ok(())
    }

    /// Returns the error that [`MetricGraph::replace`] would return, without changing the graph.
    pub fn check(&self, key: &str, uses: &[&str]) -> Result<(), GraphError> {
        let node = self.known(key)?;
        let targets: Result<Vec<_>, _> = uses.iter().map(|used| self.known(used)).collect();
        self.cycle(node, &targets?).map_or(Ok(()), |cycle| Err(GraphError::Cycle(cycle)))
    }

    /// Removes a metric; an error while others use it.
    pub fn remove(&mut self, key: &str) -> Result<(), GraphError> {
        let node = self.known(key)?;
        let users: Vec<String> =
            self.users(key)?.into_iter().map(|reached| reached.key.to_owned()).collect();
        if !users.is_empty() {
            return Err(GraphError::Used { key: self.key(node).to_owned(), users });
        }
        self.graph.remove_node(node);
        self.by_key.remove(&key.to_lowercase());
        Ok(())
    }

    /// Renames a metric; its uses and users stay.
    pub fn rename(&mut self, key: &str, to: &str) -> Result<(), GraphError> {
        let node = self.known(key)?;
        if self.find(to).is_some_and(|other| other != node) {
            return Err(GraphError::Taken(to.to_owned()));
        }
        self.by_key.remove(&key.to_lowercase());
        self.by_key.insert(to.to_lowercase(), node);
        if let Some(weight) = self.graph.node_weight_mut(node) {
            to.clone_into(&mut weight.key);
            weight.plain = to.to_lowercase();
        }
        Ok(())
    }

    /// Resolves keys to metrics, each once, with all kinds of its uses combined.
    fn resolved(
        &self,
        uses: &[(&str, UseKinds)],
    ) -> Result<BTreeMap<NodeIndex, UseKinds>, GraphError> {
        let mut resolved: BTreeMap<NodeIndex, UseKinds> = BTreeMap::new();
        for (used, kinds) in uses {
            let known = resolved.entry(self.known(used)?).or_default();
            *known = known.and(*kinds);
        }
        Ok(resolved)
    }
}
