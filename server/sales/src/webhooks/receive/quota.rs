//! The space for unverified requests: anybody can send them, so they must not fill the disk.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::clock::{DAY_MS, Timestamp};
use crate::database::Word as _;
use crate::webhooks::vocabulary::Receiver;

/// Limit: stored bytes per sender, at first and then within any day.
pub(super) const MAX_BYTES: i64 = 128 * 1024 * 1024;

/// Limit: additional bytes for notices in record mode, so that large bodies leave space for them.
const MAX_NOTICE_BYTES: i64 = 8 * 1024 * 1024;

/// The approximate size of a row besides its body.
const ROW_BYTES: i64 = 1_024;

#[derive(Debug, Clone, Copy)]
struct Filled {
    bytes: i64,
    at: Timestamp,
    is_full: bool,
}

/// The quota of each sender. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Quota(Arc<Mutex<BTreeMap<&'static str, Filled>>>);

impl Quota {
    /// Reserves space for a sender's body; false if there is none.
    pub(super) fn take(&self, receiver: Receiver, len: usize, now: Timestamp) -> bool {
        self.fill(receiver, MAX_BYTES, len, now)
    }

    /// Reserves space for a notice in record mode; false if there is none.
    pub(super) fn take_for_notice(&self, receiver: Receiver, len: usize, now: Timestamp) -> bool {
        self.fill(receiver, MAX_BYTES.saturating_add(MAX_NOTICE_BYTES), len, now)
    }

    fn fill(&self, receiver: Receiver, max_bytes: i64, len: usize, now: Timestamp) -> bool {
        let mut senders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let empty = Filled { bytes: 0, at: now, is_full: false };
        let filled = senders.entry(receiver.as_str()).or_insert(empty);
        let passed_ms = now.as_millis().saturating_sub(filled.at.as_millis()).clamp(0, DAY_MS);
        let freed = passed_ms.saturating_mul(MAX_BYTES).div_euclid(DAY_MS);
        if freed > 0 {
            *filled =
                Filled { bytes: filled.bytes.saturating_sub(freed).max(0), at: now, ..*filled };
        }
        let needed = i64::try_from(len).unwrap_or(i64::MAX).saturating_add(ROW_BYTES);
        let bytes = filled.bytes.saturating_add(needed);
        let is_within = bytes <= max_bytes;
        if is_within {
            filled.bytes = bytes;
        } else if !filled.is_full {
            tracing::warn!(
                receiver = receiver.as_str(),
                "unproven webhooks use up their quota: further ones are not kept"
            );
        }
        // That a notice still fits does not mean that there is space again.
        filled.is_full = !is_within || filled.is_full && bytes > MAX_BYTES;
        is_within
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::HOUR_MS;

    const MIB: usize = 1024 * 1024;

    #[test]
    fn a_sender_has_its_room_at_once_and_it_comes_back_over_a_day() {
        let quota = Quota::default();
        let take = |receiver, mib, hour| {
            quota.take(receiver, mib * MIB, Timestamp::from_millis(hour * HOUR_MS))
        };
        let forged = Receiver::EmailProvider;

        assert!(take(forged, 120, 0));
        assert!(!take(forged, 8, 0), "the row counts as well");
        assert!(take(forged, 7, 0));
        assert!(!take(forged, 1, 0));
        assert!(take(Receiver::SmsProvider, 120, 0), "each sender has its own");
        // After an hour there is space for 128 / 24 MiB, in addition to the almost one that was
        // left.
        assert!(take(forged, 6, 1));
        assert!(!take(forged, 1, 1));
        assert!(take(forged, 127, 25));
    }

    #[test]
    fn notices_have_a_slightly_higher_limit() {
        let quota = Quota::default();
        let now = Timestamp::from_millis(0);
        let warehouse = Receiver::WarehouseIntegration;
        assert!(quota.take(warehouse, 127 * MIB, now));
        assert!(!quota.take(warehouse, MIB, now));
        // One MiB minus a row is left, and eight more.
        for _ in 0..8 {
            assert!(quota.take_for_notice(warehouse, MIB, now));
        }
        assert!(!quota.take_for_notice(warehouse, MIB, now));
        assert!(!quota.take(warehouse, 0, now));
    }

    #[test]
    fn a_clock_that_is_set_back_gives_no_room() {
        let quota = Quota::default();
        let (later, before) = (Timestamp::from_millis(HOUR_MS), Timestamp::from_millis(0));
        assert!(quota.take(Receiver::EmailProvider, 127 * MIB, later));
        assert!(!quota.take(Receiver::EmailProvider, 2 * MIB, before));
    }
}
