//! Section 4.3: dashboards, the shorter paths of the registry, reports and templates.

use serde_json::json;

use super::{Case, bad, good, unknown};

/// Returns the cases of the dashboard and its sections.
pub(super) fn dashboards() -> Vec<Case> {
    let of = |section: &str, query: &str| format!("/admin/metrics/dashboard{section}?{query}");
    let year = "start_date=2025-10-01&end_date=2026-09-30";
    let shapes = [
        (
            "GET /admin/metrics/dashboard",
            "",
            "range:Range summary:SummaryBoard sales_channels:ChannelsBoard unfulfilled_orders:OrdersBoard \
             unfulfilled_products:ProductsBoard section_errors:object",
        ),
        (
            "GET /admin/metrics/dashboard/sales-channels",
            "/sales-channels",
            "range:Range channels:[Channel] total:ChannelTotal",
        ),
        ("GET /admin/metrics/dashboard/summary", "/summary", "range:Range cards:[Card]"),
        (
            "GET /admin/metrics/dashboard/unfulfilled-orders",
            "/unfulfilled-orders",
            "range:Range buckets:[Bucket] total:number total_value:number oldest_paid_at:text? \
             orders:[WaitingOrder] count:number offset:number limit:number",
        ),
        (
            "GET /admin/metrics/dashboard/unfulfilled-products",
            "/unfulfilled-products",
            "range:Range products:[WaitingProduct] count:number offset:number limit:number",
        ),
    ];
    let case = |(route, section, shape)| Case {
        route,
        good: good((&of(section, year), None), 200, shape),
        bad: bad((&of(section, "start_date=2024-01-01&end_date=2026-01-01"), None), 400),
    };
    shapes.map(case).into()
}

/// Returns the cases of definitions, placeholders and validation under shorter paths.
pub(super) fn shorter_paths() -> Vec<Case> {
    let list = "/admin/metrics/definitions";
    let placeholders = "/admin/metrics/placeholders";
    let one = &format!("{list}/plain");
    let new = super::super::registry::definition;
    let tax = json!({"key": "tax_taken", "display_name": "Tax taken", "data_source": "orders",
        "source_field": "tax_total", "data_type": "currency"});
    vec![
        Case {
            route: "POST /admin/metrics/definitions",
            good: good((list, Some(new("Thrice", "3 * aov", "currency"))), 201, "metric:Metric"),
            bad: bad((list, Some(new("Thrice", "3 * oav", "currency"))), 422),
        },
        Case {
            route: "GET /admin/metrics/definitions",
            good: good(
                (&format!("{list}?q=a&limit=2"), None),
                200,
                "metrics:[Metric] count:number offset:number limit:number",
            ),
            bad: bad((&format!("{list}?order=colour"), None), 400),
        },
        Case {
            route: "GET /admin/metrics/definitions/:id",
            good: good((one, None), 200, "metric:Metric"),
            bad: bad((&format!("{list}/nothing"), None), 404),
        },
        Case {
            route: "PUT /admin/metrics/definitions/:id",
            good: good((one, Some(json!({"formula": "count(carts)"}))), 200, "metric:Metric"),
            bad: bad((one, Some(json!({"formula": "per_visit / plain"}))), 422),
        },
        Case {
            route: "DELETE /admin/metrics/definitions/:id",
            good: good(
                (&format!("{list}/gone_three"), None),
                200,
                "id:text object:text deleted:bool",
            ),
            bad: bad((&format!("{list}/net_sales"), None), 409),
        },
        Case {
            route: "GET /admin/metrics/placeholders",
            good: good(
                (placeholders, None),
                200,
                "placeholders:[Placeholder] count:number offset:number limit:number",
            ),
            bad: bad((&format!("{placeholders}?limit=many"), None), 400),
        },
        Case {
            route: "POST /admin/metrics/placeholders",
            good: good((placeholders, Some(tax)), 201, "placeholder:Placeholder"),
            bad: bad((placeholders, Some(json!({"key": "x"}))), 400),
        },
        Case {
            route: "POST /admin/metrics/validate",
            good: good(
                (
                    "/admin/metrics/validate",
                    Some(json!({"formula": "net_sales", "metric_id": "aov"})),
                ),
                200,
                "validation:Validation is_valid:bool",
            ),
            bad: bad(
                ("/admin/metrics/validate", Some(json!({"formula": "1", "metric_id": "no"}))),
                404,
            ),
        },
    ]
}

