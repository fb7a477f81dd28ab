//! What ranges of days came to before their last one, kept in memory: an order of that day leaves it as it is, so that who
//! asks again reads one day.
//!
//! Invariant: what is found is what the cells of the reader's snapshot come to. Everything kept is of one state of the
//! rows, which the number of the last change tells; with each change what it may reach is forgotten, and who reads another
//! state neither finds nor keeps anything.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use quotient::states::State;

use super::loaded::Slots;
use crate::metrics::queries::changes::Change;

/// Limit: bytes that are kept, about.
const CAPACITY_BYTES: usize = 32 << 20;
/// What a state takes that holds no set.
const STATE_BYTES: usize = 128;

/// What is kept.
#[derive(Debug, Default)]
pub(in crate::metrics) struct Prefixes(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// The number of the last change that is known.
    last: i64,
    all: BTreeMap<Key, Prefix>,
    /// The keys in the order that they came in.
    order: VecDeque<Key>,
    bytes: usize,
}

/// What was merged.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    /// The name of the sheet.
    pub(super) sheet: String,
    pub(super) layout: String,
    /// The place of the definition in the sheet.
    pub(super) place: u8,
    pub(super) slots: Slots,
}

/// The states of some slots together, by the numbers of their keys.
pub(super) type Merged = Arc<BTreeMap<i64, State>>;

#[derive(Debug)]
struct Prefix {
    merged: Merged,
    bytes: usize,
    reach: Arc<Reach>,
}

/// Which changes reach the cells of a sheet.
#[derive(Debug)]
pub(super) struct Reach {
    /// The source of its rows.
    pub(super) source: String,
    /// The sources that come and go with its rows on their day, where cells are of such days.
    pub(super) by_day: &'static [&'static str],
    /// The sources that its rows lead to.
    pub(super) linked: BTreeSet<String>,
}

impl Reach {
    fn holds(&self, change: &Change, (from, to): Slots) -> bool {
        let own = change.source.as_str();
        if self.by_day.contains(&own) {
            let overlaps = |(first, last)| first < i64::from(to) && last >= i64::from(from);
            return change.days.is_none_or(overlaps);
        }
        own == self.source || self.linked.contains(own) && !change.is_added
    }
}

impl Prefixes {
    /// Learns of the changes up to one of them; of all that there could be where they are not known.
    pub(in crate::metrics) fn learn(&self, last: i64, changes: Option<&BTreeMap<i64, Change>>) {
        let mut kept = self.lock();
        kept.forget(|key, prefix| {
            let holds = |change| prefix.reach.holds(change, key.slots);
            changes.is_none_or(|changes| changes.values().any(holds))
        });
        kept.last = last;
    }

    /// Forgets everything.
    pub(in crate::metrics) fn clear(&self) {
        self.lock().forget(|_, _| true);
    }

    /// What is kept for a reader who knows the changes up to one of them.
    pub(in crate::metrics) const fn as_of(&self, last: i64) -> Snapshot<'_> {
        Snapshot { prefixes: self, last }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn forget(&mut self, mut is_stale: impl FnMut(&Key, &Prefix) -> bool) {
        let Self { all, order, bytes, .. } = self;
        all.retain(|key, prefix| {
            let stays = !is_stale(key, prefix);
            if !stays {
                *bytes = bytes.saturating_sub(prefix.bytes);
            }
            stays
        });
        order.retain(|key| all.contains_key(key));
    }

    fn keep(&mut self, key: Key, prefix: Prefix) {
        if prefix.bytes > CAPACITY_BYTES || self.all.contains_key(&key) {
            return;
        }
        self.bytes = self.bytes.saturating_add(prefix.bytes);
        self.order.push_back(key.clone());
        self.all.insert(key, prefix);
        while self.bytes > CAPACITY_BYTES {
            let Some(first) = self.order.pop_front() else { return };
            let bytes = self.all.remove(&first).map_or(0, |prefix| prefix.bytes);
            self.bytes = self.bytes.saturating_sub(bytes);
        }
    }
}

/// What is kept, as one reader may use it.
#[derive(Debug, Clone, Copy)]
pub(in crate::metrics) struct Snapshot<'p> {
    prefixes: &'p Prefixes,
    last: i64,
}

impl Snapshot<'_> {
    pub(super) fn find(&self, key: &Key) -> Option<Merged> {
        let kept = self.prefixes.lock();
        let prefix = kept.all.get(key).filter(|_| kept.last == self.last)?;
        Some(Arc::clone(&prefix.merged))
    }

    pub(super) fn keep(&self, key: Key, merged: &Merged, reach: &Arc<Reach>) {
        let bytes = merged.values().map(bytes_of).fold(0, usize::saturating_add);
        let prefix = Prefix { merged: Arc::clone(merged), bytes, reach: Arc::clone(reach) };
        let mut kept = self.prefixes.lock();
        if kept.last == self.last {
            kept.keep(key, prefix);
        }
    }
}

fn bytes_of(state: &State) -> usize {
    let sets = match state {
        State::Keys(keys) => keys.seen().serialized_size(),
        State::Repeats(keys) => {
            keys.seen().serialized_size().saturating_add(keys.again().serialized_size())
        }
        State::Tally(_)
        | State::Spread(_)
        | State::Sketch(_)
        | State::Extreme(_)
        | State::Edge(_) => 0,
    };
    sets.saturating_add(STATE_BYTES)
}
