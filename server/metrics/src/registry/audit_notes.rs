//! Audit log entries about changes of metrics.

use quotient::registry::RegistryError;
use serde_json::Value;

use super::MetricRegistry;
use super::metric::Metric;
use crate::MetricError;
use crate::audit_log::{self, EntityType, Entry};
use crate::database::{self, Tx, Word};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Word)]
pub(super) enum Action {
    Create,
    Update,
    Rollback,
    Lifecycle,
    Delete,
    Example,
    /// It changed because another metric did.
    Follow,
}

/// Records that a metric was changed; a change of a locked metric is recorded as forced.
pub(super) fn changed(
    tx: &Tx<'_>,
    action: Action,
    (before, after): (Option<&Metric>, &Metric),
    actor_id: &str,
) -> Result<(), database::Error> {
    let word = action.as_str();
    let is_forced = action != Action::Follow && before.is_some_and(|before| before.is_locked);
    let forced = format!("forced_{word}");
    let entry = Entry {
        entity_type: EntityType::Metric,
        entity_id: after.id.as_str(),
        action: if is_forced { &forced } else { word },
        actor_id,
        before: serde_json::json!(before),
        after: if action == Action::Delete { Value::Null } else { serde_json::json!(after) },
    };
    audit_log::record(tx, &entry)
}

/// Records a change that is refused because the metric is locked, in use, or a system metric.
pub(super) fn or_refused<T>(
    tx: &Tx<'_>,
    registry: &MetricRegistry,
    (action, id_or_key): (Action, &str),
    actor_id: &str,
    outcome: Result<T, MetricError>,
) -> Result<T, MetricError> {
    if let Err(error) = &outcome
        && is_refusal(error)
    {
        let snapshot = registry.snapshot(tx)?;
        let found_id = snapshot.metric(id_or_key).map(|metric| metric.id.as_str());
        let entity = (EntityType::Metric, found_id.unwrap_or(id_or_key));
        audit_log::refused(tx, entity, action.as_str(), actor_id, &error.to_string());
    }
    outcome
}

fn is_refusal(error: &MetricError) -> bool {
    matches!(
        error,
        MetricError::Locked(_)
            | MetricError::System(_)
            | MetricError::AdminsOnly(_)
            | MetricError::UsedUnseen(_)
            | MetricError::Registry(RegistryError::Used { .. })
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, Timestamp};
    use crate::database::Db;
    use crate::registry::edit::{self, Editor, MetricChange, NewMetric};
    use crate::registry::vocabulary::{Category, DataType, Lifecycle};
    use crate::testing;

    fn database() -> Db {
        let clock = Clock::fixed(Timestamp::from_millis(1_795_262_400_000));
        Db::open(&testing::options(&clock)).unwrap()
    }

    fn editor() -> Editor {
        Editor { id: "user_1".to_owned(), is_admin: true }
    }

    fn new(name: &str, formula: &str) -> NewMetric {
        NewMetric::new(name, Category::Orders, formula, DataType::Integer)
    }

    async fn actions(db: &Db) -> Vec<String> {
        db.read::<_, database::Error>(|tx| {
            assert!(audit_log::verify(tx)?.is_ok());
            let mut statement = tx.prepare("select action from audit_entry order by seq")?;
            let actions = statement.query_map([], |row| row.get(0))?;
            Ok(actions.collect::<Result<_, _>>()?)
        })
        .await
        .unwrap()
    }

    #[tokio::test]
    async fn every_change_of_a_metric_has_one_entry_and_invalid_ones_have_none() {
        let (db, registry) = (database(), MetricRegistry::default());
        db.write(move |tx| {
            let editor = editor();
            edit::create(tx, &registry, new("Placed", "count(orders)"), &editor)?;
            let formula = Some("count(orders) + 0".to_owned());
            let change = MetricChange { formula, ..MetricChange::default() };
            edit::update(tx, &registry, ("placed", change), &editor)?;
            edit::roll_back(tx, &registry, ("placed", 1, false), &editor)?;
            edit::set_state(tx, &registry, ("placed", Lifecycle::Active, false), &editor)?;
            let is_locked = Some(true);
            let change = MetricChange { is_locked, ..MetricChange::default() };
            edit::update(tx, &registry, ("placed", change), &editor)?;
            edit::remove(tx, &registry, ("placed", true), &editor).map(drop)
        })
        .await
        .unwrap();
        let registry = MetricRegistry::default();
        let wrong = db
            .write(move |tx| edit::create(tx, &registry, new("Wrong", "count(oders)"), &editor()))
            .await;
        assert!(wrong.is_err());

        assert_eq!(
            actions(&db).await,
            ["create", "update", "rollback", "lifecycle", "update", "forced_delete"]
        );
    }

    #[tokio::test]
    async fn refusals_by_a_lock_or_a_use_leave_only_an_entry() {
        let (db, registry) = (database(), MetricRegistry::default());
        db.write(move |tx| {
            let editor = editor();
            edit::create(tx, &registry, new("Placed", "count(orders)"), &editor)?;
            edit::create(tx, &registry, new("Twice", "placed + placed"), &editor)?;
            for key in ["placed", "twice"] {
                edit::set_state(tx, &registry, (key, Lifecycle::Active, false), &editor)?;
            }
            let is_locked = Some(true);
            let change = MetricChange { is_locked, ..MetricChange::default() };
            edit::update(tx, &registry, ("twice", change), &editor).map(drop)
        })
        .await
        .unwrap();

        let registry = MetricRegistry::default();
        let change = MetricChange { name: Some("Other".to_owned()), ..MetricChange::default() };
        let locked =
            db.write(move |tx| edit::update(tx, &registry, ("twice", change), &editor())).await;
        assert!(matches!(locked, Err(MetricError::Locked(_))));
        let registry = MetricRegistry::default();
        let used =
            db.write(move |tx| edit::remove(tx, &registry, ("placed", false), &editor())).await;
        assert!(matches!(used, Err(MetricError::Registry(RegistryError::Used { .. }))), "{used:?}");

        assert_eq!(
            actions(&db).await,
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
}
