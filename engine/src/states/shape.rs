//! From an aggregate in a formula to the definitions it is answered from.

use super::conditions::{Lookup, Timed};
use super::definition::{StateDefinition, StateKind};
use super::slot::Granularity;
use super::tree::Tree;
use crate::check::{AggregateFunction, Atom, NodeId, PeriodPart};
use crate::evaluate::Owner;
use crate::schema::{Path, SourceId};
use crate::types::Currency;

/// How cells are keyed and cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Keying {
    pub(crate) granularity: Granularity,
    pub(crate) approximate: bool,
    /// Names with the column of each source that has one.
    pub(crate) dimensions: Vec<(String, Vec<(SourceId, Path)>)>,
}

impl Keying {
    /// The dimensions of a source.
    pub(super) fn of(&self, source: SourceId) -> Vec<(&str, &Path)> {
        let own = self.dimensions.iter().filter_map(|(name, columns)| {
            let (_, path) = columns.iter().find(|(of, _)| *of == source)?;
            Some((name.as_str(), path))
        });
        own.collect()
    }
}

/// An aggregate where a formula has it.
pub(super) struct Site<'s> {
    pub(super) owner: Owner,
    pub(super) id: NodeId,
    pub(super) atom: &'s Atom,
    /// The filters around it, each with the source that it narrows.
    pub(super) filters: Vec<(Owner, SourceId, NodeId)>,
    /// The currency that every amount is asked in.
    pub(super) currency: Option<Currency>,
}

impl Site<'_> {
    /// The population and the filters around it: what narrows its groups too.
    pub(super) fn standing(&self) -> Vec<(Owner, NodeId)> {
        let population = self.atom.population.map(|id| (self.owner, id));
        let own = self.filters.iter().filter(|(_, source, _)| *source == self.atom.source);
        population.into_iter().chain(own.map(|(owner, _, id)| (*owner, *id))).collect()
    }

    /// Those, and its own condition; what a share counts does not narrow it.
    pub(super) fn conditions(&self) -> Vec<(Owner, NodeId)> {
        let share = self.atom.function == AggregateFunction::ShareOf && self.atom.value.is_none();
        let own = self.atom.condition.filter(|_| !share).map(|id| (self.owner, id));
        self.standing().into_iter().chain(own).collect()
    }
}

/// What places rows, as columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Dates {
    Never,
    By(Path),
    Later(Path, Path),
}

/// What a row contributes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Measure {
    Rows,
    /// The value of the atom at this node, converted to the store's currency if it has several.
    Value(Owner, NodeId),
    /// Whether a condition holds.
    Truth(Owner, NodeId),
    Column(Path),
}

/// A definition, with what fills its cells and what its cells are narrowed by when they are read.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) definition: StateDefinition,
    pub(super) source: SourceId,
    pub(super) dates: Dates,
    pub(super) measure: Measure,
    pub(super) conditions: Vec<(Owner, NodeId)>,
    /// Conditions on dimensions alone.
    pub(super) residual: Vec<(Owner, NodeId)>,
    pub(super) dimensions: Vec<Path>,
    pub(super) currency: Option<Path>,
    /// The same rows give other cells in another zone.
    pub(super) is_zoned: bool,
}

/// Which cells of a definition an answer is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Range {
    /// The period, or the state at one time, as the frame has it.
    Frame,
    /// From the period's start to what has elapsed, of rows that have no date of their own.
    Elapsed,
    /// Between ends of the period.
    Between(Option<PeriodPart>, Option<PeriodPart>),
}

/// How an aggregate is answered.
#[derive(Debug, Clone)]
pub(super) enum Plan {
    /// From the cells of a definition.
    Over(Draft, Range),
    /// What was opened before an end of the period, less what was closed by then.
    Running(Box<(Draft, Draft)>, PeriodPart),
    /// Keys that are in other sets of keys too.
    Also(Draft, Vec<(Draft, Range)>),
    /// Rows of an entity that meet a condition on how many rows lead to them.
    Among(Draft, Range, Box<Tree>),
}

/// Why cells do not answer, for people.
pub(super) type Declined = String;

