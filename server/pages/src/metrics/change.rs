//! What changed between two periods: the change attributed to inputs as a waterfall, and the differences between the
//! queries.

use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::Value;

use super::Context;
use crate::client::{segment, target};
use crate::decimal;
use crate::figures::{self, scaled};
use crate::locale::Locale;
use crate::page::Part;
use crate::range::Compare;
use crate::store::Store;

/// The decomposition and the diff, each of which may fail.
#[derive(Debug)]
pub(super) struct ChangeView {
    pub(super) waterfall: Part<Waterfall>,
    pub(super) diff: Part<Diff>,
    /// Whether the range has not ended, while the earlier one, whose days are in the URL, is counted in full.
    pub(super) is_uneven: bool,
}

/// A change attributed to inputs.
#[derive(Debug)]
pub(super) struct Waterfall {
    pub(super) from: Side,
    pub(super) to: Side,
    pub(super) change: String,
    pub(super) rows: Vec<WaterfallRow>,
    /// Why there are no contributions.
    pub(super) reason: Option<&'static str>,
}

/// A bar of a waterfall, in units of 1000.
#[derive(Debug)]
pub(super) struct WaterfallRow {
    pub(super) label: String,
    pub(super) from: String,
    pub(super) to: String,
    pub(super) amount: String,
    pub(super) share: String,
    pub(super) direction: &'static str,
    pub(super) x: i64,
    pub(super) width: i64,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Side {
    value: Value,
    pub(super) formatted: String,
}

#[derive(Debug, Deserialize)]
struct Decomposition {
    from: Side,
    to: Side,
    change_formatted: String,
    contributions: Vec<Contribution>,
    null_reason: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Contribution {
    label: String,
    from: Side,
    to: Side,
    amount: Value,
    formatted: String,
    share: Value,
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
pub(super) async fn read((pages, visit, metric, range): Context<'_>) -> ChangeView {
    let (start, end) = (range.start.to_string(), range.end.to_string());
    let sent = &visit.parameters;
    let compare = match range.compare {
        Compare::PreviousYear => "previous_year",
        Compare::None | Compare::PreviousPeriod => "previous_period",
    };
    let query = |levels: &'static str, version: &'static str| {
        vec![
            ("start_date", start.as_str()),
            ("end_date", end.as_str()),
            ("compare", compare),
            ("currency_code", range.currency.as_str()),
            ("from_start_date", sent.text("from_start")),
            ("from_end_date", sent.text("from_end")),
            ("from_timezone", sent.text(version)),
            ("levels", levels),
        ]
    };
    let base = format!("/admin/metrics/definitions/{}", segment(&metric.key));
    let levels = if sent.text("levels") == "2" { "2" } else { "1" };
    let decompose = target(&format!("{base}/decompose"), &query(levels, ""));
    let mut differing = query("1", "from_timezone");
    differing.push(("from_version", sent.text("from_version")));
    let diff = target(&format!("{base}/diff"), &differing);
    let (split, diff) = tokio::join!(
        pages.client.get_at(&visit.origin, &decompose, "/decomposition"),
        pages.client.get_at::<Diff>(&visit.origin, &diff, "/diff"),
    );
    ChangeView {
        waterfall: split.map(|split| waterfall(split, visit.store.locale)),
        diff: diff.map(|diff| diff.written(&visit.store)),
        is_uneven: range.end >= visit.today
            && ["from_start", "from_end"].iter().any(|name| !sent.text(name).is_empty()),
    }
}

/// Places the bars: the value before, what each input adds, starting where the last one ended, and the
/// value after.
fn waterfall(split: Decomposition, locale: Locale) -> Waterfall {
    let number = |value: &Value| decimal::read(value).unwrap_or_default();
    let (before, after) = (number(&split.from.value), number(&split.to.value));
    let mut ends = vec![before];
    for own in &split.contributions {
        let last = ends.last().copied().unwrap_or_default();
        ends.push(last.checked_add(number(&own.amount)).unwrap_or(last));
    }
    let all = ends.iter().copied().chain([after, before]);
    let (least, most) = (all.clone().min().unwrap_or_default(), all.max().unwrap_or_default());
    // The scale begins a little below the smaller value, so that small changes of large values are visible.
    let margin = most.checked_sub(least).and_then(|span| span.checked_div(Decimal::from(8)));
    let least = least.checked_sub(margin.unwrap_or_default()).unwrap_or(least);
    let place = |value: Decimal| scaled(value, (least, most), 1000);
    let bar = |start: Decimal, end: Decimal| {
        let (start, end) = (place(start), place(end));
        (start.min(end), end.abs_diff(start).try_into().unwrap_or(0_i64).max(3))
    };
    let row = |(own, pair): (&Contribution, &[Decimal])| {
        let (start, end) = match pair {
            [start, end] => (*start, *end),
            _ => (before, after),
        };
        let (x, width) = bar(start, end);
        WaterfallRow {
            label: own.label.clone(),
            from: own.from.formatted.clone(),
            to: own.to.formatted.clone(),
            amount: signed(&own.formatted),
            share: locale.share(&own.share),
            direction: if end < start { "down" } else { "up" },
            x,
            width,
        }
    };
    Waterfall {
        rows: split.contributions.iter().zip(ends.windows(2)).map(row).collect(),
        reason: split.null_reason.as_deref().map(figures::reason),
        change: signed(&split.change_formatted),
        from: split.from,
        to: split.to,
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

        let waterfall = waterfall(split, Locale::default());

        let [up, down] = &waterfall.rows[..] else { panic!("two rows") };
        assert_eq!((up.direction, down.direction), ("up", "down"));
        assert_eq!(up.x + up.width, down.x + down.width, "the second ends at the top of the first");
        assert_eq!((&*up.amount, &*waterfall.change), ("+20", "-20"));
    }
}
