//! Authorization: every route of the API's description, called by everybody.
//!
//! `authorization.tsv` has a row for each route; a route without one fails, and so does a row without a route.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::harness::{Person, TestServer, description};

/// The access that a route requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    /// Anybody.
    Open,
    /// Clients with a publishable key.
    Store,
    /// A customer with a publishable key.
    Customer,
    /// Any admin or secret key.
    AdminReads,
    /// Admins with write access, or a secret key.
    AdminWrites,
    /// Admins with access to metrics, or a secret key.
    MetricWork,
    /// Anybody with a token.
    Token,
    /// Anybody with an admin's token, whatever their role.
    User,
    /// A partner.
    Partner,
}

impl Access {
    fn of(word: &str) -> Self {
        match word {
            "open" => Self::Open,
            "store" => Self::Store,
            "customer" => Self::Customer,
            "admin reads" => Self::AdminReads,
            "admin writes" => Self::AdminWrites,
            "metric work" => Self::MetricWork,
            "token" => Self::Token,
            "user" => Self::User,
            "partner" => Self::Partner,
            other => panic!("authorization.tsv: `{other}`"),
        }
    }

    /// Returns the status that refuses a person; none if the person has access.
    fn refusal(self, person: &Person) -> Option<u16> {
        let name = person.name;
        let is_customer = name.starts_with("customer");
        let is_writer = matches!(name, "admin" | "program");
        let is_reader = matches!(name, "analyst" | "viewer");
        let is_partner = name == "partner";
        match self {
            Self::Open => None,
            Self::Store => (!is_customer && name != "visitor").then_some(401),
            Self::Customer => (!is_customer).then_some(401),
            Self::AdminReads | Self::AdminWrites | Self::MetricWork
                if is_customer || is_partner =>
            {
                Some(403)
            }
            Self::AdminWrites if is_reader => Some(403),
            Self::AdminWrites => (!is_writer).then_some(401),
            Self::MetricWork if name == "viewer" => Some(403),
            Self::AdminReads | Self::MetricWork => (!is_writer && !is_reader).then_some(401),
            Self::User => (!is_reader && name != "admin").then_some(401),
            Self::Token => {
                matches!(name, "nobody" | "visitor" | "program" | "partner").then_some(401)
            }
            Self::Partner if matches!(name, "nobody" | "visitor") => Some(401),
            Self::Partner => (!is_partner).then_some(403),
        }
    }
}

fn rows() -> BTreeMap<(String, String), Access> {
    let rows = include_str!("authorization.tsv").lines().skip(1).map(|line| {
        let mut cells = line.split('\t');
        let (method, path, access) = (cells.next(), cells.next(), cells.next());
        let cell = |cell: Option<&str>| cell.unwrap_or_else(|| panic!("{line}")).to_owned();
        ((cell(method), cell(path)), Access::of(&cell(access)))
    });
    rows.collect()
}

/// Returns every operation of the description: its method and its path.
fn operations() -> Vec<(String, String)> {
    let api = description();
    let paths = api["paths"].as_object().expect("paths").clone();
    let mut found = Vec::new();
    for (path, operations) in paths {
        for method in operations.as_object().into_iter().flat_map(serde_json::Map::keys) {
            if matches!(method.as_str(), "get" | "post" | "put" | "patch" | "delete") {
                found.push((method.to_uppercase(), path.clone()));
            }
        }
    }
    found
}

/// Fills a path with well-formed ids that do not exist.
fn filled(path: &str) -> String {
    let mut filled = String::new();
    for part in path.split('/').skip(1) {
        filled.push('/');
        filled.push_str(if part.starts_with('{') {
            "none_01JD2Q8Z5M6T3W9XKCV4B7NZZZ"
        } else {
            part
        });
    }
    filled
}

#[test]
fn every_route_has_a_row_and_every_row_a_route() {
    let rows = rows();
    let operations = operations();
    let without_row: Vec<_> =
        operations.iter().filter(|route| !rows.contains_key(*route)).collect();
    let without_route: Vec<_> = rows.keys().filter(|row| !operations.contains(row)).collect();
    assert!(
        without_row.is_empty() && without_route.is_empty(),
        "{without_row:#?} {without_route:#?}"
    );
}

