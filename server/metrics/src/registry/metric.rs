//! Stored metrics: their definition, and who may see and change them.

use std::collections::BTreeSet;

use quotient::format::{FormatRules, check_pattern};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::spelling::in_both_spellings;
use super::vocabulary::{Category, DataType, Lifecycle, Scope, Visibility};
use crate::MetricError;
use crate::clock::Timestamp;
use crate::database::FromRow;
use crate::http::ToSchema;
use crate::http::text::without_accents;
use crate::ids::{MetricId, MetricVersionId};

/// Limit: letters of a key.
const MAX_KEY_LEN: usize = 64;

/// The formatting of values; absent fields follow from the unit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(example = json!({ "decimals": 1, "suffix": " pcs" }))]
pub struct FormattingRules {
    /// A pattern such as `#,##0.00`.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "short_text")]
    #[schema(max_length = 60)]
    pub pattern: Option<String>,
    /// Digits after the decimal point.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "few_digits")]
    #[schema(maximum = 28)]
    pub decimals: Option<u32>,
    /// Text before the value, in place of the currency sign.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "short_text")]
    #[schema(max_length = 60)]
    pub prefix: Option<String>,
    /// Text after the value.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "short_text")]
    #[schema(max_length = 60)]
    pub suffix: Option<String>,
    /// The locale for clients; texts formatted by the server ignore it.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "short_text")]
    #[schema(max_length = 60)]
    pub locale: Option<String>,
    /// Text in place of a missing value.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "short_text")]
    #[schema(max_length = 60)]
    pub null_text: Option<String>,
    /// Whether large numbers are abbreviated: `1.2M`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) compact: bool,
}

/// Limit: characters of a text in the rules.
const MAX_PART_LEN: usize = 60;

/// Limit: digits after the decimal point.
const MAX_DECIMALS: u32 = 28;

fn short_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text: Option<String> = Option::deserialize(deserializer)?;
    match text {
        Some(text) if text.chars().count() > MAX_PART_LEN => {
            Err(D::Error::custom(format!("longer than {MAX_PART_LEN} characters")))
        }
        text => Ok(text),
    }
}

fn few_digits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let decimals: Option<u32> = Option::deserialize(deserializer)?;
    match decimals {
        Some(decimals) if decimals > MAX_DECIMALS => {
            Err(D::Error::custom(format!("more than {MAX_DECIMALS} digits")))
        }
        decimals => Ok(decimals),
    }
}

impl FormattingRules {
    /// Checks the pattern.
    pub(super) fn check(&self) -> Result<(), MetricError> {
        let Some(pattern) = &self.pattern else { return Ok(()) };
        check_pattern(pattern).map_err(|reason| {
            MetricError::Parameter(format!("The pattern `{pattern}` is invalid: {reason}"))
        })
    }

    pub fn rules(&self) -> FormatRules {
        FormatRules {
            pattern: self.pattern.clone(),
            decimals: self.decimals,
            prefix: self.prefix.clone(),
            suffix: self.suffix.clone(),
            null_text: self.null_text.clone(),
            compact: self.compact,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, FromRow)]
pub struct Metric {
    /// The metric's number, which is its id in the engine.
    #[serde(skip)]
    pub seq: i64,
    pub id: MetricId,
    /// The name in formulas; it never changes.
    pub key: String,
    pub name: String,
    pub description: Option<String>,
    pub(crate) category: Category,
    pub(crate) scope: Scope,
    pub formula: String,
    pub(crate) data_type: DataType,
    #[column(json)]
    pub formatting_rules: FormattingRules,
    #[column(json)]
    pub tags: Vec<String>,
    pub org_id: Option<String>,
    pub owner_id: Option<String>,
    pub(crate) visibility: Visibility,
    /// Created with the store, and never removed.
    pub is_system: bool,
    pub is_active: bool,
    /// Can be changed only by force; the owner of a private one may unlock it.
    pub is_locked: bool,
    pub(crate) state: Lifecycle,
    /// The number of the latest version.
    pub version: u32,
    pub created_by: Option<String>,
    pub updated_by: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// When it was removed; its key stays taken.
    pub deleted_at: Option<Timestamp>,
}

impl Metric {
    /// Returns whether the metric is computed where none is named: it is active, and of sales or orders.
    pub(crate) fn is_default(&self) -> bool {
        self.deleted_at.is_none()
            && self.state == Lifecycle::Active
            && self.is_active
            && matches!(self.category, Category::Sales | Category::Orders)
    }

