//! Changes the options of a product that may already have variants.

use std::collections::BTreeSet;

use super::CatalogError;
use super::create::{self, ValueIds};
use super::new::NewOption;
use super::options::{self, Combination};
use super::queries::{changes, relations, variants};
use super::view::{Product, ProductOption};
use crate::database::{Table, Tx};
use crate::ids::{self, ById, OptionId, OptionValueId, ProductId, VariantId};

/// The new state of an option.
#[derive(Debug, Clone)]
pub(crate) struct OptionChange {
    /// The option to change; none for the one with this title, or a new one.
    pub id: Option<OptionId>,
    /// The new title; none to keep it.
    pub title: Option<String>,
    /// All values; none to keep them.
    pub values: Option<Vec<String>>,
}

/// The options of a product, and the ids of their values.
#[derive(Debug)]
pub(super) struct OwnOptions {
    /// The options in the form of a request.
    pub(super) options: Vec<NewOption>,
    pub(super) values: ValueIds,
    loaded: Vec<ProductOption>,
}

impl OwnOptions {
    pub(super) fn load(tx: &Tx<'_>, product_id: &ProductId) -> Result<Self, CatalogError> {
        let loaded = relations::options(tx, &ids::list([&product_id]))?;
        let mut values = ValueIds::new();
        let mut options = Vec::with_capacity(loaded.len());
        for option in &loaded {
            for value in &option.values {
                values
                    .insert((option.title.to_string(), value.value.to_string()), value.id.clone());
            }
            options
                .push(NewOption { title: option.title.to_string(), values: value_texts(option) });
        }
        Ok(Self { options, values, loaded })
    }

    /// Returns the combination of option values of each variant.
    pub(super) fn combinations(
        &self,
        tx: &Tx<'_>,
        variant_ids: &[&VariantId],
    ) -> Result<Vec<Combination>, CatalogError> {
        let mut words = ById::default();
        for value in self.loaded.iter().flat_map(|option| &option.values) {
            words.insert(&value.id, value.value.to_string());
        }
        let chosen = variants::values(tx, &ids::list(variant_ids))?;
        let chosen = chosen.iter().filter_map(|(id, value)| Some((id, words.get(value)?.clone())));
        let mut combinations = ById::grouped(chosen);
        Ok(variant_ids.iter().map(|id| combinations.take(id)).collect())
    }
}

/// Sets the options of a product. A missing option is deleted, if no variant has a value of it.
pub(super) fn set_options(
    tx: &Tx<'_>,
    product_id: &ProductId,
    sent: &[OptionChange],
) -> Result<(), CatalogError> {
    let own = OwnOptions::load(tx, product_id)?;
    let used: BTreeSet<OptionValueId> = changes::used_values(tx, product_id)?.into_iter().collect();
    let mut planned = Vec::with_capacity(sent.len());
    for change in sent {
        planned.push(plan(&own, change)?);
    }
    let after: Vec<NewOption> = planned.iter().map(|(_, after)| after.clone()).collect();
    options::check(&after)?;
    let stays = |option: &ProductOption| {
        planned.iter().any(|(before, _)| before.is_some_and(|before| before.id == option.id))
    };
    let removed: Vec<&ProductOption> = own.loaded.iter().filter(|option| !stays(option)).collect();
    for option in &removed {
        check_unused(option.values.iter().map(|value| (&value.id, &*value.value)), &used)?;
    }
    changes::delete(
        tx,
        "product_option",
        &ids::list(removed.iter().map(|option| option.id.as_str())),
    )?;
    // Options may exchange their titles, of which a product has each once.
    for (before, after) in &planned {
        if let Some(option) = before.filter(|option| *option.title != *after.title) {
            changes::option(tx, &option.id, option.id.as_str(), 0)?;
        }
    }
    let mut rank = 0_usize;
    for (before, after) in planned {
        if let Some(before) = before {
            set_option(tx, before, &after, rank, &used)?;
        } else {
            create::create_options(tx, product_id, std::slice::from_ref(&after), rank)?;
            if !used.is_empty() {
                // The existing variants would have no value of it.
                return Err(CatalogError::missing_option(&after.title));
            }
        }
        rank = rank.saturating_add(1);
    }
    Ok(())
}

type Planned<'a> = (Option<&'a ProductOption>, NewOption);

