//! Tests of the audit log's entries about metrics.

use quotient::registry::RegistryError;

use super::*;
use crate::audit_log;
use crate::registry::vocabulary::Lifecycle;

fn new(name: &str, formula: &str) -> NewMetric {
    NewMetric::new(name, Category::Orders, formula, DataType::Integer)
}

async fn actions(store: &Store) -> Vec<String> {
    let actions = store.db.read::<_, Error>(|tx| {
        assert!(audit_log::verify(tx)?.is_ok());
        tx.sql("select action from audit_entry order by seq").all([], |row| row.get(0))
    });
    actions.await.unwrap()
}

#[tokio::test]
async fn every_change_of_a_metric_has_one_entry_and_invalid_ones_have_none() {
    let store = Store::open();
    let changed = store.edit(|tx, registry, editor| {
        edit::create(tx, registry, new("Placed", "count(orders)"), editor)?;
        let formula = Some("count(orders) + 0".to_owned());
        let change = MetricChange { formula, ..MetricChange::default() };
        edit::update(tx, registry, ("placed", change), editor)?;
        edit::roll_back(tx, registry, ("placed", 1, false), editor)?;
        edit::set_state(tx, registry, ("placed", Lifecycle::Active, false), editor)?;
        let change = MetricChange { is_locked: Some(true), ..MetricChange::default() };
        edit::update(tx, registry, ("placed", change), editor)?;
        edit::remove(tx, registry, ("placed", true), editor)
    });
    changed.await.unwrap();
    let wrong = store.edit(|tx, registry, editor| {
        edit::create(tx, registry, new("Wrong", "count(oders)"), editor)
    });
    assert!(wrong.await.is_err());

    assert_eq!(
        actions(&store).await,
        ["create", "update", "rollback", "lifecycle", "update", "forced_delete"]
    );
}

#[tokio::test]
async fn refusals_by_a_lock_or_a_use_leave_only_an_entry() {
    let store = Store::open();
    let changed = store.edit(|tx, registry, editor| {
        edit::create(tx, registry, new("Placed", "count(orders)"), editor)?;
        edit::create(tx, registry, new("Twice", "placed + placed"), editor)?;
        for key in ["placed", "twice"] {
            edit::set_state(tx, registry, (key, Lifecycle::Active, false), editor)?;
        }
        let change = MetricChange { is_locked: Some(true), ..MetricChange::default() };
        edit::update(tx, registry, ("twice", change), editor)
    });
    changed.await.unwrap();

    let change = MetricChange { name: Some("Other".to_owned()), ..MetricChange::default() };
    let locked = store.try_edit(move |tx, registry, editor| {
        edit::update(tx, registry, ("twice", change), editor)
    });
    assert!(matches!(locked.await, Err(MetricError::Locked(_))));
    let used = store
        .try_edit(|tx, registry, editor| edit::remove(tx, registry, ("placed", false), editor));
    let used = used.await;
    assert!(matches!(used, Err(MetricError::Registry(RegistryError::Used { .. }))), "{used:?}");

    assert_eq!(
        actions(&store).await,
        [
            "create",
            "create",
            "lifecycle",
            "lifecycle",
            "update",
            "refused_update",
            "refused_delete"
        ]
    );
}
