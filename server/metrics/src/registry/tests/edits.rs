//! Tests of edits.

use super::*;
use crate::registry::metric::VersionView;
use crate::registry::queries::versions;
use crate::registry::templates;
use crate::registry::vocabulary::Lifecycle;

impl Store {
    async fn versions(&self, metric: &Metric) -> Vec<VersionView> {
        let seq = metric.seq;
        let mut rows =
            self.db.read::<_, Error>(move |tx| versions::of_metric(tx, seq)).await.unwrap();
        rows.reverse();
        rows
    }

    async fn state(&self, key: &str, state: Lifecycle) -> Result<Metric, String> {
        let key = key.to_owned();
        self.edit(move |tx, registry, editor| {
            edit::set_state(tx, registry, (&key, state, false), editor)
        })
        .await
    }

    async fn remove(&self, key: &str) -> Result<Metric, String> {
        let key = key.to_owned();
        self.edit(move |tx, registry, editor| edit::remove(tx, registry, (&key, false), editor))
            .await
    }

    async fn roll_back(&self, key: &str, version: u32) -> Result<Metric, String> {
        let key = key.to_owned();
        self.edit(move |tx, registry, editor| {
            edit::roll_back(tx, registry, (&key, version, false), editor)
        })
        .await
    }
}

#[tokio::test]
async fn two_edits_that_are_each_fine_make_no_cycle_together() {
    let store = Store::open();
    store.make("a", "count(orders)").await.unwrap();
    store.make("b", "count(items)").await.unwrap();
    store.make("c", "b * 2").await.unwrap();

    let (first, second) = tokio::join!(store.say("a", "c + 1"), store.say("b", "a + 1"));

    let refusals: Vec<String> = [first.err(), second.err()].into_iter().flatten().collect();
    assert_eq!(refusals.len(), 1, "{refusals:?}");
    let refused = &refusals[0];
    for key in ["a", "b", "c"] {
        assert!(refused.contains(key), "the whole way is named: {refused}");
    }
    assert!(refused.contains("itself"), "{refused}");
}

#[tokio::test]
async fn sixteen_updates_at_once_make_sixteen_versions_without_a_gap() {
    let store = std::sync::Arc::new(Store::open());
    let metric = store.make("a", "count(orders)").await.unwrap();
    let mut running = tokio::task::JoinSet::new();
    for number in 0..16 {
        let store = std::sync::Arc::clone(&store);
        running.spawn(async move { store.say("a", &format!("count(orders) + {number}")).await });
    }
    while let Some(done) = running.join_next().await {
        done.unwrap().unwrap();
    }
    let numbers: Vec<u32> = store.versions(&metric).await.iter().map(|row| row.version).collect();
    assert_eq!(numbers, (1..=17).collect::<Vec<_>>());
}

#[tokio::test]
async fn white_space_alone_creates_no_version_and_is_stored_as_written() {
    let store = Store::open();
    let metric = store.make("a", "count(orders) + 1").await.unwrap();
    let after = store.say("a", "COUNT( orders )  +  1").await.unwrap();
    assert_eq!((after.version, after.formula.as_str()), (1, "COUNT( orders )  +  1"));
    let after = store.say("a", "count(orders) + 2").await.unwrap();
    assert_eq!(after.version, 2);
    assert_eq!(store.versions(&metric).await.len(), 2);
}

#[tokio::test]
async fn a_rollback_creates_a_version_equal_to_the_earlier_one() {
    let store = Store::open();
    let metric = store.make("a", "count(orders)").await.unwrap();
    store.say("a", "count(items)").await.unwrap();
    let back = store.roll_back("a", 1).await.unwrap();
    assert_eq!((back.version, back.formula.as_str()), (3, "count(orders)"));
    let rows = store.versions(&metric).await;
    assert_eq!(rows[2].restored_from, Some(1));
    assert_eq!(rows[2].hash, rows[0].hash);
    assert_eq!(store.roll_back("a", 9).await.unwrap_err(), "`a` has no version 9");
}

#[tokio::test]
async fn going_back_makes_no_cycle() {
    let store = Store::open();
    store.make("base", "count(orders)").await.unwrap();
    store.make("a", "base + 1").await.unwrap();
    store.say("a", "count(items)").await.unwrap();
    store.say("base", "a + 1").await.unwrap();
    let refused = store.roll_back("a", 1).await.unwrap_err();
    assert!(refused.contains("a → base → a"), "{refused}");
}

#[tokio::test]
async fn another_name_keeps_the_key_and_breaks_nothing() {
    let store = Store::open();
    store.make("Orders placed", "count(orders)").await.unwrap();
    let user = store.make("Twice", "2 * orders_placed").await.unwrap();
    let name = Some("All orders".to_owned());
    let renamed =
        store.change("orders_placed", MetricChange { name, ..MetricChange::default() }).await;
    let renamed = renamed.unwrap();
    assert_eq!((renamed.key.as_str(), renamed.version), ("orders_placed", 2));
    assert_eq!(store.versions(&user).await.len(), 1);
    let taken = store.make("all ORDERS", "1").await.unwrap_err();
    assert_eq!(taken, "A metric named `all ORDERS` exists already");
}

