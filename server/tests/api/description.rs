//! The description of the API: what is served, and that the committed file is what the code says.

use std::collections::BTreeMap;
use std::io::Read as _;

use axum::body::Body;
use axum::http::Request;
use flate2::read::GzDecoder;
use http_body_util::BodyExt as _;
use quotient_server::routes;
use tower::ServiceExt as _;

use crate::harness::TestServer;

#[tokio::test]
async fn the_description_is_unpacked_once_for_all() {
    let server = TestServer::empty().await;
    let ask = async |encodings: &str| {
        let request = Request::get("/openapi.json").header("accept-encoding", encodings);
        let request = request.body(Body::empty()).expect("a request");
        let response = server.router.clone().oneshot(request).await.expect("a response");
        let encoding = response.headers().get("content-encoding").cloned();
        (encoding, response.into_body().collect().await.expect("a body").to_bytes())
    };

    let ((none, plain), (gzip, gzipped)) = (ask("identity").await, ask("br, GZIP").await);

    assert_eq!((none, gzip.expect("an encoding").as_bytes()), (None, &b"gzip"[..]));
    let mut unpacked = Vec::new();
    GzDecoder::new(&*gzipped).read_to_end(&mut unpacked).expect("gzip");
    assert_eq!(unpacked, plain);
    assert!(gzipped.len() < plain.len() / 4, "{} of {}", gzipped.len(), plain.len());
    for (encodings, first) in [("identity", &plain), ("gzip", &gzipped)] {
        let (_, again) = ask(encodings).await;
        assert_eq!(again.as_ptr(), first.as_ptr(), "the same bytes, not a copy: {encodings}");
    }
}

#[cfg(feature = "openapi")]
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

#[cfg(feature = "openapi")]
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
