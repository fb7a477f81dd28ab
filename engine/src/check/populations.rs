//! The rows that the parts of a formula read, and the lint W302 on ratios of different populations.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::metrics::{Conditions, Metrics};
use super::typed::{
    Arithmetic, Kind, NodeId, Typed, TypedNode, descend, descend_where, each_child,
};
use super::{AggregateFunction, Environment};
use crate::diagnostics::{Code, Diagnostic, Suggestion};
use crate::schema::{Path, Schema, SourceId};
use crate::types::{Flavour, Unit};

/// An atom below a formula: its rows and their conditions.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct AtomUse {
    pub(crate) source: SourceId,
    /// The date that places the rows.
    pub(crate) date: Option<Path>,
    pub(crate) function: AggregateFunction,
    /// The aggregated value in canonical text; empty for a count of rows.
    pub(crate) measure: String,
    pub(crate) conditions: Conditions,
}

/// The conjuncts of the filters around a node, each with the source that it narrows.
type Filters = BTreeSet<(SourceId, (SourceId, String))>;

/// Returns the sources whose rows a node is computed from, without aggregates inside rows.
pub(super) fn sources_below(nodes: &[TypedNode], id: NodeId, metrics: &Metrics) -> Vec<SourceId> {
    let mut sources: Vec<_> =
        dates_below(nodes, id, metrics).into_iter().map(|(source, _)| source).collect();
    sources.dedup();
    sources
}

/// Returns the sources whose rows a node is computed from, in order, with the dates that place them.
pub(super) fn dates_below<'n>(
    nodes: &'n [TypedNode],
    id: NodeId,
    metrics: &'n Metrics,
) -> BTreeSet<(SourceId, Option<&'n Path>)> {
    let mut found = BTreeSet::new();
    for node in descend_where(nodes, id, |kind| !matches!(kind, Kind::Atom(_))) {
        match &node.kind {
            Kind::Atom(atom) => {
                found.insert((atom.source, atom.date.as_ref()));
            }
            Kind::Metric(metric) => {
                if let Some(checked) = metrics.checked(*metric) {
                    found
                        .extend(checked.atoms.iter().map(|atom| (atom.source, atom.date.as_ref())));
                }
            }
            _ => {}
        }
    }
    found
}

/// Returns the sources whose rows are aggregated below a node, inside the rows of others too; some several times.
pub(crate) fn all_sources_below<'n>(
    nodes: &'n [TypedNode],
    id: NodeId,
    metrics: &'n Metrics,
) -> impl Iterator<Item = SourceId> + use<'n> {
    let sources = |node: &'n TypedNode| match &node.kind {
        Kind::Atom(atom) => std::slice::from_ref(&atom.source),
        Kind::Metric(id) => metrics.checked(*id).map_or(&[][..], |checked| &checked.sources),
        _ => &[],
    };
    descend(nodes, id).flat_map(sources).copied()
}

