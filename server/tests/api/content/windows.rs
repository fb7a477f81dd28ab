//! Random windows of banners and pages, checked a millisecond before, at and after each of their ends.

#![expect(clippy::arithmetic_side_effects, reason = "numbers are small")]

use std::collections::BTreeSet;

use quotient_server::clock::Timestamp;
use quotient_server::testing::rounds;
use serde_json::{Value, json};

use super::{header, id_of};
use crate::harness::{Chance, Person, TestServer};

const BANNERS: usize = 40;
const PAGES: usize = 10;
const CAMPAIGNS: usize = 4;

/// From an instant until before another, in milliseconds.
#[derive(Debug, Clone, Copy, Default)]
struct Span {
    start: Option<i64>,
    end: Option<i64>,
}

impl Span {
    /// Returns a window within three minutes; one or both ends may be missing.
    fn random(chance: &mut Chance, from: i64) -> Self {
        let start = from + i64::from(chance.below(120_000));
        let end = start + 1 + i64::from(chance.below(60_000));
        let (has_start, has_end) = [(false, false), (true, false), (false, true), (true, true)]
            [usize::try_from(chance.below(4)).expect("an index")];
        Self { start: has_start.then_some(start), end: has_end.then_some(end) }
    }

    fn ends(self) -> impl Iterator<Item = i64> {
        self.start.into_iter().chain(self.end)
    }

    fn is_open(self, at: i64) -> bool {
        self.start.is_none_or(|start| start <= at) && self.end.is_none_or(|end| at < end)
    }

    /// Writes its ends into a body under two names.
    fn write(self, body: &mut Value, [start, end]: [&str; 2]) {
        for (name, at) in [(start, self.start), (end, self.end)] {
            body[name] = json!(at.map(Timestamp::from_millis));
        }
    }
}

async fn make(server: &TestServer, path: &str, key: &str, body: Value) -> String {
    id_of(&server.post(&Person::admin(), path, body).await.ok(), key)
}

/// Creates banners with their own windows, with those of campaigns, with both and with none; returns the windows in which
/// they are shown.
async fn banners(server: &TestServer, chance: &mut Chance) -> Vec<Option<Span>> {
    let now = server.clock.now().as_millis();
    let mut campaigns = Vec::new();
    while campaigns.len() < CAMPAIGNS {
        let span = Span::random(chance, now);
        if span.ends().count() > 0 {
            let code = format!("C{}", campaigns.len());
            let mut body = json!({ "name": code, "campaign_identifier": code });
            span.write(&mut body, ["starts_at", "ends_at"]);
            campaigns.push((make(server, "/admin/campaigns", "campaign", body).await, span));
        }
    }
    let mut spans = Vec::new();
    for number in 0..BANNERS {
        let own = Some(Span::random(chance, now)).filter(|span| span.ends().count() > 0);
        let place = usize::try_from(chance.below(8)).expect("a place");
        let campaign = campaigns.get(place);
        let mut body =
            json!({ "title": number.to_string(), "campaign_id": campaign.map(|(id, _)| id) });
        own.unwrap_or_default().write(&mut body, ["starts_at", "ends_at"]);
        make(server, "/admin/banners", "banner", body).await;
        // Its own window alone decides.
        spans.push(own.or(campaign.map(|(_, span)| *span)));
    }
    spans
}

async fn pages(server: &TestServer, chance: &mut Chance) -> Vec<Span> {
    let now = server.clock.now().as_millis();
    let mut spans = Vec::new();
    for number in 0..PAGES {
        let span = Span::random(chance, now);
        let mut body =
            json!({ "slug": format!("page-{number}"), "title": "A page", "status": "published" });
        span.write(&mut body, ["publish_at", "unpublish_at"]);
        make(server, "/admin/content-pages", "content_page", body).await;
        spans.push(span);
    }
    spans
}

/// Requests content; asserts that the response is not cached past the next end of a window, and returns
/// it.
async fn shown(server: &TestServer, path: &str, mut ends: impl Iterator<Item = i64>) -> Value {
    let now = server.clock.now().as_millis();
    let reply = server.get(&Person::visitor(), path).await;
    let kept = header(&reply, "cache-control").strip_prefix("public, max-age=");
    let kept_ms = 1_000 * kept.expect("seconds").parse::<i64>().expect("a number");
    assert!(ends.all(|end| end <= now || now + kept_ms <= end), "{path}: {kept_ms} ms from {now}");
    reply.ok()
}

#[tokio::test]
async fn content_is_shown_in_its_window_to_the_millisecond() {
    let mut chance = Chance(11);
    for _ in 0..rounds(1, 200) {
        let (server, _store) = TestServer::with_store().await;
        let banners = banners(&server, &mut chance).await;
        let pages = pages(&server, &mut chance).await;
        let ends = || banners.iter().flatten().chain(&pages).flat_map(|span| span.ends());
        let moments: BTreeSet<i64> = ends().flat_map(|end| end - 1..=end + 1).collect();
        for at in moments {
            server.clock.advance(at - server.clock.now().as_millis());
            let own = banners.iter().flatten().flat_map(|span| span.ends());
            let body = shown(&server, "/store/banners?limit=200", own).await;
            let found: BTreeSet<usize> = (body["banners"].as_array().expect("banners").iter())
                .map(|banner| banner["title"].as_str().expect("a title").parse().expect("a number"))
                .collect();
            let is_open = |span: &Option<Span>| span.is_some_and(|span| span.is_open(at));
            let expected = (0..BANNERS).filter(|number| is_open(&banners[*number])).collect();
            assert_eq!(found, expected, "at {at} of {banners:?}");
            for (number, span) in pages.iter().enumerate() {
                if span.ends().any(|end| (end - 1..=end + 1).contains(&at)) {
                    let path = format!("/store/content-pages?slug=page-{number}");
                    let body = shown(&server, &path, span.ends()).await;
                    assert_eq!(body["page"].is_object(), span.is_open(at), "at {at} of {span:?}");
                }
            }
        }
    }
}