/// Returns a path whatever its parameters are called.
fn unnamed(path: &str) -> String {
    let parts = path.split('/').map(|part| {
        let is_parameter = part.starts_with([':', '{']);
        if is_parameter { "{}" } else { part }
    });
    parts.collect::<Vec<_>>().join("/")
}

#[test]
fn every_route_of_the_platform_is_described() {
    let described: BTreeSet<(String, String)> =
        operations().into_iter().map(|(method, path)| (method, unnamed(&path))).collect();
    let rows = include_str!("platform_routes.tsv").lines().skip(1);
    let missing: Vec<&str> = rows
        .filter(|row| {
            let cells: Vec<&str> = row.split('\t').collect();
            let [_section, method, path] = cells[..] else { panic!("{row}") };
            !described.contains(&(method.to_owned(), unnamed(path)))
        })
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[tokio::test]
async fn everybody_may_do_exactly_what_their_row_allows() {
    let server = TestServer::empty().await;
    server.scans_on_purpose();
    let people = [
        Person::nobody(),
        Person::visitor(),
        Person::customer_a(),
        Person::viewer(),
        Person::analyst(),
        Person::program(),
        Person::partner(),
        Person::admin(),
    ];
    let mut wrong = Vec::new();
    let mut rows: Vec<_> = rows().into_iter().collect();
    // Logging out comes last, because it ends the session.
    rows.sort_by_key(|((method, path), _)| method == "DELETE" && path == "/auth/session");
    for ((method, path), access) in rows {
        for person in &people {
            let body = (method != "GET").then(|| json!({}).to_string().into_bytes());
            let reply = server.call(person, &method, &filled(&path), body).await;
            let refused = matches!(reply.status, 401 | 403).then_some(reply.status);
            // A login route, or one whose callers sign or have their own session, may reject callers with access.
            let may_refuse = access == Access::Open
                && ["/auth/", "/webhooks/", "/flow-builder/"]
                    .iter()
                    .any(|own| path.starts_with(own));
            if (refused != access.refusal(person) && !may_refuse) || reply.status >= 500 {
                wrong.push(format!(
                    "{method} {path} as {}: {} {}",
                    person.name, reply.status, reply.body
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn wrong_credentials_are_refused_in_one_shape() {
    let server = TestServer::empty().await;
    for bearer in
        ["", "x", "sk_wrong", "pk_wrong", "not a token", &"f".repeat(64), &"f".repeat(60_000)]
    {
        let person = Person::nobody().with_bearer(bearer);
        let reply = server.get(&person, "/admin/orders").await;
        assert_eq!(reply.status, 401, "{bearer:.20}");
        assert_eq!(reply.body["type"], "unauthorized");
        assert_eq!(reply.body["code"], "UNAUTHORIZED");
        assert!(reply.body["request_id"].is_string());
    }
}

#[tokio::test]
async fn other_customers_records_are_not_found_like_missing_ones() {
    let (server, store) = TestServer::with_store().await;
    let cart = server
        .post(&Person::customer_a(), "/store/carts", json!({"region_id": store.britain}))
        .await
        .ok();
    let id = cart["cart"]["id"].as_str().expect("a cart");

    let other = server.get(&Person::customer_b(), &format!("/store/carts/{id}")).await;
    let absent =
        server.get(&Person::customer_b(), "/store/carts/cart_01JD2Q8Z5M6T3W9XKCV4B7NZZZ").await;

    assert_eq!((other.status, absent.status), (404, 404));
    let shape = |mut body: Value, id: &str| {
        body["request_id"] = Value::Null;
        body.to_string().replace(id, "ID")
    };
    assert_eq!(shape(other.body, id), shape(absent.body, "cart_01JD2Q8Z5M6T3W9XKCV4B7NZZZ"));
}
