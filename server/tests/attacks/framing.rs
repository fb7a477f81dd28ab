//! Bodies whose end is unclear: what follows them must not be read as the next request.

use std::io::Write as _;

use super::wire::Wire;
use crate::harness::{Person, TestServer};

#[tokio::test(flavor = "multi_thread")]
async fn bytes_after_an_ambiguous_body_are_not_a_request() {
    let (server, _store) = TestServer::with_store().await;
    let address = server.listen().await;
    let attack = tokio::task::spawn_blocking(move || {
        let key = Person::visitor().header_lines();
        let smuggled = format!("GET /store/regions HTTP/1.1\r\nhost: a\r\n{key}\r\n");
        let chunked = "transfer-encoding: chunked\r\n";
        let long = "content-length: 2000000\r\n";
        for (name, headers, body) in [
            (
                "framed in both ways",
                format!("{key}content-length: 3\r\n{chunked}"),
                "2\r\n{}\r\n0\r\n\r\n",
            ),
            (
                "framed in both ways, turned",
                format!("{key}{chunked}content-length: 3\r\n"),
                "2\r\n{}\r\n0\r\n\r\n",
            ),
            ("two lengths", format!("{key}content-length: 2\r\ncontent-length: 3\r\n"), "{}"),
            ("a length that is none", format!("{key}content-length: +2\r\n"), "{}"),
            ("another coding", format!("{key}transfer-encoding: chunked, identity\r\n"), "{}"),
            (
                "a chunk that is too long to be one",
                format!("{key}{chunked}"),
                "ffffffffffffffffff\r\n",
            ),
            ("refused unread, for its length", format!("{key}{long}"), ""),
            ("refused unread, without a key", "content-length: 900\r\n".to_owned(), ""),
            ("refused unread, without a route", format!("{key}{long}x-nowhere: 1\r\n"), ""),
            (
                "refused at once, without a route",
                format!("{key}content-length: 900\r\nx-nowhere: 1\r\n"),
                "",
            ),
        ] {
            let is_nowhere = headers.contains("x-nowhere");
            let path = if is_nowhere { "/store/nowhere" } else { "/store/carts" };
            let head =
                format!("POST {path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n");
            let mut wire = Wire::open(1, address).expect("a connection");
            let bytes = format!("{head}{headers}\r\n{body}{smuggled}{smuggled}");
            wire.stream.write_all(bytes.as_bytes()).expect("the server reads");
            let answers = wire.rest().expect("the server closes the connection");
            assert_eq!(answers.matches("HTTP/1.1 ").count(), 1, "{name}: {answers}");
            assert!(!answers.contains("\"regions\""), "{name}: {answers}");
            assert!(!is_nowhere || answers.starts_with("HTTP/1.1 404"), "{name}: {answers}");
        }
    });
    attack.await.expect("the attack ends");
}
