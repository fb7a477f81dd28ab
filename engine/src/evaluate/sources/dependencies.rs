//! The rows that an atom's answer depends on, besides those of its own period.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::check::{Atom, DataUse, Kind};
use crate::data::Read;
use crate::evaluate::context::Context;
use crate::evaluate::frames::{Frame, GroupKey};
use crate::plan::NodeRef;
use crate::schema::{DataType, Path, Schema, Source, SourceId, SourceKind};
use crate::types::CurrencyOf;

/// The dependencies of an atom.
#[derive(Debug, Default)]
pub(crate) struct Dependencies {
    /// Sources of which it reads only the rows of its period.
    days: BTreeSet<SourceId>,
    /// Sources of which it reads linked rows, regardless of their day.
    linked: BTreeSet<SourceId>,
    /// Sources that it reads in full.
    whole: BTreeSet<SourceId>,
    rates: bool,
    /// Whether it may read anything: through aggregates, metrics or computed columns in its rows, derived
    /// sources, or indirect links.
    pub(crate) is_wide: bool,
    /// Whether the answer depends on the present beyond the end of the period.
    pub(crate) knows_present: bool,
}

impl Dependencies {
    /// Returns the rows read, in the form in which their versions are looked up.
    pub(crate) fn reads(&self, schema: &Schema) -> Vec<Read> {
        let name = |source: &SourceId| -> Arc<str> {
            let source = schema.source_at(*source);
            source.map_or(Arc::from(""), |source| Arc::from(source.name.to_lowercase()))
        };
        if self.is_wide {
            let all = (0..schema.sources.len()).map(|index| Read::All(name(&SourceId(index))));
            return all.chain([Read::Rates]).collect();
        }
        let days = self.days.iter().map(|source| Read::Days(name(source)));
        let linked = self.linked.iter().map(|source| Read::Linked(name(source)));
        let whole = self.whole.iter().map(|source| Read::All(name(source)));
        let rates = self.rates.then_some(Read::Rates);
        days.chain(linked).chain(whole).chain(rates).collect()
    }
}

/// Collects the dependencies of an atom in a frame.
struct Collector<'c, 'a> {
    context: &'c Context<'a>,
    frame: &'c Frame,
    found: Dependencies,
}

impl Dependencies {
    pub(crate) fn new(context: &Context<'_>, node: NodeRef, atom: &Atom, frame: &Frame) -> Self {
        let mut collector = Collector { context, frame, found: Self::default() };
        let of_period = collector.add_atom(node, atom, None);
        for key in &frame.groups.keys {
            if let GroupKey::Columns(key) = key {
                for (_, path) in key.columns.iter().filter(|(of, _)| *of == atom.source) {
                    collector.add_column(atom.source, path, of_period);
                }
            }
        }
        for root in frame.groups.keys.iter().filter_map(|key| key.root(atom.source)) {
            collector.add_expression(root, atom.source, of_period);
        }
        let mut found = collector.found;
        let value = atom.value.and_then(|id| context.node(NodeRef { id, ..node }));
        let unit = value.and_then(|node| node.ty.unit()).filter(|unit| unit.money != 0);
        found.rates |= frame.currency.is_some()
            || unit.is_some_and(|unit| matches!(unit.currency, CurrencyOf::Mixed));
        // Amounts without a date are converted at the present rate.
        found.knows_present |= found.is_wide || found.rates && atom.date.is_none();
        found
    }
}

impl<'a> Collector<'_, 'a> {
    /// Adds the rows that an atom reads; it may be nested in the rows of another source. Returns the date that places
    /// the atom's rows in the period, if there is one.
    fn add_atom(
        &mut self,
        node: NodeRef,
        atom: &Atom,
        within: Option<SourceId>,
    ) -> Option<&'a Path> {
        let source = atom.source;
        let table = self.context.schema.source_at(source);
        let own_date = table.and_then(|table| table.date.as_ref());
        // Within the rows of another source, a snapshot may be of another day than the period's.
        let is_placed = within.is_none() || table.is_some_and(|t| t.kind == SourceKind::Event);
        let is_own_date = own_date.is_some() && own_date == atom.date.as_ref() && is_placed;
        if is_own_date {
            self.found.days.insert(source);
        } else {
            self.found.whole.insert(source);
        }
        // The rows of a derived source change with their origin.
        self.found.is_wide |= table.is_some_and(|table| table.derived_from.is_some());
        if let Some(within) = within {
            // A change to the rows of the sources in between redirects an indirect link.
            let leads_there = |table: &Source| table.links.iter().any(|link| link.target == within);
            self.found.is_wide |= !table.is_some_and(leads_there);
        }
        let of_period = if is_own_date { own_date } else { None };
        let frame = self.frame;
        for condition in frame.filters_on(source).chain([node]) {
            let data_use = self.add_expression(condition, source, of_period);
            for inner in data_use.map_or(&[][..], |data_use| &data_use.per_row) {
                let inner = NodeRef { id: *inner, ..condition };
                match self.context.kind(inner) {
                    Some(Kind::Atom(atom)) => {
                        self.add_atom(inner, atom, Some(source));
                    }
                    Some(_) | None => self.found.is_wide = true,
                }
            }
        }
        if let Some(path) = &atom.date {
            self.add_column(source, path, of_period);
        }
        of_period
    }

    /// Adds the rows that an expression of rows reads, except through aggregates of other rows.
    fn add_expression(
        &mut self,
        root: NodeRef,
        source: SourceId,
        of_period: Option<&Path>,
    ) -> Option<&'a DataUse> {
        let data_use = self.context.typed(root.owner)?.data_use(root.id)?;
        self.found.is_wide |= data_use.holds_others;
        self.found.knows_present |= data_use.knows_present;
        self.found.rates |= data_use.converts;
        for path in &data_use.columns {
            self.add_column(source, path, of_period);
        }
        Some(data_use)
    }

    /// Adds the rows that a column at the end of a path reads.
    fn add_column(&mut self, source: SourceId, path: &Path, of_period: Option<&Path>) {
        let mut at = source;
        for (index, link) in path.links.iter().enumerate() {
            let Some(table) = self.context.schema.source_at(at) else { return };
            self.found.is_wide |= table.derived_from.is_some();
            let Some(link) = table.links.get(link.0) else { return };
            at = link.target;
            // Rows dated by a linked row lie on that row's day.
            let followed = path.links.get(..=index).unwrap_or_default();
            let target = self.context.schema.source_at(at);
            let target_date = target.and_then(|target| target.date.as_ref());
            let same_day = of_period.is_some_and(|date| {
                date.links == followed && target_date == Some(&Path::field(date.field))
            });
            if same_day {
                self.found.days.insert(at);
            } else {
                self.found.linked.insert(at);
            }
        }
        let Some(table) = self.context.schema.source_at(at) else { return };
        let field = table.fields.get(path.field.0);
        self.found.is_wide |= table.derived_from.is_some();
        self.found.is_wide |= field.is_some_and(|field| field.computed.is_some());
        self.found.rates |=
            field.is_some_and(|field| matches!(field.data_type, DataType::MoneyBy { .. }));
    }
}
