//! Links of partners.

use axum::body::Body;
use axum::http::Request;
use quotient_server::testing::rounds;
use serde_json::json;

use super::DAY_MS;
use crate::harness::{PARTNER_ID, Person, TestServer};

fn header<'r>(reply: &'r crate::harness::Reply, name: &str) -> &'r str {
    reply.headers.get(name).map_or("", |value| value.to_str().expect("text"))
}

#[tokio::test]
async fn a_link_leads_to_the_landing_page_with_the_click_and_keeps_its_subs() {
    let server = TestServer::empty().await;
    server.offer(json!({ "window_days": 7 })).await;

    let long = "x".repeat(101);
    let path = format!("mountain?sub1=a%26b&sub2={long}&next=https://evil.example&pclid=forged");
    let headers =
        [("referer", "https://blog.example/post?x=1"), ("accept-language", "de-AT,de;q=0.9")];
    let reply = server.follow_link(&path, &headers).await;

    assert_eq!(reply.status, 302);
    let location = header(&reply, "location");
    let id = location.strip_prefix("/spring?a=b&pclid=").and_then(|rest| rest.strip_suffix("#c"));
    let id = id.unwrap_or_else(|| panic!("{location}"));
    assert_eq!(header(&reply, "cache-control"), "no-store");
    assert_eq!(header(&reply, "referrer-policy"), "no-referrer");
    let expected = format!(
        "partner_click={id}; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age={}",
        7 * 24 * 60 * 60
    );
    let parts = |cookie: &str| {
        let mut parts: Vec<String> = cookie.split("; ").map(str::to_owned).collect();
        parts.sort();
        parts
    };
    // The call comes from this machine, over plain http.
    let local = expected.replace(" Secure;", "");
    assert_eq!(parts(header(&reply, "set-cookie")), parts(&local));
    let proxied = server.follow_link("MOUNTAIN", &[("x-forwarded-for", "192.0.2.1")]).await;
    assert!(header(&proxied, "set-cookie").contains("; Secure"), "{proxied:?}");
    let click = server.get(&Person::admin(), &format!("/admin/partner-clicks/{id}")).await.ok();
    let click = &click["partner_click"];
    assert_eq!((&click["sub1"], &click["sub2"]), (&json!("a&b"), &json!(null)));
    assert_eq!((&click["country"], &click["device"]), (&json!("at"), &json!("desktop")));
    assert_eq!(click["referrer_host"], "blog.example");
}

#[tokio::test]
async fn a_visitor_who_comes_again_within_half_an_hour_is_the_same_click() {
    let server = TestServer::empty().await;
    server.offer(json!({})).await;
    server.offer(json!({ "code": "VALLEY" })).await;
    let first = server.click("MOUNTAIN").await;
    let cookie = format!("a=b; partner_click={first}");
    let follow = async |code: &str| {
        let reply = server.follow_link(code, &[("cookie", &cookie)]).await;
        let location = header(&reply, "location").to_owned();
        location.split("pclid=").nth(1).expect("a click").replace("#c", "")
    };
    server.clock.advance(29 * 60_000);
    assert_eq!(follow("mountain").await, first);
    let valley = follow("VALLEY").await;
    server.clock.advance(60_000);
    let second = follow("MOUNTAIN").await;
    assert!(second != first && valley != first);
    let all = server.get(&Person::admin(), "/admin/partner-clicks?order=clicked_at").await.ok();
    let rows = all["partner_clicks"].as_array().expect("clicks");
    let visitors: Vec<_> = rows.iter().map(|row| &row["visitor"]).collect();
    assert_eq!(visitors, [visitors[0]; 3], "one browser is one visitor");
    let first = rows.iter().find(|row| row["id"] == first.as_str()).expect("the first");
    assert_eq!(first["repeat_count"], 1);
    assert_ne!(server.click("MOUNTAIN").await, second, "another browser");
}

#[tokio::test]
async fn robots_and_prefetches_are_redirected_without_a_trace() {
    let server = TestServer::empty().await;
    server.offer(json!({})).await;
    for headers in [
        [("sec-purpose", "prefetch;prerender")],
        [("purpose", "prefetch")],
        [("user-agent", "Mozilla/5.0 (compatible; Googlebot/2.1)")],
        [("user-agent", "")],
    ] {
        let reply = server.follow_link("MOUNTAIN", &headers).await;
        assert_eq!(
            (reply.status, header(&reply, "location")),
            (302, "/spring?a=b#c"),
            "{headers:?}"
        );
        assert_eq!(header(&reply, "set-cookie"), "", "{headers:?}");
    }
    let head = Request::builder().method("HEAD").uri("/track/partners/click/MOUNTAIN");
    let reply = server
        .send(head.header("user-agent", super::FIREFOX).body(Body::empty()).expect("a request"))
        .await;
    assert_eq!((reply.status, header(&reply, "set-cookie")), (302, ""));
    assert_eq!(server.number("select count(*) from partner_click").await, 0);
}

