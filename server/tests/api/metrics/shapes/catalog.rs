//! Section 4.2: the catalog.

use serde_json::{Value, json};

use super::{Case, bad, good};

const LIST: &str = "/admin/metrics/catalog";

fn new(name: &str, formula: &str) -> Value {
    json!({"name": name, "category": "sales", "scope": "store", "formula": formula, "dataType": "number",
        "tags": ["board"], "formattingRules": {"decimals": 1}})
}

/// Returns the cases of metrics and their versions.
pub(super) fn metrics() -> Vec<Case> {
    let one = &format!("{LIST}/plain");
    vec![
        Case {
            route: "GET /admin/metrics/catalog",
            good: good(
                (&format!("{LIST}?search=o"), None),
                200,
                "metrics:[CatalogMetric] count:number offset:number limit:number",
            ),
            bad: bad((&format!("{LIST}?data_type=number"), None), 400),
        },
        Case {
            route: "POST /admin/metrics/catalog",
            good: good((LIST, Some(new("Half", "aov / aov"))), 201, "metric:CatalogMetric"),
            bad: bad((LIST, Some(new("Half again", "aov / )"))), 422),
        },
        Case {
            route: "GET /admin/metrics/catalog/:id",
            good: good((one, None), 200, "metric:CatalogMetric"),
            bad: bad((&format!("{LIST}/nothing"), None), 404),
        },
        Case {
            route: "PUT /admin/metrics/catalog/:id",
            good: good(
                (one, Some(json!({"formula": "count(items)"}))),
                200,
                "metric:CatalogMetric",
            ),
            bad: bad((one, Some(json!({"dataType": "number"}))), 400),
        },
        Case {
            route: "DELETE /admin/metrics/catalog/:id",
            good: good(
                (&format!("{LIST}/gone_two"), None),
                200,
                "id:text object:text deleted:bool metric:CatalogMetric",
            ),
            bad: bad((&format!("{LIST}/net_sales"), None), 409),
        },
        Case {
            route: "GET /admin/metrics/catalog/:id/versions",
            good: good(
                (&format!("{one}/versions"), None),
                200,
                "versions:[CatalogVersion] count:number",
            ),
            bad: bad((&format!("{LIST}/nothing/versions"), None), 404),
        },
    ]
}

/// Returns the cases of states, dependencies, example metrics and validation.
pub(super) fn uses() -> Vec<Case> {
    let seed = &format!("{LIST}/seed-examples");
    let validate = &format!("{LIST}/validate");
    vec![
        Case {
            route: "GET /admin/metrics/catalog/:id/dependencies",
            good: good((&format!("{LIST}/aov/dependencies"), None), 200, "dependencies:Dependency"),
            bad: bad((&format!("{LIST}/nothing/dependencies"), None), 404),
        },
        Case {
            route: "GET /admin/metrics/catalog/:id/dependents",
            good: good(
                (&format!("{LIST}/net_sales/dependents"), None),
                200,
                "dependents:[Dependent] count:number",
            ),
            bad: bad((&format!("{LIST}/nothing/dependents"), None), 404),
        },
        Case {
            route: "POST /admin/metrics/catalog/:id/lifecycle",
            good: good(
                (&format!("{LIST}/aov/lifecycle"), Some(json!({"state": "deprecated"}))),
                200,
                "metric:CatalogMetric",
            ),
            bad: bad((&format!("{LIST}/aov/lifecycle"), Some(json!({"state": "asleep"}))), 400),
        },
        Case {
            route: "POST /admin/metrics/catalog/seed-examples",
            good: good(
                (seed, Some(json!({}))),
                200,
                "message:text summary:Seeded metrics:[CatalogMetric]",
            ),
            bad: bad((seed, Some(json!({"names": ["example_nothing"]}))), 400),
        },
        Case {
            route: "POST /admin/metrics/catalog/validate",
            good: good(
                (validate, Some(json!({"formula": "aov > 'much'"}))),
                200,
                "validation:CatalogValidation",
            ),
            bad: bad((validate, Some(json!({"formula": 1}))), 400),
        },
    ]
}
