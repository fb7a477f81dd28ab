//! Conditions on the number of rows that link to a row of an entity, evaluated on sets of its keys.
//!
//! A repeat set tells for each key whether no row, one row, or more rows link to it. A condition that
//! distinguishes two rows from three needs the rows.

use roaring::RoaringBitmap;
use rust_decimal::Decimal;

use super::aggregates::{RepeatSet, without};
use super::conditions::Lookup;
use super::strategy::{
    AtomSite, CountCondition, CountLeaf, CountPredicate, DeclineReason, EventTimeColumns, PER_ROW,
    RangedPlan, TimeRange,
};
use crate::check::{AggregateFunction, Comparison, Kind};
use crate::evaluate::{NodeRef, Owner};
use crate::number;
use crate::plan::operators;
use crate::types::Value;

impl CountCondition {
    /// Returns the comparisons in it, in order.
    pub(super) fn leaves(&self) -> Vec<&CountLeaf> {
        let mut found = Vec::new();
        let mut stack = vec![self];
        while let Some(condition) = stack.pop() {
            match condition {
                Self::All(parts) | Self::Any(parts) => stack.extend(parts.iter().rev()),
                Self::Not(part) => stack.push(part),
                Self::Count(leaf) => found.push(&**leaf),
            }
        }
        found
    }

    /// Returns the members that meet the condition. `counts` has a repeat set for each leaf, in
    /// order; `None` where the source does not cover the period.
    pub(super) fn matching(
        &self,
        members: &RoaringBitmap,
        counts: &mut impl Iterator<Item = Option<RepeatSet>>,
    ) -> RoaringBitmap {
        match self {
            Self::All(parts) => parts
                .iter()
                .fold(members.clone(), |so_far, part| so_far & part.matching(members, counts)),
            Self::Any(parts) => parts
                .iter()
                .fold(RoaringBitmap::new(), |so_far, part| so_far | part.matching(members, counts)),
            Self::Not(part) => without(members, &part.matching(members, counts)),
            Self::Count(leaf) => leaf.predicate.matching(members, counts.next().flatten().as_ref()),
        }
    }
}

impl CountPredicate {
    fn new(op: Comparison, bound: Decimal) -> Option<Self> {
        let at = |count: Decimal| operators::holds(op, count.cmp(&bound));
        let more = at(Decimal::TWO);
        // Beyond two, the outcome changes only at the bound.
        let near = [bound.floor(), bound.ceil()];
        let above = near.into_iter().filter_map(|near| number::add(near, Decimal::ONE).ok());
        let beyond = near.into_iter().chain(above).filter(|count| *count > Decimal::TWO);
        beyond.into_iter().all(|count| at(count) == more).then_some(Self {
            counts: [at(Decimal::ZERO), at(Decimal::ONE), more],
            unknown: op == Comparison::NotEqual,
        })
    }

    fn matching(self, members: &RoaringBitmap, counted: Option<&RepeatSet>) -> RoaringBitmap {
        let Some(counted) = counted else {
            return if self.unknown { members.clone() } else { RoaringBitmap::new() };
        };
        let mut found = RoaringBitmap::new();
        let [none, once, more] = self.counts;
        if none {
            found |= without(members, counted.seen());
        }
        if once {
            found |= without(&(members & counted.seen()), counted.repeated());
        }
        if more {
            found |= members & counted.repeated();
        }
        found
    }
}

impl Lookup<'_> {
    /// Returns the conjunction of conditions, or the reason why the rows must answer.
    pub(super) fn conjunction(
        &self,
        site: &AtomSite<'_>,
        conditions: &[NodeRef],
    ) -> Result<CountCondition, DeclineReason> {
        let parts = conditions.iter().map(|at| self.branch(site, *at));
        Ok(CountCondition::All(parts.collect::<Result<_, _>>()?))
    }

    /// Converts one condition. The recursion is as deep as the brackets of the text, which are limited, since no `let` stands
    /// for a number of linked rows.
    fn branch(&self, site: &AtomSite<'_>, at: NodeRef) -> Result<CountCondition, DeclineReason> {
        match self.kind(at) {
            Some(Kind::And(..)) => self.conjunction(site, &self.conjuncts(&[at])),
            Some(Kind::Or(..)) => {
                let parts = self.alternatives(at).into_iter();
                let parts = parts.map(|at| self.branch(site, at));
                Ok(CountCondition::Any(parts.collect::<Result<_, _>>()?))
            }
            Some(Kind::Not(inner)) => {
                let inner = self.branch(site, NodeRef { id: *inner, ..at })?;
                Ok(CountCondition::Not(Box::new(inner)))
            }
            Some(Kind::Compare(op, left, right)) => {
                let [left, right] = [*left, *right].map(|id| NodeRef { id, ..at });
                match (self.constant(left), self.constant(right)) {
                    (None, Some(bound)) => self.leaf(site, left, CountPredicate::new(*op, bound)),
                    (Some(bound), None) => {
                        self.leaf(site, right, CountPredicate::new(op.turned(), bound))
                    }
                    _ => Err("a count for each row is compared with no constant".to_owned()),
                }
            }
            _ => Err(PER_ROW.to_owned()),
        }
    }

    fn constant(&self, at: NodeRef) -> Option<Decimal> {
        match self.kind(at)? {
            Kind::Constant(Value::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// Converts a comparison of the number of linked rows with a constant.
    fn leaf(
        &self,
        site: &AtomSite<'_>,
        at: NodeRef,
        predicate: Option<CountPredicate>,
    ) -> Result<CountCondition, DeclineReason> {
        let Some(Kind::PerRow(inner)) = self.kind(at) else { return Err(PER_ROW.to_owned()) };
        let mut node = NodeRef { id: *inner, ..at };
        let mut windows = Vec::new();
        let mut filters = Vec::new();
        let atom = loop {
            match self.kind(node).ok_or(PER_ROW)? {
                Kind::Atom(atom) => break atom,
                Kind::Placeholder(_, inner) => node.id = *inner,
                Kind::Metric(metric) => {
                    let owner = Owner::Metric(metric.0);
                    node = NodeRef { owner, id: (self.typed)(owner).ok_or(PER_ROW)?.root };
                }
                Kind::Window(window, inner) => {
                    windows.push(*window);
                    node.id = *inner;
                }
                Kind::Scoped { value, conditions } => {
                    let own = |(source, id): &_| (*source, NodeRef { id: *id, ..node });
                    filters.extend(conditions.iter().map(own));
                    node.id = *value;
                }
                _ => return Err(PER_ROW.to_owned()),
            }
        };
        if atom.function != AggregateFunction::Count || atom.value.is_some() {
            return Err("a value for each row needs the rows".to_owned());
        }
        let predicate = predicate.ok_or("rows are counted up to two for each key")?;
        let own = AtomSite { node, atom, filters, currency: None };
        let plan = self.repeats(atom.source, site.atom.source, &own.conditions())?;
        let plan = self.dated(plan, EventTimeColumns::of(atom.date.as_ref()))?;
        let ranged = RangedPlan { plan, range: TimeRange::Frame };
        Ok(CountCondition::Count(Box::new(CountLeaf { ranged, windows, predicate })))
    }
}
