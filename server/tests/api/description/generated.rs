//! The descriptions of the code, from which `server/openapi.json` is written.

use std::collections::BTreeMap;

use quotient_server::routes;

#[test]
fn the_committed_description_is_up_to_date() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
    let generated = routes::generated().expect("JSON");
    if std::fs::read_to_string(file).is_ok_and(|committed| committed == generated) {
        return;
    }
    #[expect(clippy::disallowed_methods, reason = "the switch that snapshots have")]
    let update = std::env::var("INSTA_UPDATE");
    assert_eq!(update.as_deref(), Ok("always"), "server/openapi.json is not what the code says");
    std::fs::write(file, generated).expect("a file");
}

#[test]
fn no_two_crates_use_one_schema_name_for_different_types() {
    let (mut known, mut wrong) = (BTreeMap::new(), Vec::new());
    for components in routes::described().into_iter().filter_map(|part| part.components) {
        for (name, schema) in components.schemas {
            let schema = serde_json::to_value(schema).expect("JSON");
            let before = known.entry(name.clone()).or_insert_with(|| schema.clone());
            if *before != schema {
                wrong.push(name);
            }
        }
    }
    assert!(known.len() > 100, "{} schemas", known.len());
    assert_eq!(wrong, Vec::<String>::new());
}
