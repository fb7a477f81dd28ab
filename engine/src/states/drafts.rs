//! Definitions as they are made: from a source, conditions, a value and its unit, and a date.

use super::conditions::Lookup;
use super::definition::{Dating, StateDefinition, StateKind};
use super::shape::{Dates, Declined, Draft, Keying, Measure, Site};
use super::slot::{Grain, Granularity};
use super::text::column;
use crate::check::{AggregateFunction, Atom, Kind, NodeId, children};
use crate::evaluate::Owner;
use crate::schema::{Columns, DataType, MixedCurrency, Path, SourceId};
use crate::types::{CurrencyOf, Type};

impl Lookup<'_> {
    /// A definition that a draft begins with.
    pub(super) fn start(&self, source: SourceId, keying: &Keying, kind: StateKind) -> Draft {
        let dimensions = keying.of(source);
        let name = |path: &Path| column(self.schema, source, path).unwrap_or_default();
        Draft {
            definition: StateDefinition {
                source: self.schema.source_at(source).map_or_else(String::new, |s| s.name.clone()),
                dating: Dating::Never,
                value: None,
                conditions: Vec::new(),
                kind,
                unit: None,
                keys_of: None,
                dimensions: dimensions
                    .iter()
                    .map(|(dimension, path)| ((*dimension).to_owned(), name(path)))
                    .collect(),
                currency: None,
                grain: Grain::Always,
                calendar: None,
            },
            source,
            dates: Dates::Never,
            measure: Measure::Rows,
            conditions: Vec::new(),
            residual: Vec::new(),
            dimensions: dimensions.into_iter().map(|(_, path)| path.clone()).collect(),
            currency: None,
            is_zoned: false,
        }
    }

    /// Adds conditions; those on dimensions alone are left to the reading.
    pub(super) fn narrow(
        &self,
        draft: &mut Draft,
        conditions: &[(Owner, NodeId)],
    ) -> Result<(), Declined> {
        for at in conditions {
            let text = self.text(draft.source, *at);
            let text = text.ok_or_else(|| self.obstacle(*at).to_owned())?;
            let columns = self.columns(*at);
            let zoned = self.is_zoned(*at);
            let by_key = columns.iter().all(|path| draft.dimensions.contains(path));
            if by_key && !columns.is_empty() && !zoned {
                draft.residual.push(*at);
            } else if !draft.definition.conditions.contains(&text) {
                draft.definition.conditions.push(text);
                draft.conditions.push(*at);
                draft.is_zoned |= zoned;
            }
        }
        draft.definition.conditions.sort_unstable();
        Ok(())
    }

    /// The draft with its date, and the grain that follows from it.
    pub(super) fn dated(
        &self,
        mut draft: Draft,
        dates: Dates,
        keying: &Keying,
    ) -> Result<Draft, Declined> {
        let name = |path: &Path| column(self.schema, draft.source, path).unwrap_or_default();
        let by_instant = match keying.granularity {
            Granularity::Day => Grain::Day,
            Granularity::Hour => Grain::Hour,
        };
        let grain = |path: &Path| {
            let field = self.schema.field_at(draft.source, path);
            match field.map(|(_, field)| &field.data_type) {
                Some(DataType::Date) => Ok(Grain::Date),
                Some(DataType::DateTime) => Ok(by_instant),
                _ => Err("what dates its rows is no date".to_owned()),
            }
        };
        (draft.definition.dating, draft.definition.grain) = match &dates {
            Dates::Never => (Dating::Never, Grain::Always),
            Dates::By(path) => (Dating::By(name(path)), grain(path)?),
            Dates::Later(opened, closed) => {
                let both = (grain(opened)?, grain(closed)?);
                if both.0 != both.1 {
                    return Err(
                        "its rows begin on days and end at instants, or the reverse".to_owned()
                    );
                }
                (Dating::Later(name(opened), name(closed)), both.0)
            }
        };
        let calendar = &self.schema.store.calendar;
        let zone = calendar.zone_name();
        draft.definition.calendar = if draft.is_zoned {
            let (week, month) = (calendar.week_start(), calendar.fiscal_start());
            let retail = if calendar.retail().is_some() { ", retail" } else { "" };
            Some(format!("{zone}, weeks from {week:?}, years from month {month}{retail}"))
        } else {
            (draft.definition.grain == Grain::Day).then(|| zone.to_owned())
        };
        draft.dates = dates;
        Ok(draft)
    }

    /// The columns that rows of a draft need, with those of the rows that they lead to.
    pub(super) fn reads(&self, draft: &Draft) -> Columns {
        let mut columns = Columns::default();
        columns.source(draft.source);
        let key = self.schema.source_at(draft.source).and_then(|source| source.key);
        let mut paths: Vec<&Path> = draft.dimensions.iter().chain(&draft.currency).collect();
        match &draft.dates {
            Dates::Never => {}
            Dates::By(path) => paths.push(path),
            Dates::Later(opened, closed) => paths.extend([opened, closed]),
        }
        let mut nodes = draft.conditions.clone();
        match &draft.measure {
            Measure::Rows => {}
            Measure::Column(path) => paths.push(path),
            Measure::Value(owner, id) | Measure::Truth(owner, id) => nodes.push((*owner, *id)),
        }
        for at in nodes {
            paths.extend(self.columns(at));
        }
        for path in paths {
            columns.path(self.schema, draft.source, path);
        }
        if let Some(key) = key {
            columns.field(draft.source, key);
        }
        columns
    }

    /// The keys of a source's own rows.
    pub(super) fn keys(&self, source: SourceId, keying: &Keying) -> Result<Draft, Declined> {
        let mut draft = self.start(source, keying, StateKind::Keys);
        let table = self.schema.source_at(source);
        let key = table.and_then(|table| table.key).map(Path::field);
        let key = key.ok_or_else(|| format!("rows of {} have no key", draft.definition.source))?;
        draft.definition.value = column(self.schema, source, &key);
        draft.definition.keys_of = Some(draft.definition.source.clone());
        draft.measure = Measure::Column(key);
        Ok(draft)
    }

    /// A definition over rows that lead to rows of another source, by the key of those.
    pub(super) fn repeats(
        &self,
        (source, entity): (SourceId, SourceId),
        keying: &Keying,
        conditions: &[(Owner, NodeId)],
    ) -> Result<Draft, Declined> {
        let mut draft = self.start(source, keying, StateKind::Repeats);
        let target = self.schema.source_at(entity);
        let name = target.map_or("", |target| target.name.as_str());
        let links = crate::schema::link_chain(self.schema, source, entity);
        let key = target.and_then(|target| target.key);
        let path = links.zip(key).map(|(links, field)| Path { links, field });
        let path = path.ok_or_else(|| format!("rows of {name} have no key"))?;
        self.narrow(&mut draft, &self.conjuncts(conditions))?;
        draft.definition.value = column(self.schema, source, &path);
        draft.definition.keys_of = Some(name.to_owned());
        draft.measure = Measure::Column(path);
        Ok(draft)
    }

    pub(super) fn draft(
        &self,
        site: &Site<'_>,
        keying: &Keying,
        fixed: &[(Owner, NodeId)],
    ) -> Result<Draft, Declined> {
        let Site { owner, atom, .. } = *site;
        let kind = self.kind_of(atom, keying)?;
        let mut draft = self.start(atom.source, keying, kind);
        self.narrow(&mut draft, fixed)?;
        let share = atom.function == AggregateFunction::ShareOf;
        let measured = if share { atom.value.or(atom.condition) } else { atom.value };
        let Some(value) = measured else { return Ok(draft) };
        let text = self.text(atom.source, (owner, value));
        draft.definition.value =
            Some(text.ok_or_else(|| self.obstacle((owner, value)).to_owned())?);
        draft.is_zoned |= self.is_zoned((owner, value));
        if share {
            draft.measure = Measure::Truth(owner, value);
            return Ok(draft);
        }
        draft.measure = Measure::Value(owner, site.id);
        if kind == StateKind::Keys {
            draft.definition.keys_of = self.keys_of(&draft, (owner, value));
        }
        self.in_currency(site, (owner, value), &mut draft)?;
        Ok(draft)
    }

    fn kind_of(&self, atom: &Atom, keying: &Keying) -> Result<StateKind, Declined> {
        let table = self.schema.source_at(atom.source);
        let placed = table.is_some_and(|table| table.key.is_some()) && atom.date.is_some();
        Ok(match atom.function {
            AggregateFunction::Sum
            | AggregateFunction::Count
            | AggregateFunction::Average
            | AggregateFunction::ShareOf => StateKind::Tally,
            AggregateFunction::CountDistinct => StateKind::Keys,
            AggregateFunction::StandardDeviation => StateKind::Spread,
            AggregateFunction::Minimum => StateKind::Least,
            AggregateFunction::Maximum => StateKind::Largest,
            AggregateFunction::First if placed => StateKind::First,
            AggregateFunction::Last if placed => StateKind::Last,
            AggregateFunction::First | AggregateFunction::Last => {
                return Err("rows without a date and a key cannot be told apart in time".to_owned());
            }
            AggregateFunction::Percentile if keying.approximate => StateKind::Sketch,
            AggregateFunction::Percentile => {
                return Err("an exact percentile needs the rows".to_owned());
            }
        })
    }

    /// Whose keys a column holds: those of the source that it is the key of, or leads to.
    fn keys_of(&self, draft: &Draft, at: (Owner, NodeId)) -> Option<String> {
        let text = draft.definition.value.clone()?;
        let Some(path) = self.column(at) else {
            return Some(format!("{}: {text}", draft.definition.source));
        };
        let (owner, _) = self.schema.field_at(draft.source, path)?;
        let table = self.schema.source_at(owner)?;
        let linked = table.links.iter().find(|link| link.by == path.field);
        let target = linked.and_then(|link| self.schema.source_at(link.target));
        Some(match target {
            Some(target) => target.name.clone(),
            None if table.key == Some(path.field) => table.name.clone(),
            None => {
                let field = table.fields.get(path.field.0)?;
                format!("{}.{}", table.name, field.name)
            }
        })
    }

    /// The unit of the value, and what becomes of amounts in several currencies.
    fn in_currency(
        &self,
        site: &Site<'_>,
        (owner, value): (Owner, NodeId),
        draft: &mut Draft,
    ) -> Result<(), Declined> {
        let node = self.node((owner, value));
        let Some(Type::Quantity(unit)) = node.map(|node| &node.ty) else { return Ok(()) };
        let store = &self.schema.store;
        draft.definition.unit = Some(Type::Quantity(unit.clone()).to_string());
        let counts = matches!(
            site.atom.function,
            AggregateFunction::Count | AggregateFunction::CountDistinct
        );
        if counts || unit.money != 1 {
            return Ok(());
        }
        let CurrencyOf::Fixed(own) = unit.currency else {
            let Some(codes) = self.currency_column(draft.source, (owner, value)) else {
                return Ok(());
            };
            if store.mixed_currency != MixedCurrency::Convert && site.currency.is_none() {
                draft.definition.currency = column(self.schema, draft.source, &codes);
                draft.currency = Some(codes);
                return Ok(());
            }
            if site.currency.is_some_and(|target| target != store.currency) {
                return Err("amounts of several currencies are kept in the store's".to_owned());
            }
            if site.atom.date.is_none() {
                return Err("amounts without a date are converted at the present rate".to_owned());
            }
            let mut converted = unit.clone();
            converted.currency = CurrencyOf::Fixed(store.currency);
            draft.definition.unit = Some(Type::Quantity(converted).to_string());
            draft.is_zoned = true;
            return Ok(());
        };
        match site.currency {
            Some(target) if target != own => {
                Err(format!("amounts in {} are converted row by row", own.code()))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The currency column of the first amount in the expression that has one.
    fn currency_column(&self, source: SourceId, (owner, value): (Owner, NodeId)) -> Option<Path> {
        let mut stack = vec![value];
        let mut seen = std::collections::BTreeSet::new();
        while let Some(id) = stack.pop() {
            let node = self.node((owner, id))?;
            if !seen.insert(id) {
                continue;
            }
            if let Kind::Column(path) = &node.kind
                && let Some((_, field)) = self.schema.field_at(source, path)
                && let DataType::MoneyBy { currency, .. } = field.data_type
            {
                return Some(Path { links: path.links.clone(), field: currency });
            }
            stack.extend(children(&node.kind));
        }
        None
    }
}
