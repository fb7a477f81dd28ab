//! Handles: the names of products, collections and categories in URLs.
//!
//! A handle is lower-case letters and digits of any script, joined by single hyphens.

use unicode_normalization::char::is_combining_mark;

use super::CatalogError;
use super::queries::checks::handles_like;
use crate::database::Tx;
use crate::http::text::without_accents;

/// Limit: characters of a handle.
pub(super) const MAX_CHARS: usize = 200;

/// A kind of resource with handles, each of which is unique among its kind.
#[derive(Debug)]
pub(super) struct Kind {
    table: &'static str,
    /// The name in error messages.
    title: &'static str,
    /// The handle of a title without letters.
    fallback: &'static str,
}

pub(super) const PRODUCT: Kind = Kind { table: "product", title: "Product", fallback: "product" };
pub(super) const CATEGORY: Kind =
    Kind { table: "product_category", title: "Product category", fallback: "category" };
pub(super) const COLLECTION: Kind =
    Kind { table: "product_collection", title: "Product collection", fallback: "collection" };

/// Returns the sent handle, which must be valid and belong to no other resource than the one with `own`; without one, a
/// free handle derived from the title.
pub(super) fn choose(
    tx: &Tx<'_>,
    kind: &Kind,
    sent: Option<&str>,
    title: &str,
    own: Option<&str>,
) -> Result<String, CatalogError> {
    let Some(sent) = sent else {
        let suggested = suggest(title, kind.fallback);
        return Ok(free(&suggested, &handles_like(tx, kind.table, &suggested)?));
    };
    if !is_sound(sent) {
        return Err(CatalogError::bad_handle(sent));
    }
    let taken = handles_like(tx, kind.table, sent)?;
    if own != Some(sent) && taken.iter().any(|other| other == sent) {
        return Err(CatalogError::taken(kind.title, "handle", sent));
    }
    Ok(sent.to_owned())
}

/// Derives a handle from a title, without accents; returns `fallback` if nothing remains.
pub(super) fn suggest(title: &str, fallback: &str) -> String {
    let mut handle = String::with_capacity(title.len());
    let mut count = 0_usize;
    for letter in without_accents(title).flat_map(char::to_lowercase) {
        if count >= MAX_CHARS {
            break;
        }
        if letter.is_alphanumeric() {
            handle.push(letter);
            count = count.saturating_add(1);
        } else if !handle.is_empty()
            && !handle.ends_with('-')
            && !matches!(letter, '\'' | '’')
            && !is_combining_mark(letter)
        {
            handle.push('-');
            count = count.saturating_add(1);
        }
    }
    let trimmed = handle.trim_end_matches('-');
    if trimmed.is_empty() { fallback.to_owned() } else { trimmed.to_owned() }
}

pub(super) fn is_sound(handle: &str) -> bool {
    let fits = |letter: char| letter.is_alphanumeric() && letter.to_lowercase().eq([letter]);
    !handle.is_empty()
        && handle.chars().count() <= MAX_CHARS
        && handle.split(['-', '_']).all(|word| !word.is_empty() && word.chars().all(fits))
}

/// Returns the handle itself, or the first of `handle-2`, `handle-3`… that is not taken.
pub(super) fn free(handle: &str, taken: &[String]) -> String {
    let is_taken = |candidate: &str| taken.iter().any(|other| other == candidate);
    if !is_taken(handle) {
        return handle.to_owned();
    }
    // Limit: if n handles are taken, one of n + 1 numbers is free.
    let numbers = 2..=taken.len().saturating_add(2);
    numbers
        .map(|number| format!("{handle}-{number}"))
        .find(|candidate| !is_taken(candidate))
        .unwrap_or_else(|| handle.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_becomes_words_joined_by_hyphens() {
        for (title, handle) in [
            ("Green Shirt 2", "green-shirt-2"),
            ("  Café  Crème -- XL! ", "cafe-creme-xl"),
            ("Men's T-Shirt", "mens-t-shirt"),
            ("ÄÖÜ", "aou"),
            ("日本", "日本"),
            ("한국어 책", "한국어-책"),
            ("ガラス", "ガラス"),
            ("อาหาร", "อาหาร"),
            ("น้ำ", "นํา"),
            ("हिन्दी", "हिनदी"),
            ("!!!", "product"),
        ] {
            assert_eq!(suggest(title, "product"), handle, "{title}");
            assert!(is_sound(handle), "{handle}");
        }
        assert_eq!(suggest(&"a".repeat(500), "product").len(), MAX_CHARS);
    }

    #[test]
    fn text_unfit_for_an_address_is_not_a_handle() {
        for handle in ["", "-a", "a-", "a--b", "A", "a b", "a/b", "a?b", "é\u{301} "] {
            assert!(!is_sound(handle), "{handle:?}");
        }
    }

    #[test]
    fn a_taken_handle_gets_the_next_number() {
        let taken = ["mug", "mug-2", "mug-4"].map(str::to_owned);
        assert_eq!(free("mug", &taken), "mug-3");
        assert_eq!(free("cup", &taken), "cup");
    }
}
