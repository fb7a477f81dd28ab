//! Lowers aggregates, and the row expressions inside them.

use std::sync::Arc;

use super::lower::{Lowering, PlaceEntry, PlaceId, Planner};
use super::origins::PartId;
use super::place::Place;
use super::program::Program;
use super::rows::{PlannedAtom, PlannedPer, Rows};
use super::slot::Content;
use super::{NodeRef, Owner, listing, schedule};
use crate::check::{AggregateFunction, Atom, Kind, NodeId, Per, TypedNode};
use crate::schema::{Path, SourceId};
use crate::types::Reason;

impl Planner<'_> {
    /// Lowers expressions to a program over the rows of a source; without a source, over periods and
    /// groups, with places of its own.
    fn program(&self, owner: Owner, nodes: &[NodeId], source: Option<SourceId>) -> Program {
        Self::finished(Lowering::new(self, source), owner, nodes)
    }

    /// Lowers an operation that a plan leaves to the evaluator, to say what it is.
    pub(super) fn label(&self, operation: NodeRef) -> Program {
        let mut lowering = Lowering::new(self, None);
        lowering.is_label = true;
        Self::finished(lowering, operation.owner, &[operation.id])
    }

    fn finished(mut lowering: Lowering<'_, '_>, owner: Owner, nodes: &[NodeId]) -> Program {
        lowering.place_entries.push(PlaceEntry { place: Place::default(), around: Vec::new() });
        let root = |node: &NodeId| {
            let part = lowering.part(owner, *node, 0);
            lowering.value(part)
        };
        let roots: Vec<_> = nodes.iter().map(root).collect();
        lowering.graph.round_at_once(&roots);
        schedule::program(&lowering.graph, &roots, &[]).0
    }

    pub(super) fn rows(&self, owner: Owner, source: SourceId, nodes: &[NodeId]) -> Rows {
        let name = self.schema.source_at(source).map_or("", |source| &source.name);
        Rows { source, name: Arc::from(name), program: self.program(owner, nodes, Some(source)) }
    }

    fn atom(&self, owner: Owner, atom: &Atom) -> Box<PlannedAtom> {
        let nodes: Vec<NodeId> =
            [atom.value, atom.condition, atom.population].into_iter().flatten().collect();
        let condition = usize::from(atom.value.is_some());
        let population = condition.saturating_add(usize::from(atom.condition.is_some()));
        let date_name = atom.date.as_ref();
        let date_name = date_name.and_then(|date| self.column_name(atom.source, date));
        Box::new(PlannedAtom {
            function: atom.function,
            rows: self.rows(owner, atom.source, &nodes),
            value: atom.value.map(|_| 0),
            condition: atom.condition.map(|_| condition),
            population: atom.population.map(|_| population),
            date: atom.date.clone(),
            date_name: date_name.map(Arc::from),
            fraction: atom.fraction.map(|fraction| self.program(owner, &[fraction], None)),
        })
    }

    /// Returns a column of a source as formulas write it: `orders.customer.country`.
    fn column_name(&self, source: SourceId, path: &Path) -> Option<String> {
        let mut at = self.schema.source_at(source)?;
        let mut name = listing::name(&at.name);
        for link in &path.links {
            let link = at.links.get(link.0)?;
            name.push('.');
            name.push_str(&listing::name(&link.name));
            at = self.schema.source_at(link.target)?;
        }
        name.push('.');
        name.push_str(&listing::name(&at.fields.get(path.field.0)?.name));
        Some(name)
    }
}

impl Lowering<'_, '_> {
    /// Lowers a node to a separate program, whose places begin where it is used.
    pub(super) fn nested(&self, owner: Owner, node: NodeId) -> Program {
        self.planner.program(owner, &[node], None)
    }

    pub(super) fn column(
        &mut self,
        here: NodeRef,
        path: &Path,
        node: &TypedNode,
        at: PlaceId,
    ) -> PartId {
        match self.source.and_then(|source| self.planner.column_name(source, path)) {
            Some(name) => {
                let content = Content::Column(path.clone(), Arc::from(name));
                self.slot(here, content, &node.ty, at)
            }
            None => self.null(here.owner, node.span, Reason::NoRows),
        }
    }

    /// Lowers an aggregate inside a row, or a value from outside the row.
    pub(super) fn around_rows(
        &mut self,
        here: NodeRef,
        node: &TypedNode,
        inner: NodeId,
        at: PlaceId,
    ) -> PartId {
        if self.source.is_none() {
            return self.inner(here.owner, node, inner, at);
        }
        let program = Box::new(self.nested(here.owner, inner));
        let content = match node.kind {
            Kind::PerRow(_) => Content::PerRow(program),
            _ => Content::Outer(program),
        };
        self.slot(here, content, &node.ty, at)
    }

    pub(super) fn atom(
        &mut self,
        here: NodeRef,
        atom: &Atom,
        node: &TypedNode,
        at: PlaceId,
    ) -> PartId {
        if let Some(name) = self.given_sum(here.owner, atom, at) {
            return self.slot(here, Content::Input(name), &node.ty, at);
        }
        let planner = self.planner;
        let lowered = self.atoms.entry(here).or_insert_with(|| planner.atom(here.owner, atom));
        let content = Content::Atom(lowered.clone());
        self.slot(here, content, &node.ty, at)
    }

    /// Returns the name of a plain sum of a column, if the caller provides its value.
    fn given_sum(&self, owner: Owner, atom: &Atom, at: PlaceId) -> Option<Arc<str>> {
        if atom.function != AggregateFunction::Sum
            || atom.condition.is_some()
            || atom.population.is_some()
        {
            return None;
        }
        let Kind::Column(path) = &self.planner.node(owner, atom.value?)?.kind else { return None };
        let schema = self.planner.schema;
        let source = schema.source_at(atom.source)?;
        let field = source.fields.get(path.field.0).filter(|_| path.links.is_empty())?;
        let is_summed = schema.placeholders.iter().any(|placeholder| {
            placeholder.source == atom.source
                && placeholder.field == *path
                && placeholder.aggregation.as_deref() == Some("sum")
        });
        if !is_summed {
            return None;
        }
        self.given(&format!("{}.{}", source.name, field.name), at)
    }

    pub(super) fn per(
        &mut self,
        here: NodeRef,
        per: &Per,
        node: &TypedNode,
        at: PlaceId,
    ) -> PartId {
        let planned = PlannedPer {
            function: per.function,
            unit: per.unit,
            keys: per.keys.clone(),
            value: self.nested(here.owner, per.value),
            fraction: per.fraction.map(|fraction| self.nested(here.owner, fraction)),
        };
        self.slot(here, Content::Per(Box::new(planned)), &node.ty, at)
    }
}
