//! The check before publishing: reports everything that is wrong with a draft at once.

use std::collections::{BTreeMap, BTreeSet};

use rust_decimal::Decimal;
use serde::Serialize;

use super::draft::{
    ButtonDraft, ButtonKind, Draft, FieldKind, MAX_BUTTONS, OfferDraft, PriceKind, Way,
};
use super::error::FlowError;
use super::findings::{Finding, Findings};
use super::links;
use crate::cart::offers::OfferPrice;
use crate::catalog::{self, ProductStatus, Sellable};
use crate::conditions::Conditions;
use crate::database::Tx;
use crate::http::{Text, ToSchema};
use crate::ids::VariantId;
use crate::money::{Currency, Major};
use crate::pricing::{self, PriceContext};
use crate::proportion::PPM;
use crate::taxes::rates::from_percent;

/// Limit: bytes of a draft.
const MAX_BYTES: usize = 64 * 1024;

/// Limit: fields of a question.
const MAX_FIELDS: usize = 20;

/// Limit: options of a field.
const MAX_OPTIONS: usize = 50;

/// Limit: pieces of an offer.
const MAX_QUANTITY: i64 = 9_999;

/// The result of a check.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FlowValidation)]
pub(crate) struct Validation {
    pub(crate) valid: bool,
    pub(crate) errors: Vec<Finding>,
    pub(crate) warnings: Vec<Finding>,
    /// The reachable buttons, each before the buttons that it leads to.
    pub(crate) reachable: Vec<String>,
    /// The largest number of buttons on a path from the entry to an end; null if the draft is not
    /// valid.
    pub(crate) longest_path: Option<usize>,
}

/// Checks a draft. Also replaces its conditions by their canonical form.
pub(crate) fn check(
    tx: &Tx<'_>,
    draft: &mut Draft,
    (currency, hosts): (Currency, &[String]),
) -> Result<Validation, FlowError> {
    let (mut findings, mut warnings) = (Findings::default(), Findings::default());
    check_size(draft, &mut findings);
    let conditions = Conditions::new(currency, draft.answers());
    canonicalize(draft, &conditions, &mut findings, &mut warnings);
    for (key, button) in &draft.buttons {
        check_button(key, button, currency, hosts, &mut findings);
    }
    check_field_keys(draft, &mut findings);
    check_variants(tx, draft, currency, &mut findings)?;
    let order = check_graph(draft, &mut findings);
    let longest_path = longest(draft, &order);
    let valid = findings.0.is_empty();
    Ok(Validation {
        valid,
        errors: findings.0,
        warnings: warnings.0,
        reachable: order.into_iter().map(str::to_owned).collect(),
        longest_path: longest_path.filter(|_| valid),
    })
}

/// Checks a draft that must be valid, and replaces its conditions by their canonical form.
pub(crate) fn require_valid(
    tx: &Tx<'_>,
    draft: &mut Draft,
    rules: (Currency, &[String]),
) -> Result<(), FlowError> {
    let Validation { valid, errors, .. } = check(tx, draft, rules)?;
    if valid { Ok(()) } else { Err(FlowError::Invalid(errors)) }
}

fn check_size(draft: &Draft, findings: &mut Findings) {
    let bytes = serde_json::to_string(draft).map_or(usize::MAX, |text| text.len());
    if bytes > MAX_BYTES {
        findings.of_draft("draft", "a draft has at most 64 KiB");
    }
    if draft.buttons.len() > MAX_BUTTONS {
        findings.of_draft("buttons", "a flow has at most 50 buttons");
    }
    for key in draft.buttons.keys() {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        if key.is_empty() || key.len() > 64 || !key.bytes().all(is_plain) {
            findings.of(key, "key", "a key has 1 to 64 letters, digits, `_` and `-`");
        }
    }
}

fn canonicalize(
    draft: &mut Draft,
    conditions: &Conditions,
    findings: &mut Findings,
    warnings: &mut Findings,
) {
    let mut check = |place: (&str, &str), condition: &mut Text<8000>| match conditions
        .check(condition.as_str())
    {
        Ok((canonical, details)) => {
            if let Ok(canonical) = serde_json::from_value(canonical.into()) {
                *condition = canonical;
            }
            warnings.of_formula(place, details);
        }
        Err(details) => findings.of_formula(place, details),
    };
    for (key, button) in &mut draft.buttons {
        if let Some(condition) = &mut button.show_when {
            check((key, "show_when"), condition);
        }
        for (list, ways) in
            [("accept_next", &mut button.accept_next), ("decline_next", &mut button.decline_next)]
        {
            for (index, way) in ways.iter_mut().enumerate() {
                if let Some(condition) = &mut way.when {
                    let part = format!("{list}[{index}].when");
                    check((key, &part), condition);
                }
            }
        }
    }
}