fn plan<'a>(own: &'a OwnOptions, change: &OptionChange) -> Result<Planned<'a>, CatalogError> {
    let before = match (&change.id, &change.title) {
        (Some(id), _) => {
            let found = own.loaded.iter().find(|option| option.id == *id);
            let missing = || CatalogError::missing("Product option", &id);
            Some(found.ok_or_else(missing)?)
        }
        (None, Some(title)) => own.loaded.iter().find(|option| *option.title == **title),
        (None, None) => None,
    };
    let title = change.title.clone().or_else(|| before.map(|option| option.title.to_string()));
    let title = title.ok_or_else(|| CatalogError::unknown_option(""))?;
    let own_values = || before.map_or_else(Vec::new, value_texts);
    let values = change.values.clone().unwrap_or_else(own_values);
    Ok((before, NewOption { title, values }))
}

fn value_texts(option: &ProductOption) -> Vec<String> {
    option.values.iter().map(|value| value.value.to_string()).collect()
}

/// Updates an existing option: its title, its rank and its values.
pub(super) fn set_option(
    tx: &Tx<'_>,
    before: &ProductOption,
    after: &NewOption,
    rank: usize,
    used: &BTreeSet<OptionValueId>,
) -> Result<(), CatalogError> {
    options::check_values(&after.title, &after.values)?;
    changes::option(tx, &before.id, &after.title, i64::try_from(rank).unwrap_or(i64::MAX))?;
    let removed =
        before.values.iter().filter(|value| !after.values.iter().any(|new| **new == *value.value));
    let removed: Vec<_> = removed.map(|value| (&value.id, &*value.value)).collect();
    check_unused(removed.iter().copied(), used)?;
    if !removed.is_empty() {
        changes::delete(
            tx,
            "product_option_value",
            &ids::list(removed.iter().map(|(id, _)| id.as_str())),
        )?;
    }
    let is_new = |value: &str| !before.values.iter().any(|own| *own.value == *value);
    let ranked = after.values.iter().zip(0_usize..).filter(|(value, _)| is_new(value));
    let rows = ranked
        .map(|(value, rank)| create::value_row(&OptionValueId::new(), &before.id, value, rank));
    changes::insert(tx, "product_option_value", &rows.collect())?;
    Ok(changes::rank_values(tx, &before.id, &after.values)?)
}

/// Checks that no variant has one of the values.
pub(super) fn check_unused<'a>(
    mut values: impl Iterator<Item = (&'a OptionValueId, &'a str)>,
    used: &BTreeSet<OptionValueId>,
) -> Result<(), CatalogError> {
    match values.find(|(id, _)| used.contains(id)) {
        Some((_, value)) => Err(CatalogError::NotAllowed(format!("`{value}` is used by variants"))),
        None => Ok(()),
    }
}

/// Changes the list of all options of a product, and writes it.
fn change_options(
    tx: &Tx<'_>,
    product_id: &ProductId,
    change: impl FnOnce(&mut Vec<OptionChange>) -> Result<(), CatalogError>,
) -> Result<(), CatalogError> {
    Product::require::<CatalogError>(tx, product_id)?;
    let stays = |option: ProductOption| {
        let title = Some(option.title.to_string());
        OptionChange { id: Some(option.id), title, values: None }
    };
    let mut all =
        relations::options(tx, &ids::list([product_id]))?.into_iter().map(stays).collect();
    change(&mut all)?;
    set_options(tx, product_id, &all)?;
    Ok(changes::touch(tx, product_id)?)
}

pub(crate) fn add_option(
    tx: &Tx<'_>,
    product_id: &ProductId,
    new: OptionChange,
) -> Result<(), CatalogError> {
    change_options(tx, product_id, |all| {
        if let Some(title) = &new.title
            && all.iter().any(|option| option.title == new.title)
        {
            return Err(CatalogError::option_twice(title));
        }
        all.push(OptionChange { id: None, ..new });
        Ok(())
    })
}

pub(crate) fn update_option(
    tx: &Tx<'_>,
    product_id: &ProductId,
    id: &OptionId,
    change: OptionChange,
) -> Result<(), CatalogError> {
    change_options(tx, product_id, |all| {
        *find(all, id)? = OptionChange { id: Some(id.clone()), ..change };
        Ok(())
    })
}

pub(crate) fn delete_option(
    tx: &Tx<'_>,
    product_id: &ProductId,
    id: &OptionId,
) -> Result<(), CatalogError> {
    change_options(tx, product_id, |all| {
        find(all, id)?;
        all.retain(|option| option.id.as_ref() != Some(id));
        Ok(())
    })
}

fn find<'o>(
    all: &'o mut [OptionChange],
    id: &OptionId,
) -> Result<&'o mut OptionChange, CatalogError> {
    let own = all.iter_mut().find(|option| option.id.as_ref() == Some(id));
    own.ok_or_else(|| CatalogError::missing("Product option", id))
}
