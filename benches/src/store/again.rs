//! Questions whose rows have not changed since they were last read: asked again, and about another range each time.

use std::cell::Cell;
use std::time::Duration;

use serde_json::{Value, json};

use super::effort::{Effort, MANY};
use super::orders::DAYS;
use super::sampling::{Sample, Sampler, take_samples};
use super::served::Served;
use crate::Failure;
use crate::goals::{Goal, Line};

/// The days of a question about a month.
const MONTH: i64 = 30;

/// The processor time that a question may take, in microseconds.
const AGAIN_US: u64 = 200;
const MOVING_US: u64 = 400;
const YEAR_US: u64 = 1_000;
const DASHBOARD_US: u64 = 3_000;

/// Returns the lines of a store, in processor time of the server per call.
pub(super) fn lines(served: &Served<'_>, effort: Effort) -> Result<Vec<Line>, Failure> {
    let (month, year) = (range(served, MONTH, 0)?, range(served, DAYS, 0)?);
    let moved = Cell::new(0_i64);
    let dashboard =
        format!("/admin/metrics/dashboard/summary?start_date={}&end_date={}", month.0, month.1);
    let again = question(&month, MONTHLY, "none");
    let by_day = question(&year, &["gmv"], "day");
    let mut samplers = [
        sampler(served, effort, || served.client.post_as_admin(COMPUTE, &again).map(drop)),
        sampler(served, effort, || {
            let before = moved.get();
            moved.set(before.saturating_add(1).rem_euclid(DAYS.saturating_sub(MONTH)));
            served
                .client
                .post_as_admin(COMPUTE, &question(&range(served, MONTH, before)?, MONTHLY, "none"))
                .map(drop)
        }),
        sampler(served, effort, || served.client.post_as_admin(COMPUTE, &by_day).map(drop)),
        sampler(served, effort, || served.client.get(&dashboard).map(drop)),
    ];
    let titles = [
        ("GMV, orders and AOV of 30 days, again", AGAIN_US),
        ("GMV, orders and AOV of other 30 days", MOVING_US),
        ("GMV of each of 365 days, again", YEAR_US),
        ("dashboard of 30 days, again", DASHBOARD_US),
    ];
    let times = take_samples(&mut samplers, effort.rounds)?;
    let line = |(times, (title, goal_us)): (&super::sampling::SampledTimes, (&str, u64))| {
        let goal = Goal::Under(Duration::from_micros(goal_us));
        Line::time(&format!("{MANY}: {title}"), &times.cpu, goal)
    };
    Ok(times.iter().zip(titles).map(line).collect())
}

const COMPUTE: &str = "/admin/metrics/compute";

fn sampler<'a>(
    served: &'a Served<'_>,
    effort: Effort,
    call: impl Fn() -> Result<(), Failure> + 'a,
) -> Sampler<'a> {
    Sampler::new("–", move || Sample::of(effort.batch, || served.server.cpu(), || Ok(()), &call))
}

/// Returns the first and the last of some days that end `before` days before the end of the year.
fn range(served: &Served<'_>, count: i64, before: i64) -> Result<(String, String), Failure> {
    let (first, _) = served.days(count.saturating_add(before))?;
    let (last, _) = served.days(before.saturating_add(1))?;
    Ok((first, last))
}

/// The metrics of a question about a month.
const MONTHLY: &[&str] = &["gmv", "order_count", "aov"];

fn question((first, last): &(String, String), metrics: &[&str], granularity: &str) -> Value {
    json!({
        "metrics": metrics, "granularity": granularity, "start_date": first, "end_date": last,
    })
}
