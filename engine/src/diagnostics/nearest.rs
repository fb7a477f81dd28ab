//! Nearest names for misspelt ones.

use std::borrow::Cow;

/// Returns the candidate closest to `wrong`, if any is close enough.
///
/// Letters swapped, dropped, added or changed count one each; a name may differ in a third of its
/// length. Case is ignored. Among equals the first wins, so pass candidates in a fixed order.
pub fn nearest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wrong = wrong.to_lowercase();
    let length = wrong.chars().count();
    let mut allowed = length.div_ceil(3).max(1);
    let mut found = None;
    for candidate in candidates {
        let name = lowercase(candidate);
        // Most names are out by their length, which is quickly compared.
        if name.chars().count().abs_diff(length) > allowed {
            continue;
        }
        let distance = strsim::osa_distance(&wrong, &name);
        if distance > allowed {
            continue;
        }
        found = Some(candidate);
        let Some(nearer) = distance.checked_sub(1) else { break };
        allowed = nearer;
    }
    found
}

fn lowercase(name: &str) -> Cow<'_, str> {
    let is_lowercase = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase();
    if name.bytes().all(is_lowercase) { name.into() } else { name.to_lowercase().into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_closest_is_found_whatever_its_length() {
        let names = ["gross_sales", "net_sale", "net_sales", "Net_Sales", "net", "İnet"];
        for (wrong, expected) in [
            ("net_sales", Some("net_sales")),
            ("NET_SALES", Some("net_sales")),
            ("net_sals", Some("net_sale")),
            ("nte_sales", Some("net_sales")),
            ("gros_sale", Some("gross_sales")),
            ("ner", Some("net")),
            ("n", None),
            ("", None),
            ("costs_of_goods", None),
        ] {
            assert_eq!(nearest(wrong, names), expected, "{wrong}");
        }
    }
}
