//! The client's address: the peer of the socket, or the address that a trusted proxy reports.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::Version;
use axum::http::header::HOST;
use axum::http::uri::Authority;
use axum::middleware::Next;
use axum::response::Response;

use super::header;

/// The remote address of the socket, added to requests by the server.
#[derive(Debug, Clone, Copy)]
pub struct PeerAddress(pub SocketAddr);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Client {
    /// The [`network`] of the address; unspecified if the request did not come over a socket.
    pub address: IpAddr,
    /// Whether the client is on this machine and no proxy is in between.
    pub is_local: bool,
}

/// What is known about the credentials of a request before its route runs. Added by the authentication layer to requests
/// that may have a body.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Whether the requested part of the API admits the caller: `/admin` requires a valid credential, `/store` a valid
    /// publishable key.
    pub is_admitted: bool,
    /// The id of the identity, partner, key or client of a valid credential; none for guests. It outlives tokens.
    pub id: Option<String>,
}

/// Added to the requests that this server's pages make in the same process; no external request has it.
#[derive(Debug, Clone, Copy)]
pub struct FromPage;

/// Determines the client, for the inner layers and the routes.
pub(super) async fn identify(
    State(proxies): State<Arc<[IpAddr]>>,
    mut request: Request,
    next: Next,
) -> Response {
    let client = client(&request, &proxies);
    request.extensions_mut().insert(client);
    next.run(request).await
}

fn client(request: &Request, proxies: &[IpAddr]) -> Client {
    let Some(PeerAddress(peer)) = request.extensions().get().copied() else {
        return Client { address: Ipv4Addr::UNSPECIFIED.into(), is_local: false };
    };
    let peer = peer.ip().to_canonical();
    let forwarded = [
        "x-forwarded-for",
        "x-forwarded-host",
        "x-forwarded-proto",
        "forwarded",
        "via",
        "x-real-ip",
    ];
    let is_forwarded = forwarded.iter().any(|name| request.headers().contains_key(*name))
        || proxies.contains(&peer)
        // A proxy that adds no header and names this server as the host often uses the old version.
        || request.version() == Version::HTTP_10
        || !is_local_host(request);
    let address = if proxies.contains(&peer) {
        forwarded_for(request, proxies).unwrap_or(peer)
    } else {
        peer
    };
    Client { address: network(address), is_local: peer.is_loopback() && !is_forwarded }
}

/// Returns the network that counts as one client: an IPv4 address, or an IPv6 /64, which is the smallest network that a
/// provider assigns (RFC 6177).
pub fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(own) => Ipv6Addr::from_bits(own.to_bits() & NETWORK_MASK).into(),
    }
}

const NETWORK_MASK: u128 = u128::MAX << 64;

/// Returns whether the request names this machine as its host; a proxy that adds no headers keeps the public name.
fn is_local_host(request: &Request) -> bool {
    let Some(host) = header(request, HOST.as_str()) else { return true };
    let Ok(authority) = host.parse::<Authority>() else { return false };
    let name = authority.host().trim_start_matches('[').trim_end_matches(']');
    name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Returns the last address of `x-forwarded-for` that is not a trusted proxy; earlier ones can be forged. Some proxies
/// add a line of their own instead of appending to the one that they received.
fn forwarded_for(request: &Request, proxies: &[IpAddr]) -> Option<IpAddr> {
    for line in request.headers().get_all("x-forwarded-for").iter().rev() {
        for hop in line.to_str().ok()?.rsplit(',') {
            let address = hop.trim().parse::<IpAddr>().ok()?.to_canonical();
            if !proxies.contains(&address) {
                return Some(address);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    #[test]
    fn the_last_line_of_the_proxies_counts_and_not_one_that_the_client_sent() {
        let proxies: [IpAddr; 2] = ["10.0.0.1".parse().unwrap(), "10.0.0.2".parse().unwrap()];
        for (lines, expected) in [
            (&["6.6.6.6", "1.2.3.4"][..], "1.2.3.4"),
            (&["6.6.6.6, 7.7.7.7", "1.2.3.4, 10.0.0.2"][..], "1.2.3.4"),
            (&["6.6.6.6, 1.2.3.4", "10.0.0.2"][..], "1.2.3.4"),
            (&["6.6.6.6", "unknown"][..], "10.0.0.1"),
        ] {
            let mut request = Request::new(Body::empty());
            request.extensions_mut().insert(PeerAddress("10.0.0.1:1".parse().unwrap()));
            for line in lines {
                request.headers_mut().append("x-forwarded-for", line.parse().unwrap());
            }

            assert_eq!(client(&request, &proxies).address.to_string(), expected, "{lines:?}");
        }
    }

    #[test]
    fn only_a_trusted_proxy_can_name_another_address() {
        let proxies: [IpAddr; 1] = ["10.0.0.1".parse().unwrap()];
        for (peer, forwarded, expected) in [
            ("9.9.9.9:1", "", "9.9.9.9"),
            ("9.9.9.9:1", "1.2.3.4", "9.9.9.9"),
            ("10.0.0.1:1", "1.2.3.4", "1.2.3.4"),
            ("10.0.0.1:1", "6.6.6.6, 1.2.3.4, 10.0.0.1", "1.2.3.4"),
            ("10.0.0.1:1", "nonsense", "10.0.0.1"),
            ("[::ffff:9.9.9.9]:1", "", "9.9.9.9"),
            ("[2001:db8:1:2:3:4:5:6]:1", "", "2001:db8:1:2::"),
            ("10.0.0.1:1", "2001:db8:1:2:ffff::9", "2001:db8:1:2::"),
        ] {
            let mut request = Request::new(Body::empty());
            request.extensions_mut().insert(PeerAddress(peer.parse().unwrap()));
            if !forwarded.is_empty() {
                request.headers_mut().insert("x-forwarded-for", forwarded.parse().unwrap());
            }
            assert_eq!(
                client(&request, &proxies).address.to_string(),
                expected,
                "{peer} {forwarded}"
            );
        }
    }

    #[test]
    fn requests_through_a_proxy_are_not_local() {
        let mut request = Request::new(Body::empty());
        request.extensions_mut().insert(PeerAddress("127.0.0.1:1".parse().unwrap()));
        assert!(client(&request, &[]).is_local);

        for (name, value, expected) in [
            ("host", "localhost:9000", true),
            ("host", "[::1]:9000", true),
            ("host", "shop.example", false),
            ("x-forwarded-for", "1.2.3.4", false),
            ("via", "1.1 proxy", false),
        ] {
            let mut request = Request::new(Body::empty());
            request.extensions_mut().insert(PeerAddress("127.0.0.1:1".parse().unwrap()));
            request.headers_mut().insert(name, value.parse().unwrap());
            assert_eq!(client(&request, &[]).is_local, expected, "{name}: {value}");
        }
        assert!(!client(&request, &["127.0.0.1".parse().unwrap()]).is_local);
        *request.version_mut() = Version::HTTP_10;
        assert!(!client(&request, &[]).is_local);
    }
}