fn check_button(
    key: &str,
    button: &ButtonDraft,
    currency: Currency,
    hosts: &[String],
    findings: &mut Findings,
) {
    let (accepts, declines) = match button.kind {
        ButtonKind::Offer | ButtonKind::Question => (true, true),
        ButtonKind::Notice => (true, false),
        ButtonKind::End => (false, false),
    };
    check_ways(key, "accept_next", &button.accept_next, accepts, findings);
    check_ways(key, "decline_next", &button.decline_next, declines, findings);
    let parts = [
        ("offer", button.offer.is_some(), button.kind == ButtonKind::Offer),
        ("fields", !button.fields.is_empty(), button.kind == ButtonKind::Question),
    ];
    for (part, is_there, is_needed) in parts {
        if is_there != is_needed {
            let word = if is_needed { "needs" } else { "has no" };
            findings.of(key, part, format!("a button of this type {word} `{part}`"));
        }
    }
    if button.kind == ButtonKind::End && button.show_when.is_some() {
        findings.of(key, "show_when", "an end is always shown");
    }
    if button.kind != ButtonKind::End && button.redirect_url.is_some() {
        findings.of(key, "redirect_url", "only an end leads elsewhere");
    }
    for (part, url) in [("image_url", &button.image_url), ("redirect_url", &button.redirect_url)] {
        if url.as_ref().is_some_and(|url| !links::is_allowed(url.as_str(), hosts)) {
            let message = "must be an own path, or an https URL with a host of `redirect_hosts`";
            findings.of(key, part, message);
        }
    }
    if let Some(offer) = &button.offer {
        check_offer(key, offer, currency, findings);
    }
    check_fields(key, button, findings);
}

fn check_ways(key: &str, part: &str, ways: &[Way], is_needed: bool, findings: &mut Findings) {
    if !is_needed {
        if !ways.is_empty() {
            findings.of(key, part, "a button of this type has no such way");
        }
        return;
    }
    let Some((last, others)) = ways.split_last() else {
        findings.of(key, part, "there must be a way");
        return;
    };
    if last.when.is_some() {
        findings.of(key, part, "the last way has no condition, so that there is always a way");
    }
    if let Some(index) = others.iter().position(|way| way.when.is_none()) {
        let way = format!("{part}[{index}]");
        findings.of(key, &way, "the ways after one without a condition are never taken");
    }
}

fn check_offer(key: &str, offer: &OfferDraft, currency: Currency, findings: &mut Findings) {
    let most = offer.max_quantity();
    if !(1..=MAX_QUANTITY).contains(&offer.quantity) {
        findings.of(key, "offer.quantity", "must be from 1 to 9999");
    }
    if !(offer.quantity..=MAX_QUANTITY).contains(&most) {
        findings.of(key, "offer.max_quantity", "must be from `quantity` to 9999");
    }
    if let Err(message) = price(offer, currency) {
        findings.of(key, "offer.price.value", message);
    }
}

pub(crate) fn price(offer: &OfferDraft, currency: Currency) -> Result<OfferPrice, String> {
    let draft = &offer.price;
    if draft.kind == PriceKind::None {
        return match draft.value {
            None => Ok(OfferPrice::None),
            Some(_) => Err("the list price has no value".to_owned()),
        };
    }
    let value = draft.value.as_ref().and_then(|value| value.to_string().parse::<Decimal>().ok());
    let value = value.filter(|value| !value.is_sign_negative() || value.is_zero());
    let value = value.ok_or_else(|| "must be a number that is not negative".to_owned())?;
    if draft.kind == PriceKind::PercentOff {
        let share = from_percent(value).ok().filter(|share| *share <= PPM);
        let message = "must be a percentage from 0 to 100 with at most four decimals";
        return share.map(OfferPrice::PercentOff).ok_or_else(|| message.to_owned());
    }
    let minor = Major::from(value).minor(currency).map_err(|error| error.to_string())?;
    Ok(match draft.kind {
        PriceKind::AmountOff => OfferPrice::AmountOff(minor),
        PriceKind::Fixed | PriceKind::None | PriceKind::PercentOff => OfferPrice::Fixed(minor),
    })
}

