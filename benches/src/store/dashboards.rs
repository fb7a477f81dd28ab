//! The summary of a dashboard: its cost over many orders, compared with few.

use std::time::Duration;

use serde_json::Value;

use super::effort::{Effort, FEW, GROWTH, MANY};
use super::sampling::{Sample, SampledTimes, Sampler, take_samples};
use super::served::Served;
use crate::Failure;
use crate::goals::{Goal, Line};

/// The ranges, in days.
const RANGES: [(i64, &str); 2] = [(30, "30 days"), (365, "365 days")];

/// Returns the lines of the dashboards: each after an order, and again without one.
pub(super) fn lines(
    (few, many): (&Served<'_>, &Served<'_>),
    effort: Effort,
) -> Result<Vec<Line>, Failure> {
    let mut lines = Vec::new();
    for (days, range) in RANGES {
        let mut samplers = Vec::new();
        for is_again in [false, true] {
            for (name, served) in [(MANY, many), (FEW, few)] {
                let path = path(served, days)?;
                check(&served.client.get(&path)?)?;
                samplers.push(Sampler::new(name, move || {
                    sample(served, &path, is_again, effort.batch)
                }));
            }
        }
        let times = take_samples(&mut samplers, effort.rounds)?;
        let [many, few, many_again, few_again] = times.as_slice() else { continue };
        let title = format!("dashboard of {range}, {MANY}");
        lines.push(Line::ratio(&title, (&many.cpu, &few.cpu), GROWTH));
        lines.push(growth(&format!("{title}, by the clock"), many, few));
        let title = format!("{title}, again without an order");
        lines.push(Line::ratio(&title, (&many_again.cpu, &few_again.cpu), Goal::Shown));
        lines.push(growth(&format!("{title}, by the clock"), many_again, few_again));
    }
    Ok(lines)
}

/// Returns the line of wall-clock times, for comparison: clients and both servers share the machine.
fn growth(what: &str, many: &SampledTimes, few: &SampledTimes) -> Line {
    Line::ratio(what, (&many.wall, &few.wall), Goal::Shown)
}

fn path(served: &Served<'_>, days: i64) -> Result<String, Failure> {
    let (first, last) = served.days(days)?;
    Ok(format!("/admin/metrics/dashboard/summary?start_date={first}&end_date={last}"))
}

fn sample(
    served: &Served<'_>,
    path: &str,
    is_again: bool,
    batch: Duration,
) -> Result<Sample, Failure> {
    let before = || if is_again { Ok(()) } else { served.late_order() };
    Sample::of(batch, || served.server.cpu(), before, || served.client.get(path).map(drop))
}

/// Checks that a dashboard has orders, since an empty one is fast.
fn check(shown: &Value) -> Result<(), Failure> {
    let cards = shown.pointer("/cards").or_else(|| shown.pointer("/summary/cards"));
    let cards = cards.and_then(Value::as_array).ok_or("a dashboard without cards")?;
    let orders = cards.iter().find(|card| card.pointer("/key") == Some(&"orders".into()));
    let value = orders.and_then(|card| card.pointer("/value")).and_then(Value::as_i64);
    if value > Some(0) { Ok(()) } else { Err("a dashboard without orders".into()) }
}
