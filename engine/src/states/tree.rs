//! Conditions on how many rows lead to a row of an entity, as sets of its keys.
//!
//! From the pair of keys seen and keys seen again follows for each key whether no row, one row, or
//! more rows lead to it. A condition that tells more than two apart from two needs the rows.

use roaring::RoaringBitmap;
use rust_decimal::Decimal;

use super::conditions::Lookup;
use super::kinds::{Repeats, without};
use super::shape::{Declined, Draft, Keying, Site};
use crate::check::{AggregateFunction, Comparison, Kind, NodeId, Window};
use crate::evaluate::Owner;
use crate::number;
use crate::types::Value;

/// A condition over the rows of an entity.
#[derive(Debug, Clone)]
pub(super) enum Tree {
    All(Vec<Tree>),
    Any(Vec<Tree>),
    Not(Box<Tree>),
    Count(Box<Leaf>),
}

/// Whether so many rows lead to a key, in some period.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    pub(super) draft: Draft,
    /// From the frame of the whole to that of the count, outermost first.
    pub(super) windows: Vec<Window>,
    holds: Holds,
}

/// For which counts a comparison is true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Holds {
    /// For no row, one row, more rows.
    counts: [bool; 3],
    /// For a null, where the source does not cover the period.
    unknown: bool,
}

impl Tree {
    /// The counts below, in order.
    pub(super) fn leaves(&self) -> Vec<&Leaf> {
        let mut found = Vec::new();
        let mut stack = vec![self];
        while let Some(tree) = stack.pop() {
            match tree {
                Self::All(parts) | Self::Any(parts) => stack.extend(parts.iter().rev()),
                Self::Not(part) => stack.push(part),
                Self::Count(leaf) => found.push(&**leaf),
            }
        }
        found
    }

    /// The members for which the condition holds. `counts` are those of the leaves, in order;
    /// `None` where the source does not cover the period.
    pub(super) fn among(
        &self,
        members: &RoaringBitmap,
        counts: &mut impl Iterator<Item = Option<Repeats>>,
    ) -> RoaringBitmap {
        match self {
            Self::All(parts) => {
                let each: Vec<_> = parts.iter().map(|part| part.among(members, counts)).collect();
                each.iter().fold(members.clone(), |so_far, part| so_far & part)
            }
            Self::Any(parts) => {
                let each: Vec<_> = parts.iter().map(|part| part.among(members, counts)).collect();
                each.iter().fold(RoaringBitmap::new(), |so_far, part| so_far | part)
            }
            Self::Not(part) => without(members, &part.among(members, counts)),
            Self::Count(leaf) => leaf.holds.among(members, counts.next().flatten().as_ref()),
        }
    }
}

impl Holds {
    fn of(op: Comparison, bound: Decimal) -> Option<Self> {
        let at = |count: Decimal| match op {
            Comparison::Equal => count == bound,
            Comparison::NotEqual => count != bound,
            Comparison::Less => count < bound,
            Comparison::LessOrEqual => count <= bound,
            Comparison::Greater => count > bound,
            Comparison::GreaterOrEqual => count >= bound,
        };
        let more = at(Decimal::TWO);
        // Beyond two a comparison changes at its bound or not at all.
        let near = [bound.floor(), bound.ceil()];
        let above = near.into_iter().filter_map(|near| number::add(near, Decimal::ONE).ok());
        let beyond = near.into_iter().chain(above).filter(|count| *count > Decimal::TWO);
        beyond.into_iter().all(|count| at(count) == more).then_some(Self {
            counts: [at(Decimal::ZERO), at(Decimal::ONE), more],
            unknown: op == Comparison::NotEqual,
        })
    }

    fn among(self, members: &RoaringBitmap, counted: Option<&Repeats>) -> RoaringBitmap {
        let Some(counted) = counted else {
            return if self.unknown { members.clone() } else { RoaringBitmap::new() };
        };
        let mut found = RoaringBitmap::new();
        let [none, once, more] = self.counts;
        if none {
            found |= without(members, counted.seen());
        }
        if once {
            found |= without(&(members & counted.seen()), counted.again());
        }
        if more {
            found |= members & counted.again();
        }
        found
    }
}

