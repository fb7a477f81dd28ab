//! The OpenAPI 3.1 description of the API: its head, and whatever applies to all operations.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use utoipa::OpenApi;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Ref, RefOr, Schema};

use crate::http::{ErrorBody, ErrorDetail};

/// The head of the description, to which routers add their routes.
#[derive(Debug, OpenApi)]
#[openapi(
    info(
        title = "Quotient",
        description = "The whole API of an online store. Every error has the body `ErrorBody`, unless its \
                       operation documents another; lists, `fields` and filters work the same everywhere."
    ),
    components(schemas(ErrorBody, ErrorDetail)),
    modifiers(&Schemes)
)]
struct Head;

#[derive(Debug)]
struct Schemes;

impl utoipa::Modify for Schemes {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let bearer = |what: &str| {
            let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(what));
            SecurityScheme::Http(scheme.build())
        };
        let basic = HttpBuilder::new()
            .scheme(HttpAuthScheme::Basic)
            .description(Some("A secret key `sk_…` as the user name; raw or in base64."));
        let key =
            ApiKeyValue::with_description("x-publishable-api-key", "A publishable key `pk_…`.");
        let cookie = ApiKeyValue::with_description("connect.sid", "A session cookie.");
        let components = api.components.get_or_insert_default();
        for (name, scheme) in [
            ("admin", bearer("An admin's token, or a secret key `sk_…`.")),
            ("secret_key", SecurityScheme::Http(basic.build())),
            ("publishable_key", SecurityScheme::ApiKey(ApiKey::Header(key))),
            ("customer", bearer("A customer's token.")),
            ("partner", bearer("A partner's token.")),
            ("session", SecurityScheme::ApiKey(ApiKey::Cookie(cookie))),
        ] {
            components.add_security_scheme(name, scheme);
        }
    }
}

pub fn head() -> utoipa::openapi::OpenApi {
    Head::openapi()
}

/// The shared errors of operations: status and cause.
const ERRORS: [(&str, &str); 10] = [
    (
        "400",
        "Malformed, of a wrong type, unknown, out of range, or refused because of the resource's state.",
    ),
    ("401", "The credential is missing, malformed, expired or revoked."),
    ("403", "Authenticated, but not permitted."),
    ("404", "Not found, or not accessible to the caller."),
    (
        "409",
        "A duplicate, a concurrent change, or an Idempotency-Key that was used for another request.",
    ),
    ("413", "The body is too large."),
    ("415", "The body is not JSON."),
    ("429", "Too many requests; `retry-after` says when to try again."),
    ("500", "An internal error; the log has it under the request's id."),
    ("503", "Too busy or stopping; `retry-after` says when to try again."),
];

/// Completes the description of the routes: shared errors, credentials by API surface, the idempotency key. Removes
/// `required` from responses, because `fields` decides what they contain.
pub fn complete(api: &utoipa::openapi::OpenApi) -> Result<Value, serde_json::Error> {
    let mut api = serde_json::to_value(api)?;
    let emptiable = emptiable(&api);
    let request_schemas = request_schemas_of(&api);
    for name in &request_schemas {
        close(&mut api, name);
    }
    if let Some(paths) = api.pointer_mut("/paths").and_then(Value::as_object_mut) {
        for (path, item) in paths {
            let operations = item.as_object_mut().into_iter().flatten();
            for (method, operation) in operations.filter(|(method, _)| is_method(method)) {
                complete_operation(path, method, operation);
                relax_body(operation, &emptiable);
            }
        }
    }
    if let Some(schemas) = api.pointer_mut("/components/schemas").and_then(Value::as_object_mut) {
        for (_, schema) in schemas.iter_mut().filter(|(name, _)| !request_schemas.contains(*name)) {
            drop_required(schema);
        }
    }
    if let Some(components) = api.pointer_mut("/components").and_then(Value::as_object_mut) {
        components.insert("responses".to_owned(), shared_errors());
    }
    Ok(api)
}

