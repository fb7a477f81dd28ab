//! Formula files as users write them, right and wrong.

mod csv_form;
mod hostile;
mod importing;
mod lowering;
mod printing;
mod reading;

use super::{Loaded, load};
use crate::diagnostics::Diagnostic;

/// A file that uses every feature of the format.
const SHOP: &str = include_str!("shop.metrics");

/// Loads one text, whose only import can be `base.metrics`, which is empty.
fn load_text(text: &str) -> Loaded {
    load("shop.metrics", &mut |name| match name {
        "shop.metrics" => Ok(text.to_owned()),
        "base.metrics" => Ok(String::new()),
        _ => Err("no such file".to_owned()),
    })
}

/// Renders a finding as one line: code, marked text, message, help.
fn line(text: &str, finding: &Diagnostic) -> String {
    let marked = finding.span.slice(text).replace('\n', "⏎");
    let help = finding.help.as_deref().unwrap_or_default();
    format!("{} [{marked}] {} | {help}", finding.code, finding.message)
}

/// Returns every finding about a text.
fn findings(text: &str) -> Vec<String> {
    load_text(text).findings.iter().map(|(_, finding)| line(text, finding)).collect()
}