/// Returns the sources of a formula's atoms, in their order, then those that are aggregated only inside rows.
pub(super) fn sources(typed: &Typed, atoms: &[AtomUse], metrics: &Metrics) -> Vec<SourceId> {
    if !reads_rows(typed) {
        return Vec::new();
    }
    let mut sources = Vec::new();
    let below = all_sources_below(&typed.nodes, typed.root, metrics);
    for source in atoms.iter().map(|atom| atom.source).chain(below) {
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    sources
}

/// Returns whether a formula contains an atom, or may contain one through a metric.
fn reads_rows(typed: &Typed) -> bool {
    typed.nodes.iter().any(|node| matches!(node.kind, Kind::Atom(_) | Kind::Metric(_)))
}

/// Returns the atoms that a node is computed from, with the filters around them; `None` if there are more than the nodes
/// that a formula may have.
pub(super) fn atoms(typed: &Typed, id: NodeId, env: &Environment<'_>) -> Option<Vec<AtomUse>> {
    if !reads_rows(typed) {
        return Some(Vec::new());
    }
    let mut found = BTreeMap::new();
    // A `let` may be used any number of times, even in other `let`s: it is walked once per set of filters.
    let mut seen = BTreeSet::new();
    let mut stack = vec![(id, Rc::new(Filters::new()))];
    while let Some((id, filters)) = stack.pop() {
        // Filters around `let`s that filter each other have twice as many sets at each step.
        if found.len().saturating_add(seen.len()) > env.limits.max_nodes {
            return None;
        }
        let Some(node) = typed.nodes.get(id.0) else { continue };
        if matches!(node.kind, Kind::Shared(_)) && !seen.insert((id, Rc::clone(&filters))) {
            continue;
        }
        match &node.kind {
            Kind::Atom(atom) => {
                let mut conditions = BTreeSet::new();
                let own = [atom.condition, atom.population].into_iter().flatten();
                for condition in own {
                    conjuncts(typed, env.schema, atom.source, condition, &mut conditions);
                }
                let measure = atom.value.map_or(String::new(), |value| {
                    canonical_row(typed, env.schema, atom.source, value).1
                });
                let (source, date, function) = (atom.source, atom.date.clone(), atom.function);
                let atom = AtomUse { source, date, function, measure, conditions };
                add(&mut found, narrowed(atom, &filters));
            }
            Kind::Metric(metric) => {
                if let Some(checked) = env.metrics.checked(*metric) {
                    for atom in &checked.atoms {
                        add(&mut found, narrowed(atom.clone(), &filters));
                    }
                }
            }
            Kind::Scoped { value, conditions } => {
                let mut inner = Filters::clone(&filters);
                for (source, condition) in conditions {
                    let mut parts = BTreeSet::new();
                    conjuncts(typed, env.schema, *source, *condition, &mut parts);
                    inner.extend(parts.into_iter().map(|part| (*source, part)));
                }
                stack.push((*value, Rc::new(inner)));
            }
            kind => each_child(kind, |child| stack.push((child, Rc::clone(&filters)))),
        }
    }
    let mut found: Vec<(AtomUse, usize)> = found.into_iter().collect();
    found.sort_unstable_by_key(|(_, place)| *place);
    Some(found.into_iter().map(|(atom, _)| atom).collect())
}

fn add(found: &mut BTreeMap<AtomUse, usize>, atom: AtomUse) {
    let place = found.len();
    found.entry(atom).or_insert(place);
}

fn narrowed(mut atom: AtomUse, filters: &Filters) -> AtomUse {
    let own = filters.iter().filter(|(source, _)| *source == atom.source);
    atom.conditions.extend(own.map(|(_, part)| part.clone()));
    atom
}

/// Splits a condition into its conjuncts.
fn conjuncts(
    typed: &Typed,
    schema: &Schema,
    source: SourceId,
    condition: NodeId,
    parts: &mut BTreeSet<(SourceId, String)>,
) {
    let mut seen = BTreeSet::new();
    let mut stack = vec![condition];
    while let Some(id) = stack.pop() {
        match typed.nodes.get(id.0).filter(|_| seen.insert(id)).map(|node| &node.kind) {
            Some(Kind::And(left, right)) => stack.extend([*left, *right]),
            Some(_) => {
                parts.insert(canonical_row(typed, schema, source, id));
            }
            None => {}
        }
    }
}

/// Returns the fingerprint of a row-level node relative to the source that its columns share:
/// `order.status = 'x'` on items and `status = 'x'` on orders are one condition on orders.
fn canonical_row(
    typed: &Typed,
    schema: &Schema,
    source: SourceId,
    id: NodeId,
) -> (SourceId, String) {
    let paths = descend(&typed.nodes, id).filter_map(|node| match &node.kind {
        Kind::Column(path) => Some(path.links.as_slice()),
        _ => None,
    });
    let shared = paths.reduce(|one, two| {
        let length = one.iter().zip(two).take_while(|(a, b)| a == b).count();
        one.get(..length).unwrap_or_default()
    });
    let prefix = shared.unwrap_or_default();
    let at = schema.target(source, prefix).unwrap_or(source);
    (at, super::fingerprint::fingerprint(typed, id, prefix.len()))
}

/// Reports W302: the numerator of a ratio omits rows that the denominator counts.
pub(super) fn lint(typed: &Typed, env: &Environment<'_>, findings: &mut Vec<Diagnostic>) {
    let is_ratio = |node: &TypedNode| matches!(node.kind, Kind::Arithmetic(Arithmetic::Divide, ..));
    if !typed.nodes.iter().any(is_ratio) || !reads_rows(typed) {
        return;
    }
    let left = |node: &TypedNode| match node.kind {
        Kind::Arithmetic(_, left, _) => Some(left),
        _ => None,
    };
    let lefts: BTreeSet<NodeId> = typed.nodes.iter().filter_map(left).collect();
    for last in (0..typed.nodes.len()).map(NodeId).filter(|id| !lefts.contains(id)) {
        lint_chain(typed, last, env, findings);
    }
}

/// Reports W302 on the ratios of a chain of operators, each of them the left side of the next. The atoms above the
/// line are collected along the way: searching for them at each ratio would take time quadratic in their number.
fn lint_chain(
    typed: &Typed,
    last: NodeId,
    env: &Environment<'_>,
    findings: &mut Vec<Diagnostic>,
) -> Option<()> {
    let mut chain = Vec::new();
    let mut first = last;
    while let Kind::Arithmetic(op, top, bottom) = typed.nodes.get(first.0)?.kind {
        // After the last ratio, the chain does not matter.
        if op == Arithmetic::Divide || !chain.is_empty() {
            chain.push((first, op, top, bottom));
        }
        first = top;
    }
    if chain.is_empty() {
        return None;
    }
    let mut above: BTreeSet<AtomUse> = atoms(typed, first, env)?.into_iter().collect();
    for (ratio, op, top, bottom) in chain.into_iter().rev() {
        let below = atoms(typed, bottom, env)?;
        if op == Arithmetic::Divide {
            findings.extend(finding(typed, [ratio, top, bottom], (&above, &below), env));
        }
        above.extend(below);
    }
    Some(())
}

/// Returns the finding on a ratio, given with its two sides and their atoms, unless it is a share.
fn finding(
    typed: &Typed,
    [ratio, top, bottom]: [NodeId; 3],
    (above, below): (&BTreeSet<AtomUse>, &[AtomUse]),
    env: &Environment<'_>,
) -> Option<Diagnostic> {
    let node = |id: NodeId| typed.nodes.get(id.0);
    let (ratio, top, bottom) = (node(ratio)?, node(top)?, node(bottom)?);
    if is_share(top.ty.unit(), bottom.ty.unit()) {
        return None;
    }
    let (source, conditions) = left_out(above, below)?;
    let rows = env.schema.source_at(source).map_or("", |source| source.name.as_str());
    let message = format!("the top leaves out some {rows} that the bottom counts");
    let alternative = env.metrics.first_count(rows, Some(&conditions));
    let finding = Diagnostic::new(Code::W302, ratio.span, message)
        .label(top.span, "leaves some out")
        .label(bottom.span, "counts them");
    let is_bare = matches!(&bottom.kind, Kind::Atom(atom) if atom.condition.is_none());
    Some(match alternative.filter(|_| is_bare) {
        Some(metric) => finding
            .help(format!("divide by `{metric}`, which leaves the same ones out"))
            .suggest(Suggestion::replace(bottom.span, metric).among_others()),
        None => finding.help("give both sides the same condition"),
    })
}

/// Returns whether a ratio is of two counts of the same thing: a share, which narrows the numerator on
/// purpose.
fn is_share(top: Option<&Unit>, bottom: Option<&Unit>) -> bool {
    match (top.map(|unit| &unit.flavour), bottom.map(|unit| &unit.flavour)) {
        (Some(Flavour::Count(one)), Some(Flavour::Count(two))) => one == two,
        _ => false,
    }
}

/// Returns a source on which every atom of the numerator has a condition that some atom of the
/// denominator over this source lacks, unless one that lacks it aggregates the same as an atom of the
/// numerator; and all such conditions on this source.
fn left_out(above: &BTreeSet<AtomUse>, below: &[AtomUse]) -> Option<(SourceId, Conditions)> {
    let first = above.first()?;
    let same_measure = |atom: &AtomUse| {
        above.iter().any(|top| {
            top.measure == atom.measure
                && top.function == atom.function
                && top.source == atom.source
        })
    };
    let shared = first
        .conditions
        .iter()
        .filter(|condition| above.iter().all(|atom| atom.conditions.contains(*condition)));
    for condition in shared.clone() {
        let (source, _) = condition;
        let counts_them =
            |atom: &&AtomUse| atom.source == *source && !atom.conditions.contains(condition);
        let mut lacking = below.iter().filter(counts_them);
        if lacking.clone().next().is_some() && !lacking.any(same_measure) {
            let of_source = shared.filter(|(of, _)| of == source).cloned().collect();
            return Some((*source, of_source));
        }
    }
    None
}
