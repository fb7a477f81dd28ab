//! Keys under which answers of atoms are kept between evaluations.
//!
//! The unit is an atom over one bucket that has elapsed in full. Everything else that the answer
//! depends on is in its key, so that an answer found is the answer that would be computed.

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
use crate::evaluate::frames::{Frame, FrameId, SnapshotAt};
use crate::plan::NodeRef;
use crate::types::Value;

/// The answers of an atom for one bucket, group by group.
pub(crate) type BucketAnswers = Arc<[Value]>;

/// What an answer is found by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CellKey {
    /// What the atom means.
    atom: u128,
    /// Calendar, currency, filters and groups around it.
    place: u128,
    start: Timestamp,
    end: Timestamp,
    /// The version of the rows it reads.
    stamp: Stamp,
}

/// How a cache tells one state of the rows from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowVersion {
    /// The store's rows as they are, read through a data source.
    Live,
    /// The store's rows in a state that they, or the data source, name.
    Stamped,
    /// Other rows, by a number of their own.
    Numbered(u64),
}

impl RowVersion {
    const fn is_of_store(self) -> bool {
        matches!(self, Self::Live | Self::Stamped)
    }
}

/// Keeps answers between evaluations.
pub(crate) trait AnswerCache: Debug + Sync {
    /// How the rows of an evaluation are told apart; `None` where nothing can be kept.
    fn row_version(
        &self,
        data: Option<&Data>,
        source: Option<&dyn DataSource>,
    ) -> Option<RowVersion>;

    /// The version of what is read as it is at present; `None` while it changes.
    fn live(&self, reads: &[Read], days: (Date, Date)) -> Option<Stamp>;

    /// Answers kept, and computed where they are not; `None` where computing failed.
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
    /// What the schema means.
    pub(crate) schema: u128,
    pub(crate) rows: RowVersion,
}

/// The buckets of a frame whose answers can be kept.
pub(crate) struct KeyedBuckets {
    buckets: Vec<KeyedBucket>,
    reads: Vec<Read>,
    is_store: bool,
}

struct KeyedBucket {
    /// Its place in the frame.
    bucket: usize,
    key: CellKey,
    /// The days it reads.
    days: (Date, Date),
}

impl KeyedBuckets {
    pub(crate) fn keys(&self) -> Vec<CellKey> {
        self.buckets.iter().map(|keyed| keyed.key).collect()
    }

    /// The places of the buckets in the frame, in the order of the keys.
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        self.buckets.iter().map(|keyed| keyed.bucket)
    }

    /// The place in the frame of some bucket of each key: windows give several buckets one period,
    /// which is computed once.
    pub(crate) fn place_by_key(&self) -> BTreeMap<CellKey, usize> {
        self.buckets.iter().map(|keyed| (keyed.key, keyed.bucket)).collect()
    }

    /// Whether the rows still have the versions that the keys name.
    pub(crate) fn hold(&self, versions: &Versions) -> bool {
        let holds =
            |keyed: &KeyedBucket| versions.stamp(&self.reads, keyed.days) == Some(keyed.key.stamp);
        !self.is_store || self.buckets.iter().all(holds)
    }
}

/// Makes keys; digests of frames are computed once.
#[derive(Debug, Default)]
pub(crate) struct CacheKeys {
    /// By frame, and by whether the present and the start of the request count.
    places: BTreeMap<(FrameId, bool, bool), u128>,
}

impl CacheKeys {
    /// The keys of the buckets that have elapsed, where all rows that are read have a version.
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
        let is_store = access.rows.is_of_store();
        let reads = if is_store { dependencies.reads(context.schema) } else { Vec::new() };
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
        (!buckets.is_empty()).then_some(KeyedBuckets { buckets, reads, is_store })
    }

    /// A digest of everything around an atom that its answers depend on.
    fn place(
        &mut self,
        context: &Context<'_>,
        access: CacheAccess<'_>,
        question: &CacheQuestion<'_>,
        dependencies: &Dependencies,
    ) -> Option<u128> {
        let filled = context.data?.filled;
        let CacheQuestion { frame, id, .. } = *question;
        let key = (id, dependencies.knows_present, dependencies.is_wide);
        let place = self.places.entry(key).or_insert_with(|| {
            let around = frame_digest(context, frame);
            let now = dependencies.knows_present.then_some(context.now);
            let start = dependencies.is_wide.then_some(Some(frame.request_start));
            let rows = match access.rows {
                RowVersion::Live | RowVersion::Stamped => 0,
                RowVersion::Numbered(number) => number,
            };
            let schema = access.schema;
            digest(&format!("{around} {schema} {rows} {filled} {now:?} {start:?}"))
        });
        Some(*place)
    }
}

/// An atom in a frame whose answers are looked for.
#[derive(Clone, Copy)]
pub(crate) struct CacheQuestion<'q> {
    pub(crate) node: NodeRef,
    pub(crate) atom: &'q Atom,
    pub(crate) frame: &'q Frame,
    pub(crate) id: FrameId,
}

fn frame_digest(context: &Context<'_>, frame: &Frame) -> u128 {
    let mut text = format!("{:?}", context.calendar);
    write!(text, " {:?} {:?} {:?}", frame.currency, frame.state, frame.groups.keys).ok();
    write!(text, " {:?}", frame.groups.tuples).ok();
    for filter in &frame.filters {
        for (source, id) in &filter.conditions {
            let meaning = context.meaning(NodeRef { owner: filter.owner, id: *id });
            write!(text, " where {} {meaning}", source.0).ok();
        }
    }
    digest(&text)
}

/// The days of the rows that count in a bucket, by the store's calendar and by the request's.
fn days_read(context: &Context<'_>, bucket: &Period, state: Option<SnapshotAt>) -> (Date, Date) {
    let (own, asked) = (&context.schema.store.calendar, context.calendar);
    let last = state.and_then(|state| state.instant(bucket)).unwrap_or(bucket.end);
    let last = Calendar::add_nanoseconds(last, -1).unwrap_or(last);
    let mut days = (own.date_of(bucket.start), own.date_of(last));
    if own.zone() != asked.zone() {
        days.0 = days.0.min(asked.date_of(bucket.start));
        days.1 = days.1.max(asked.date_of(last));
    }
    match state {
        Some(SnapshotAt::Start | SnapshotAt::AsOf) => (Date::MIN, days.1),
        Some(SnapshotAt::Within) | None => days,
    }
}
