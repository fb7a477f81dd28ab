//! When an order is released: the event `order.released`, for whoever packs it.
//!
//! An open post-purchase session may still add a line to its order, so it holds the order until the session ends, at most
//! until the end of its window. The wait is a job, so a restart neither forgets an order nor holds it longer. Staff may
//! ship an order at any time.

use serde::Deserialize;
use serde_json::json;

use super::error::SessionError;
use super::queries;
use crate::clock::{MINUTE_MS, Timestamp};
use crate::database::{Db, Error, Tx};
use crate::definition::{RELEASE, release_now};
use crate::events::{self, Event, Subscriber};
use crate::ids::OrderId;
use crate::jobs::{self, Job, JobError};
use crate::orders::OrderError;
use crate::orders::addition;

/// The subscriber that decides when an order is released.
pub const HOLD: Subscriber = Subscriber {
    name: "flows.hold",
    events: &[PLACED, "flow.completed", "flow.expired"],
    handle: follow,
};

const PLACED: &str = "order.placed";

/// How long an order waits for the post-purchase page to start a session, in milliseconds.
const BEGIN_MS: i64 = 2 * MINUTE_MS;

fn follow(tx: &Tx<'_>, event: &Event) -> Result<(), Error> {
    #[derive(Deserialize)]
    struct About {
        id: Option<OrderId>,
        order_id: Option<OrderId>,
    }
    let Ok(About { id, order_id }) = serde_json::from_str(&event.payload) else { return Ok(()) };
    let Some(order) = order_id.or(id) else { return Ok(()) };
    if event.name == PLACED {
        if queries::may_be_followed(tx, &order)? {
            return schedule_check(tx, &order, tx.now().plus_ms(BEGIN_MS));
        }
        return record_released(tx, &order);
    }
    release_now(tx, &order)
}

fn schedule_check(tx: &Tx<'_>, order: &OrderId, at: Timestamp) -> Result<(), Error> {
    jobs::schedule(tx, RELEASE, order.as_str(), at, "{}")
}

fn record_released(tx: &Tx<'_>, order: &OrderId) -> Result<(), Error> {
    events::record(tx, "order.released", &json!({ "id": order }))
}

/// Releases an order, unless a session may still change it; then the check is repeated at the
/// session's end.
pub async fn release(db: Db, job: Job) -> Result<(), JobError> {
    let Ok(order) = job.key.parse::<OrderId>() else { return Ok(()) };
    Ok(db.write(move |tx| release_one(tx, &order)).await?)
}

fn release_one(tx: &Tx<'_>, id: &OrderId) -> Result<(), SessionError> {
    let order = match addition::placed(tx, id) {
        Err(OrderError::NotFound(_)) => return Ok(()),
        found => found?,
    };
    if order.canceled_at.is_some() {
        return Ok(());
    }
    match queries::held_until(tx, id)? {
        Some(until) => Ok(schedule_check(tx, id, until)?),
        None => Ok(record_released(tx, id)?),
    }
}
