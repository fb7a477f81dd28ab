//! The locales that a store can write in.

use serde::{Deserialize, Serialize};

use crate::http::ToSchema;
use crate::stored_as_word;

/// The language and country whose conventions determine how numbers, amounts and days are formatted for the store's
/// staff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = StoreLocale)]
pub enum Locale {
    #[serde(rename = "en-GB")]
    EnglishBritish,
    #[serde(rename = "en-US")]
    EnglishAmerican,
    #[serde(rename = "da-DK")]
    Danish,
    #[serde(rename = "nl-NL")]
    Dutch,
    #[serde(rename = "fr-FR")]
    French,
    #[serde(rename = "de-DE")]
    German,
    #[serde(rename = "it-IT")]
    Italian,
    #[serde(rename = "ja-JP")]
    Japanese,
    #[serde(rename = "pl-PL")]
    Polish,
    #[serde(rename = "pt-BR")]
    PortugueseBrazilian,
    #[serde(rename = "es-ES")]
    Spanish,
    #[serde(rename = "sv-SE")]
    Swedish,
}

stored_as_word!(
    Locale: EnglishBritish = "en-GB",
    EnglishAmerican = "en-US",
    Danish = "da-DK",
    Dutch = "nl-NL",
    French = "fr-FR",
    German = "de-DE",
    Italian = "it-IT",
    Japanese = "ja-JP",
    Polish = "pl-PL",
    PortugueseBrazilian = "pt-BR",
    Spanish = "es-ES",
    Swedish = "sv-SE",
);
