//! A notation for the shapes of responses: members and their types.
//!
//! A shape is `name:kind` for each member. All members are required, except those whose name ends in `?`, and no others
//! are allowed. A kind is `text`, `number`, `bool`, `object`, `list`, `any`, the name of a shape, `[kind]` for a list
//! or `{kind}` for a map; a `?` after it allows null.

use std::collections::BTreeSet;

use serde_json::Value;

/// Shapes with a name.
const NAMED: &[(&str, &str)] = &[
    ("Error", "type:text code:text message:text request_id:text details?:list"),
    ("FormulaError", "type:text code:text message:text request_id:text details:[Finding]"),
    ("Finding", "code:text message:text help:text? start:number end:number suggestion:text?"),
    (
        "Metric",
        "id:text key:text name:text description:text? category:text scope:text formula:text data_type:text \
         unit:text? formatting_rules:object dependencies:[text] tags:[text] org_id:text? owner_id:text? visibility:text \
         is_system:bool is_active:bool is_locked:bool state:text version:number hash:text? problem:text? \
         created_by:text? updated_by:text? created_at:text updated_at:text deleted_at:text?",
    ),
    (
        "CatalogMetric",
        "id:text key:text name:text description:text? category:text scope:text formula:text dataType:text \
         unit:text? formattingRules:object dependencies:[text] tags:[text] orgId:text? ownerId:text? visibility:text \
         isSystem:bool isActive:bool isLocked:bool state:text version:number hash:text? problem:text? \
         createdBy:text? updatedBy:text? createdAt:text updatedAt:text deletedAt:text?",
    ),
    (
        "Version",
        "id:text version:number name:text formula:text canonical:text hash:text data_type:text \
         formatting_rules:object author:text? note:text? restored_from:number? created_at:text",
    ),
    (
        "CatalogVersion",
        "id:text version:number name:text formula:text canonical:text hash:text dataType:text \
         formattingRules:object author:text? note:text? restoredFrom:number? createdAt:text",
    ),
    (
        "Placeholder",
        "id:text key:text display_name:text description:text? data_source:text source_field:text data_type:text \
         default_aggregation:text? category:text? created_by:text? created_at:text updated_at:text",
    ),
    (
        "Validation",
        "valid:bool errors:[Finding] warnings:[Finding] type:text? unit:text? additivity:text? level:text? \
         dependencies:[text] sources:[text] inputs:[text] canonical:text? hash:text? default_formatting:text? \
         cycle:[text]? impact:object?",
    ),
    (
        "CatalogValidation",
        "valid:bool errors:[Finding] warnings:[Finding] type:text? unit:text? additivity:text? level:text? \
         dependencies:[text] sources:[text] inputs:[text] canonical:text? hash:text? defaultFormatting:text? \
         cycle:[text]? impact:object?",
    ),
    (
        "Dependency",
        "id:text? key:text name:text state:text? uses:[text] repeated:bool children:[Dependency]",
    ),
    ("Dependent", "id:text key:text name:text state:text depth:number uses:[text]"),
    ("Period", "start:text end:text partial:bool as_of:text"),
    ("NullAt", "metric?:text start:number end:number"),
    ("Definition", "version:number? hash:text?"),
    (
        "Point",
        "value:any formatted:text type:text unit:text? exact:bool null_reason:text? null_at:NullAt? period:Period?",
    ),
    (
        "Answer",
        "value:any formatted:text type:text unit:text? exact:bool null_reason:text? null_at:NullAt? \
         period:Period? previous?:any previous_formatted?:text change?:any",
    ),
    (
        "Record",
        "value:any formatted:text type:text unit:text? exact:bool null_reason:text? null_at:NullAt? \
         period:Period? previous?:any previous_formatted?:text change?:any series?:[Answer] groups?:[Group] \
         definition:Definition data_version:number as_of:text? cached:bool warnings?:[text]",
    ),
    (
        "Group",
        "keys:{text} value:any formatted:text type:text unit:text? exact:bool null_reason:text? null_at:NullAt? \
         period:Period? previous?:any previous_formatted?:text change?:any series?:[Answer]",
    ),
    (
        "Filters",
        "start_date:text end_date:text start:text end:text granularity:text compare:text timezone:text \
         currency_code:text sales_channel_id:text? region_id:text? country_code:text? group_by:[text]",
    ),
    (
        "Alert",
        "id:text name:text description:text? metric_id:text condition:text granularity:text window:text \
         severity:text channels:[object] cooldown_minutes:number min_sample:number is_active:bool state:text \
         last_value:any last_error:text? distance_permille:number? last_evaluated_at:text? last_fired_at:text? created_at:text \
         updated_at:text",
    ),
    ("Backtest", "days:number would_have_fired:number at:[text]"),
    (
        "Change",
        "id:text entity_type:text entity_id:text action:text actor_type:text actor_id:text request_id:text \
         before:object? after:object? changed:[text] at:text previous_hash:text hash:text",
    ),
    ("ChainHead", "entries:number hash:text"),
    (
        "Item",
        "id:text? metric_id:text result:any success:bool execution_time_ms:number answer:Point? \
         inputs_used:[text] error:ItemError?",
    ),
    ("ItemError", "code:text message:text details:list"),
    ("Summary", "total:number succeeded:number failed:number total_execution_time_ms:number"),
    (
        "BatchItem",
        "id:text type:text success:bool data?:object error?:ItemError execution_time_ms:number cached:bool",
    ),
    (
        "Cache",
        "entries:number weight_bytes:number capacity_bytes:number hits:number misses:number hit_rate:number \
         evictions:number invalidations:number in_flight:number",
    ),
    (
        "Performance",
        "computations:number p50_ms:number p95_ms:number p99_ms:number slowest:[Computation] errors:number",
    ),
    (
        "Computation",
        "number:number at:text origin:text metrics:[text] duration_ms:number cached:bool errors:number",
    ),
    ("Warmed", "range:text start_date:text end_date:text warmed:number failed:number"),
    ("Parts", "sales_channel_id:text? region_id:text? country_code:text?"),
    (
        "Range",
        "start_date:text end_date:text start:text end:text days:number partial:bool as_of:text timezone:text \
         currency_code:text filters:Parts",
    ),
    (
        "Card",
        "key:text label:text value:any formatted:text type:text unit:text? null_reason:text? previous:any \
         previous_formatted:text? change:any trend:[Trend]",
    ),
    ("Trend", "start:text partial:bool value:any"),
    ("SummaryBoard", "range:Range cards:[Card]"),
    ("ChannelsBoard", "range:Range channels:[Channel] total:ChannelTotal"),
    (
        "Channel",
        "id:text? name:text? orders:number revenue:number revenue_formatted:text share:any \
         average_order_value:any previous:ChannelBefore",
    ),
    ("ChannelBefore", "orders:number revenue:number"),
    ("ChannelTotal", "orders:number revenue:number revenue_formatted:text"),
    (
        "OrdersBoard",
        "range:Range buckets:[Bucket] total:number total_value:number oldest_paid_at:text? \
         orders:[WaitingOrder] count:number offset:number limit:number",
    ),
    ("Bucket", "key:text label:text count:number value:number"),
    (
        "WaitingOrder",
        "id:text display_id:number email:text? total:number quantity:number payment_status:text \
         fulfillment_status:text placed_at:text paid_at:text",
    ),
    (
        "ProductsBoard",
        "range:Range products:[WaitingProduct] count:number offset:number limit:number",
    ),
    (
        "WaitingProduct",
        "variant_id:text? product_id:text? title:text sku:text? quantity:number orders:number available:number? \
         short:number?",
    ),
    (
        "Report",
        "id:text name:text? range:Range metrics:[text] group_by:[text] granularity:text compare:text rows:[Row] \
         totals:{Answer}",
    ),
    ("Row", "period:Period group:{text?} values:{Answer}"),
    (
        "KeptReport",
        "id:text name:text? question:object row_count:number created_by:text created_at:text",
    ),
    (
        "TopProduct",
        "rank:number product:NamedProduct units:number orders:number gross_sales:number net_sales:number \
         share:any margin:any margin_null_reason:any",
    ),
    ("NamedProduct", "id:text? title:text?"),
    ("Parcels", "key:text? name:text? count:number shipped:number delivered:number"),
    ("LeadTime", "average:any p50:any p95:any"),
    ("LateOrder", "id:text display_id:number paid_at:text quantity:number total:number"),
    (
        "RouteLimit",
        "route:text limit:number remaining:number reset_s:number accepted:number refused:number",
    ),
    (
        "PerformanceReport",
        "id:text performance:Performance cache_entries:number cache_hits:number cache_misses:number \
         created_at:text",
    ),
    (
        "Template",
        "id:text key:text name:text description:text? category:text formula:text data_type:text uses:[text] \
         sources:[text] parameters:[Parameter]",
    ),
    ("Parameter", "name:text type:text default:text description:text"),
    (
        "Suggestions",
        "proposals:[Proposal] templates:[UnusedTemplate] unused:[NamedMetric] duplicates:[Duplicates]",
    ),
    ("Proposal", "formula:text type:text unit:text?"),
    ("UnusedTemplate", "template_id:text key:text name:text blocked:bool missing_data:[text]"),
    ("NamedMetric", "id:text key:text name:text"),
    ("Duplicates", "hash:text metrics:[NamedMetric]"),
    ("Seeded", "created:number skipped:number total:number"),
    ("Input", "key:text"),
];

