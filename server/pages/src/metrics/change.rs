//! What changed between two periods: the change attributed to inputs as a waterfall, and the differences between the
//! queries.

use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::Value;

use super::Context;
use crate::client::{segment, target};
use crate::decimal;
use crate::figures::scaled;
use crate::page::Part;
use crate::range::Compare;
use crate::store::Store;

/// The decomposition and the diff, each of which may fail.
#[derive(Debug)]
pub(super) struct ChangeView {
    pub(super) waterfall: Part<Decomposition>,
    pub(super) diff: Part<Diff>,
    /// Whether the range has not ended, while the earlier one, whose days are in the URL, is counted in full.
    pub(super) is_uneven: bool,
}

/// A change attributed to inputs.
#[derive(Debug, Deserialize)]
pub(super) struct Decomposition {
    pub(super) from: Side,
    pub(super) to: Side,
    pub(super) change_formatted: String,
    pub(super) contributions: Vec<Contribution>,
    /// Why there are no contributions.
    pub(super) null_reason: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Contribution {
    pub(super) label: String,
    pub(super) from: Side,
    pub(super) to: Side,
    amount: Value,
    pub(super) formatted: String,
    pub(super) share: Value,
    #[serde(skip)]
    pub(super) bar: Bar,
}

/// A bar of a waterfall, in units of 1000.
#[derive(Debug, Default)]
pub(super) struct Bar {
    pub(super) x: i64,
    pub(super) width: i64,
    /// `up` or `down`.
    pub(super) direction: &'static str,
}

#[derive(Debug, Deserialize)]
pub(super) struct Side {
    value: Value,
    pub(super) formatted: String,
}

/// The steps between two answers.
#[derive(Debug, Deserialize)]
pub(super) struct Diff {
    pub(super) from: Side,
    pub(super) to: Side,
    pub(super) change_formatted: String,
    pub(super) steps: Vec<Step>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Step {
    pub(super) causes: Vec<Cause>,
    pub(super) formatted: String,
    pub(super) after: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Cause {
    #[serde(rename = "cause")]
    pub(super) name: String,
    pub(super) from: String,
    pub(super) to: String,
}

impl Diff {
    /// Returns the same with periods, instants and values in the store's format.
    fn written(mut self, store: &Store) -> Self {
        for step in &mut self.steps {
            step.after = store.figure(&step.after);
            let texts = step.causes.iter_mut().flat_map(|cause| [&mut cause.from, &mut cause.to]);
            for text in texts {
                let days = text.split_once(" to ");
                let days = days.and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
                *text = match days {
                    Some((start, end)) => store.locale.days(start, end),
                    None => store.moment(text),
                };
            }
        }
        self
    }
}

/// Compares the range with the preceding one, or with the one in the URL.
pub(super) async fn read((visit, metric, range): Context<'_>) -> ChangeView {
    let (start, end) = (range.start.to_string(), range.end.to_string());
    let sent = &visit.parameters;
    let compare = match range.compare {
        Compare::PreviousYear => "previous_year",
        Compare::None | Compare::PreviousPeriod => "previous_period",
    };
    let both = [
        ("start_date", start.as_str()),
        ("end_date", end.as_str()),
        ("compare", compare),
        ("currency_code", range.currency.as_str()),
        ("from_start_date", sent.text("from_start")),
        ("from_end_date", sent.text("from_end")),
    ];
    let base = format!("/admin/metrics/definitions/{}", segment(&metric.key));
    let levels = if sent.text("levels") == "2" { "2" } else { "1" };
    let decompose = [&both[..], &[("levels", levels)]].concat();
    let decompose = target(&format!("{base}/decompose"), &decompose);
    let of_diff = ["from_timezone", "from_version"].map(|name| (name, sent.text(name)));
    let diff = target(&format!("{base}/diff"), &[&both[..], &of_diff].concat());
    let (split, diff) = tokio::join!(
        visit.api.get_at(&decompose, "/decomposition"),
        visit.api.get_at::<Diff>(&diff, "/diff"),
    );
    ChangeView {
        waterfall: split.map(Decomposition::with_bars),
        diff: diff.map(|diff| diff.written(&visit.store)),
        is_uneven: range.end >= visit.today
            && ["from_start", "from_end"].iter().any(|name| !sent.text(name).is_empty()),
    }
}

impl Decomposition {
    /// Places the bars: each begins where the last one ended, the first one at the value before.
    fn with_bars(mut self) -> Self {
        let number = |value: &Value| decimal::read(value).unwrap_or_default();
        let (before, after) = (number(&self.from.value), number(&self.to.value));
        let mut start = before;
        let mut spans = Vec::new();
        for own in &self.contributions {
            let end = start.checked_add(number(&own.amount)).unwrap_or(start);
            spans.push((start, end));
            start = end;
        }
        let ends = spans.iter().map(|(_, end)| *end).chain([before, after]);
        let (least, most) =
            (ends.clone().min().unwrap_or_default(), ends.max().unwrap_or_default());
        // The scale begins a little below the smaller value, so that small changes of large values are visible.
        let margin = most.checked_sub(least).and_then(|span| span.checked_div(Decimal::from(8)));
        let least = least.checked_sub(margin.unwrap_or_default()).unwrap_or(least);
        let place = |value: Decimal| scaled(value, (least, most), 1000);
        for (own, (start, end)) in self.contributions.iter_mut().zip(spans) {
            let direction = if end < start { "down" } else { "up" };
            let (start, end) = (place(start), place(end));
            let width = end.abs_diff(start).try_into().unwrap_or(0_i64).max(3);
            own.bar = Bar { x: start.min(end), width, direction };
        }
        self
    }
}

/// Returns an amount with its sign.
pub(super) fn signed(shown: &str) -> String {
    let is_signed = shown.starts_with(['-', '−', '+', '–']);
    if is_signed { shown.to_owned() } else { format!("+{shown}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn days_and_values_between_two_questions_are_written_as_the_store_writes_them() {
        let side = json!({ "value": 1, "formatted": "1" });
        let causes = json!([
            { "cause": "period", "from": "2026-09-30 to 2026-10-29", "to": "2026-10-30 to 2026-11-28" },
            { "cause": "time zone", "from": "UTC", "to": "Europe/London to be" },
        ]);
        let steps = json!([{ "causes": causes, "formatted": "1", "after": "£1,234.50" }]);
        let diff = json!({ "from": side, "to": side, "change_formatted": "1", "steps": steps });
        let diff: Diff = serde_json::from_value(diff).unwrap();
        let store = json!({
            "name": "Mugs", "default_currency_code": "gbp", "time_zone": "UTC", "locale": "de-DE",
            "supported_currencies": [{ "currency_code": "gbp", "currency": { "symbol": "£" } }],
        });
        let store: Store = serde_json::from_value(store).unwrap();

        let diff = diff.written(&store);

        let causes = diff.steps.iter().flat_map(|step| &step.causes);
        let texts: Vec<&str> = causes.flat_map(|own| [&*own.from, &*own.to]).collect();
        let days = ["30.09.2026 – 29.10.2026", "30.10.2026 – 28.11.2026"];
        assert_eq!(texts, [&days[..], &["UTC", "Europe/London to be"]].concat());
        assert_eq!(diff.steps[0].after, "1.234,50\u{a0}£");
    }

    #[test]
    fn each_bar_begins_where_the_last_one_ended() {
        let side = |value: i64| json!({ "value": value, "formatted": value.to_string() });
        let part = |amount: i64| {
            json!({ "label": "x", "from": side(0), "to": side(0), "amount": amount,
                    "formatted": amount.to_string(), "share": 0.5 })
        };
        let split = json!({ "from": side(100), "to": side(80), "change_formatted": "-20",
                            "contributions": [part(20), part(-40)], "null_reason": null });
        let split: Decomposition = serde_json::from_value(split).unwrap();

        let split = split.with_bars();

        let [up, down] = &split.contributions[..] else { panic!("two rows") };
        assert_eq!((up.bar.direction, down.bar.direction), ("up", "down"));
        let right = |own: &Contribution| own.bar.x + own.bar.width;
        assert_eq!(right(up), right(down), "the second ends at the top of the first");
        let amounts = (signed(&up.formatted), signed(&split.change_formatted));
        assert_eq!(amounts, ("+20".to_owned(), "-20".to_owned()));
    }
}