#[tokio::test]
async fn a_metric_is_active_only_on_active_ones_and_is_not_archived_below_them() {
    let store = Store::open();
    store.make("a", "count(orders)").await.unwrap();
    store.make("b", "a + 1").await.unwrap();
    let refused = store.state("b", Lifecycle::Active).await.unwrap_err();
    assert_eq!(refused, "it uses a, which are no active metrics");
    let refused = store.state("a", Lifecycle::Deprecated).await.unwrap_err();
    assert_eq!(refused, "a metric that is draft cannot become deprecated");
    store.state("a", Lifecycle::Active).await.unwrap();
    store.state("b", Lifecycle::Active).await.unwrap();
    let refused = store.state("a", Lifecycle::Archived).await.unwrap_err();
    assert_eq!(refused, "`a` is used by b");
    store.state("a", Lifecycle::Deprecated).await.unwrap();
    store.state("b", Lifecycle::Archived).await.unwrap();
    store.state("a", Lifecycle::Archived).await.unwrap();
    assert_eq!(store.state("a", Lifecycle::Draft).await.unwrap().state, Lifecycle::Draft);
}

#[tokio::test]
async fn a_removed_metric_keeps_its_key_and_versions_and_comes_back_as_a_draft() {
    let store = Store::open();
    let metric = store.make("a", "count(orders)").await.unwrap();
    store.say("a", "count(items)").await.unwrap();
    store.make("b", "a + 1").await.unwrap();
    for key in ["a", "b"] {
        store.state(key, Lifecycle::Active).await.unwrap();
    }
    assert_eq!(store.remove("a").await.unwrap_err(), "`a` is used by b");
    store.remove("b").await.unwrap();
    let gone = store.remove("a").await.unwrap();
    assert!(gone.deleted_at.is_some());
    assert_eq!(gone.state, Lifecycle::Archived);
    assert_eq!(store.say("a", "1").await.unwrap_err(), "Metric with id: a was not found");
    assert!(store.make("c", "a + 1").await.is_err());

    let back = store.state("a", Lifecycle::Draft).await.unwrap();
    assert_eq!((back.deleted_at, back.formula.as_str()), (None, "count(items)"));
    assert_eq!(store.versions(&metric).await.len(), 2);
    store.make("c", "a + 1").await.unwrap();
}

#[tokio::test]
async fn drafts_keep_a_metric_that_was_removed_below_them_but_are_not_activated() {
    let store = Store::open();
    store.make("a", "count(orders)").await.unwrap();
    store.make("b", "a + 1").await.unwrap();
    store.remove("a").await.unwrap();

    let refused = "it uses a, which are no active metrics";
    assert_eq!(store.state("b", Lifecycle::Active).await.unwrap_err(), refused);
    assert_eq!(store.make("c", "a + 2").await.unwrap_err(), refused);
    assert_eq!(store.say("b", "a + 3").await.unwrap().version, 2);
    assert_eq!(store.say("b", "4").await.unwrap().version, 3);
    assert!(store.say("b", "a + 5").await.is_err());

    store.state("a", Lifecycle::Draft).await.unwrap();
    store.say("b", "a + 5").await.unwrap();
}

#[tokio::test]
async fn a_lock_is_passed_over_by_force_and_by_admins_only() {
    let store = Store::open();
    store.make("a", "count(orders)").await.unwrap();
    let locked = MetricChange { is_locked: Some(true), ..MetricChange::default() };
    store.change("a", locked).await.unwrap();
    let refused = "The metric `a` is locked; an admin may change it with force, and the owner of a private one may unlock it";
    assert_eq!(store.say("a", "1").await.unwrap_err(), refused);
    assert_eq!(store.remove("a").await.unwrap_err(), refused);
    assert_eq!(store.roll_back("a", 1).await.unwrap_err(), refused);
    assert_eq!(store.state("a", Lifecycle::Active).await.unwrap_err(), refused);
    let forced =
        || MetricChange { formula: Some("2".to_owned()), force: true, ..MetricChange::default() };
    let analyst = store.edit(move |tx, registry, editor| {
        let editor = Editor { is_admin: false, ..editor.clone() };
        edit::update(tx, registry, ("a", forced()), &editor)
    });
    assert_eq!(analyst.await.unwrap_err(), refused);
    assert_eq!(store.change("a", forced()).await.unwrap().version, 2);
}

#[tokio::test]
async fn the_demo_stores_metrics_are_active_with_all_that_they_use() {
    let store = Store::open();
    store.edit(|tx, _, editor| templates::create_demo_metrics(tx, &editor.id)).await.unwrap();
    let snapshot = store.edit(|tx, registry, _| registry.snapshot(tx)).await.unwrap();
    for key in ["aov", "gross_margin", "net_sales", "order_count", "repeat_purchase_rate"] {
        let metric = snapshot.metric(key).unwrap_or_else(|| panic!("{key}"));
        assert_eq!((metric.key.as_str(), metric.state), (key, Lifecycle::Active));
    }
    assert_eq!(snapshot.metrics().len(), 15);
}
