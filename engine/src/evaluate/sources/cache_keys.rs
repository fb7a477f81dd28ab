//! Cache keys for the answers of atoms.
//!
//! The cached unit is an atom over one fully elapsed bucket. The key holds everything else that the answer depends
//! on, so a cached answer always equals a computed one.

use std::collections::BTreeMap;
use std::fmt::{Debug, Write};
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;

use super::data_source::DataSource;
use super::dependencies::Dependencies;
use crate::calendar::{Calendar, Period};
use crate::check::{Atom, digest};
use crate::data::{Data, Read, Stamp, Versions};
use crate::evaluate::context::Context;
use crate::evaluate::frames::{Frame, FrameId, GroupKey, SnapshotAt};
use crate::plan::NodeRef;
use crate::types::Value;

/// The answers of an atom for one bucket, group by group.
pub(crate) type BucketAnswers = Arc<[Value]>;

/// The cache key of one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CellKey {
    /// The digest of the atom's meaning.
    atom: u128,
    /// The digest of its surroundings: calendar, currency, filters and groups.
    place: u128,
    start: Timestamp,
    end: Timestamp,
    /// The version of the rows that it reads.
    stamp: Stamp,
}

/// How a cache identifies a state of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowVersion {
    /// The store's current rows, read through a data source.
    Live,
    /// The store's rows in a state that the rows or the data source identify.
    Stamped,
    /// Other rows, identified by a number.
    Numbered(u64),
}

pub(crate) trait AnswerCache: Debug + Sync {
    /// How the rows of an evaluation are identified; `None` if nothing can be cached.
    fn row_version(
        &self,
        data: Option<&Data>,
        source: Option<&dyn DataSource>,
    ) -> Option<RowVersion>;

    /// The version of rows that are read in their current state; `None` during a change.
    fn live(&self, reads: &[Read], days: (Date, Date)) -> Option<Stamp>;

    /// Returns cached answers and computes the others; `None` if computing failed.
    fn fetch(
        &self,
        keys: &[CellKey],
        holds: &dyn Fn(&Versions) -> bool,
        compute: &mut dyn FnMut(&[CellKey]) -> Option<Vec<BucketAnswers>>,
    ) -> Vec<Option<BucketAnswers>>;
}

/// The cache of an evaluation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CacheAccess<'a> {
    pub(crate) cache: &'a dyn AnswerCache,
    /// A digest of the schema's meaning.
    pub(crate) schema: u128,
    pub(crate) rows: RowVersion,
}

/// The buckets of a frame whose answers can be cached.
pub(crate) struct KeyedBuckets {
    buckets: Vec<KeyedBucket>,
    /// None for rows that a number identifies; the stamp of no reads is the default one, which always holds.
    reads: Vec<Read>,
}

struct KeyedBucket {
    /// The bucket's index in the frame.
    bucket: usize,
    key: CellKey,
    days: (Date, Date),
}

impl KeyedBuckets {
    pub(crate) fn keys(&self) -> Vec<CellKey> {
        self.buckets.iter().map(|keyed| keyed.key).collect()
    }

    /// The frame indices of the buckets, in key order.
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        self.buckets.iter().map(|keyed| keyed.bucket)
    }

    /// For each key, the index of one bucket that has it. Windows can give several buckets the same period, which
    /// is computed once.
    pub(crate) fn place_by_key(&self) -> BTreeMap<CellKey, usize> {
        self.buckets.iter().map(|keyed| (keyed.key, keyed.bucket)).collect()
    }

    /// Whether the rows still have the versions in the keys.
    pub(crate) fn hold(&self, versions: &Versions) -> bool {
        let holds =
            |keyed: &KeyedBucket| versions.stamp(&self.reads, keyed.days) == Some(keyed.key.stamp);
        self.buckets.iter().all(holds)
    }
}

/// Builds keys; the digest of each frame is computed once.
#[derive(Debug, Default)]
pub(crate) struct CacheKeys {
    /// By frame, and by whether the present and the request's start and end are included.
    places: BTreeMap<(FrameId, bool, bool, bool), u128>,
}

