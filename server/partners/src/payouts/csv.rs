//! Payouts as CSV.

use super::payout::Payout;
use super::queries::PaidEntry;
use crate::database::Word as _;
use crate::ids::PartnerId;

/// Characters that a spreadsheet interprets as the start of a formula.
const DANGEROUS: [char; 5] = ['=', '+', '-', '@', '\t'];

/// Returns a table of payouts.
pub(super) fn payouts(payouts: &[Payout], names: &[(PartnerId, String)]) -> String {
    let mut text =
        line(&["id", "partner_id", "partner", "created_at", "up_to", "amount", "currency_code"]);
    for payout in payouts {
        let name = names.iter().find(|(id, _)| *id == payout.partner_id);
        let name = safe(name.map_or("", |(_, name)| name));
        text.push_str(&line(&[
            payout.id.as_str(),
            payout.partner_id.as_str(),
            &name,
            &payout.created_at.to_string(),
            &payout.up_to.to_string(),
            &payout.currency.amount(payout.amount_minor).text(),
            &payout.currency.to_string(),
        ]));
    }
    text
}

/// Returns a table of the entries that a payout pays.
pub(super) fn entries(entries: &[PaidEntry]) -> String {
    let mut text = line(&[
        "id",
        "conversion_id",
        "order_id",
        "code",
        "kind",
        "created_at",
        "amount",
        "currency_code",
    ]);
    for entry in entries {
        text.push_str(&line(&[
            entry.id.as_str(),
            entry.conversion_id.as_str(),
            entry.order_id.as_str(),
            &safe(&entry.code),
            entry.kind.as_str(),
            &entry.created_at.to_string(),
            &entry.currency.amount(entry.amount_minor).text(),
            &entry.currency.to_string(),
        ]));
    }
    text
}

/// Returns a text that a spreadsheet does not evaluate.
fn safe(text: &str) -> String {
    if text.starts_with(DANGEROUS) { format!("'{text}") } else { text.to_owned() }
}

fn line(cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
    format!("{}\r\n", cells.join(","))
}

fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_and_never_computed() {
        assert_eq!(
            line(&["a", &safe("=1+1"), &safe("x, \"y\""), "-1.50"]),
            "a,'=1+1,\"x, \"\"y\"\"\",-1.50\r\n"
        );
    }
}
