//! Slow clients are cut off in time, and do not block others.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;

use quotient_server::start;
use tokio::net::TcpSocket;
use tokio::time::timeout;

use super::clients::Client;
use crate::harness::{Person, TestServer};

/// The number of slow clients of each kind: more than the server handles at once.
const SLOW: usize = 24;

/// Sends `beginning`, then one byte at a time; returns the response once the server closes the connection.
fn trickle(address: SocketAddr, beginning: String) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut stream = TcpStream::connect(address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_millis(20))).expect("a pace");
        stream.write_all(beginning.as_bytes()).expect("the server reads");
        let (mut answer, mut buffer) = (Vec::new(), [0; 1_024]);
        loop {
            match stream.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => answer.extend_from_slice(&buffer[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if stream.write_all(b"a").is_err() {
                        break;
                    }
                }
                Err(_hung_up) => break,
            }
        }
        String::from_utf8_lossy(&answer).into_owned()
    })
}

#[tokio::test]
async fn slow_clients_are_cut_off_and_the_others_are_answered_meanwhile() {
    let few = ["--running-requests=4", "--waiting-requests=4", "--header-timeout-s=1"];
    let server = TestServer::with_settings(&[&few[..], &["--body-timeout-s=2"]].concat()).await;
    let address = server.listen().await;
    let slow = tokio::task::spawn_blocking(move || {
        // Without a key a body would not be read at all.
        let key = Person::visitor().header_lines();
        let head = format!("GET /store/regions HTTP/1.1\r\nhost: a\r\n{key}x-slow: ");
        let body =
            format!("POST /store/carts HTTP/1.1\r\nhost: a\r\n{key}content-length: 9000\r\n\r\n{{");
        let heads: Vec<_> = (0..SLOW).map(|_| trickle(address, head.clone())).collect();
        let bodies: Vec<_> = (0..SLOW).map(|_| trickle(address, body.clone())).collect();

        let client = Client::new(&format!("http://{address}"));
        for _ in 0..20 {
            assert_eq!(client.get("/store/regions"), Some(200), "others are not kept waiting");
        }
        assert!(bodies.iter().all(|slow| !slow.is_finished()), "nobody is cut off too early");

        let answers = |slow: Vec<JoinHandle<String>>| -> Vec<String> {
            slow.into_iter().map(|client| client.join().expect("a client")).collect()
        };
        (answers(heads), answers(bodies))
    });
    let (heads, bodies) = slow.await.expect("slow clients are cut off");

    assert!(heads.iter().all(|answer| !answer.starts_with("HTTP/1.1 2")), "{heads:?}");
    for answer in bodies {
        assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
        assert!(answer.contains("\"code\":\"REQUEST_TIMEOUT\""), "{answer}");
    }
}

#[tokio::test]
async fn little_is_buffered_for_a_client_that_does_not_read() {
    let socket = start::bind(SocketAddr::from(([127, 0, 0, 1], 0))).expect("a socket");
    let listener = socket.listen(1).expect("a listener");
    let client = TcpSocket::new_v4().expect("a socket");
    client.set_recv_buffer_size(4 * 1024).expect("a buffer");
    let address = listener.local_addr().expect("an address");
    let _client = client.connect(address).await.expect("a connection");
    let (stream, _peer) = listener.accept().await.expect("a connection");

    let (block, mut kept) = (vec![0; 64 * 1024], 0_usize);
    while timeout(Duration::from_millis(200), stream.writable()).await.is_ok() {
        match stream.try_write(&block) {
            Ok(count) => kept = kept.saturating_add(count),
            Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
        }
    }

    assert!((1..=512 * 1024).contains(&kept), "{kept} bytes");
}
