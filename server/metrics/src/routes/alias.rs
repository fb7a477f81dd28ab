//! The same operations at another path, with other names.

use utoipa::openapi::path::{Operation, PathItem, Paths};
use utoipa_axum::router::UtoipaMethodRouter;

/// Returns routes at another path. `names` are the ids of their operations, here and there; `change` edits the
/// descriptions, such as their tags.
pub(crate) fn alias<S>(
    (schemas, paths, handlers): UtoipaMethodRouter<S>,
    path: &str,
    names: &[(&str, &str)],
    change: impl Fn(&mut Operation),
) -> UtoipaMethodRouter<S> {
    let mut described = Paths::new();
    for mut item in paths.paths.into_values() {
        let PathItem { get, put, post, delete, patch, .. } = &mut item;
        for operation in [get, put, post, delete, patch].into_iter().flatten() {
            let known =
                names.iter().find(|(here, _)| operation.operation_id.as_deref() == Some(here));
            operation.operation_id = known.map(|(_, there)| (*there).to_owned());
            change(operation);
        }
        described.paths.insert(path.to_owned(), item);
    }
    (schemas, described, handlers)
}

/// Moves an operation to another group of the description.
pub(crate) fn tagged(tag: &'static str) -> impl Fn(&mut Operation) {
    move |operation| operation.tags = Some(vec![tag.to_owned()])
}

/// Gives an operation another summary.
pub(crate) fn summarized(summary: &'static str) -> impl Fn(&mut Operation) {
    move |operation| operation.summary = Some(summary.to_owned())
}

/// Gives an operation another summary and description.
pub(crate) fn described(summary: &'static str, text: &'static str) -> impl Fn(&mut Operation) {
    move |operation| {
        operation.summary = Some(summary.to_owned());
        operation.description = Some(text.to_owned());
    }
}