    /// Returns whether only the owner sees the metric.
    pub(crate) fn is_private(&self) -> bool {
        self.visibility == Visibility::Private
    }
}

in_both_spellings! {
    /// A version of a metric; immutable.
    #[derive(FromRow)]
    #[schema(example = json!({
        "id": "metver_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "version": 2, "name": "Average order value",
        "formula": "net_sales / order_count", "canonical": "net_sales / order_count", "hash": "5f1d7c0a9b3e4d62",
        "data_type": "currency", "formatting_rules": {}, "author": "user_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "note": null,
        "restored_from": null, "created_at": "2026-11-21T10:00:00.000Z"
    }))]
    VersionView,
    /// A version of a metric, with the catalog's names.
    #[derive(FromRow)]
    #[schema(example = json!({
        "id": "metver_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "version": 2, "name": "Average order value",
        "formula": "net_sales / order_count", "canonical": "net_sales / order_count", "hash": "5f1d7c0a9b3e4d62",
        "dataType": "currency", "formattingRules": {}, "author": "user_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "note": null,
        "restoredFrom": null, "createdAt": "2026-11-21T10:00:00.000Z"
    }))]
    CatalogVersionView {
        id: MetricVersionId,
        /// The version number: 1, 2, 3 …
        #[column(name = "number")]
        version: u32,
        name: String,
        /// The formula as written.
        formula: String,
        /// The formula in canonical form.
        canonical: String,
        /// The hash of the formula's syntax tree.
        hash: String,
        /// The type of the values.
        data_type: DataType,
        #[column(json)]
        formatting_rules: FormattingRules,
        author: Option<String>,
        /// The reason for the change.
        note: Option<String>,
        /// The version that it restores.
        restored_from: Option<u32>,
        /// When the version was created.
        created_at: Timestamp,
    }
}

/// Derives a key from a name: `Café au lait` becomes `cafe_au_lait`. Empty if no letter from a to z, with or
/// without an accent, and no digit is in the name.
pub(crate) fn slug(name: &str) -> String {
    let mut slug = String::new();
    for letter in without_accents(name) {
        if letter.is_ascii_alphanumeric() {
            if slug.is_empty() && letter.is_ascii_digit() {
                slug.push_str("m_");
            }
            slug.push(letter.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('_') {
            slug.push('_');
        }
    }
    shortened(&slug, MAX_KEY_LEN)
}

fn shortened(slug: &str, len: usize) -> String {
    slug.get(..len).unwrap_or(slug).trim_end_matches('_').to_owned()
}

/// Returns an unused key: the slug itself, or with a number appended.
pub(crate) fn free_key(slug: &str, taken: &BTreeSet<&str>) -> String {
    let numbered = (2..u32::MAX).map(|number| {
        let number = format!("_{number}");
        shortened(slug, MAX_KEY_LEN.saturating_sub(number.len())) + &number
    });
    let mut keys = std::iter::once(slug.to_owned()).chain(numbered);
    keys.find(|key| !taken.contains(key.as_str())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_what_a_name_has_of_letters_and_digits() {
        for (name, key) in [
            ("Average order value", "average_order_value"),
            ("  Net – sales (EUR)! ", "net_sales_eur"),
            ("2nd orders", "m_2nd_orders"),
            ("Durée à l'été", "duree_a_l_ete"),
            ("Größe", "gro_e"),
            ("売上", ""),
            ("—", ""),
        ] {
            assert_eq!(slug(name), key);
        }
    }

    #[test]
    fn a_key_has_at_most_64_letters_including_its_suffix() {
        let long = slug(&format!("7{}", "a".repeat(80)));
        assert_eq!(long, format!("m_7{}", "a".repeat(61)));
        let taken = BTreeSet::from([long.as_str()]);
        assert_eq!(free_key(&long, &taken), format!("m_7{}_2", "a".repeat(59)));
    }

    #[test]
    fn a_key_that_is_taken_gets_a_number() {
        assert_eq!(free_key("aov", &BTreeSet::new()), "aov");
        assert_eq!(free_key("aov", &BTreeSet::from(["aov", "aov_2"])), "aov_3");
    }
}