impl Lookup<'_> {
    /// The plan of an aggregate; the error says why the rows must answer.
    pub(super) fn plan(&self, site: &Site<'_>, keying: &Keying) -> Result<Plan, Declined> {
        let conjuncts = self.conjuncts(&site.conditions());
        let (rows, plain): (Vec<_>, Vec<_>) =
            conjuncts.into_iter().partition(|at| self.has_row_aggregate(*at));
        let mut timed = Vec::new();
        let mut fixed = Vec::new();
        for at in plain {
            match self.timed(at) {
                Some(found) => timed.push(found),
                None => fixed.push(at),
            }
        }
        if !rows.is_empty() {
            let draft = self.members(site, keying, &fixed)?;
            let (draft, range) = self.ranged(site, keying, draft, &timed)?;
            return Ok(Plan::Among(draft, range, Box::new(self.tree(site, keying, &rows)?)));
        }
        let draft = self.draft(site, keying, &fixed)?;
        match timed.as_slice() {
            [Timed::Before(opened, part), Timed::Open(closed, other)]
            | [Timed::Open(closed, other), Timed::Before(opened, part)]
                if part == other && site.atom.date.is_none() =>
            {
                let (opened, closed) = ((*opened).clone(), (*closed).clone());
                let begun = self.dated(draft.clone(), Dates::By(opened.clone()), keying)?;
                let ended = self.dated(draft, Dates::Later(opened, closed), keying)?;
                match begun.definition.kind {
                    StateKind::Tally => Ok(Plan::Running(Box::new((begun, ended)), *part)),
                    _ => Err("only sums and counts can be told for rows that run".to_owned()),
                }
            }
            timed if site.atom.date.is_some() && !timed.is_empty() => {
                self.also(site, keying, draft, timed)
            }
            timed => {
                let (draft, range) = self.ranged(site, keying, draft, timed)?;
                Ok(Plan::Over(draft, range))
            }
        }
    }

    /// How many rows there are, whatever an aggregate's own condition: which groups have any, and
    /// which days a snapshot knows.
    pub(super) fn presence(
        &self,
        (source, date): (SourceId, Option<&Path>),
        keying: &Keying,
        conditions: &[(Owner, NodeId)],
    ) -> Result<Draft, Declined> {
        let mut draft = self.start(source, keying, StateKind::Tally);
        self.narrow(&mut draft, &self.conjuncts(conditions))?;
        let dates = date.cloned().map_or(Dates::Never, Dates::By);
        self.dated(draft, dates, keying)
    }

    /// The draft of the rows of an entity or event as keys.
    fn members(
        &self,
        site: &Site<'_>,
        keying: &Keying,
        fixed: &[(Owner, NodeId)],
    ) -> Result<Draft, Declined> {
        if site.atom.function != AggregateFunction::Count || site.atom.value.is_some() {
            return Err("an aggregate for each row needs the rows".to_owned());
        }
        let mut draft = self.keys(site.atom.source, keying)?;
        self.narrow(&mut draft, fixed)?;
        Ok(draft)
    }

    /// The draft with its date and range, for rows that a condition places in the period.
    fn ranged(
        &self,
        site: &Site<'_>,
        keying: &Keying,
        draft: Draft,
        timed: &[Timed<'_>],
    ) -> Result<(Draft, Range), Declined> {
        let (dates, range) = match (timed, &site.atom.date) {
            ([], None) => (Dates::Never, Range::Frame),
            ([], Some(date)) => (Dates::By(date.clone()), Range::Frame),
            ([Timed::In(path)], None) => (Dates::By((*path).clone()), Range::Elapsed),
            ([Timed::Before(path, part)], None) => {
                (Dates::By((*path).clone()), Range::Between(None, Some(*part)))
            }
            ([Timed::From(path, part)], None) => {
                (Dates::By((*path).clone()), Range::Between(Some(*part), None))
            }
            (
                [Timed::From(path, from), Timed::Before(other, to)]
                | [Timed::Before(other, to), Timed::From(path, from)],
                None,
            ) if path == other => {
                (Dates::By((*path).clone()), Range::Between(Some(*from), Some(*to)))
            }
            _ => {
                return Err("a condition compares with the period in a way that days do not keep"
                    .to_owned());
            }
        };
        Ok((self.dated(draft, dates, keying)?, range))
    }

    /// Keys of rows whose linked rows a condition places in time: buyers who had ordered before.
    fn also(
        &self,
        site: &Site<'_>,
        keying: &Keying,
        draft: Draft,
        timed: &[Timed<'_>],
    ) -> Result<Plan, Declined> {
        let refused = "a condition compares with the period in a way that days do not keep";
        let value = site.atom.value.map(|value| (site.owner, value));
        let counted = value.and_then(|at| self.column(at)).filter(|path| path.links.is_empty());
        let table = self.schema.source_at(draft.source);
        let mut sets = Vec::with_capacity(timed.len());
        for timed in timed {
            let path = timed.path();
            let link = match path.links.as_slice() {
                [link] => table.and_then(|table| table.links.get(link.0)),
                _ => None,
            };
            let own = counted.filter(|_| draft.definition.kind == StateKind::Keys);
            let link = link.filter(|link| own.is_some_and(|own| own.field == link.by));
            let link = link.ok_or_else(|| refused.to_owned())?;
            let keys = self.keys(link.target, keying)?;
            if keys.definition.keys_of != draft.definition.keys_of {
                return Err(refused.to_owned());
            }
            let range = match timed {
                Timed::In(_) => Range::Elapsed,
                Timed::Before(_, part) => Range::Between(None, Some(*part)),
                Timed::From(_, part) => Range::Between(Some(*part), None),
                Timed::Open(..) => return Err(refused.to_owned()),
            };
            sets.push((self.dated(keys, Dates::By(Path::field(path.field)), keying)?, range));
        }
        let dates = site.atom.date.clone().map_or(Dates::Never, Dates::By);
        Ok(Plan::Also(self.dated(draft, dates, keying)?, sets))
    }
}