fn is_method(word: &str) -> bool {
    matches!(word, "get" | "post" | "put" | "patch" | "delete")
}

/// Returns references to the schemas that match an empty object, since an empty body counts as one.
fn emptiable(api: &Value) -> BTreeSet<String> {
    let schemas = api.pointer("/components/schemas").and_then(Value::as_object);
    let fits = |schema: &Value| schema["type"] == "object" && schema["required"].is_null();
    schemas
        .into_iter()
        .flatten()
        .filter(|(_, schema)| fits(schema))
        .map(|(name, _)| format!("#/components/schemas/{name}"))
        .collect()
}

/// Makes a body optional if `{}` is valid.
fn relax_body(operation: &mut Value, emptiable: &BTreeSet<String>) {
    let schema = "/requestBody/content/application~1json/schema/$ref";
    let is_emptiable = operation
        .pointer(schema)
        .and_then(Value::as_str)
        .is_some_and(|reference| emptiable.contains(reference));
    if is_emptiable && let Some(required) = operation.pointer_mut("/requestBody/required") {
        *required = false.into();
    }
}

/// Returns the names of the schemas that keep their required members: those of requests, and the body of errors.
fn request_schemas_of(api: &Value) -> BTreeSet<String> {
    let schemas = api.pointer("/components/schemas").and_then(Value::as_object);
    let operations = api["paths"].as_object().into_iter().flat_map(Map::values);
    let mut open: Vec<&Value> = operations
        .filter_map(Value::as_object)
        .flat_map(Map::values)
        .flat_map(|operation| [&operation["requestBody"], &operation["parameters"]])
        .collect();
    let mut names: BTreeSet<String> = ["ErrorBody", "ErrorDetail"].map(Into::into).into();
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.values()),
            Value::String(text) => {
                let name = text.strip_prefix("#/components/schemas/").unwrap_or_default();
                let schema = schemas.and_then(|schemas| schemas.get(name));
                if schema.is_some() && names.insert(name.to_owned()) {
                    open.extend(schema);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    names
}

/// Forbids additional members in the variants of a request's choice between objects, which the derive omits. A response
/// that extends such a choice gets a copy of the original one.
fn close(api: &mut Value, name: &str) {
    let Some(schemas) = api.pointer_mut("/components/schemas").and_then(Value::as_object_mut)
    else {
        return;
    };
    let Some(choice) = schemas.get_mut(name).filter(|schema| !schema["oneOf"].is_null()) else {
        return;
    };
    let open = choice.clone();
    let variants = choice.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten();
    for variant in variants.filter_map(Value::as_object_mut) {
        if variant.contains_key("properties") {
            variant.insert("additionalProperties".to_owned(), false.into());
        }
    }
    let reference = format!("#/components/schemas/{name}");
    for schema in schemas.values_mut() {
        let parts = schema.get_mut("allOf").and_then(Value::as_array_mut).into_iter().flatten();
        for part in parts.filter(|part| part["$ref"] == reference.as_str()) {
            part.clone_from(&open);
        }
    }
}

fn shared_errors() -> Value {
    let answer = |description: &str| {
        json!({
            "description": description,
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/ErrorBody" } } },
        })
    };
    ERRORS.iter().map(|(status, when)| (format!("Error{status}"), answer(when))).collect()
}

fn complete_operation(path: &str, method: &str, operation: &mut Value) {
    let Some(operation) = operation.as_object_mut() else { return };
    if !operation.contains_key("security")
        && let Some(security) = security(path)
    {
        operation.insert("security".to_owned(), security);
    }
    let is_covered = path.starts_with("/store/") || path.starts_with("/admin/");
    if method == "post" && is_covered {
        add_idempotency_key(operation);
    }
    let statuses = error_statuses(path, operation);
    let responses = operation.entry("responses").or_insert_with(|| json!({}));
    let Some(responses) = responses.as_object_mut() else { return };
    for status in statuses {
        let reference = json!({ "$ref": format!("#/components/responses/Error{status}") });
        responses.entry(status).or_insert(reference);
    }
}

/// The parts of the store API where customers see their own data.
const OWN: [&str; 3] = ["customers", "payment-methods", "store-credit-accounts"];

/// Returns the credentials of an API surface, for operations that do not declare their own.
fn security(path: &str) -> Option<Value> {
    let mut words = path.split('/').skip(1);
    match words.next()? {
        "admin" => Some(json!([{ "admin": [] }, { "secret_key": [] }, { "session": [] }])),
        "store" if words.next().is_some_and(|word| OWN.contains(&word)) => Some(json!([
            { "publishable_key": [], "customer": [] },
            { "publishable_key": [], "session": [] },
        ])),
        "store" => Some(json!([{ "publishable_key": [] }])),
        "partners" => Some(json!([{ "partner": [] }])),
        _ => None,
    }
}

fn add_idempotency_key(operation: &mut Map<String, Value>) {
    let parameters = operation.entry("parameters").or_insert_with(|| json!([]));
    if let Some(parameters) = parameters.as_array_mut() {
        parameters.push(json!({
            "name": "Idempotency-Key", "in": "header", "required": false,
            "description": "A repetition with the same body within 24 hours gets the first response again.",
            "schema": { "type": "string", "pattern": "^[!-~]{1,255}$" },
        }));
    }
}

/// Returns the shared errors that an operation can respond with.
fn error_statuses(path: &str, operation: &Map<String, Value>) -> Vec<&'static str> {
    let security = operation.get("security").and_then(Value::as_array);
    let is_open = security.is_none_or(Vec::is_empty);
    let has_body = operation.contains_key("requestBody");
    let parameters = operation.get("parameters").and_then(Value::as_array);
    let parameters = parameters.map(Vec::as_slice).unwrap_or_default();
    let has_parameters = !parameters.is_empty();
    let is_guard = |parameter: &Value| {
        parameter["name"]
            .as_str()
            .is_some_and(|name| ["Idempotency-Key", "if-match"].contains(&name))
    };
    let is_guarded = parameters.iter().any(is_guard);
    ERRORS
        .iter()
        .map(|(status, _)| *status)
        .filter(|status| match *status {
            "400" => has_body || has_parameters,
            "401" => !is_open,
            "403" => path.starts_with("/admin") || path.starts_with("/partners"),
            "404" => has_body || has_parameters || path.contains('{'),
            "409" => is_guarded,
            "413" | "415" => has_body,
            _ => true,
        })
        .collect()
}

