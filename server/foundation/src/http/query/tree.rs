//! Parses a query into a tree of texts.

use std::collections::BTreeMap;

use percent_encoding::percent_decode_str;

use super::{HttpError, MAX_SEARCH_CHARS};

/// Limit: key-value pairs in one query.
const MAX_PAIRS: usize = 1_000;

/// Limit: brackets after one key; `$or[0][created_at][$in][0]` has four.
const MAX_BRACKETS: usize = 5;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    Text(String),
    /// Several values, in order.
    List(Vec<Node>),
    Map(BTreeMap<String, Node>),
}

/// Parses a query into its keys.
///
/// # Errors
/// 400 if a limit is exceeded, or a key is both a value and a map.
pub(in crate::http) fn parse(query: &str) -> Result<BTreeMap<String, Node>, HttpError> {
    let mut root = BTreeMap::new();
    for (count, pair) in query.split('&').filter(|pair| !pair.is_empty()).enumerate() {
        if count >= MAX_PAIRS {
            return Err(invalid(&format!("The query has more than {MAX_PAIRS} values")));
        }
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (key, value) = (decoded(key)?, decoded(value)?);
        if key == "q" && value.chars().count() > MAX_SEARCH_CHARS {
            return Err(invalid(&format!("Field 'q': longer than {MAX_SEARCH_CHARS} characters")));
        }
        insert(&mut root, &segments(&key)?, value, &key)?;
    }
    Ok(root.into_iter().map(|(key, node)| (key, settled(node))).collect())
}

fn decoded(text: &str) -> Result<String, HttpError> {
    let spaced = text.replace('+', " ");
    percent_decode_str(&spaced)
        .decode_utf8()
        .map(std::borrow::Cow::into_owned)
        .map_err(|_not_utf8| invalid("The query is not UTF-8"))
}

/// Splits a key into its name and the contents of its brackets.
fn segments(key: &str) -> Result<Vec<&str>, HttpError> {
    let malformed = || invalid(&format!("The key '{key}' of the query is not valid"));
    let Some((name, brackets)) = key.split_once('[') else {
        return Ok(vec![key]);
    };
    let brackets = brackets.strip_suffix(']').ok_or_else(malformed)?;
    let mut segments = vec![name];
    segments.extend(brackets.split("]["));
    let has_stray = segments.iter().any(|segment| segment.contains(['[', ']']));
    if name.is_empty() || has_stray || segments.len() > MAX_BRACKETS.saturating_add(1) {
        return Err(malformed());
    }
    Ok(segments)
}

/// Inserts a value at its segments. Lists are maps with numeric keys until [`settled`].
fn insert(
    map: &mut BTreeMap<String, Node>,
    segments: &[&str],
    value: String,
    key: &str,
) -> Result<(), HttpError> {
    let clash = || invalid(&format!("The key '{key}' of the query is a value and a map"));
    let Some((first, rest)) = segments.split_first() else {
        return Ok(());
    };
    let name = if first.is_empty() { map.len().to_string() } else { (*first).to_owned() };
    if rest.is_empty() {
        return match map.get_mut(&name) {
            None => {
                map.insert(name, Node::Text(value));
                Ok(())
            }
            Some(Node::Map(items)) => insert(items, &[""], value, key),
            Some(node @ Node::Text(_)) => {
                let before = std::mem::replace(node, Node::Text(String::new()));
                let items = [("0".to_owned(), before), ("1".to_owned(), Node::Text(value))];
                *node = Node::Map(items.into());
                Ok(())
            }
            Some(Node::List(_)) => Err(clash()),
        };
    }
    let below = map.entry(name).or_insert_with(|| Node::Map(BTreeMap::new()));
    if let Node::Text(_) = below
        && rest == [""]
    {
        let before = std::mem::replace(below, Node::Map(BTreeMap::new()));
        *below = Node::Map([("0".to_owned(), before)].into());
    }
    match below {
        Node::Map(items) => insert(items, rest, value, key),
        Node::Text(_) | Node::List(_) => Err(clash()),
    }
}

/// Converts maps with numeric keys to lists.
fn settled(node: Node) -> Node {
    let Node::Map(items) = node else {
        return node;
    };
    let is_list = items.keys().all(|key| key.parse::<u32>().is_ok());
    if !is_list || items.is_empty() {
        return Node::Map(items.into_iter().map(|(key, node)| (key, settled(node))).collect());
    }
    let mut numbered: Vec<(u32, Node)> = items
        .into_iter()
        .map(|(key, node)| (key.parse().unwrap_or(u32::MAX), settled(node)))
        .collect();
    numbered.sort_by_key(|(number, _)| *number);
    Node::List(numbered.into_iter().map(|(_, node)| node).collect())
}

fn invalid(message: &str) -> HttpError {
    HttpError::invalid_data(format!("Invalid request: {message}"))
}
