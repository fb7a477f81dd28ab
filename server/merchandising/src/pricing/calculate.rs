//! Calculates the prices of several price sets for one context, by a fixed number of statements.

use std::collections::{BTreeMap, BTreeSet};

use rust_decimal::Decimal;

use super::choice::{
    Candidate, Context, ListKind, ListTerms, Preference, PriceRule, REGION, choose,
    is_tax_inclusive,
};
use super::queries::prices::{self, CandidateRow, ListRow};
use super::replace::{CUSTOMER_GROUP, ITEM_TOTAL};
use super::{CalculatedPrice, ChosenPrice, Comparison, PriceContext, PricingError};
use crate::database::Tx;
use crate::database::Word as _;
use crate::ids::{self, ById, CustomerGroupId, PriceId, PriceListId, PriceSetId, RegionId};

/// The attribute value that represents a fulfilled condition on the item total, so that it counts as a matching rule.
const HOLDS: &str = "holds";

/// Returns the price of each set for its quantity, in the order of `quantities`; none if no price applies. Two
/// statements, or three if a price list is involved.
pub fn calculate(
    tx: &Tx<'_>,
    context: &PriceContext,
    quantities: &[(PriceSetId, i64)],
) -> Result<Vec<Option<CalculatedPrice>>, PricingError> {
    let ids: BTreeSet<&str> = quantities.iter().map(|(id, _)| id.as_str()).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows = prices::candidates(tx, &ids::list(ids), context.currency)?;
    let sets = load_candidates(tx, context, rows)?;
    let preferences = preferences(tx, context)?;
    let mut choosing = Context {
        currency: context.currency.to_string(),
        attributes: attributes(context),
        quantity: 1,
        now_ms: tx.now().as_millis(),
    };
    let mut calculated = Vec::with_capacity(quantities.len());
    for (price_set_id, quantity) in quantities {
        choosing.quantity = *quantity;
        let set = sets.get(price_set_id);
        calculated.push(set.and_then(|set| set.price(price_set_id, &choosing, &preferences)));
    }
    Ok(calculated)
}

/// The candidates of one set, each with its typed ids.
#[derive(Debug, Default)]
struct PriceSet {
    candidates: Vec<Candidate>,
    ids: Vec<(PriceId, Option<PriceListId>)>,
}

impl PriceSet {
    fn price(
        &self,
        price_set_id: &PriceSetId,
        context: &Context,
        preferences: &[Preference],
    ) -> Option<CalculatedPrice> {
        let choice = choose(&self.candidates, context)?;
        let chosen = |candidate: &Candidate| {
            let (id, list_id) = self.ids.iter().find(|(id, _)| id.as_str() == candidate.id)?;
            let kind = candidate.list.as_ref().map(|list| list.kind);
            Some(ChosenPrice {
                id: id.clone(),
                amount_minor: candidate.amount_minor,
                list: list_id.clone().zip(kind),
                min_quantity: candidate.min_quantity,
                max_quantity: candidate.max_quantity,
                is_tax_inclusive: is_tax_inclusive(candidate, preferences),
            })
        };
        Some(CalculatedPrice {
            price_set_id: price_set_id.clone(),
            currency: context.currency.parse().ok()?,
            calculated: chosen(choice.calculated)?,
            original: chosen(choice.original)?,
        })
    }
}

/// Loads the candidates of each set, with the rules of their lists.
fn load_candidates(
    tx: &Tx<'_>,
    context: &PriceContext,
    rows: Vec<CandidateRow>,
) -> Result<BTreeMap<PriceSetId, PriceSet>, PricingError> {
    let lists = list_rules(tx, &rows)?;
    let mut sets: BTreeMap<PriceSetId, PriceSet> = BTreeMap::new();
    let mut rows = rows.into_iter().peekable();
    while let Some(first) = rows.next() {
        let mut rules = Vec::new();
        let mut may_apply = add_rule(&mut rules, context, first.condition.as_ref());
        while let Some(next) = rows.next_if(|row| row.id == first.id) {
            may_apply &= add_rule(&mut rules, context, next.condition.as_ref());
        }
        if may_apply {
            let list_id = first.list.as_ref().map(|list| list.id.clone());
            let set = sets.entry(first.price_set_id.clone()).or_default();
            set.candidates.push(candidate(&first, rules, context, &lists));
            set.ids.push((first.id, list_id));
        }
    }
    Ok(sets)
}

