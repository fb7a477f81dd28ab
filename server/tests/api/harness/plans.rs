//! The query plans of a test's statements: none may scan a growing table.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use quotient_server::database::{Db, Error, Tx};

/// Tables that stay small regardless of sales: the store's own configuration, and tables with one row in total or one
/// per table, sheet or job of the program.
const SMALL: &[&str] = &[
    "api_key",
    "api_key_sales_channel",
    "banner",
    "bundle_product",
    "bundle_slot",
    "campaign",
    "catalog_version",
    "content_page",
    "customer_group",
    "event_cursor",
    "flow",
    "fulfillment_set",
    "geo_zone",
    "invite",
    "job",
    "membership_tier",
    "metric",
    "metric_alert",
    "metric_data_version",
    "metric_rollup_dirty",
    "metric_rollup_pending",
    "metric_rollup_table",
    "metric_stamp",
    "metric_touched",
    "partner",
    "partner_offer",
    "partner_offer_promo_code",
    "oauth_client",
    "placeholder",
    "price_list",
    "price_preference",
    "product_category",
    "product_collection",
    "product_tag",
    "product_type",
    "promotion",
    "promotion_rule",
    "refund_reason",
    "region",
    "region_country",
    "region_payment_provider",
    "return_reason",
    "sales_channel",
    "service_zone",
    "shipping_option",
    "shipping_option_rule",
    "shipping_option_type",
    "shipping_profile",
    "site",
    "stock_location",
    "stock_location_fulfillment_provider",
    "stock_location_sales_channel",
    "store",
    "store_currency",
    "storefront_setting",
    "subscription_plan",
    "subscription_plan_product",
    "tax_rate",
    "tax_rate_rule",
    "tax_region",
    "text_index",
    "audit_head",
    "user",
    "visit_event_name",
    "webhook_endpoint",
];

/// Statements that scan a whole table on purpose: a part of their text, and why.
const ON_PURPOSE: &[(&str, &str)] = &[
    ("like ? escape", "a search looks inside texts"),
    ("_text match :text", "an index of trigrams is searched"),
    (
        "(o.currency ",
        "orders by currency are asked for now and then; an index would cost every order",
    ),
    ("(o.total_minor * case", "as orders by currency"),
    ("count(*) from payment p where (p.canceled_at ", "as orders by currency"),
    ("count(*) from payment p where (p.captured_at ", "as orders by currency"),
    ("count(*) from payment p where (p.currency ", "as orders by currency"),
    ("count(*) from payment p where (p.provider_id ", "as orders by currency"),
    ("count(*) from payment p where (p.updated_at ", "as orders by currency"),
    ("(a.balance_minor * case", "as orders by currency; accounts are fewer than customers"),
    ("from credit_account a where (a.currency ", "as accounts by balance"),
    ("where (r.location_id ", "returns of a place are asked for now and then, and returns are few"),
    (
        "and (r.created_by ",
        "reservations that are not of an order are few, and so are who makes them",
    ),
    ("and (r.description ", "as reservations by who made them"),
    ("and (r.location_id ", "reservations that hold are few: each ends when its order is sent"),
    ("and (r.quantity ", "as reservations of a place"),
    ("and (r.updated_at ", "as reservations of a place"),
    ("from reservation r where (r.deleted_at is null) order by", "as reservations of a place"),
    ("select exists (select 1 from metric_", "it stops at the first row"),
    (
        "select metric_seq, body from metric_version order by metric_seq, number",
        "the engine checks metrics with their history: read whole, once after an edit elsewhere",
    ),
    (
        "from event where (name = 'auth.password_reset' and",
        "a person is exported or erased, which is rare",
    ),
    ("event set payload = '{}' where name", "as the export of events"),
    (
        "update cart_shipping_method set shipping_option_id = null",
        "a zone is deleted, which is rare",
    ),
    ("update subscription_item set next = replace", "a plan is changed, which is rare"),
    ("where email = 'new@example.com'", "a test asks"),
    ("where payload like", "a test asks"),
    ("select sum(reserved_quantity) from inventory_level", "a test asks"),
];

/// Statements found to be fine by any test of this process.
static FINE: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Returns the faults in the plans of all statements of a database, except for those on purpose.
pub(super) fn faults(db: &Db) -> Vec<String> {
    let texts = db.statement_texts();
    let fresh: Vec<String> = {
        let fine = FINE.lock().unwrap_or_else(PoisonError::into_inner);
        texts.into_iter().filter(|text| !fine.contains(text)).collect()
    };
    if fresh.is_empty() {
        return Vec::new();
    }
    let db = db.clone();
    let explaining = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(db.read(move |tx| explain(tx, &fresh)))
    });
    explaining.join().expect("plans are read").expect("plans can be read")
}