impl CacheKeys {
    /// The keys of the elapsed buckets, if all rows that are read have a version.
    pub(crate) fn keyed_buckets(
        &mut self,
        context: &Context<'_>,
        access: CacheAccess<'_>,
        versions: Option<&Versions>,
        question: &CacheQuestion<'_>,
    ) -> Option<KeyedBuckets> {
        let CacheQuestion { node, atom, frame, .. } = *question;
        let dependencies = Dependencies::new(context, node, atom, frame);
        let meaning = context.meaning(node);
        let place = self.place(context, access, question, &dependencies)?;
        let reads = match access.rows {
            RowVersion::Live | RowVersion::Stamped => dependencies.reads(context.schema),
            RowVersion::Numbered(_) => Vec::new(),
        };
        let closed = frame.buckets.iter().enumerate().filter(|(_, bucket)| !bucket.is_partial());
        let mut buckets = Vec::with_capacity(frame.buckets.len());
        for (index, bucket) in closed {
            let days = match access.rows {
                RowVersion::Live | RowVersion::Stamped => days_read(context, bucket, frame.state),
                RowVersion::Numbered(_) => (Date::ZERO, Date::ZERO),
            };
            let stamp = match access.rows {
                RowVersion::Live => access.cache.live(&reads, days),
                RowVersion::Stamped => versions.and_then(|versions| versions.stamp(&reads, days)),
                RowVersion::Numbered(_) => Some(Stamp::default()),
            };
            let Period { start, end, .. } = *bucket;
            buckets.extend(stamp.map(|stamp| KeyedBucket {
                bucket: index,
                key: CellKey { atom: meaning, place, start, end, stamp },
                days,
            }));
        }
        (!buckets.is_empty()).then_some(KeyedBuckets { buckets, reads })
    }

    /// A digest of all surroundings of an atom that affect its answers.
    fn place(
        &mut self,
        context: &Context<'_>,
        access: CacheAccess<'_>,
        question: &CacheQuestion<'_>,
        dependencies: &Dependencies,
    ) -> Option<u128> {
        let filled = context.data?.filled;
        let CacheQuestion { node, frame, id, .. } = *question;
        let Dependencies { knows_present, is_wide, .. } = *dependencies;
        let owners = frame.filters.iter().map(|filter| filter.owner).chain([node.owner]);
        let mut formulas = owners.filter_map(|owner| context.typed(owner));
        let knows_end = is_wide && formulas.any(|typed| typed.knows_request_end);
        let key = (id, knows_present, is_wide, knows_end);
        if let Some(place) = self.places.get(&key) {
            return Some(*place);
        }
        let around = frame_digest(context, frame);
        let now = knows_present.then_some((context.now, frame.known_until));
        let start = is_wide.then_some(Some(frame.request.start));
        let end = knows_end.then_some(frame.request.end);
        let rows = match access.rows {
            RowVersion::Live | RowVersion::Stamped => 0,
            RowVersion::Numbered(number) => number,
        };
        let schema = access.schema;
        let place = digest(&format!("{around} {schema} {rows} {filled} {now:?} {start:?} {end:?}"));
        self.places.insert(key, place);
        Some(place)
    }
}

/// An atom in a frame whose answers are requested.
#[derive(Clone, Copy)]
pub(crate) struct CacheQuestion<'q> {
    pub(crate) node: NodeRef,
    pub(crate) atom: &'q Atom,
    pub(crate) frame: &'q Frame,
    pub(crate) id: FrameId,
}

fn frame_digest(context: &Context<'_>, frame: &Frame) -> u128 {
    let mut text = format!("{:?}", context.calendar);
    write!(text, " {:?} {:?}", frame.currency, frame.state).ok();
    for key in &frame.groups.keys {
        match key {
            GroupKey::Columns(key) => write!(text, " by {key:?}").ok(),
            GroupKey::RowOf(source) => write!(text, " by row {}", source.0).ok(),
            GroupKey::Expression { roots, .. } => {
                for (source, root) in roots {
                    write!(text, " by {} {}", source.0, context.meaning(*root)).ok();
                }
                None
            }
        };
    }
    write!(text, " {:?}", frame.groups.tuples).ok();
    for filter in &frame.filters {
        for (source, id) in &filter.conditions {
            let meaning = context.meaning(NodeRef { owner: filter.owner, id: *id });
            write!(text, " where {} {meaning}", source.0).ok();
        }
    }
    digest(&text)
}

/// The days whose rows count in a bucket, by both the store's calendar and the request's.
fn days_read(context: &Context<'_>, bucket: &Period, state: Option<SnapshotAt>) -> (Date, Date) {
    let (own, requested) = (&context.schema.store.calendar, context.calendar);
    let last = state.and_then(|state| state.instant(bucket)).unwrap_or(bucket.end);
    let last = Calendar::add_nanoseconds(last, -1).unwrap_or(last);
    let mut days = (own.date_of(bucket.start), own.date_of(last));
    if own.zone() != requested.zone() {
        days.0 = days.0.min(requested.date_of(bucket.start));
        days.1 = days.1.max(requested.date_of(last));
    }
    match state {
        Some(SnapshotAt::Start | SnapshotAt::AsOf) => (Date::MIN, days.1),
        Some(SnapshotAt::Within) | None => days,
    }
}
