//! Which rows an atom reads besides those of its own period.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use super::atoms::Site;
use super::evaluator::Evaluator;
use super::frame::{GroupKey, Owner};
use crate::check::{Atom, Kind, NodeId, digest};
use crate::data::Read;
use crate::schema::{DataType, Path, Schema, Source, SourceId, SourceKind};
use crate::types::CurrencyOf;

/// What an atom reads.
#[derive(Debug, Default)]
pub(super) struct Footprint {
    /// Sources of whose rows it reads only those of its period.
    days: BTreeSet<SourceId>,
    /// Sources of which it reads rows that others lead to, whatever their day.
    linked: BTreeSet<SourceId>,
    /// Sources that it reads as a whole.
    whole: BTreeSet<SourceId>,
    rates: bool,
    /// Whether its rows hold aggregates, metrics or computed columns, which may read anything.
    pub(super) is_wide: bool,
    /// Whether its answer depends on the present beyond the end of the period.
    pub(super) knows_present: bool,
}

impl Footprint {
    /// What is read.
    pub(super) fn reads(&self, schema: &Schema) -> Vec<Read> {
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

impl Evaluator<'_> {
    pub(super) fn footprint(&self, site: &Site<'_>, id: NodeId) -> Footprint {
        let mut found = Footprint::default();
        let source = site.atom.source;
        let of_period = self.atom_read((site.owner, id), (site.atom, None), site.frame, &mut found);
        let frame = self.frame(site.frame);
        for key in frame.map_or(&[][..], |frame| &frame.groups.keys) {
            if let GroupKey::Columns(key) = key {
                for (_, path) in key.columns.iter().filter(|(of, _)| *of == source) {
                    self.column_read(source, path, of_period, &mut found);
                }
            }
        }
        let currency = frame.and_then(|frame| frame.currency);
        let value = site.atom.value.and_then(|value| self.node(site.owner, value));
        let unit = value.and_then(|node| node.ty.unit()).filter(|unit| unit.money != 0);
        found.rates |= currency.is_some()
            || unit.is_some_and(|unit| matches!(unit.currency, CurrencyOf::Mixed));
        // Amounts without a day are converted at the rate of the present.
        found.knows_present |= found.is_wide || found.rates && site.atom.date.is_none();
        found
    }

    /// Notes what is read for an atom, which may stand within the rows of another source; gives the date of its period.
    fn atom_read(
        &self,
        (owner, id): (Owner, NodeId),
        (atom, within): (&Atom, Option<SourceId>),
        frame: usize,
        found: &mut Footprint,
    ) -> Option<&Path> {
        let source = atom.source;
        let table = self.schema().source_at(source);
        let own_date = table.and_then(|table| table.date.as_ref());
        // Within rows, a state is that of another day than the period's.
        let is_placed = within.is_none() || table.is_some_and(|t| t.kind == SourceKind::Event);
        let is_own_date = own_date.is_some() && own_date == atom.date.as_ref() && is_placed;
        if is_own_date {
            found.days.insert(source);
        } else {
            found.whole.insert(source);
        }
        // What is made of other rows changes with those.
        found.is_wide |= table.is_some_and(|table| table.derived_from.is_some());
        if let Some(within) = within {
            // Rows between the two could change where this one leads to.
            let leads_there = |table: &Source| table.links.iter().any(|link| link.target == within);
            found.is_wide |= !table.is_some_and(leads_there);
        }
        let of_period = if is_own_date { own_date } else { None };
        let around = self.frame(frame).into_iter().flat_map(|frame| &frame.filters);
        let around = around.flat_map(|filter| {
            let own = filter.conditions.iter().filter(|(of, _)| *of == source);
            own.map(|(_, condition)| (filter.owner, *condition))
        });
        for (owner, id) in around.chain([(owner, id)]) {
            let Some(touched) = self.typed(owner).and_then(|typed| typed.touched(id)) else {
                continue;
            };
            found.is_wide |= touched.holds_others;
            found.knows_present |= touched.knows_present;
            found.rates |= touched.converts;
            for path in &touched.columns {
                self.column_read(source, path, of_period, found);
            }
            for inner in &touched.per_row {
                match self.node(owner, *inner).map(|node| &node.kind) {
                    Some(Kind::Atom(atom)) => {
                        self.atom_read((owner, *inner), (atom, Some(source)), frame, found);
                    }
                    Some(_) | None => found.is_wide = true,
                }
            }
        }
        if let Some(path) = &atom.date {
            self.column_read(source, path, of_period, found);
        }
        of_period
    }

    /// Notes what is read for a column at the end of a path.
    fn column_read(
        &self,
        source: SourceId,
        path: &Path,
        of_period: Option<&Path>,
        found: &mut Footprint,
    ) {
        let mut at = source;
        for (index, link) in path.links.iter().enumerate() {
            let Some(table) = self.schema().source_at(at) else { return };
            found.is_wide |= table.derived_from.is_some();
            let Some(link) = table.links.get(link.0) else { return };
            at = link.target;
            // Rows placed by the date of the row that they lead to lie on its day.
            let followed = path.links.get(..=index).unwrap_or_default();
            let same_day = of_period.is_some_and(|date| {
                let target = self.schema().source_at(at).and_then(|target| target.date.as_ref());
                date.links == followed && target == Some(&Path::field(date.field))
            });
            if same_day {
                found.days.insert(at);
            } else {
                found.linked.insert(at);
            }
        }
        let Some(table) = self.schema().source_at(at) else { return };
        let field = table.fields.get(path.field.0);
        found.is_wide |= table.derived_from.is_some();
        found.is_wide |= field.is_some_and(|field| field.computed.is_some());
        found.rates |=
            field.is_some_and(|field| matches!(field.data_type, DataType::MoneyBy { .. }));
    }

    /// A node with all that it means, the metrics below it too.
    pub(super) fn meaning(&self, owner: Owner, id: NodeId) -> u128 {
        let Some(own) = self.typed(owner).and_then(|typed| typed.meaning(id)) else { return 0 };
        if own.metrics.is_empty() {
            return own.digest;
        }
        let mut text = own.digest.to_string();
        let mut waiting = own.metrics.clone();
        let mut seen = BTreeSet::new();
        while let Some(metric) = waiting.pop() {
            let typed = self.typed(Owner::Metric(metric.0));
            let typed = typed.filter(|_| seen.insert(metric));
            if let Some(meaning) = typed.and_then(|typed| typed.meaning(typed.root)) {
                write!(text, " metric {} {}", metric.0, meaning.digest).ok();
                waiting.extend(&meaning.metrics);
            }
        }
        digest(&text)
    }
}
