//! Payouts as CSV.

use super::payout::Payout;
use super::queries::PaidEntry;
use crate::csv;
use crate::database::Word as _;
use crate::ids::PartnerId;

pub(super) fn payouts(payouts: &[Payout], names: &[(PartnerId, String)]) -> String {
    let mut text = String::from("id,partner_id,partner,created_at,up_to,amount,currency_code\r\n");
    for payout in payouts {
        let name = names.iter().find(|(id, _)| *id == payout.partner_id);
        let name = csv::text(name.map_or("", |(_, name)| name));
        text.push_str(&csv::line([
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

pub(super) fn entries(entries: &[PaidEntry]) -> String {
    let mut text =
        String::from("id,conversion_id,order_id,code,kind,created_at,amount,currency_code\r\n");
    for entry in entries {
        text.push_str(&csv::line([
            entry.id.as_str(),
            entry.conversion_id.as_str(),
            entry.order_id.as_str(),
            &csv::text(&entry.code),
            entry.kind.as_str(),
            &entry.created_at.to_string(),
            &entry.currency.amount(entry.amount_minor).text(),
            &entry.currency.to_string(),
        ]));
    }
    text
}