/// Returns the differences between a value and a shape, with their places.
pub(super) fn differences(value: &Value, shape: &str) -> Vec<String> {
    let mut found = Vec::new();
    compare(value, shape, "", &mut found);
    found
}

fn compare(value: &Value, shape: &str, place: &str, found: &mut Vec<String>) {
    let Value::Object(members) = value else {
        found.push(format!("{place} is no object: {value}"));
        return;
    };
    let mut known = BTreeSet::new();
    for part in shape.split_whitespace() {
        let (name, kind) = part.split_once(':').unwrap_or_else(|| panic!("`{part}` in a shape"));
        let (name, is_optional) = name.strip_suffix('?').map_or((name, false), |name| (name, true));
        known.insert(name);
        match members.get(name) {
            Some(value) => of_kind(value, kind, &format!("{place}/{name}"), found),
            None if is_optional => {}
            None => found.push(format!("{place}/{name} is not there")),
        }
    }
    let others = members.keys().filter(|name| !known.contains(name.as_str()));
    found.extend(others.map(|name| format!("{place}/{name} is one too many")));
}

fn of_kind(value: &Value, kind: &str, place: &str, found: &mut Vec<String>) {
    let (kind, may_be_null) = kind.strip_suffix('?').map_or((kind, false), |kind| (kind, true));
    if may_be_null && value.is_null() {
        return;
    }
    if let Some(item) = kind.strip_prefix('[').and_then(|kind| kind.strip_suffix(']')) {
        match value.as_array() {
            Some(items) => {
                for (index, own) in items.iter().enumerate() {
                    of_kind(own, item, &format!("{place}/{index}"), found);
                }
            }
            None => found.push(format!("{place} is no list: {value}")),
        }
        return;
    }
    if let Some(item) = kind.strip_prefix('{').and_then(|kind| kind.strip_suffix('}')) {
        match value.as_object() {
            Some(members) => {
                for (name, own) in members {
                    of_kind(own, item, &format!("{place}/{name}"), found);
                }
            }
            None => found.push(format!("{place} is no record: {value}")),
        }
        return;
    }
    let is_right = match kind {
        "text" => value.is_string(),
        "number" => value.is_number(),
        "bool" => value.is_boolean(),
        "object" => value.is_object(),
        "list" => value.is_array(),
        "any" => true,
        name => {
            let own = NAMED.iter().find(|(own, _)| *own == name);
            let (_, shape) = own.unwrap_or_else(|| panic!("there is no shape `{name}`"));
            return compare(value, shape, place, found);
        }
    };
    if !is_right {
        found.push(format!("{place} is no {kind}: {value}"));
    }
}
