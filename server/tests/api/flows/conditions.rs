//! Random conditions over random records: in a flow, as metrics over a context, and with a naive
//! evaluation.

#![expect(clippy::arithmetic_side_effects, reason = "numbers are small")]

use std::cmp::Ordering;
use std::collections::BTreeMap;

use quotient_server::testing::rounds;
use serde_json::{Map, Value, json};

use super::FLOWS;
use crate::harness::{Chance, Person, TestServer};

const DEFINITIONS: &str = "/admin/metrics-registry/definitions";

/// Conditions of a draft.
const CONDITIONS: usize = 6;

/// The number of records: all conditions over each are as many items as a request may have.
const RECORDS: usize = 80;

const AMOUNTS: [&str; 3] = ["order_total", "cart_total", "accepted_total"];
const NUMBERS: [&str; 3] = ["item_count", "orders_before", "bucket"];
const TEXTS: [&str; 2] = ["country", "device"];
const TRUTHS: [&str; 2] = ["is_guest", "is_subscriber"];
const WORDS: [&str; 4] = ["gb", "us", "desktop", ""];
const OPERATORS: [&str; 6] = ["=", "!=", "<", "<=", ">", ">="];

/// The values of a record by name: cents, numbers, indices in [`WORDS`], and 1 for true. Other names are null.
type Facts = BTreeMap<&'static str, i64>;

/// A condition, and whether it holds.
struct Condition {
    text: String,
    holds: Box<dyn Fn(&Facts) -> bool>,
}

fn one_of<T: Copy>(chance: &mut Chance, several: &[T]) -> T {
    let count = u32::try_from(several.len()).expect("a few");
    several[usize::try_from(chance.below(count)).expect("an index")]
}

fn small(chance: &mut Chance) -> i64 {
    chance.below(6).into()
}