#[tokio::test]
async fn every_bad_code_gets_the_same_bytes() {
    let server = TestServer::empty().await;
    server.offer(json!({})).await;
    server.offer(json!({ "code": "LATER", "starts_at": "2027-01-01T00:00:00Z" })).await;
    server.offer(json!({ "code": "OVER", "ends_at": "2026-11-01T00:00:00Z" })).await;
    let gone = server.offer(json!({ "code": "GONE" })).await;
    server.delete(&Person::admin(), &gone).await.ok();
    let mut codes: Vec<String> =
        ["UNKNOWN", "a", "%00", "%ff", "a%2fb", "..%2f..", "LATER", "OVER", "GONE"]
            .into_iter()
            .map(str::to_owned)
            .collect();
    codes.push("x".repeat(2_000));
    let check = async |code: &str| {
        let reply = server.follow_link(code, &[]).await;
        assert_eq!(reply.status, 400, "{code}");
        assert_eq!(reply.body.to_string(), r#"{"message":"This link is not valid"}"#, "{code}");
        assert!(
            !reply.headers.contains_key("location") && !reply.headers.contains_key("set-cookie")
        );
    };
    for code in &codes {
        check(code).await;
    }
    let path = format!("/admin/partners/{PARTNER_ID}");
    server.post(&Person::admin(), &path, json!({ "status": "paused" })).await.ok();
    check("MOUNTAIN").await;
    server.post(&Person::admin(), &path, json!({ "status": "active" })).await.ok();
    server.click("MOUNTAIN").await;
}

#[tokio::test]
async fn a_link_leads_only_to_the_target_of_its_offer() {
    let server = TestServer::empty().await;
    server.offer(json!({ "landing_url": "https://shop.example/a" })).await;
    let mut seed = 7_u64;
    let mut next = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((seed >> 33) % below).expect("small")
    };
    let parts = [
        "MOUNTAIN",
        "mountain",
        "?",
        "&",
        "next=",
        "//evil.example",
        "%0d%0a",
        "https:",
        "url=",
        "#",
        "@",
        "%5c",
        "sub1=",
        "..",
        "%2f",
    ];
    let mut led = 0;
    for _ in 0..rounds(2_000, 10_000) {
        let text: String = (0..=next(5)).map(|_| parts[next(15)]).collect();
        let request = Request::builder()
            .uri(format!("/track/partners/click/{text}"))
            .header("user-agent", super::FIREFOX);
        let Ok(request) = request.body(Body::empty()) else { continue };
        let reply = server.send(request).await;
        match reply.status {
            302 => {
                led += 1;
                let location = header(&reply, "location");
                let id = location.strip_prefix("https://shop.example/a?pclid=pclk_");
                assert!(id.is_some_and(|id| id.len() == 26), "{text}: {location}");
            }
            400 | 404 => assert!(!reply.headers.contains_key("location"), "{text}"),
            other => panic!("{text}: {other}"),
        }
    }
    assert!(led > 50, "{led}");
}

#[tokio::test]
async fn a_browser_with_do_not_track_gets_no_cookie_if_the_settings_honour_it() {
    for (setting, expected) in [("always", true), ("unless-gpc", false)] {
        let server = TestServer::with_settings(&[&format!("--partner-cookie={setting}")]).await;
        server.offer(json!({})).await;
        let reply = server.follow_link("MOUNTAIN", &[("sec-gpc", "1")]).await;
        assert!(header(&reply, "location").contains("pclid="));
        assert_eq!(reply.headers.contains_key("set-cookie"), expected, "{setting}");
    }
}

#[tokio::test]
async fn a_shopper_is_led_on_while_the_database_is_busy_and_the_click_is_written_later() {
    let server = TestServer::empty().await;
    server.offer(json!({})).await;
    server.click("MOUNTAIN").await;
    let other = server.other_process();
    let (locked, is_locked) = tokio::sync::oneshot::channel();
    let (release, released) = std::sync::mpsc::channel::<()>();
    let holding = tokio::spawn(async move {
        other
            .write::<_, quotient_server::database::Error>(move |tx| {
                tx.execute("update partner set name = name", [])?;
                locked.send(()).expect("somebody waits");
                released.recv().expect("a word");
                Ok(())
            })
            .await
    });
    is_locked.await.expect("a lock");

    let begun = std::time::Instant::now();
    let click = server.click("MOUNTAIN").await;

    assert!(begun.elapsed() < std::time::Duration::from_secs(1), "{:?}", begun.elapsed());
    release.send(()).expect("somebody waits");
    holding.await.expect("no panic").expect("a write");
    // The write has failed by now, or is done.
    for _ in 0..50 {
        server.drain().await;
        let found = server.get(&Person::admin(), &format!("/admin/partner-clicks/{click}")).await;
        if found.status == 200 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("the click is lost");
}

#[tokio::test]
async fn clicks_are_deleted_after_the_days_of_the_settings() {
    let server = TestServer::with_settings(&["--partner-click-days=10"]).await;
    server.offer(json!({})).await;
    server.click("MOUNTAIN").await;
    server.work().await;
    server.clock.advance(9 * DAY_MS);
    server.click("MOUNTAIN").await;
    server.clock.advance(2 * DAY_MS);
    // The audit, which runs as well, scans everything on purpose.
    let other = server.other_process();
    let days = 10;
    let count = other.write(move |tx| quotient_partners::clicks::prune(tx, days)).await;
    assert_eq!(count.expect("clicks"), 1);
    assert_eq!(server.number("select count(*) from partner_click").await, 1);
}

#[tokio::test]
async fn a_click_that_cannot_be_written_does_not_hold_up_the_others() {
    let server = TestServer::empty().await;
    server.offer(json!({})).await;
    server
        .sql(
            "create trigger broken before insert on partner_click when new.sub1 = 'bad'
             begin select raise(abort, 'broken'); end",
        )
        .await;
    let holder = server.locked().await;
    for sub in ["bad", "good"] {
        let reply = server.follow_link(&format!("MOUNTAIN?sub1={sub}"), &[]).await;
        assert_eq!(reply.status, 302, "{sub}");
    }

    holder.release().await;
    server.drain().await;

    assert_eq!(server.number("select count(*) from partner_click where sub1 = 'good'").await, 1);
    assert_eq!(server.number("select count(*) from partner_click").await, 1);
}
