//! Hostile input is refused with a clear error, and never causes a server error.

use serde_json::{Value, json};

use crate::harness::{Person, Store, TestServer};

#[tokio::test]
async fn malformed_json_bodies_are_refused() {
    let (server, _store) = TestServer::with_store().await;
    let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    let nested = format!("{{\"metadata\":{}1{}}}", "{\"a\":".repeat(500), "}".repeat(500));
    let wide = format!(
        "{{\"metadata\":{{{}}}}}",
        (0..5_000).map(|n| format!("\"k{n}\":1")).collect::<Vec<_>>().join(",")
    );
    let bodies: Vec<(Vec<u8>, &[u16])> = vec![
        (b"{".to_vec(), &[400]),
        (b"[]".to_vec(), &[400]),
        (b"null".to_vec(), &[400]),
        (b"\xff\xfe{\x00}\x00".to_vec(), &[400]),
        (b"\xef\xbb\xbf{}".to_vec(), &[400]),
        (b"{} {}".to_vec(), &[400]),
        (b"{\"email\":\"a@example.com\",\"email\":\"b@example.com\"}".to_vec(), &[400]),
        (b"{\"email\":\"\\ud800\"}".to_vec(), &[400]),
        (b"{\"email\":\"a\\u0000@example.com\"}".to_vec(), &[400]),
        (b"{\"region_id\":1e400}".to_vec(), &[400]),
        (b"{\"__proto__\":{}}".to_vec(), &[400]),
        (deep.into_bytes(), &[400, 413]),
        (nested.into_bytes(), &[400]),
        (wide.into_bytes(), &[400]),
        (vec![b' '; 2 * 1_024 * 1_024], &[413]),
    ];
    for (body, statuses) in bodies {
        let excerpt = String::from_utf8_lossy(&body[..body.len().min(60)]).into_owned();
        let reply = server.call(&Person::visitor(), "POST", "/store/carts", Some(body)).await;
        assert!(statuses.contains(&reply.status), "{excerpt}: {reply:#?}");
        assert!(
            reply.body["message"].as_str().is_some_and(|message| !message.is_empty()),
            "{excerpt}"
        );
    }
}

#[tokio::test]
async fn invalid_quantities_are_refused() {
    let (server, store) = TestServer::with_store().await;
    let cart = server.cart_with(&Person::visitor(), &store, &store.mug, 1).await;
    let path = format!("/store/carts/{cart}/line-items");
    for quantity in
        ["0", "-1", "1.5", "1e400", "9223372036854775808", "\"1\"", "null", "true", "[1]", "1e3x"]
    {
        let body = format!("{{\"variant_id\":\"{}\",\"quantity\":{quantity}}}", store.mug);
        let reply = server.call(&Person::visitor(), "POST", &path, Some(body.into_bytes())).await;
        assert_eq!(reply.status, 400, "{quantity}: {reply:#?}");
    }
}

#[tokio::test]
async fn queries_are_confined_to_their_list() {
    let (server, _store) = TestServer::with_store().await;
    let hostile = [
        "q='%20or%201=1--",
        "q=%25",
        "q=_%00",
        "order=id;drop%20table%20cart",
        "order=password_hash",
        "fields=%2Bpassword_hash",
        "fields=*variants.product.variants.product.variants",
        "limit=-1",
        "limit=1e9",
        "limit=9223372036854775808",
        "limit=a",
        "limit[]=1&limit[]=2",
        "offset=-1",
        "created_at[$gte]=banana",
        "created_at[$foo]=2026-01-01",
        "id[$like]=%25",
        "id=prod_1&id[0]=x&id[$ne]=y",
        "created_at[$gt]=0000-00-00",
        "$or[0][$or][0][id]=x",
        "a[b][c][d][e][f][g][h]=1",
    ];
    for query in hostile {
        for path in ["/store/products", "/admin/orders", "/admin/customers"] {
            let person =
                if path.starts_with("/store") { Person::visitor() } else { Person::admin() };
            let reply = server.get(&person, &format!("{path}?{query}")).await;
            assert!(matches!(reply.status, 200 | 400), "{path}?{query}: {reply:#?}");
            assert!(!reply.body.to_string().contains("sqlite"), "{path}?{query}");
        }
    }
    let long = format!("/store/products?q={}", "a".repeat(5_000));
    assert_eq!(server.get(&Person::visitor(), &long).await.status, 400);
}

#[tokio::test]
async fn paths_that_name_nothing_are_not_found() {
    let (server, _store) = TestServer::with_store().await;
    let long = format!("/store/products/{}", "a".repeat(10_000));
    let odd = [
        "/store/products/%00",
        "/store/products/%2f%2e%2e",
        "/store/products/cart_01JD2Q8Z5M6T3W9XKCV4B7N0RE",
        "/store/products/..",
        "/store//products",
        "/nothing",
        long.as_str(),
    ];
    for path in odd {
        let reply = server.get(&Person::visitor(), path).await;
        assert_eq!(reply.status, 404, "{path:.60}: {reply:#?}");
        assert_eq!(reply.body["type"], "not_found", "{path:.60}");
    }
    let reply = server.call(&Person::visitor(), "PATCH", "/store/products", None).await;
    assert_eq!(reply.status, 405);
    assert!(reply.headers.contains_key("allow"));
}