fn dollars(cents: i64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

/// Compares by definition: nothing is equal to null, greater or less.
fn compare(operator: &str, sides: Option<(i64, i64)>) -> bool {
    let Some((left, right)) = sides else { return operator == "!=" };
    match left.cmp(&right) {
        Ordering::Less => ["!=", "<", "<="].contains(&operator),
        Ordering::Equal => ["=", "<=", ">="].contains(&operator),
        Ordering::Greater => ["!=", ">", ">="].contains(&operator),
    }
}

fn of(text: String, holds: impl Fn(&Facts) -> bool + 'static) -> Condition {
    Condition { text, holds: Box::new(holds) }
}

/// Returns a condition about amounts or numbers.
fn quantity(chance: &mut Chance) -> Condition {
    let operator = one_of(chance, &OPERATORS);
    let (amount, other) = (one_of(chance, &AMOUNTS), one_of(chance, &AMOUNTS));
    let (number, divisor) = (one_of(chance, &NUMBERS), one_of(chance, &NUMBERS));
    let (value, more) = (small(chance), small(chance));
    let cents = value * 100 + more;
    let both = |facts: &Facts, names: [&str; 2]| {
        facts.get(names[0]).copied().zip(facts.get(names[1]).copied())
    };
    match chance.below(6) {
        0 => of(format!("{number} {operator} {value}"), move |facts| {
            compare(operator, facts.get(number).map(|own| (*own, value)))
        }),
        1 => of(format!("{amount} {operator} {} USD", dollars(cents)), move |facts| {
            compare(operator, facts.get(amount).map(|own| (*own, cents)))
        }),
        2 => of(format!("{amount} - {other} {operator} {} USD", dollars(cents)), move |facts| {
            compare(
                operator,
                both(facts, [amount, other]).map(|(left, right)| (left - right, cents)),
            )
        }),
        // A quotient of nothing is unknown.
        3 => of(format!("{number} / {divisor} {operator} {value}"), move |facts| {
            let sides = both(facts, [number, divisor]).filter(|(_, right)| *right != 0);
            compare(operator, sides.map(|(left, right)| (left, right * value)))
        }),
        4 => of(format!("({number} default {more}) {operator} {value}"), move |facts| {
            compare(operator, Some((facts.get(number).copied().unwrap_or(more), value)))
        }),
        _ => of(format!("{number} between {value} and {}", value + more), move |facts| {
            facts.get(number).is_some_and(|own| (value..=value + more).contains(own))
        }),
    }
}

/// Returns a condition on a text, a boolean, or the presence of a value.
fn quality(chance: &mut Chance) -> Condition {
    let (text, truth) = (one_of(chance, &TEXTS), one_of(chance, &TRUTHS));
    let any = one_of(chance, &[text, truth, "cart_total", "bucket"]);
    let (word, other) = (small(chance) % 3, small(chance) % 3);
    let name = |word: i64| WORDS[usize::try_from(word).expect("an index")];
    match chance.below(6) {
        0 => of(format!("{text} = '{}'", name(word)), move |facts| facts.get(text) == Some(&word)),
        1 => of(format!("{text} != '{}'", name(word)), move |facts| facts.get(text) != Some(&word)),
        2 => of(format!("{text} in ('{}', '{}')", name(word), name(other)), move |facts| {
            facts.get(text).is_some_and(|own| [word, other].contains(own))
        }),
        3 => of(truth.to_owned(), move |facts| facts.get(truth) == Some(&1)),
        4 => of(format!("{any} is null"), move |facts| !facts.contains_key(any)),
        _ => of(format!("{any} is not null"), move |facts| facts.contains_key(any)),
    }
}

fn condition(chance: &mut Chance, depth: usize) -> Condition {
    let is_leaf = depth == 0 || chance.below(4) == 0;
    match chance.below(2) {
        0 if is_leaf => return quantity(chance),
        _ if is_leaf => return quality(chance),
        _ => {}
    }
    let Condition { text, holds } = condition(chance, depth - 1);
    let right = condition(chance, depth - 1);
    match chance.below(3) {
        0 => of(format!("not ({text})"), move |facts| !holds(facts)),
        1 => of(format!("({text}) and ({})", right.text), move |facts| {
            holds(facts) && (right.holds)(facts)
        }),
        _ => of(format!("({text}) or ({})", right.text), move |facts| {
            holds(facts) || (right.holds)(facts)
        }),
    }
}

/// Returns a record as it is read, and as it is sent: of the missing values, some are null and some are
/// absent.
fn record(chance: &mut Chance) -> (Facts, Map<String, Value>) {
    let (mut facts, mut sent) = (Facts::new(), Map::new());
    for name in [&AMOUNTS[..], &NUMBERS, &TEXTS, &TRUTHS].concat() {
        match chance.below(8) {
            0 => continue,
            1 => {
                sent.insert(name.to_owned(), Value::Null);
                continue;
            }
            _ => {}
        }
        let value = match name {
            _ if TRUTHS.contains(&name) => small(chance) % 2,
            _ if TEXTS.contains(&name) => small(chance) % 4,
            _ if AMOUNTS.contains(&name) => small(chance) * 100 + small(chance),
            _ => small(chance),
        };
        let json = match name {
            _ if TRUTHS.contains(&name) => json!(value == 1),
            _ if TEXTS.contains(&name) => json!(WORDS[usize::try_from(value).expect("an index")]),
            _ if AMOUNTS.contains(&name) => json!({ "amount": dollars(value), "currency": "USD" }),
            _ => json!(value),
        };
        facts.insert(name, value);
        sent.insert(name.to_owned(), json);
    }
    (facts, sent)
}

/// Returns a server with a name for every value of the records, and a metric for every condition.
async fn server_with_metrics() -> TestServer {
    let server = TestServer::empty().await;
    for (names, data_type) in
        [(&AMOUNTS[..], "currency"), (&NUMBERS, "number"), (&TEXTS, "string"), (&TRUTHS, "boolean")]
    {
        for name in names {
            let body = json!({ "key": name, "display_name": name, "data_source": "input",
                "source_field": name, "data_type": data_type });
            server.post(&Person::admin(), "/admin/metrics-registry/placeholders", body).await.ok();
        }
    }
    for number in 0..CONDITIONS {
        let body = json!({ "name": format!("Condition {number}"), "category": "sales", "scope": "store",
            "formula": "is_guest", "data_type": "boolean" });
        server.post(&Person::analyst(), DEFINITIONS, body).await.ok();
        let path = format!("{DEFINITIONS}/condition_{number}/lifecycle");
        server.post(&Person::admin(), &path, json!({ "state": "active" })).await.ok();
    }
    server
}

/// Returns a draft that shows a notice for each condition, whether it holds or not.
fn draft(conditions: &[&str]) -> Value {
    let mut buttons = Map::new();
    for (number, text) in conditions.iter().enumerate() {
        let next = format!("b{}", number + 1);
        let ways = json!([{ "when": text, "to": next }, { "to": next }]);
        let button = json!({ "type": "notice", "title": "Read this", "accept_next": ways });
        buttons.insert(format!("b{number}"), button);
    }
    buttons.insert(format!("b{}", conditions.len()), json!({ "type": "end", "title": "Thanks" }));
    json!({ "entry": "b0", "buttons": buttons })
}

/// Writes the conditions into the flow and the metrics.
async fn write(server: &TestServer, flow: &str, conditions: &[Condition]) {
    let texts: Vec<&str> = conditions.iter().map(|one| one.text.as_str()).collect();
    let body = json!({ "draft": draft(&texts) });
    server.post(&Person::admin(), flow, body).await.ok();
    for (number, text) in texts.iter().enumerate() {
        let path = format!("{DEFINITIONS}/condition_{number}");
        let body = json!({ "formula": text }).to_string().into_bytes();
        server.call(&Person::admin(), "PATCH", &path, Some(body)).await.ok();
    }
}

/// Returns the value of each condition on the path of a record through the draft.
async fn rehearsed(server: &TestServer, flow: &str, sent: &Map<String, Value>) -> Vec<Value> {
    let path = format!("{flow}/simulate");
    let way = server.post(&Person::viewer(), &path, json!({ "record": sent })).await.ok();
    let steps = way["path"].as_array().expect("a path").iter();
    let conditions = steps.flat_map(|step| step["conditions"].as_array().expect("conditions"));
    conditions.map(|one| one["value"].clone()).collect()
}

/// Returns the value of each condition as a metric over each record as its context.
async fn executed(server: &TestServer, records: &[(Facts, Map<String, Value>)]) -> Vec<Value> {
    let of_record = |(_, sent): &(Facts, Map<String, Value>)| {
        let sent = sent.clone();
        let item =
            move |number| json!({ "metric_id": format!("condition_{number}"), "context": sent });
        (0..CONDITIONS).map(item)
    };
    let requests: Vec<Value> = records.iter().flat_map(of_record).collect();
    let path = "/admin/metrics-registry/compute";
    let body = json!({ "requests": requests });
    let answer = server.post(&Person::viewer(), path, body).await.ok();
    let results = answer["results"].as_array().expect("results").iter();
    results.map(value).collect()
}

/// Returns the value of an item; if the whole condition is null, it does not hold.
fn value(item: &Value) -> Value {
    if item["success"] == true {
        return item["result"].clone();
    }
    let why = item["error"]["message"].as_str().expect("a message");
    assert!(why.starts_with("Missing inputs: is_"), "{why}");
    json!(false)
}

#[tokio::test]
async fn a_condition_means_the_same_in_a_flow_and_as_a_metric_over_a_context() {
    let server = server_with_metrics().await;
    let flow = json!({ "name": "Any", "kind": "post_purchase", "currency_code": "usd" });
    let flow = server.post(&Person::admin(), FLOWS, flow).await.ok();
    let flow = format!("{FLOWS}/{}", flow["flow"]["id"].as_str().expect("an id"));
    let (mut chance, mut held, mut count) = (Chance(6), 0, 0);
    for _ in 0..rounds(3, 250) {
        let conditions: Vec<Condition> =
            (0..CONDITIONS).map(|number| condition(&mut chance, number / 2)).collect();
        write(&server, &flow, &conditions).await;
        for _ in 0..rounds(1, 5) {
            let records: Vec<_> = (0..RECORDS).map(|_| record(&mut chance)).collect();
            let executed = executed(&server, &records).await;
            for ((facts, sent), executed) in records.iter().zip(executed.chunks(CONDITIONS)) {
                let naive: Vec<Value> =
                    conditions.iter().map(|one| json!((one.holds)(facts))).collect();
                let texts: Vec<&str> = conditions.iter().map(|one| one.text.as_str()).collect();
                assert_eq!(executed, naive, "{texts:#?} over {sent:?}");
                assert_eq!(
                    rehearsed(&server, &flow, sent).await,
                    naive,
                    "{texts:#?} over {sent:?}"
                );
                held += naive.iter().filter(|value| **value == json!(true)).count();
                count += CONDITIONS;
            }
        }
    }
    assert!((count / 5..count * 4 / 5).contains(&held), "{held} of {count} hold");
}