/// Returns the cases of reports.
pub(super) fn reports() -> Vec<Case> {
    let days = json!({"start_date": "2025-10-01", "end_date": "2026-09-30"});
    let late = json!({"end_date": "tomorrow"});
    let body = json!({"metrics": ["net_sales"], "granularity": "month", "group_by": ["sales_channel"],
        "start_date": "2025-10-01", "end_date": "2026-09-30"});
    vec![
        Case {
            route: "POST /admin/metrics/fulfillment-report",
            good: good(
                ("/admin/metrics/fulfillment-report", Some(days)),
                200,
                "range:Range by_status:[Parcels] by_location:[Parcels] by_carrier:[Parcels] lead_time:LeadTime \
                 on_time_rate:any late:[LateOrder] late_count:number",
            ),
            bad: bad(("/admin/metrics/fulfillment-report", Some(late.clone())), 400),
        },
        Case {
            route: "POST /admin/metrics/report",
            good: good(("/admin/metrics/report", Some(body)), 200, "report:Report"),
            bad: bad(("/admin/metrics/report", Some(late)), 400),
        },
        Case {
            route: "GET /admin/metrics/reports",
            good: good(
                ("/admin/metrics/reports", None),
                200,
                "reports:[KeptReport] count:number offset:number limit:number",
            ),
            bad: bad(("/admin/metrics/reports?fields=colour", None), 400),
        },
        Case {
            route: "GET /admin/metrics/reports/top-products",
            good: good(
                (
                    "/admin/metrics/reports/top-products?start_date=2025-10-01&end_date=2026-09-30",
                    None,
                ),
                200,
                "range:Range by:text products:[TopProduct] count:number offset:number limit:number",
            ),
            bad: bad(("/admin/metrics/reports/top-products?by=luck", None), 400),
        },
    ]
}

/// Returns the cases of the engine's own figures.
pub(super) fn figures() -> Vec<Case> {
    let limits = "/admin/metrics/rate-limit-status";
    let performance = "/admin/metrics/performance";
    vec![
        Case {
            route: "GET /admin/metrics/performance",
            good: good((performance, None), 200, "success:bool performance:Performance"),
            bad: unknown(performance),
        },
        Case {
            route: "POST /admin/metrics/performance/report",
            good: good(
                ("/admin/metrics/performance/report", Some(json!({}))),
                201,
                "success:bool report:PerformanceReport",
            ),
            bad: unknown("/admin/metrics/performance/report"),
        },
        Case {
            route: "GET /admin/metrics/performance/events",
            good: good(
                ("/admin/metrics/performance/events?limit=5", None),
                200,
                "events:[Computation] count:number offset:number limit:number",
            ),
            bad: bad(("/admin/metrics/performance/events?limit=1001", None), 400),
        },
        Case {
            route: "GET /admin/metrics/rate-limit-status",
            good: good((limits, None), 200, "success:bool limits:[RouteLimit]"),
            bad: unknown(limits),
        },
        Case {
            route: "DELETE /admin/metrics/rate-limit-status",
            good: good((limits, None), 200, "success:bool message:text"),
            bad: unknown(limits),
        },
    ]
}

/// Returns the cases of templates and suggestions.
pub(super) fn templates() -> Vec<Case> {
    let templates = "/admin/metrics/templates";
    vec![
        Case {
            route: "GET /admin/metrics/suggestions",
            good: good(("/admin/metrics/suggestions", None), 200, "suggestions:Suggestions"),
            bad: unknown("/admin/metrics/suggestions"),
        },
        Case {
            route: "GET /admin/metrics/templates",
            good: good(
                (templates, None),
                200,
                "templates:[Template] count:number offset:number limit:number",
            ),
            bad: bad((&format!("{templates}?category=weather"), None), 400),
        },
        Case {
            route: "POST /admin/metrics/templates/:id/instantiate",
            good: good(
                (&format!("{templates}/gmv/instantiate"), Some(json!({"name": "Turnover"}))),
                201,
                "metric:Metric created:[Metric]",
            ),
            bad: bad(
                (&format!("{templates}/nothing/instantiate"), Some(json!({"name": "Nothing"}))),
                404,
            ),
        },
        Case {
            route: "GET /admin/metrics/templates/:id",
            good: good((&format!("{templates}/aov"), None), 200, "template:Template"),
            bad: bad((&format!("{templates}/nothing"), None), 404),
        },
    ]
}
