//! When an alert would have fired, before it is saved.
//!
//! The API returns a value for each period of the condition. A new alert evaluates complete periods and then rests for an
//! hour after firing. No period is shorter, so it fires wherever the condition becomes true. The API returns the same once
//! it is saved.

use serde_json::Value;

use crate::client::Failure;
use crate::figures::{Answer, Chart, Line};
use crate::metrics::one;
use crate::parameters::Parameters;
use crate::range::Range;
use crate::visit::Visit;

/// A condition over the last 90 days.
#[derive(Debug)]
pub(super) struct Preview {
    pub(super) chart: Option<Chart>,
    /// The periods in which it would have fired; none if the condition was not evaluated.
    pub(super) notified_at: Option<Vec<String>>,
}

/// Computes a metric over the last 90 days, and where a condition on it would have fired.
pub(super) async fn read(
    visit: &Visit,
    (sent, is_tried): (&Parameters, bool),
    granularity: &'static str,
) -> Result<Preview, Failure> {
    let mut range = Range::last_90_days(visit);
    range.granularity = granularity;
    let answer = one(visit, range.question("metrics", vec![sent.text("metric")])).await?;
    let zone = (&visit.store, granularity);
    let mut chart = Chart::of(("Value", &answer), None, zone);
    if !is_tried {
        return Ok(Preview { chart: Some(chart), notified_at: None });
    }
    let condition = one(visit, range.question("formula", sent.text("condition"))).await?;
    let notified_at = notifications(&condition.series);
    chart.lines.push(Line::marks("Would fire", &answer.series, &notified_at));
    let notified_at =
        notified_at.iter().filter_map(|index| chart.names.get(*index)).cloned().collect();
    Ok(Preview { chart: Some(chart), notified_at: Some(notified_at) })
}

/// Returns the complete periods in which a condition became true.
fn notifications(series: &[Answer]) -> Vec<usize> {
    let is_complete = |own: &Answer| own.period.as_ref().is_some_and(|period| !period.is_partial);
    let holds = |own: &Answer| own.value == Value::Bool(true) && is_complete(own);
    let mut held = false;
    let mut notified_at = Vec::new();
    for (index, own) in series.iter().enumerate() {
        if holds(own) && !held {
            notified_at.push(index);
        }
        held = holds(own);
    }
    notified_at
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_backtest_finds_where_the_condition_becomes_true_in_a_complete_period() {
        let of = |own: &[(Value, bool)]| {
            let series: Vec<Answer> = own
                .iter()
                .map(|(value, is_partial)| {
                    let period = json!({ "start": "2026-01-01T00:00:00Z", "partial": is_partial });
                    serde_json::from_value(json!({ "value": value, "period": period })).unwrap()
                })
                .collect();
            notifications(&series)
        };
        let (yes, no, none) = (json!(true), json!(false), Value::Null);
        let done = |value: &Value| (value.clone(), false);
        assert_eq!(of(&[done(&yes), done(&yes), done(&no), done(&yes)]), [0, 3]);
        assert_eq!(of(&[done(&yes), done(&none), done(&yes)]), [0, 2]);
        assert_eq!(of(&[done(&no), (yes, true)]), Vec::<usize>::new());
        assert_eq!(of(&[]), Vec::<usize>::new());
    }
}
