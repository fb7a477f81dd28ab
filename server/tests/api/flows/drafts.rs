//! Random drafts compared with a naive check, and versions that are published while sessions are
//! open.

#![expect(clippy::arithmetic_side_effects, reason = "drafts are small")]

use std::collections::BTreeSet;

use quotient_server::testing::rounds;
use serde_json::{Map, Value, json};

use super::FLOWS;
use crate::harness::{Chance, Person, TestServer};

/// Returns a path to one of the buttons, usually a later one.
fn way(chance: &mut Chance, (own, count): (u32, u32), is_last: bool) -> Value {
    let to = match chance.below(24) {
        0 => chance.below(count + 1),
        _ => (own + 1 + chance.below(count)).min(count - 1),
    };
    // One in sixteen is wrong.
    let has_condition = is_last == (chance.below(16) == 0);
    let condition = match chance.below(3) {
        0 => "is_guest",
        1 => "step > 1",
        _ => "order_total >= 30 GBP",
    };
    let mut way = json!({ "to": format!("b{to}") });
    if has_condition {
        way["when"] = json!(condition);
    }
    way
}

fn ways(chance: &mut Chance, place: (u32, u32)) -> Value {
    let count = 1 + chance.below(2);
    (0..count).map(|index| way(chance, place, index + 1 == count)).collect()
}

fn random_draft(chance: &mut Chance) -> Value {
    let count = 1 + chance.below(6);
    let mut buttons = Map::new();
    for own in 0..count {
        let mut button = match chance.below(4) {
            _ if own + 1 == count => json!({ "type": "end" }),
            0 => json!({ "type": "end" }),
            1 => json!({ "type": "notice" }),
            _ => {
                let field = json!({ "key": format!("f{own}"), "label": "F", "type": "text" });
                json!({ "type": "question", "fields": [field] })
            }
        };
        button["title"] = json!("A button");
        let kind = button["type"].as_str().expect("a type").to_owned();
        for (list, of) in
            [("accept_next", ["notice", "question"]), ("decline_next", ["question", ""])]
        {
            if of.contains(&kind.as_str()) == (chance.below(40) > 0) {
                button[list] = ways(chance, (own, count));
            }
        }
        buttons.insert(format!("b{own}"), button);
    }
    json!({ "entry": if chance.below(20) == 0 { "b7" } else { "b0" }, "buttons": buttons })
}

/// Returns the largest number of buttons on a path from a button to an end; none if a path is invalid or
/// leads to no end.
fn longest(draft: &Value, path: &[&str], reached: &mut BTreeSet<String>) -> Option<usize> {
    let key = *path.last()?;
    let button = draft["buttons"].get(key)?;
    reached.insert(key.to_owned());
    if path[..path.len() - 1].contains(&key) {
        return None;
    }
    let list = |name: &str| button[name].as_array().cloned().unwrap_or_default();
    let (accept, decline) = (list("accept_next"), list("decline_next"));
    let is_needed = match button["type"].as_str()? {
        "end" => (false, false),
        "notice" => (true, false),
        _ => (true, true),
    };
    if (!accept.is_empty(), !decline.is_empty()) != is_needed {
        return None;
    }
    let mut most = 0;
    for ways in [&accept, &decline] {
        for (index, way) in ways.iter().enumerate() {
            if way["when"].is_null() != (index + 1 == ways.len()) {
                return None;
            }
            let path = [path, &[way["to"].as_str()?]].concat();
            most = most.max(longest(draft, &path, reached)?);
        }
    }
    Some(most + 1)
}

#[tokio::test]
async fn a_draft_is_valid_if_a_naive_check_finds_that_each_way_ends() {
    let (server, _store) = TestServer::with_store().await;
    let body = json!({ "name": "Any", "kind": "post_purchase", "currency_code": "gbp" });
    let made = server.post(&Person::admin(), FLOWS, body).await.ok();
    let path = format!("{FLOWS}/{}/validate", made["flow"]["id"].as_str().expect("an id"));
    let (mut chance, mut valid) = (Chance(7), 0);
    let count = rounds(400, 10_000);
    for _ in 0..count {
        let draft = random_draft(&mut chance);
        let mut reached = BTreeSet::new();
        let entry = draft["entry"].as_str().expect("an entry");
        let longest = longest(&draft, &[entry], &mut reached);
        let all = draft["buttons"].as_object().expect("buttons").len();
        let longest = longest.filter(|_| reached.len() == all);
        let body = json!({ "draft": draft });
        let reply = server.post(&Person::viewer(), &path, body).await.ok();
        let validation = &reply["validation"];
        assert_eq!(validation["valid"], longest.is_some(), "{draft:#}: {validation:#}");
        assert_eq!(validation["longest_path"], json!(longest), "{draft:#}");
        valid += usize::from(longest.is_some());
    }
    assert!((count / 10..count - count / 10).contains(&valid), "{valid} of {count} are valid");
}

/// Returns a draft of notices, which are shown in this order.
fn notices(keys: &[&str]) -> Value {
    let ends = |key: &str| json!({ "type": "end", "title": key });
    let mut buttons = Map::new();
    for (index, key) in keys.iter().enumerate() {
        let button = match keys.get(index + 1) {
            Some(next) => {
                json!({ "type": "notice", "title": key, "accept_next": [{ "to": next }] })
            }
            None => ends(key),
        };
        buttons.insert((*key).to_owned(), button);
    }
    json!({ "entry": keys[0], "buttons": buttons })
}

#[tokio::test]
async fn a_session_goes_the_way_of_its_version_whatever_is_published_meanwhile() {
    let (server, _store) = TestServer::with_store_and(&["--max-open-flow-sessions=1000"]).await;
    let long = ["a", "b", "c", "end"];
    let flow = server.flow("pre_purchase", notices(&long)).await;
    let path = |rest: &str| format!("{FLOWS}/{}{rest}", flow["id"].as_str().expect("an id"));
    let visitor = Person::visitor();
    let init = json!({ "flow_id": flow["id"] });
    let mut sessions = Vec::new();
    for number in 0..rounds(20, 1_000) {
        let way: &[&str] = match number % 3 {
            0 => &long,
            1 => &["c", "a", "end"],
            _ => &["b", "end"],
        };
        let (rest, body) = if number % 3 == 0 {
            ("/rollback", json!({ "version": 1 }))
        } else {
            server.post(&Person::admin(), &path(""), json!({ "draft": notices(way) })).await.ok();
            ("/publish", json!({}))
        };
        server.post(&Person::admin(), &path(rest), body).await.ok();
        let begun = server.post(&visitor, "/store/flow-builder/init", init.clone()).await.ok();
        sessions.push((begun, way));
    }

    for (begun, way) in sessions {
        let mut button = begun["entry_button"].clone();
        let mut keys = vec![button["key"].clone()];
        while button["is_terminal"] != true {
            let body =
                json!({ "session_token": begun["session"]["token"], "button_id": button["id"] });
            let pressed = server.post(&visitor, "/store/flow-builder/accept", body).await.ok();
            button = pressed["next_button"].clone();
            keys.push(button["key"].clone());
        }
        assert_eq!(json!(keys), json!(way));
    }
}
