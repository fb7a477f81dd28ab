//! How far an alert is from firing.

use serde_json::{Value, json};

use super::{ALERTS, MINUTE_MS, a_minute, join, made, server, view};
use crate::harness::{BEGIN, Person};

#[tokio::test]
async fn an_alert_says_how_far_its_value_is_from_the_threshold() {
    let server = server(&[]).await;
    let mut paths = Vec::new();
    for condition in [
        "joined > 10",
        "(joined + 1) * 2 <= -20",
        "joined > 12",
        "joined > 0 * joined + 0",
        "joined > 10 and joined > 11",
        "joined = 10",
    ] {
        let path = made(&server, json!({ "condition": condition, "name": condition })).await;
        assert_eq!(view(&server, &path).await["distance_permille"], Value::Null);
        paths.push(path);
    }
    join(&server, BEGIN, 9).await;

    a_minute(&server).await;

    let mut away = Vec::new();
    for path in &paths {
        away.push(view(&server, path).await["distance_permille"].clone());
    }
    assert_eq!(away, [json!(100), json!(2_000), json!(250), Value::Null, Value::Null, Value::Null]);
    let near = format!("{ALERTS}?state=ok&distance_permille[$lte]=300&order=-distance_permille");
    let near = server.get(&Person::viewer(), &near).await.ok();
    let names: Vec<&Value> =
        near["alerts"].as_array().unwrap().iter().map(|own| &own["name"]).collect();
    assert_eq!(names, ["joined > 12", "joined > 10"]);

    join(&server, BEGIN.plus_ms(MINUTE_MS), 2).await;
    a_minute(&server).await;
    let now = view(&server, &paths[0]).await;
    assert_eq!((&now["state"], &now["distance_permille"]), (&json!("firing"), &json!(100)));
}