fn candidate(
    row: &CandidateRow,
    rules: Vec<PriceRule>,
    context: &PriceContext,
    lists: &ById<Vec<PriceRule>>,
) -> Candidate {
    Candidate {
        id: row.id.to_string(),
        amount_minor: row.amount_minor,
        currency: context.currency.to_string(),
        min_quantity: row.min_quantity,
        max_quantity: row.max_quantity,
        rules,
        list: row.list.as_ref().map(|list| price_list(list, lists)),
    }
}

fn price_list(list: &ListRow, rules: &ById<Vec<PriceRule>>) -> ListTerms {
    ListTerms {
        id: list.id.to_string(),
        kind: if list.is_override { ListKind::Override } else { ListKind::Sale },
        is_active: true,
        starts_at_ms: list.starts_at.map(super::super::clock::Timestamp::as_millis),
        ends_at_ms: list.ends_at.map(super::super::clock::Timestamp::as_millis),
        rules: rules.group(&list.id).to_vec(),
    }
}

/// Adds a condition to the rules of a candidate; returns `false` if it cannot hold, which excludes the candidate.
fn add_rule(
    rules: &mut Vec<PriceRule>,
    context: &PriceContext,
    condition: Option<&(String, String, String)>,
) -> bool {
    let Some((attribute, operator, value)) = condition else {
        return true;
    };
    let value = if attribute == ITEM_TOTAL {
        if !total_fits(context, operator, value) {
            return false;
        }
        HOLDS
    } else {
        value
    };
    rules.push(PriceRule { attribute: attribute.clone(), values: vec![value.to_owned()] });
    true
}

fn total_fits(context: &PriceContext, operator: &str, value: &str) -> bool {
    let total = context.item_total_minor;
    let total = total.map(|minor| Decimal::new(minor, context.currency.digits()));
    match (Comparison::from_word(operator), total, value.parse::<Decimal>()) {
        (Some(comparison), Some(total), Ok(value)) => comparison.holds(&total, &value),
        (Some(_) | None, Some(_) | None, Ok(_) | Err(_)) => false,
    }
}

fn list_rules(tx: &Tx<'_>, rows: &[CandidateRow]) -> Result<ById<Vec<PriceRule>>, PricingError> {
    let ids: BTreeSet<&PriceListId> =
        rows.iter().filter_map(|row| row.list.as_ref()).map(|list| &list.id).collect();
    let mut lists = ById::default();
    if ids.is_empty() {
        return Ok(lists);
    }
    let ids: Vec<PriceListId> = ids.into_iter().cloned().collect();
    for (list_id, attribute, values) in prices::list_rules(tx, &ids)? {
        // Unreadable values match nobody, which is the safe default.
        let values = serde_json::from_str(&values).unwrap_or_default();
        lists.push(list_id, PriceRule { attribute, values });
    }
    Ok(lists)
}

fn preferences(tx: &Tx<'_>, context: &PriceContext) -> Result<Vec<Preference>, PricingError> {
    let rows = prices::preferences(tx, context.currency, context.region_id.as_ref())?;
    let preference = |(attribute, is_tax_inclusive): (String, bool)| {
        if attribute == REGION {
            let id = context.region_id.as_ref().map(ToString::to_string)?;
            return Some(Preference::Region { id, is_tax_inclusive });
        }
        let code = context.currency.to_string();
        Some(Preference::Currency { code, is_tax_inclusive })
    };
    Ok(rows.into_iter().filter_map(preference).collect())
}

fn attributes(context: &PriceContext) -> BTreeMap<String, Vec<String>> {
    let groups = context.customer_group_ids.iter().map(CustomerGroupId::to_string).collect();
    BTreeMap::from([
        (REGION.to_owned(), context.region_id.iter().map(RegionId::to_string).collect()),
        (CUSTOMER_GROUP.to_owned(), groups),
        (ITEM_TOTAL.to_owned(), vec![HOLDS.to_owned()]),
    ])
}