/// Removes `required` at every depth, and turns choices into `anyOf`: objects without required members cannot be
/// distinguished.
fn drop_required(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            // A property called `required` is a schema, the keyword is a list.
            members.retain(|name, value| name != "required" || !value.is_array());
            if members.get("oneOf").is_some_and(Value::is_array) {
                let choice = members.remove("oneOf").unwrap_or_default();
                members.insert("anyOf".to_owned(), choice);
            }
            members.values_mut().for_each(drop_required);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_required),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns the schema of an enum of words that a macro declares; the derive would use the names of its variants.
pub fn words(words: &[&str], description: &str) -> RefOr<Schema> {
    let text = utoipa::openapi::ObjectBuilder::new().schema_type(utoipa::openapi::Type::String);
    text.enum_values(Some(words.iter().copied())).description(Some(description.trim())).into()
}

/// Returns the schema of a list of `T` where each item must have its `id`.
pub fn identified<T: utoipa::ToSchema, Id: utoipa::ToSchema>() -> utoipa::openapi::schema::Array {
    let mut one = T::schema();
    if let RefOr::T(Schema::Object(object)) = &mut one {
        object.properties.insert("id".to_owned(), Ref::from_schema_name(Id::name()).into());
        object.required.push("id".to_owned());
        object.example = None;
    }
    utoipa::openapi::schema::Array::new(one)
}