fn check_fields(key: &str, button: &ButtonDraft, findings: &mut Findings) {
    if button.fields.len() > MAX_FIELDS {
        findings.of(key, "fields", "a question has at most 20 fields");
    }
    for (index, field) in button.fields.iter().enumerate() {
        let part = |name: &str| format!("fields[{index}].{name}");
        let is_plain =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        if field.key.is_empty() || field.key.len() > 40 || !field.key.bytes().all(is_plain) {
            findings.of(key, &part("key"), "a key has 1 to 40 small letters, digits and `_`");
        }
        let chooses = matches!(field.kind, FieldKind::Choice | FieldKind::Choices);
        if chooses == field.options.is_empty() || field.options.len() > MAX_OPTIONS {
            findings.of(key, &part("options"), "a choice has 1 to 50 options, other fields none");
        }
        if !(1..=2_000).contains(&field.max_length()) {
            findings.of(key, &part("max_length"), "must be from 1 to 2000");
        }
    }
}

fn check_field_keys(draft: &Draft, findings: &mut Findings) {
    let mut seen = BTreeSet::new();
    for (key, button) in &draft.buttons {
        for (index, field) in button.fields.iter().enumerate() {
            if !seen.insert(&field.key) {
                let message = format!("the field key `{}` is used twice", field.key);
                findings.of(key, &format!("fields[{index}].key"), message);
            }
        }
    }
}

/// Checks that everything offered is published and has a price in the currency.
fn check_variants(
    tx: &Tx<'_>,
    draft: &Draft,
    currency: Currency,
    findings: &mut Findings,
) -> Result<(), FlowError> {
    let offered: Vec<(&String, &VariantId)> = draft
        .buttons
        .iter()
        .filter_map(|(key, button)| Some((key, &button.offer.as_ref()?.variant_id)))
        .collect();
    if offered.is_empty() {
        return Ok(());
    }
    let ids: Vec<VariantId> = offered.iter().map(|(_, id)| (*id).clone()).collect();
    let sellables = catalog::sellables_by_id(tx, &ids)?;
    let context = PriceContext {
        currency,
        region_id: None,
        customer_group_ids: Vec::new(),
        item_total_minor: None,
    };
    let is_published = |one: &&Sellable| one.status == ProductStatus::Published;
    for (key, id) in offered {
        let Some(sellable) = sellables.get(id).filter(is_published) else {
            let message = format!("there is no variant `{id}` of a published product");
            findings.of(key, "offer.variant_id", message);
            continue;
        };
        let set = [(sellable.price_set_id.clone(), 1)];
        if pricing::calculate(tx, &context, &set)?.pop().flatten().is_none() {
            let message = format!("the variant has no price in {currency}");
            findings.of(key, "offer.variant_id", message);
        }
    }
    Ok(())
}

/// Checks that every path leads to a button, that there are no cycles, and that every button can be reached.
/// Returns the buttons in topological order.
fn check_graph<'d>(draft: &'d Draft, findings: &mut Findings) -> Vec<&'d str> {
    if !draft.buttons.contains_key(&draft.entry) {
        findings.of_draft("entry", format!("there is no button `{}`", draft.entry));
        return Vec::new();
    }
    for (key, button) in &draft.buttons {
        for (list, ways) in button.ways() {
            for (index, way) in ways.iter().enumerate() {
                if !draft.buttons.contains_key(&way.to) {
                    let part = format!("{list}[{index}].to");
                    findings.of(key, &part, format!("there is no button `{}`", way.to));
                }
            }
        }
    }
    let (order, circles) = draft.search();
    for key in circles {
        findings.of(key, "accept_next", "a way leads back to this button");
    }
    for key in draft.buttons.keys().filter(|key| !order.contains(&key.as_str())) {
        findings.of(key, "key", "the button cannot be reached");
    }
    order
}

fn longest(draft: &Draft, order: &[&str]) -> Option<usize> {
    let mut lengths: BTreeMap<&str, usize> = BTreeMap::new();
    for key in order.iter().rev() {
        let button = draft.buttons.get(*key)?;
        let ways = button.accept_next.iter().chain(&button.decline_next);
        let longest = ways.filter_map(|way| lengths.get(way.to.as_str())).max().copied();
        lengths.insert(key, longest.unwrap_or(0).saturating_add(1));
    }
    lengths.get(draft.entry.as_str()).copied()
}
