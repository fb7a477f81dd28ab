//! Tests of readers during concurrent edits.

use super::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_reader_never_sees_metrics_older_or_newer_than_its_snapshot() {
    let store = std::sync::Arc::new(Store::open());
    store.make("a", "count(orders)").await.unwrap();
    let mut running = tokio::task::JoinSet::new();
    for reader in 0..8_u32 {
        let store = std::sync::Arc::clone(&store);
        running.spawn(async move {
            for round in 0..20_u32 {
                if reader == 0 {
                    store.say("a", &format!("count(orders) + {round}")).await.unwrap();
                }
                let registry = store.registry.clone();
                let seen = store.db.read::<_, MetricError>(move |tx| {
                    let rows = crate::registry::queries::metrics::all(tx)?;
                    let row = rows.into_iter().find(|row| row.key == "a");
                    let snapshot = registry.snapshot(tx)?;
                    let known = snapshot.metric("a").map(|metric| metric.formula.clone());
                    let computed =
                        snapshot.engine().metric("a").map(|metric| metric.formula.clone());
                    Ok((row.map(|row| row.formula), known, computed))
                });
                let (row, known, computed) = seen.await.unwrap();
                assert_eq!(row, known);
                assert_eq!(row, computed);
            }
        });
    }
    let all = async {
        while let Some(done) = running.join_next().await {
            done.unwrap();
        }
    };
    tokio::time::timeout(Duration::from_mins(1), all).await.unwrap();
}

#[tokio::test]
async fn an_undone_edit_leaves_nothing_in_memory() {
    let store = Store::open();
    store.make("a", "count(orders)").await.unwrap();
    let undone: Result<(), String> = store
        .edit(|tx, registry, editor| {
            let formula = Some("count(items)".to_owned());
            let change = MetricChange { formula, ..MetricChange::default() };
            edit::update(tx, registry, ("a", change), editor)?;
            Err(MetricError::NotFound("undone".to_owned()))
        })
        .await;
    assert!(undone.is_err());
    let registry = store.registry.clone();
    let formula = store
        .db
        .read::<_, MetricError>(move |tx| {
            Ok(registry.snapshot(tx)?.metric("a").map(|metric| metric.formula.clone()))
        })
        .await
        .unwrap();
    assert_eq!(formula.as_deref(), Some("count(orders)"));
}
