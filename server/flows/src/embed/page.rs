//! The script that shows a flow on a page, and the page to try it on.

use std::fmt::Write as _;
use std::sync::LazyLock;

use quotient_foundation::digest::sha256_hex;

use crate::ids::{CartId, OrderId};

pub(super) const SCRIPT: &str = include_str!("embed.js");

/// The hash of the script, which identifies its version.
pub(super) static VERSION: LazyLock<String> = LazyLock::new(|| {
    let digest = sha256_hex(SCRIPT);
    digest.chars().take(16).collect()
});

/// Returns the page. Only a token or an id is inserted, which consists of letters, digits and `_`.
pub(super) fn page(
    token: Option<&str>,
    (cart, order): (Option<&CartId>, Option<&OrderId>),
) -> String {
    let mut body = String::from("<h1>A flow on a page</h1>\n");
    match token {
        None => body.push_str("<p>There is no public flow: publish one, and come back.</p>\n"),
        Some(_) if cart.is_none() && order.is_none() => body.push_str(
            "<p>Name a cart or an order: <code>?cart=cart_…</code> or <code>?order=order_…&amp;cart=cart_…</code>.</p>\n",
        ),
        Some(token) => {
            let mut given = format!(" data-flow=\"{token}\"");
            let ids = [
                ("cart", cart.map(CartId::as_str)),
                ("order", order.map(OrderId::as_str)),
            ];
            for (name, id) in ids {
                if let Some(id) = id {
                    // Writing to a string cannot fail.
                    write!(given, " data-{name}=\"{id}\"").unwrap_or_default();
                }
            }
            let version = &*VERSION;
            writeln!(body, "<script src=\"/flow-builder/embed.js?v={version}\"{given}></script>")
                .unwrap_or_default();
        }
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>A flow on a page</title>\n</head>\n\
         <body>\n{body}</body>\n</html>\n"
    )
}
