//! Formula files as people write them, well and badly.

mod hostile;
mod importing;
mod lowering;
mod printing;
mod reading;

use super::{Loaded, load};
use crate::diagnostics::Diagnostic;

/// A file with everything that the format has.
const SHOP: &str = include_str!("shop.metrics");

/// Loads one text that imports nothing but `base.metrics`, which is empty.
fn load_text(text: &str) -> Loaded {
    load("shop.metrics", &mut |name| match name {
        "shop.metrics" => Ok(text.to_owned()),
        "base.metrics" => Ok(String::new()),
        _ => Err("no such file".to_owned()),
    })
}

/// A finding as one line: code, the text it marks, message, help.
fn line(text: &str, finding: &Diagnostic) -> String {
    let marked = finding.span.slice(text).replace('\n', "⏎");
    let help = finding.help.as_deref().unwrap_or_default();
    format!("{} [{marked}] {} | {help}", finding.code, finding.message)
}

/// Every finding about a text.
fn findings(text: &str) -> Vec<String> {
    load_text(text).findings.iter().map(|(_, finding)| line(text, finding)).collect()
}
