//! Markdown of pages: text without HTML and with safe links.

use crate::http::Refusal;
use crate::link::is_link;

/// Rejects a Markdown text with an HTML tag, or with a link that is neither a path of the storefront, an anchor, an
/// e-mail address nor HTTPS.
pub(crate) fn check(text: &str) -> Result<(), Refusal> {
    for rest in text.split('<').skip(1) {
        let is_address = ["https://", "mailto:"].iter().any(|start| rest.starts_with(start));
        let is_tag = rest.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c));
        if is_tag && !is_address {
            let tag: String = rest.chars().take(20).collect();
            return Err(Refusal::invalid(format!("HTML is not stored: `<{tag}`")));
        }
    }
    let inline = text.split("](").skip(1);
    let inline = inline.map(|rest| rest.split([')', ' ', '\n', '"']).next().unwrap_or_default());
    for target in inline.chain(definitions(text)) {
        let is_safe = target.starts_with('#') || target.starts_with("mailto:") || is_link(target);
        if !is_safe {
            let target: String = target.chars().take(60).collect();
            return Err(Refusal::invalid(format!("`{target}` is not a link that may be shown")));
        }
    }
    Ok(())
}

/// Returns the targets of link reference definitions: of lines such as `[label]: target "title"`, including those in quotes
/// and lists.
fn definitions(text: &str) -> impl Iterator<Item = &str> {
    let further = text.match_indices(['\n', '\r']);
    let further = further.filter_map(|(place, end)| text.get(place..)?.strip_prefix(end));
    let is_mark = |c: char| c.is_ascii_digit() || " \t>-*+.)".contains(c);
    std::iter::once(text)
        .chain(further)
        .filter_map(move |line| target(after_label(line.trim_start_matches(is_mark))?))
}

/// Returns the text after a label and its colon, if the text begins with them.
fn after_label(text: &str) -> Option<&str> {
    let text = text.strip_prefix('[')?;
    let mut is_escaped = false;
    let end = text.find(|c| {
        let is_end = !is_escaped && matches!(c, '[' | ']');
        is_escaped = !is_escaped && c == '\\';
        is_end
    })?;
    text.get(end..)?.strip_prefix("]:")
}

/// Returns the target at the start of a text, if its line contains nothing else but a title; otherwise it is not a
/// definition.
fn target(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '>');
    let (target, rest) = if let Some(text) = text.strip_prefix('<') {
        text.split_once('>')?
    } else {
        let end = text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len());
        text.split_at_checked(end)?
    };
    let rest = rest.trim_start_matches([' ', '\t']);
    let is_end = rest.is_empty() || rest.starts_with(['\n', '\r', '"', '\'', '(']);
    (is_end && !target.is_empty()).then_some(target)
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
            (
                "[x][1]\n\n[1]: /sale\n[2]: https://shop.example 'All'\n[3]: <#a> (All)\n[4]:\n  /new",
                true,
            ),
            ("[x][1]\n\n[1]: javascript:alert(1)", false),
            ("[x]: javascript:alert(1)\n\n[x]", false),
            ("[x]\n\n   [X]: javascript:alert(1) \"All\"\n", false),
            ("[x]\n\n[x]:\n  javascript:alert(1)", false),
            ("[x]\n\n[x]: < javascript:alert(1)>", false),
            ("[x]\r[x]:javascript&colon;alert(1)", false),
            ("> [x]\n>\n> 1. [x]:\n> javascript:alert(1)", false),
            ("[a\\]:\nb]: javascript:alert(1)", false),
            ("[x]: //evil.example", false),
            (
                "[^1]: The offer ends on Sunday.\n\nOr [later]: javascript: is a word.\n\n[note]:",
                true,
            ),
        ] {
            assert_eq!(check(text).is_ok(), expected, "{text}");
        }
    }
}
