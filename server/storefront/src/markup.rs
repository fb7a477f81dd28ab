//! Markdown of pages: text without HTML, whose links are safe.

use crate::http::Refusal;
use crate::link::is_link;

/// Checks a Markdown text.
///
/// # Errors
/// A refusal of an HTML tag, or of a link that is neither a path of the storefront, an anchor, an address nor HTTPS.
pub(crate) fn check(text: &str) -> Result<(), Refusal> {
    for rest in text.split('<').skip(1) {
        let is_address = ["https://", "mailto:"].iter().any(|start| rest.starts_with(start));
        let is_tag = rest.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c));
        if is_tag && !is_address {
            let tag: String = rest.chars().take(20).collect();
            return Err(Refusal::invalid(format!("HTML is not stored: `<{tag}`")));
        }
    }
    for rest in text.split("](").skip(1) {
        let target = rest.split([')', ' ', '\n', '"']).next().unwrap_or_default();
        let is_safe = target.starts_with('#') || target.starts_with("mailto:") || is_link(target);
        if !is_safe {
            let target: String = target.chars().take(60).collect();
            return Err(Refusal::invalid(format!("`{target}` is not a link that may be shown")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_has_no_html_and_no_unsafe_links() {
        for (text, expected) in [
            ("# Sale\n\n3 < 4, [all](/sale \"All\"), <https://shop.example>, [x](#a)", true),
            ("<script>alert(1)</script>", false),
            ("<!-- x -->", false),
            ("<img src=x>", false),
            ("[x](javascript:alert(1))", false),
            ("![x](data:text/html,1)", false),
            ("[x](//evil.example)", false),
        ] {
            assert_eq!(check(text).is_ok(), expected, "{text}");
        }
    }
}
