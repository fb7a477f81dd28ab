//! Section 4.1: values, definitions, alerts, the audit log and the cache.

use serde_json::json;

use super::{Call, Case, bad, good, unknown};
use crate::harness::Person;

/// Returns the cases of values over the store and over contexts.
pub(super) fn values() -> Vec<Case> {
    let days = "start_date=2025-11-01&end_date=2025-11-21";
    let body = json!({"metrics": ["aov"], "start_date": "2025-11-01", "end_date": "2025-11-21",
        "granularity": "week", "group_by": ["sales_channel"], "compare": "previous_period"});
    let item = json!({"id": "a", "type": "metric", "metric": "aov"});
    vec![
        Case {
            route: "GET /admin/metrics",
            good: good(
                (&format!("/admin/metrics?{days}&granularity=day&compare=previous_year"), None),
                200,
                "success:bool metrics:{Record} filters:Filters requestedMetrics:[text]",
            ),
            bad: bad(("/admin/metrics?metrics=nothing", None), 404),
        },
        Case {
            route: "POST /admin/metrics",
            good: good(
                ("/admin/metrics", Some(json!({"date": "2025-11-03", "metrics": ["aov"]}))),
                200,
                "success:bool message:text date:text metrics:{Record} filters:Filters",
            ),
            bad: bad(("/admin/metrics", Some(json!({"date": "yesterday"}))), 400),
        },
        Case {
            route: "POST /admin/metrics/compute",
            good: good(
                ("/admin/metrics/compute", Some(body)),
                200,
                "success:bool message:text metrics:{Record} filters:Filters computeTime:number",
            ),
            bad: bad(("/admin/metrics/compute", Some(json!({"formula": "count(oders)"}))), 422),
        },
        Case {
            route: "POST /admin/metrics-registry/compute",
            good: good(
                (
                    "/admin/metrics-registry/compute",
                    Some(json!({"requests": [{"metric_id": "aov"}, {"metric_id": "nothing"}]})),
                ),
                200,
                "results:[Item] summary:Summary",
            ),
            bad: bad(("/admin/metrics-registry/compute", Some(json!({"requests": 1}))), 400),
        },
        Case {
            route: "POST /admin/metrics-registry/execute",
            good: good(
                (
                    "/admin/metrics-registry/execute",
                    Some(json!({"metric_id": "per_visit", "context": {"visits": 5}})),
                ),
                200,
                "metric_id:text result:any execution_time_ms:number value:any formatted:text type:text unit:text? \
                 exact:bool null_reason:text? null_at:NullAt? period:Period? inputs_used:[text]",
            ),
            bad: bad(("/admin/metrics-registry/execute", Some(json!({"metric_id": "no"}))), 404),
        },
        Case {
            route: "POST /admin/metrics/batch",
            good: good(
                ("/admin/metrics/batch", Some(json!({"requests": [item]}))),
                200,
                "results:{BatchItem} summary:Summary",
            ),
            bad: Call {
                shape: "error:text",
                ..bad(("/admin/metrics/batch", Some(json!({"requests": [item, item]}))), 400)
            },
        },
    ]
}

/// Returns the cases of definitions and their versions.
pub(super) fn definitions() -> Vec<Case> {
    let list = "/admin/metrics-registry/definitions";
    let one = &format!("{list}/plain");
    let new = super::super::registry::definition;
    vec![
        Case {
            route: "GET /admin/metrics-registry/definitions",
            good: good(
                (&format!("{list}?state=active"), None),
                200,
                "metrics:[Metric] count:number offset:number limit:number",
            ),
            bad: bad((&format!("{list}?limit=201"), None), 400),
        },
        Case {
            route: "POST /admin/metrics-registry/definitions",
            good: good((list, Some(new("Twice", "2 * aov", "currency"))), 201, "metric:Metric"),
            bad: bad((list, Some(new("Wrong", "2 * oav", "currency"))), 422),
        },
        Case {
            route: "GET /admin/metrics-registry/definitions/:id",
            good: good((one, None), 200, "metric:Metric"),
            bad: bad((&format!("{list}/nothing"), None), 404),
        },
        Case {
            route: "PATCH /admin/metrics-registry/definitions/:id",
            good: good((one, Some(json!({"formula": "count(items)"}))), 200, "metric:Metric"),
            bad: bad((one, Some(json!({"category": "orders"}))), 400),
        },
        Case {
            route: "GET /admin/metrics-registry/definitions/:id/versions",
            good: good((&format!("{one}/versions"), None), 200, "versions:[Version] count:number"),
            bad: bad((&format!("{list}/nothing/versions"), None), 404),
        },
        Case {
            route: "POST /admin/metrics-registry/definitions/:id/versions",
            good: good(
                (&format!("{one}/versions"), Some(json!({"version": 1}))),
                200,
                "metric:Metric message:text",
            ),
            bad: bad((&format!("{one}/versions"), Some(json!({"version": 99}))), 404),
        },
        Case {
            route: "DELETE /admin/metrics-registry/definitions/:id",
            good: good(
                (&format!("{list}/gone_one"), None),
                200,
                "id:text object:text deleted:bool",
            ),
            bad: bad((&format!("{list}/net_sales"), None), 409),
        },
    ]
}