/// Returns the page queries of growing tables that had to sort.
pub(super) async fn sorted(db: &Db) -> Vec<String> {
    let texts = db.statement_texts();
    let sorted = db.read::<_, Error>(move |tx| {
        let mut sorted = Vec::new();
        for text in texts.iter().filter(|text| text.ends_with("limit ? offset ?")) {
            let source = text.split(" from ").nth(1).unwrap_or_default();
            let table = source.split_whitespace().next().unwrap_or_default();
            let steps = plan(tx, text)?;
            let reads_all = steps.iter().any(|step| step.starts_with("SCAN "));
            let sorts = steps.iter().any(|step| step == "USE TEMP B-TREE FOR ORDER BY");
            if reads_all && sorts && !SMALL.contains(&table) {
                sorted.push(text.clone());
            }
        }
        Ok(sorted)
    });
    sorted.await.expect("plans can be read")
}

/// Returns the steps of the plans of the statements that contain a text.
pub(super) async fn of(db: &Db, part: &'static str) -> Vec<String> {
    let texts = db.statement_texts();
    let steps = db.read::<_, Error>(move |tx| {
        let plans = texts.iter().filter(|text| text.contains(part)).map(|text| plan(tx, text));
        Ok(plans.collect::<Result<Vec<_>, _>>()?.concat())
    });
    steps.await.expect("plans can be read")
}

fn explain(tx: &Tx<'_>, texts: &[String]) -> Result<Vec<String>, Error> {
    let mut tables = tx.prepare("select name from sqlite_schema where type = 'table'")?;
    let tables: BTreeSet<String> =
        tables.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let mut views = tx.prepare("select name, sql from sqlite_schema where type = 'view'")?;
    let views: Vec<(String, String)> = views
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let mut faults = Vec::new();
    for text in texts {
        let steps = plan(tx, text)?;
        let read = views.iter().filter(|(name, _)| text.contains(name.as_str()));
        // A plan names the tables of a view by their aliases in the view.
        let whole = read.fold(text.clone(), |whole, (_, view)| format!("{whole} {view}"));
        let wrong: Vec<&String> =
            steps.iter().filter(|step| is_slow(step, &whole, &tables)).collect();
        if wrong.is_empty() || ON_PURPOSE.iter().any(|(part, _why)| text.contains(part)) {
            FINE.lock().unwrap_or_else(PoisonError::into_inner).insert(text.clone());
        } else {
            faults.push(format!("{wrong:?}: {text}"));
        }
    }
    Ok(faults)
}

/// Returns the steps of a statement's plan; none for statements without one, such as `begin`.
fn plan(tx: &Tx<'_>, text: &str) -> Result<Vec<String>, Error> {
    // SQLite prints keywords in upper case.
    let first = text.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    if !["select", "with", "insert", "update", "delete"].contains(&&*first) {
        return Ok(Vec::new());
    }
    let mut statement = tx.prepare(&format!("explain query plan {text}"))?;
    let (mut rows, mut steps) = (statement.raw_query(), Vec::new());
    while let Some(row) = rows.next()? {
        steps.push(row.get(3)?);
    }
    Ok(steps)
}

/// Returns whether a step scans a growing table.
fn is_slow(step: &str, text: &str, tables: &BTreeSet<String>) -> bool {
    let reads_all = step.starts_with("SCAN ") && !step.contains(" USING ");
    if !reads_all && !step.contains(" USING AUTOMATIC ") {
        return false;
    }
    let name = step.split_whitespace().nth(1).unwrap_or_default();
    table(name, text, tables).is_some_and(|table| !SMALL.contains(&table))
}

/// Returns the table behind a name in a plan, which may be an alias in the statement.
fn table<'t>(name: &str, text: &str, tables: &'t BTreeSet<String>) -> Option<&'t str> {
    let words: Vec<&str> = text
        .split_whitespace()
        .map(|word| word.trim_matches(['(', ')', ',']))
        .filter(|word| *word != "as")
        .collect();
    // SQLite searches child tables for references to a new row only while a foreign key is violated, which never
    // happens here.
    if words.first() == Some(&"insert") && !words.contains(&name) {
        return None;
    }
    let mut aliased = words.windows(2).filter(|pair| pair[1] == name);
    let aliased = aliased.find_map(|pair| tables.get(pair[0]));
    aliased.or_else(|| tables.get(name)).map(String::as_str)
}
