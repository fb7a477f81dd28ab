//! Rollup plans, assembled from a source, conditions, a value with its unit, and an event time.

use std::collections::BTreeSet;

use super::bucket::{Grain, Granularity};
use super::conditions::Lookup;
use super::definition::{AggregateKind, EventTime, RollupDefinition};
use super::strategy::{AtomSite, DeclineReason, EventTimeColumns, Measure, RollupPlan};
use super::text::column;
use crate::check::{AggregateFunction, Atom};
use crate::evaluate::NodeRef;
use crate::schema::{Columns, DataType, MixedCurrency, Path, SourceId};
use crate::types::{CurrencyOf, Type};

impl Lookup<'_> {
    /// Creates a plan of the rows of a source, without conditions, value or event time.
    pub(super) fn start(&self, source: SourceId, kind: AggregateKind) -> RollupPlan {
        let dimensions = self.layout.dimensions_of(source);
        let name = |path: &Path| column(self.schema, source, path).unwrap_or_default();
        RollupPlan {
            definition: RollupDefinition {
                source: self.schema.source_at(source).map_or_else(String::new, |s| s.name.clone()),
                event_time: EventTime::Never,
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
            event_time: EventTimeColumns::Never,
            measure: Measure::Rows,
            conditions: Vec::new(),
            residual: Vec::new(),
            dimensions: dimensions.into_iter().map(|(_, path)| path.clone()).collect(),
            currency: None,
            target: None,
            is_zoned: false,
        }
    }

    /// Adds conditions. Those on dimensions alone become residual: they filter dimension keys on reading.
    pub(super) fn narrow(
        &self,
        plan: &mut RollupPlan,
        conditions: &[NodeRef],
    ) -> Result<(), DeclineReason> {
        for at in conditions {
            let text = self.text(plan.source, *at);
            let text = text.ok_or_else(|| self.obstacle(*at))?;
            let columns = self.columns(*at);
            let zoned = self.is_zoned(*at);
            let by_key = columns.iter().all(|path| plan.dimensions.contains(path));
            if by_key && !columns.is_empty() && !zoned {
                plan.residual.push(*at);
            } else if !plan.definition.conditions.contains(&text) {
                plan.definition.conditions.push(text);
                plan.conditions.push(*at);
                plan.is_zoned |= zoned;
            }
        }
        plan.definition.conditions.sort_unstable();
        Ok(())
    }

    /// Adds an event time to a plan, and the grain that follows from it.
    pub(super) fn dated(
        &self,
        mut plan: RollupPlan,
        event_time: EventTimeColumns,
    ) -> Result<RollupPlan, DeclineReason> {
        let name = |path: &Path| column(self.schema, plan.source, path).unwrap_or_default();
        let by_instant = match self.layout.granularity {
            Granularity::Day => Grain::Day,
            Granularity::Hour => Grain::Hour,
        };
        let grain = |path: &Path| {
            let field = self.schema.field_at(plan.source, path);
            match field.map(|(_, field)| &field.data_type) {
                Some(DataType::Date) => Ok(Grain::Date),
                Some(DataType::DateTime) => Ok(by_instant),
                _ => Err("what dates its rows is no date".to_owned()),
            }
        };
        (plan.definition.event_time, plan.definition.grain) = match &event_time {
            EventTimeColumns::Never => (EventTime::Never, Grain::Always),
            EventTimeColumns::By(path) => (EventTime::By(name(path)), grain(path)?),
            EventTimeColumns::Later(opened, closed) => {
                let both = (grain(opened)?, grain(closed)?);
                if both.0 != both.1 {
                    return Err(
                        "its rows begin on days and end at instants, or the reverse".to_owned()
                    );
                }
                (EventTime::Later(name(opened), name(closed)), both.0)
            }
        };
        let calendar = &self.schema.store.calendar;
        let zone = calendar.zone_name();
        plan.definition.calendar = if plan.is_zoned {
            let (week, month) = (calendar.week_start(), calendar.fiscal_start());
            let retail = if calendar.retail().is_some() { ", retail" } else { "" };
            Some(format!("{zone}, weeks from {week:?}, years from month {month}{retail}"))
        } else {
            (plan.definition.grain == Grain::Day).then(|| zone.to_owned())
        };
        plan.event_time = event_time;
        Ok(plan)
    }

    /// Returns the columns that folding reads, with those of linked rows.
    pub(super) fn reads(&self, plan: &RollupPlan) -> Columns {
        let mut columns = Columns::default();
        columns.source(plan.source);
        let key = self.schema.source_at(plan.source).and_then(|source| source.key);
        let mut paths: Vec<&Path> = plan.dimensions.iter().chain(&plan.currency).collect();
        paths.extend(plan.event_time.paths());
        let mut nodes = plan.conditions.clone();
        match &plan.measure {
            Measure::Rows => {}
            Measure::Column(path) => paths.push(path),
            Measure::Value(node) | Measure::Truth(node) => nodes.push(*node),
        }
        for at in nodes {
            paths.extend(self.columns(at));
        }
        for path in paths {
            columns.path(self.schema, plan.source, path);
        }
        if let Some(key) = key {
            columns.field(plan.source, key);
        }
        columns
    }

    /// Creates a plan of the keys of a source's own rows.
    pub(super) fn keys(&self, source: SourceId) -> Result<RollupPlan, DeclineReason> {
        let mut plan = self.start(source, AggregateKind::DistinctSet);
        let table = self.schema.source_at(source);
        let key = table.and_then(|table| table.key).map(Path::field);
        let key = key.ok_or_else(|| format!("rows of {} have no key", plan.definition.source))?;
        plan.definition.value = column(self.schema, source, &key);
        plan.definition.keys_of = Some(plan.definition.source.clone());
        plan.measure = Measure::Column(key);
        Ok(plan)
    }

    /// Creates a plan over rows that link to another source, by the key of the linked row.
    pub(super) fn repeats(
        &self,
        source: SourceId,
        entity: SourceId,
        conditions: &[NodeRef],
    ) -> Result<RollupPlan, DeclineReason> {
        let mut plan = self.start(source, AggregateKind::RepeatSet);
        let target = self.schema.source_at(entity);
        let name = target.map_or("", |target| target.name.as_str());
        let links = crate::schema::link_chain(self.schema, source, entity);
        let key = target.and_then(|target| target.key);
        let path = links.zip(key).map(|(links, field)| Path { links, field });
        let path = path.ok_or_else(|| format!("rows of {name} have no key"))?;
        self.narrow(&mut plan, &self.conjuncts(conditions))?;
        plan.definition.value = column(self.schema, source, &path);
        plan.definition.keys_of = Some(name.to_owned());
        plan.measure = Measure::Column(path);
        Ok(plan)
    }

    pub(super) fn plan(
        &self,
        site: &AtomSite<'_>,
        fixed: &[NodeRef],
    ) -> Result<RollupPlan, DeclineReason> {
        let atom = site.atom;
        let kind = self.kind_of(atom)?;
        let mut plan = self.start(atom.source, kind);
        self.narrow(&mut plan, fixed)?;
        let share = atom.function == AggregateFunction::ShareOf;
        let measured = if share { atom.value.or(atom.condition) } else { atom.value };
        let Some(value) = measured else { return Ok(plan) };
        let value = NodeRef { id: value, ..site.node };
        let text = self.text(atom.source, value);
        plan.definition.value = Some(text.ok_or_else(|| self.obstacle(value))?);
        plan.is_zoned |= self.is_zoned(value);
        if share {
            plan.measure = Measure::Truth(value);
            return Ok(plan);
        }
        plan.measure = Measure::Value(site.node);
        if kind == AggregateKind::DistinctSet {
            plan.definition.keys_of = self.keys_of(&plan, value);
        }
        self.in_currency(site, value, &mut plan)?;
        Ok(plan)
    }

    fn kind_of(&self, atom: &Atom) -> Result<AggregateKind, DeclineReason> {
        let table = self.schema.source_at(atom.source);
        let placed = table.is_some_and(|table| table.key.is_some()) && atom.date.is_some();
        Ok(match atom.function {
            AggregateFunction::Sum
            | AggregateFunction::Count
            | AggregateFunction::Average
            | AggregateFunction::ShareOf => AggregateKind::SumCount,
            AggregateFunction::CountDistinct => AggregateKind::DistinctSet,
            AggregateFunction::StandardDeviation
            | AggregateFunction::Variance
            | AggregateFunction::PopulationVariance
            | AggregateFunction::PopulationDeviation => AggregateKind::Moments,
            AggregateFunction::Mode => AggregateKind::Frequencies,
            AggregateFunction::Minimum => AggregateKind::Minimum,
            AggregateFunction::Maximum => AggregateKind::Maximum,
            AggregateFunction::First if placed => AggregateKind::First,
            AggregateFunction::Last if placed => AggregateKind::Last,
            AggregateFunction::First | AggregateFunction::Last => {
                return Err("rows without a date and a key cannot be told apart in time".to_owned());
            }
            AggregateFunction::Percentile if self.layout.approximate => {
                AggregateKind::QuantileSketch
            }
            AggregateFunction::Percentile => {
                return Err("an exact percentile needs the rows".to_owned());
            }
        })
    }

    /// Returns the source whose keys a column holds, since it is that source's key or links to it.
    fn keys_of(&self, plan: &RollupPlan, at: NodeRef) -> Option<String> {
        let text = plan.definition.value.clone()?;
        let Some(path) = self.column(at) else {
            return Some(format!("{}: {text}", plan.definition.source));
        };
        let (owner, _) = self.schema.field_at(plan.source, path)?;
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

    /// Sets the unit of the value, and keeps amounts in several currencies apart or converts them.
    fn in_currency(
        &self,
        site: &AtomSite<'_>,
        value: NodeRef,
        plan: &mut RollupPlan,
    ) -> Result<(), DeclineReason> {
        let node = self.node(value);
        let Some(Type::Quantity(unit)) = node.map(|node| &node.ty) else { return Ok(()) };
        let store = &self.schema.store;
        plan.definition.unit = Some(Type::Quantity(unit.clone()).to_string());
        let counts = matches!(
            site.atom.function,
            AggregateFunction::Count | AggregateFunction::CountDistinct
        );
        if counts || unit.money != 1 {
            return Ok(());
        }
        let CurrencyOf::Fixed(own) = unit.currency else {
            let mut columns = self.currency_columns(plan.source, value);
            let Some(codes) = columns.pop_first() else { return Ok(()) };
            if store.mixed_currency != MixedCurrency::Convert && site.currency.is_none() {
                if !columns.is_empty() {
                    return Err("its amounts have their currencies in several columns".to_owned());
                }
                plan.definition.currency = column(self.schema, plan.source, &codes);
                plan.currency = Some(codes);
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
            plan.definition.unit = Some(Type::Quantity(converted).to_string());
            plan.target = Some(store.currency);
            plan.is_zoned = true;
            return Ok(());
        };
        match site.currency {
            Some(target) if target != own => {
                Err(format!("amounts in {} are converted row by row", own.code()))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Returns the currency columns of the amounts in the expression.
    fn currency_columns(&self, source: SourceId, value: NodeRef) -> BTreeSet<Path> {
        let columns = self.columns(value).into_iter();
        columns.filter_map(|path| self.schema.currency_column(source, path)).collect()
    }
}
