//! The query of a URL: keys with brackets, such as `id[]=a`, `created_at[$gte]=…`, `$or[0][title]=x`.
//!
//! A single value and a list with one value are the same, so `id=a`, `id[]=a` and `id[0]=a` are equivalent.

mod decode;
mod tree;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

pub(crate) use tree::Node;
pub(super) use tree::parse;

use super::{HttpError, explain};

/// Limit: characters of a search text `q`.
pub const MAX_SEARCH_CHARS: usize = 200;

/// The query of a URL, typed. `T` determines by `deny_unknown_fields` whether other keys are errors.
#[derive(Debug, Clone, Copy)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, HttpError> {
        read(parts.uri.query().unwrap_or_default()).map(Self)
    }
}

/// Parses a query into `T`.
pub(super) fn read<T: DeserializeOwned>(query: &str) -> Result<T, HttpError> {
    T::deserialize(Node::Map(parse(query)?)).map_err(|error| explain::refusal(&error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Filters {
        #[serde(default)]
        id: Vec<String>,
        limit: Option<u32>,
        deep: Option<bool>,
        q: Option<String>,
    }

    #[test]
    fn a_value_and_a_list_of_one_are_the_same() {
        for query in ["id=a", "id[]=a", "id[0]=a", "id%5B%5D=a", "id%5B0%5D=a&"] {
            assert_eq!(read::<Filters>(query).unwrap().id, ["a"], "{query}");
        }
        assert_eq!(read::<Filters>("id=a&id=b&id[]=c").unwrap().id, ["a", "b", "c"]);
        assert_eq!(read::<Filters>("id[1]=b&id[0]=a").unwrap().id, ["a", "b"]);
    }

    #[test]
    fn numbers_and_truths_are_read_from_text() {
        let filters = read::<Filters>("limit=5&deep=true&q=a+b%20c").unwrap();

        assert_eq!(
            (filters.limit, filters.deep, filters.q.as_deref()),
            (Some(5), Some(true), Some("a b c"))
        );
    }

    #[test]
    fn errors_name_the_parameter() {
        for (query, expected) in [
            ("limit=a", "Invalid request: Expected type: 'number' for field 'limit', got: 'a'"),
            ("deep=1", "Invalid request: Expected type: 'boolean' for field 'deep', got: '1'"),
            ("foo=1", "Invalid request: Unrecognized fields: 'foo'"),
            (
                "limit[]=1&limit[]=2",
                "Invalid request: Expected type: 'number' for field 'limit', got: 'array'",
            ),
            ("q=%ff", "Invalid request: The query is not UTF-8"),
            ("q[$eq=1", "Invalid request: The key 'q[$eq' of the query is not valid"),
        ] {
            assert_eq!(read::<Filters>(query).unwrap_err().message(), expected, "{query}");
        }
    }

    #[test]
    fn depth_count_and_length_have_an_end() {
        let deep = format!("q{}=1", "[a]".repeat(10));
        let many = "id[]=a&".repeat(2_000);
        let long = format!("q={}", "a".repeat(201));

        for query in [deep, many, long] {
            assert_eq!(read::<Filters>(&query).unwrap_err().status(), 400);
        }
    }
}
