//! The rules of options: those of a product are distinct, and each of its variants is a different combination of their
//! values.

use std::collections::{BTreeMap, BTreeSet};

use super::CatalogError;
use super::new::{MAX_OPTIONS, MAX_VALUES, NewOption};

/// The values of a product's options, in the order of the options.
pub(super) type Combination = Vec<String>;

pub(super) fn check(options: &[NewOption]) -> Result<(), CatalogError> {
    if options.len() > MAX_OPTIONS {
        return Err(CatalogError::too_many("options", MAX_OPTIONS));
    }
    let mut titles = BTreeSet::new();
    for NewOption { title, values } in options {
        if !titles.insert(title.as_str()) {
            return Err(CatalogError::option_twice(title));
        }
        check_values(title, values)?;
    }
    Ok(())
}

pub(super) fn check_values(title: &str, values: &[String]) -> Result<(), CatalogError> {
    if values.len() > MAX_VALUES {
        return Err(CatalogError::too_many("option values", MAX_VALUES));
    }
    let mut seen = BTreeSet::new();
    for value in values {
        if !seen.insert(value) {
            let sentence = format!("the option `{title}` has the value `{value}` twice");
            return Err(CatalogError::Invalid(sentence));
        }
    }
    Ok(())
}

/// Returns the combination of a variant's options, which must be exactly one value of each option.
pub(super) fn combine(
    options: &[NewOption],
    chosen: &BTreeMap<String, String>,
) -> Result<Combination, CatalogError> {
    if let Some(title) =
        chosen.keys().find(|title| !options.iter().any(|option| option.title == **title))
    {
        return Err(CatalogError::unknown_option(title));
    }
    let mut combination = Vec::with_capacity(options.len());
    for NewOption { title, values } in options {
        let value = chosen.get(title).ok_or_else(|| CatalogError::missing_option(title))?;
        if !values.contains(value) {
            let sentence = format!("`{value}` is no value of the option `{title}`");
            return Err(CatalogError::Invalid(sentence));
        }
        combination.push(value.clone());
    }
    Ok(combination)
}

/// Checks that no two variants have the same combination. A product without options may have several variants.
pub(super) fn check_distinct(combinations: &[Combination]) -> Result<(), CatalogError> {
    let mut seen = BTreeSet::new();
    for combination in combinations {
        if !combination.is_empty() && !seen.insert(combination) {
            let title = combination.join(" / ");
            let sentence = format!("Variant ({title}) with provided options already exists.");
            return Err(CatalogError::Invalid(sentence));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Vec<NewOption> {
        [("Size", ["S", "M"]), ("Colour", ["Red", "Blue"])]
            .map(|(title, values)| NewOption {
                title: title.into(),
                values: values.map(str::to_owned).to_vec(),
            })
            .to_vec()
    }

    fn combined(chosen: &[(&str, &str)]) -> Result<Combination, String> {
        let chosen = chosen.iter().map(|(title, value)| ((*title).into(), (*value).into()));
        combine(&options(), &chosen.collect()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_variant_has_one_value_of_each_option() {
        let expected = Ok(vec!["M".to_owned(), "Red".to_owned()]);
        assert_eq!(combined(&[("Colour", "Red"), ("Size", "M")]), expected);
        for (chosen, message) in [
            (&[("Size", "M")][..], "the option `Colour` has no value"),
            (&[("Size", "XL"), ("Colour", "Red")], "`XL` is no value of the option `Size`"),
            (&[("Fit", "slim")], "there is no option `Fit`"),
        ] {
            assert_eq!(combined(chosen), Err(message.to_owned()));
        }
    }

    #[test]
    fn options_values_and_combinations_are_unique() {
        let mut twice = options();
        twice.extend(options());
        assert!(check(&twice).is_err());
        assert!(check_values("Size", &["S".to_owned(), "S".to_owned()]).is_err());
        assert!(check(&options()).is_ok());
        let red = vec!["M".to_owned(), "Red".to_owned()];
        assert!(check_distinct(&[red.clone(), red]).is_err());
        assert!(check_distinct(&[Vec::new(), Vec::new()]).is_ok());
    }
}