impl Lookup<'_> {
    /// The conditions together as a tree over counts; the error says why the rows must answer.
    pub(super) fn tree(
        &self,
        site: &Site<'_>,
        keying: &Keying,
        conditions: &[(Owner, NodeId)],
    ) -> Result<Tree, Declined> {
        let parts = conditions.iter().map(|at| self.branch(site, keying, *at));
        Ok(Tree::All(parts.collect::<Result<_, _>>()?))
    }

    /// One condition; its brackets are as deep as the text's, which is limited.
    fn branch(
        &self,
        site: &Site<'_>,
        keying: &Keying,
        at: (Owner, NodeId),
    ) -> Result<Tree, Declined> {
        let (owner, _) = at;
        match self.kind(at) {
            Some(Kind::And(..)) => self.tree(site, keying, &self.conjuncts(&[at])),
            Some(Kind::Or(..)) => {
                let parts = self.alternatives(at).into_iter();
                let parts = parts.map(|at| self.branch(site, keying, at));
                Ok(Tree::Any(parts.collect::<Result<_, _>>()?))
            }
            Some(Kind::Not(inner)) => {
                Ok(Tree::Not(Box::new(self.branch(site, keying, (owner, *inner))?)))
            }
            Some(Kind::Compare(op, left, right)) => {
                let (left, right) = ((owner, *left), (owner, *right));
                match (self.constant(left), self.constant(right)) {
                    (None, Some(bound)) => self.leaf(site, keying, left, (*op, bound)),
                    (Some(bound), None) => self.leaf(site, keying, right, (op.turned(), bound)),
                    _ => Err("a count for each row is compared with no constant".to_owned()),
                }
            }
            _ => Err("an aggregate for each row needs the rows".to_owned()),
        }
    }

    fn alternatives(&self, at: (Owner, NodeId)) -> Vec<(Owner, NodeId)> {
        let mut found = Vec::new();
        let mut stack = vec![at];
        while let Some(at) = stack.pop() {
            match self.kind(at) {
                Some(Kind::Or(left, right)) => stack.extend([(at.0, *right), (at.0, *left)]),
                Some(_) => found.push(at),
                None => {}
            }
        }
        found
    }

    fn constant(&self, at: (Owner, NodeId)) -> Option<Decimal> {
        match self.kind(at)? {
            Kind::Constant(Value::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// A count of the rows that lead to each row, compared with a number.
    fn leaf(
        &self,
        site: &Site<'_>,
        keying: &Keying,
        at: (Owner, NodeId),
        (op, bound): (Comparison, Decimal),
    ) -> Result<Tree, Declined> {
        let refused = || "an aggregate for each row needs the rows".to_owned();
        let Some(Kind::PerRow(inner)) = self.kind(at) else { return Err(refused()) };
        let (mut owner, mut id) = (at.0, *inner);
        let mut windows = Vec::new();
        let mut filters = site.filters.clone();
        let atom = loop {
            match self.kind((owner, id)).ok_or_else(refused)? {
                Kind::Atom(atom) => break atom,
                Kind::Placeholder(_, inner) => id = *inner,
                Kind::Metric(metric) => {
                    owner = Owner::Metric(metric.0);
                    id = (self.typed)(owner).ok_or_else(refused)?.root;
                }
                Kind::Window(window, inner) => {
                    windows.push(*window);
                    id = *inner;
                }
                Kind::Scoped { value, conditions } => {
                    filters.extend(conditions.iter().map(|(source, id)| (owner, *source, *id)));
                    id = *value;
                }
                _ => return Err(refused()),
            }
        };
        if atom.function != AggregateFunction::Count || atom.value.is_some() {
            return Err("a value for each row needs the rows".to_owned());
        }
        let holds = Holds::of(op, bound);
        let holds = holds.ok_or_else(|| "rows are counted up to two for each key".to_owned())?;
        let own = Site { owner, id, atom, filters, currency: None };
        let sources = (atom.source, site.atom.source);
        let draft = self.repeats(sources, keying, &own.conditions())?;
        let dates = atom.date.clone().map_or(super::shape::Dates::Never, super::shape::Dates::By);
        let draft = self.dated(draft, dates, keying)?;
        Ok(Tree::Count(Box::new(Leaf { draft, windows, holds })))
    }
}
