//! What a caller sent of a field that may be emptied.

/// A field of a change: none when it was not sent and stays, `Some(None)` when it was sent as null and is emptied,
/// else its new value.
pub type Sent<T> = Option<Option<T>>;
