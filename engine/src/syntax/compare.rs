//! Structural equality of trees; places, comments and brackets are ignored.

use super::{Expr, ExprId, ExprKind};

impl PartialEq for Expr {
    /// Walks both trees with an explicit stack, so depth costs no recursion.
    fn eq(&self, other: &Self) -> bool {
        if self.lets.len() != other.lets.len() {
            return false;
        }
        let mut pairs = Vec::new();
        for (line, twin) in self.lets.iter().zip(&other.lets) {
            if line.name != twin.name {
                return false;
            }
            pairs.push((line.value, twin.value));
        }
        if self.root.is_some() != other.root.is_some() {
            return false;
        }
        pairs.extend(self.root.zip(other.root));
        while let Some((id, twin)) = pairs.pop() {
            let (Some(node), Some(twin)) = (self.node(id), other.node(twin)) else { return false };
            let (mut shape, mut twin_shape) = (node.kind.clone(), twin.kind.clone());
            let (children, twins) = (shape.take_children(), twin_shape.take_children());
            if shape != twin_shape || children.len() != twins.len() {
                return false;
            }
            pairs.extend(children.into_iter().zip(twins));
        }
        true
    }
}

impl ExprKind {
    /// Takes the children in order, leaving the same id in place of each.
    fn take_children(&mut self) -> Vec<ExprId> {
        self.children_mut().into_iter().map(|id| std::mem::replace(id, ExprId(0))).collect()
    }

    /// Returns whether two nodes are equal, apart from their children.
    pub(crate) fn has_shape_of(&self, other: &Self) -> bool {
        let (mut own, mut twin) = (self.clone(), other.clone());
        own.take_children().len() == twin.take_children().len() && own == twin
    }

    /// Returns the direct children, in order of place.
    pub(crate) fn children(&self) -> Vec<ExprId> {
        self.clone().take_children()
    }

    fn children_mut(&mut self) -> Vec<&mut ExprId> {
        match self {
            Self::Number(_)
            | Self::Percent(_)
            | Self::Money(..)
            | Self::Span(..)
            | Self::Period(_)
            | Self::Text(_)
            | Self::Bool(_)
            | Self::Null
            | Self::Hole
            | Self::Unreadable
            | Self::Path(_) => Vec::new(),
            Self::Call(call) => call
                .arguments
                .iter_mut()
                .flat_map(|argument| {
                    std::iter::once(&mut argument.value).chain(&mut argument.conditions)
                })
                .collect(),
            Self::Scoped(left, right) | Self::Binary { left, right, .. } => vec![left, right],
            Self::Unary(_, operand) | Self::IsNull { operand, .. } | Self::Like { operand, .. } => {
                vec![operand]
            }
            Self::In { operand, set, .. } => std::iter::once(operand).chain(set).collect(),
            Self::Between { operand, low, high, .. } => vec![operand, low, high],
            Self::Case { branches, otherwise } => {
                branches.iter_mut().flat_map(|(when, then)| [when, then]).chain(otherwise).collect()
            }
        }
    }
}