#[tokio::test]
async fn nobody_sets_fields_that_only_the_server_sets() {
    let (server, store) = TestServer::with_store().await;
    for field in ["id", "created_at", "completed_at", "customer_id", "total", "deleted_at"] {
        let body = json!({"region_id": store.britain, field: "x"});
        let message = server.post(&Person::visitor(), "/store/carts", body).await.refused(400);
        assert!(message.contains(field), "{field}: {message}");
    }
}

#[tokio::test]
async fn empty_bodies_of_the_sdk_are_accepted_and_other_types_refused() {
    let (server, _store) = TestServer::with_store().await;
    let reply = server.call(&Person::visitor(), "POST", "/store/carts", Some(Vec::new())).await;
    assert_eq!(reply.status, 200, "{reply:#?}");
    for kind in
        ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
    {
        let mut request = axum::http::Request::builder()
            .method("POST")
            .uri("/store/carts")
            .header("content-type", kind);
        for (name, value) in Person::visitor().headers() {
            request = request.header(name, value);
        }
        let reply = server.send(request.body("a=b".into()).expect("a request")).await;
        assert_eq!(reply.status, 415, "{kind}: {reply:#?}");
    }
}

/// Texts that a page, a file or a header could misinterpret.
const TEXTS: [&str; 9] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "<!-- & </title> ]]>",
    "abc\u{202e}fed\u{2066}",
    "zero\u{200b}width\u{feff}\u{200d}",
    "line\r\nSet-Cookie: a=b",
    "=HYPERLINK(\"https://evil.example\")",
    "'; drop table orders; --",
    "{{ 7 * 7 }} ${7 * 7} %0d%0a",
];

/// A request with a text in its fields: the sender, its path and body, and where the response contains the
/// text.
type Telling = (Person, String, Value, &'static str, &'static [&'static str]);

/// Returns requests with texts from shoppers.
fn told_by_shoppers(text: &str, store: &Store, cart: &str) -> Vec<Telling> {
    let review = json!({ "product_id": store.mug_product, "rating": 5, "title": text, "content": text,
        "first_name": text, "last_name": text });
    let address =
        json!({ "shipping_address": { "first_name": text, "address_1": text, "city": text } });
    let of_address =
        &["shipping_address/first_name", "shipping_address/address_1", "shipping_address/city"];
    let (customer, visitor) = (Person::customer_a(), Person::visitor());
    let name = json!({ "last_name": text });
    vec![
        (
            customer.clone(),
            "/store/reviews".into(),
            review,
            "review",
            &["title", "content", "first_name"],
        ),
        (visitor, format!("/store/carts/{cart}"), address, "cart", of_address),
        (customer, "/store/customers/me".into(), name, "customer", &["last_name"]),
    ]
}

/// Returns requests with texts from administrators; the number makes handles unique.
fn told_by_admins(text: &str, store: &Store, number: usize) -> Vec<Telling> {
    let site = json!({ "name": text, "handle": format!("s{number}"), "domain": format!("s{number}.example"),
        "sales_channel_id": store.channel, "locale": "en", "seo": { "title": text } });
    let page =
        json!({ "slug": format!("p{number}"), "title": text, "excerpt": text, "body": text });
    let banner = json!({ "title": text, "body": text, "image_alt": text, "link_label": text });
    let partner = json!({ "name": text, "email": format!("p{number}@example.com") });
    let product = json!({ "title": text, "subtitle": text, "options": [{ "title": text, "values": ["One"] }] });
    let flow = json!({ "name": text, "kind": "pre_purchase" });
    let of = |path: &str, body, key, fields| {
        (Person::admin(), format!("/admin/{path}"), body, key, fields)
    };
    vec![
        of("banners", banner, "banner", &["title", "body", "image_alt", "link_label"][..]),
        of("content-pages", page, "content_page", &["title", "excerpt", "body"]),
        of("sites", site, "site", &["name", "seo/title"]),
        of("partners", partner, "partner", &["name"]),
        of("flows", flow, "flow", &["name"]),
        of("products", product, "product", &["title", "subtitle", "options/0/title"]),
    ]
}

#[tokio::test]
async fn hostile_text_comes_back_as_it_was_sent_or_is_refused() {
    let (server, store) = TestServer::with_store().await;
    let cart = server.cart_with(&Person::visitor(), &store, &store.mug, 1).await;
    let mut kept = 0;
    for (number, text) in TEXTS.into_iter().enumerate() {
        let shoppers = told_by_shoppers(text, &store, &cart);
        let all = [shoppers, told_by_admins(text, &store, number)].concat();
        for (person, path, body, key, fields) in all {
            let reply = server.post(&person, &path, body).await;
            // Five reviews an hour are the limit.
            if matches!(reply.status, 400 | 429) {
                continue;
            }
            let body = reply.ok();
            for field in fields {
                let found = body[key].pointer(&format!("/{field}"));
                assert_eq!(found, Some(&json!(text)), "{path} {field}");
                kept += 1;
            }
        }
    }
    assert!(kept > 100, "{kept}");
}
