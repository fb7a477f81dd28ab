//! The rows below an aggregate of a tree: those from which a value was computed.

use super::tree::Walk;
use crate::check::Kind;
use crate::diagnostics::Diagnostic;
use crate::engine::{Engine, Formula, Inputs, Request, Run};
use crate::evaluate::{NodeInFrame, NodeRef, Owner};
use crate::format::FormatRules;
use crate::schema::Source;
use crate::sql::{self, Database, RowsPage};
use crate::types::{Type, Value};

/// The rows of an aggregate: within its period, and meeting every condition on them.
#[derive(Debug, Clone, PartialEq)]
pub struct CountedRows {
    /// The label of the part in the explanation.
    pub label: String,
    /// The source of the rows.
    pub source: String,
    /// How many there are.
    pub count: u64,
    /// A page of them, the newest first.
    pub rows: Vec<CountedRow>,
    /// The operation for which the database cannot find the rows; then none are listed.
    pub unlisted: Option<&'static str>,
}

/// A row of an aggregate.
#[derive(Debug, Clone, PartialEq)]
pub struct CountedRow {
    /// The key; missing in a source without one.
    pub key: Value,
    /// The date by which the row belongs to the period.
    pub date: Value,
    /// What the aggregate reads from the row; missing if it reads nothing, or if the database does not compute
    /// it.
    pub value: Value,
    /// The value as display text.
    pub formatted: String,
    /// The rows that it links to.
    pub links: Vec<RowLink>,
}

/// A link of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct RowLink {
    /// The name of the link: `order`.
    pub name: String,
    /// The source of the linked row.
    pub source: String,
    /// The key of the linked row.
    pub key: Value,
}

impl Engine {
    /// Lists the rows that an aggregate of an [explanation](crate::explain::Explanation) counts, by its number in the tree;
    /// `None` if the tree has no such aggregate.
    ///
    /// # Errors
    /// The errors of the request or of the database.
    pub fn counted_rows(
        &self,
        formula: &Formula,
        database: &Database<'_>,
        request: &Request,
        (aggregate, page): (usize, RowsPage),
    ) -> Result<Option<CountedRows>, Vec<Diagnostic>> {
        let request = request.alone();
        let narrowed = self.filtered(formula, &request)?;
        let formula = narrowed.as_deref().unwrap_or(formula);
        let found = self.run(&[formula], Inputs::store(database), &request, |run| {
            let frame = run.known_frame(formula, run.frame);
            let node = NodeRef { owner: Owner::Formula(0), id: formula.checked.typed.root };
            let mut walk = Walk::new(self, &request, run);
            walk.part(NodeInFrame { node, frame });
            let (at, label) = walk.aggregates.into_iter().nth(aggregate)?;
            let found = sql::rows(database, walk.run.evaluator, (at.node, at.frame), page);
            Some(found.map(|read| self.counted(walk.run, &request, (at.node, label), read)))
        })?;
        found.transpose().map_err(|finding| vec![finding])
    }

    fn counted(
        &self,
        run: &Run<'_, '_>,
        request: &Request,
        (node, label): (NodeRef, String),
        read: Result<sql::ReadRows, &'static str>,
    ) -> CountedRows {
        let context = &run.evaluator.context;
        let atom = match context.kind(node) {
            Some(Kind::Atom(atom)) => Some(atom),
            Some(_) | None => None,
        };
        let source = atom.and_then(|atom| self.schema.source_at(atom.source));
        let value = atom.and_then(|atom| context.node(NodeRef { id: atom.value?, ..node }));
        let ty = value.map_or(Type::Null, |value| value.ty.clone());
        let ty = self.in_request(ty, None, request);
        let unlisted = read.as_ref().err().copied();
        let read = read.unwrap_or_default();
        let rules = FormatRules::default();
        let row = |cells: sql::RowCells| CountedRow {
            formatted: crate::format::value(&cells.value, &ty, &rules, context.calendar.zone()),
            links: source.map_or_else(Vec::new, |source| self.links(source, cells.links)),
            key: cells.key,
            date: cells.date,
            value: cells.value,
        };
        CountedRows {
            label,
            source: source.map_or_else(String::new, |source| source.name.clone()),
            count: read.count,
            rows: read.rows.into_iter().map(row).collect(),
            unlisted,
        }
    }

    fn links(&self, source: &Source, keys: Vec<Value>) -> Vec<RowLink> {
        let named = |(link, key): (&crate::schema::Link, Value)| {
            let target = self.schema.source_at(link.target)?.name.clone();
            Some(RowLink { name: link.name.clone(), source: target, key })
        };
        source.links.iter().zip(keys).filter_map(named).collect()
    }
}
