//! Marks that a search leaves on metrics.

use petgraph::stable_graph::NodeIndex;

/// The number of marks that are searched linearly before they move to a table.
const FEW: usize = 16;

/// Marks on metrics: a list while they are few, then a table by node index, so that a short search
/// does not pay for the size of the graph.
#[derive(Debug)]
pub(super) struct Marks<T> {
    few: Vec<(NodeIndex, T)>,
    table: Vec<Option<T>>,
    /// One past the largest node index of the graph.
    bound: usize,
}

impl<T: Copy> Marks<T> {
    pub(super) const fn new(bound: usize) -> Self {
        Self { few: Vec::new(), table: Vec::new(), bound }
    }

    pub(super) fn get(&self, node: NodeIndex) -> Option<T> {
        if self.table.is_empty() {
            return self.few.iter().find(|(marked, _)| *marked == node).map(|(_, mark)| *mark);
        }
        self.table.get(node.index()).copied().flatten()
    }

    /// Marks a metric. Returns `false` if it already has a mark, which stays.
    pub(super) fn insert(&mut self, node: NodeIndex, mark: T) -> bool {
        if self.get(node).is_some() {
            return false;
        }
        if self.table.is_empty() {
            self.few.push((node, mark));
            if self.few.len() > FEW {
                self.table = vec![None; self.bound];
                for (node, mark) in std::mem::take(&mut self.few) {
                    self.put(node, mark);
                }
            }
        } else {
            self.put(node, mark);
        }
        true
    }

    fn put(&mut self, node: NodeIndex, mark: T) {
        if let Some(slot) = self.table.get_mut(node.index()) {
            *slot = Some(mark);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_the_same_few_or_many() {
        let bound = FEW * 4;
        let mut marks = Marks::new(bound);
        for place in (0..bound).step_by(2) {
            let node = NodeIndex::new(place);
            assert_eq!(marks.get(node), None, "{place}");
            assert!(marks.insert(node, place), "{place}");
            assert!(!marks.insert(node, 0), "{place}");
            for known in 0..bound {
                let expected = (known % 2 == 0 && known <= place).then_some(known);
                assert_eq!(marks.get(NodeIndex::new(known)), expected, "{known} of {place}");
            }
        }
    }
}