/// Returns the cases of placeholders and of formula validation.
pub(super) fn placeholders() -> Vec<Case> {
    let placeholders = "/admin/metrics-registry/placeholders";
    let refunded = json!({"key": "refunded", "display_name": "Refunded", "data_source": "refunds",
        "source_field": "amount", "data_type": "currency"});
    vec![
        Case {
            route: "GET /admin/metrics-registry/placeholders",
            good: good(
                (placeholders, None),
                200,
                "placeholders:[Placeholder] count:number offset:number limit:number",
            ),
            bad: bad((&format!("{placeholders}?colour=red"), None), 400),
        },
        Case {
            route: "POST /admin/metrics-registry/placeholders",
            good: good((placeholders, Some(refunded)), 201, "placeholder:Placeholder"),
            bad: bad((placeholders, Some(json!({"key": "refunded"}))), 400),
        },
        Case {
            route: "POST /admin/metrics-registry/validate",
            good: good(
                ("/admin/metrics-registry/validate", Some(json!({"formula": "aov +"}))),
                200,
                "validation:Validation is_valid:bool",
            ),
            bad: bad(("/admin/metrics-registry/validate", Some(json!({}))), 400),
        },
    ]
}

/// Returns the cases of alerts.
pub(super) fn alerts([alert, gone]: &[String; 2]) -> Vec<Case> {
    let list = "/admin/metrics/alerts";
    let (one, gone) = (&format!("{list}/{alert}"), &format!("{list}/{gone}"));
    let none = &format!("{list}/alert_01JD2Q8Z5M6T3W9XKCV4B7NZZZ");
    let new = |condition: &str| {
        Some(json!({"name": "No orders", "metric_id": "order_count", "condition": condition}))
    };
    vec![
        Case {
            route: "GET /admin/metrics/alerts",
            good: good((list, None), 200, "alerts:[Alert] count:number offset:number limit:number"),
            bad: bad((&format!("{list}?offset=-1"), None), 400),
        },
        Case {
            route: "POST /admin/metrics/alerts",
            good: good((list, new("order_count < 1")), 201, "alert:Alert backtest:Backtest"),
            bad: bad((list, new("order_cuont < 1")), 422),
        },
        Case {
            route: "GET /admin/metrics/alerts/:id",
            good: good((one, None), 200, "alert:Alert"),
            bad: bad((none, None), 404),
        },
        Case {
            route: "POST /admin/metrics/alerts/:id",
            good: good(
                (one, Some(json!({"severity": "critical"}))),
                200,
                "alert:Alert backtest:Backtest",
            ),
            bad: bad((one, Some(json!({"severity": "grave"}))), 400),
        },
        Case {
            route: "DELETE /admin/metrics/alerts/:id",
            good: good((gone, None), 200, "id:text object:text deleted:bool"),
            bad: bad((none, None), 404),
        },
    ]
}

/// Returns the cases of the audit log and the cache.
pub(super) fn audit_and_cache() -> Vec<Case> {
    let (audit, cache) = ("/admin/metrics/audit", "/admin/metrics/cache");
    vec![
        Case {
            route: "GET /admin/metrics/audit",
            good: good(
                (audit, None),
                200,
                "changes:[Change] count:number offset:number limit:number",
            ),
            bad: Call { status: 403, person: Person::viewer(), ..bad((audit, None), 401) },
        },
        Case {
            route: "POST /admin/metrics/audit",
            good: good(
                (audit, Some(json!({"format": "json"}))),
                200,
                "changes:[Change] count:number chain_head:ChainHead",
            ),
            bad: bad((audit, Some(json!({"format": "xml"}))), 400),
        },
        Case {
            route: "POST /admin/metrics/cache",
            good: good(
                (cache, Some(json!({"ranges": ["last_7_days"]}))),
                200,
                "success:bool warmed:number failed:number durationMs:number ranges:[Warmed]",
            ),
            bad: bad((cache, Some(json!({"ranges": ["always"]}))), 400),
        },
        Case {
            route: "GET /admin/metrics/cache",
            good: good((cache, None), 200, "cache:Cache performance:Performance"),
            bad: unknown(cache),
        },
        Case {
            route: "DELETE /admin/metrics/cache",
            good: good((cache, None), 200, "success:bool message:text"),
            bad: unknown(cache),
        },
    ]
}
