//! The description of the API: what is served, and that the committed file is what the code says.

#[cfg(feature = "openapi")]
mod generated;

use std::io::Read as _;

use axum::body::Body;
use axum::http::Request;
use flate2::read::GzDecoder;
use http_body_util::BodyExt as _;
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
