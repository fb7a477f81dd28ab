//! A processor's reports on a payment, as events that arrive in any order and more than once.
//!
//! A report is the join of its events: the furthest state, the largest amounts. Joining is commutative, associative and
//! idempotent, so that events in any order with any repetitions result in the same report. [`apply()`] updates the
//! session, the payment and the collection to the report; it never reverts anything.

mod apply;
#[cfg(test)]
mod tests;

use serde_json::Value;

use crate::clock::Timestamp;
use crate::database::{self, Record, Table as _, Tx, Word};
use crate::ids::PaymentSessionId;
use crate::payments::payment::Session;
pub use crate::payments::queries::payments::session_of;
use crate::statuses::SessionStatus;

pub use apply::{Applied, apply};

/// The state of a payment according to the processor, in ascending order of precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Word)]
#[word(inherent)]
pub enum ReportedState {
    Pending,
    Failed,
    RequiresAction,
    Authorized,
    Canceled,
    Captured,
}

impl ReportedState {
    /// Returns the rank; of two states with the same one, the later event decides.
    const fn rank(self) -> u8 {
        rank(self.status())
    }

    /// Returns the status of a session in this state.
    const fn status(self) -> SessionStatus {
        match self {
            Self::Pending => SessionStatus::Pending,
            Self::Failed => SessionStatus::Error,
            Self::RequiresAction => SessionStatus::RequiresMore,
            Self::Authorized => SessionStatus::Authorized,
            Self::Canceled => SessionStatus::Canceled,
            Self::Captured => SessionStatus::Captured,
        }
    }
}

/// Returns the rank of a status among reported ones.
const fn rank(status: SessionStatus) -> u8 {
    match status {
        SessionStatus::Pending => 0,
        SessionStatus::RequiresMore
        | SessionStatus::PendingAuthorization
        | SessionStatus::Error => 1,
        SessionStatus::Authorized => 2,
        SessionStatus::Canceled => 3,
        SessionStatus::Captured => 4,
    }
}

/// The joined events of one payment session.
#[derive(Debug, Clone, PartialEq, Eq, Record)]
#[record(table = "payment_report t", title = "Payment report")]
pub struct Report {
    #[column(key)]
    pub session_id: PaymentSessionId,
    /// The processor's id of the payment.
    pub intent_id: Option<String>,
    pub state: ReportedState,
    /// The largest captured total.
    pub received_minor: i64,
    /// The largest refunded total.
    pub refunded_minor: i64,
    pub is_disputed: bool,
    /// When the event was created that decided the state, in seconds since 1970.
    pub decided_at_s: i64,
    pub event_id: String,
    /// Only written.
    pub(super) updated_at: Timestamp,
}

impl Report {
    /// Returns the join with another report of the same session.
    fn join(self, other: Self) -> Self {
        let rank = |report: &Self| {
            (report.state.rank(), report.decided_at_s, report.event_id.clone(), report.state)
        };
        let (winner, loser) =
            if rank(&self) >= rank(&other) { (self, other) } else { (other, self) };
        Self {
            // One session has one payment at its processor; should it ever report two, the choice is the same always.
            intent_id: winner.intent_id.clone().max(loser.intent_id),
            received_minor: winner.received_minor.max(loser.received_minor),
            refunded_minor: winner.refunded_minor.max(loser.refunded_minor),
            is_disputed: winner.is_disputed || loser.is_disputed,
            ..winner
        }
    }

    /// Returns whether both have the same content, regardless of the event.
    fn says_as(&self, other: &Self) -> bool {
        let facts = |report: &Self| {
            (report.state, report.received_minor, report.refunded_minor, report.is_disputed)
        };
        facts(self) == facts(other)
    }
}

/// An event about a payment session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedEvent {
    pub intent_id: Option<String>,
    /// `Pending` if it does not mention the state.
    pub state: ReportedState,
    pub received_minor: i64,
    pub refunded_minor: i64,
    pub is_disputed: bool,
    pub created_at_s: i64,
    pub event_id: String,
}

/// How an event changed the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joined {
    /// It says something new.
    New,
    /// It repeats known facts.
    Known,
    /// It is older than known facts.
    Stale,
}

/// Joins an event to the report of a session.
pub fn join(
    tx: &Tx<'_>,
    session: &PaymentSessionId,
    event: ReportedEvent,
) -> Result<Joined, database::Error> {
    let ReportedEvent { intent_id, state, received_minor, refunded_minor, is_disputed, .. } = event;
    let new = Report {
        session_id: session.clone(),
        intent_id,
        state,
        received_minor,
        refunded_minor,
        is_disputed,
        decided_at_s: event.created_at_s,
        event_id: event.event_id,
        updated_at: tx.now(),
    };
    let Some(earlier) = Report::find(tx, session)? else {
        new.insert(tx)?;
        return Ok(Joined::New);
    };
    let joined = earlier.clone().join(new.clone());
    if joined != earlier {
        joined.update(tx)?;
    }
    Ok(if !joined.says_as(&earlier) {
        Joined::New
    } else if new.state.rank() < earlier.state.rank() && new.decided_at_s < earlier.decided_at_s {
        Joined::Stale
    } else {
        Joined::Known
    })
}

/// Records that the money of a session was refunded, which ends the session.
pub(super) fn returned(tx: &Tx<'_>, session: &Session) -> Result<(), database::Error> {
    let event = ReportedEvent {
        intent_id: session.data.get("id").and_then(Value::as_str).map(str::to_owned),
        state: ReportedState::Captured,
        received_minor: session.amount_minor,
        refunded_minor: session.amount_minor,
        is_disputed: false,
        created_at_s: tx.now().as_millis().div_euclid(1_000),
        event_id: String::new(),
    };
    join(tx, &session.id, event)?;
    Ok(())
}

/// Returns whether the money of a payment, by its processor's id, was refunded: its session no longer
/// exists.
pub fn is_returned(tx: &Tx<'_>, intent: &str) -> Result<bool, database::Error> {
    let Some(id) = session_of(tx, intent)? else { return Ok(false) };
    let is_taken = Report::find(tx, &id)?.is_some_and(|it| it.state == ReportedState::Captured);
    Ok(is_taken && Session::find(tx, &id)?.is_none())
}
