//! The kinds of records: where the API has them, what is shown, and which forms they have.

mod customers;
mod flows;
mod groupings;
mod inventory;
mod metrics;
mod orders;
mod partners;
mod products;
mod promotions;
mod reviews;
mod selling;
mod settings;
mod shipping;
mod subscriptions;
#[cfg(test)]
mod tests;
mod webhooks;

/// The words in which kinds are defined.
mod prelude {
    pub(super) use super::{
        ACTION, Action, Ahead, Answer, CREATED, Cell, Column, FormLink, Kind, PAYMENTS, PLAIN,
        PROVIDERS, RecordPart, Source, column, filter, row_form,
    };
    pub(super) use crate::page::Section;
    pub(super) use crate::records::fields::{
        CHANGE, Chosen, FORM, Field, Fixed, FormSpec, Input, Present, ROW, Then, creation,
        deletion, field, removal,
    };
}

use serde_json::Value;

use super::fields::FormSpec;
use super::table::{country, is_country};
use crate::page::Section;
pub(super) use customers::CUSTOMERS;
pub(super) use metrics::METRICS;
pub(super) use orders::ORDERS;
pub(super) use partners::PARTNERS;
pub(super) use products::{PRODUCTS, VARIANTS};
pub(super) use settings::{KEYS, PEOPLE};
pub(super) use shipping::LOCATIONS;
pub(super) use webhooks::ENDPOINTS;

#[derive(Debug)]
pub(super) struct Kind {
    /// The name in the URL.
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// The singular noun.
    pub(super) noun: &'static str,
    pub(super) section: Section,
    pub(super) api: &'static str,
    /// Query parameters for a record.
    pub(super) query: &'static str,
    /// Additional fields requested for a list.
    pub(super) list_fields: &'static str,
    pub(super) plural: &'static str,
    pub(super) singular: &'static str,
    /// Whether the list has a search.
    pub(super) is_searched: bool,
    /// Whether the list can be filtered by creation day.
    pub(super) has_days: bool,
    pub(super) filters: &'static [Filter],
    /// The default order of the list, in the API's format.
    pub(super) order: &'static str,
    /// The columns by which the API can sort the list.
    pub(super) sorts: &'static [&'static str],
    pub(super) columns: &'static [Column],
    /// What is shown before the list.
    pub(super) ahead: &'static [Ahead],
    /// Shown for an empty list: what it will contain, and how to start.
    pub(super) empty: &'static str,
    /// Where a record's title is.
    pub(super) heading: &'static [&'static str],
    /// The facts of a record; none if it has no page.
    pub(super) facts: &'static [Column],
    pub(super) parts: &'static [RecordPart],
    pub(super) actions: &'static [Action],
    pub(super) forms: &'static [FormSpec],
    /// Separate pages about a record: the name, the word in the URL, and the states in which they are useful.
    pub(super) pages: &'static [(&'static str, &'static str, &'static [&'static str])],
    /// The name and the URL of the page that creates a new one, if that is not a form.
    pub(super) begin: Option<(&'static str, &'static str)>,
    /// The name of the file with all data about a record, and its API route.
    pub(super) export: Option<(&'static str, &'static str)>,
}

impl Kind {
    /// Returns the field that sorts the list by a column, if the API has one.
    pub(super) fn sorted_by(&self, column: &Column) -> Option<&'static str> {
        self.sorts.iter().find(|field| column.pointer.strip_prefix('/') == Some(*field)).copied()
    }

    /// Returns the title of a record.
    pub(super) fn title_of(&self, record: &Value) -> String {
        let text = |pointer: &&str| {
            let text = record.pointer(pointer)?.as_str().filter(|text| !text.is_empty())?;
            Some(if is_country(pointer) { country(text) } else { text.to_owned() })
        };
        let texts: Vec<String> = self.heading.iter().filter_map(text).collect();
        if !texts.is_empty() {
            return texts.join(" ");
        }
        // A customer without a name is identified by e-mail address.
        if let Some(email) = record.get("email").and_then(Value::as_str) {
            return email.to_owned();
        }
        let number = record.pointer("/display_id").and_then(Value::as_u64);
        number.map_or_else(|| self.noun.to_owned(), |number| format!("{} {number}", self.noun))
    }
}

#[derive(Debug)]
pub(super) struct Filter {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) values: &'static [&'static str],
}

/// A column of a table, or a fact.
#[derive(Debug)]
pub(crate) struct Column {
    pub(super) label: &'static str,
    pub(super) pointer: &'static str,
    pub(super) cell: Cell,
}

/// How a value is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cell {
    Text,
    /// A link to a kind of record, by the place of its id.
    Link(&'static str, &'static str),
    /// A record by id: its name, linked to its page.
    Record,
    /// A count that links to a filtered list, by the name of the filter and the place of the id.
    Narrowed(&'static str, &'static str, &'static str),
    /// A form about the row, for users who run the store.
    Form(FormLink),
    /// An amount, with the place of its currency.
    Money(&'static str),
    /// Prices in their currencies.
    Prices,
    Count,
    /// A share.
    Percent,
    /// Thousandths, shown as a percentage.
    Permille,
    Moment,
    /// A state.
    Chip,
    /// An API word, shown by its name.
    Word(&'static [(&'static str, &'static str)]),
    /// A code, in capital letters.
    Code,
    /// A country, by its code.
    Country,
    /// A percentage or an amount, with the places of the kind and of the currency.
    Share(&'static str, &'static str),
    /// The names in a list, by their place in its members.
    Names(&'static str),
    /// API words in a list, by their place in its members, each shown by its name.
    Words(&'static str, &'static [(&'static str, &'static str)]),
    /// Conditions, such as a minimum total.
    Conditions,
    /// A URL on another site.
    Address,
}

impl Cell {
    pub(super) const fn is_number(self) -> bool {
        matches!(
            self,
            Self::Money(_)
                | Self::Count
                | Self::Percent
                | Self::Permille
                | Self::Share(..)
                | Self::Narrowed(..)
        )
    }
}

/// Rows shown before a list, because they need attention first.
#[derive(Debug)]
pub(super) struct Ahead {
    pub(super) title: &'static str,
    /// Which rows they are.
    pub(super) lead: &'static str,
    /// The query for them.
    pub(super) query: &'static str,
    pub(super) columns: &'static [Column],
    /// The text if there are none.
    pub(super) none: &'static str,
}

/// A link from a row to a form.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FormLink {
    pub(super) text: &'static str,
    pub(super) kind: &'static str,
    /// The place of the record's id in the row.
    pub(super) id: &'static str,
    pub(super) form: &'static str,
    /// The place of the row's own id.
    pub(super) of: &'static str,
}

/// Related records on a record's page.
#[derive(Debug)]
pub(super) struct RecordPart {
    pub(super) title: &'static str,
    pub(super) source: Source,
    pub(super) columns: &'static [Column],
    /// The text if there are none: what will be here, and how to start.
    pub(super) none: &'static str,
}

/// Where the rows of a part come from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source {
    /// From the record, by their path.
    Inside(&'static str),
    /// From the record, each with the id of a line of the record's order.
    Lines(&'static str, &'static str),
    /// From an API list, with the list's name in the response.
    Route(&'static str, &'static str),
    /// The stock of the record's variants, at each location.
    Stock(&'static str),
    /// From a list in each row of another list.
    Below(&'static (&'static str, &'static str), &'static (&'static str, &'static str)),
}

/// A change by a button, with one confirmation.
#[derive(Debug)]
pub(super) struct Action {
    pub(super) word: &'static str,
    pub(super) label: &'static str,
    /// What will happen.
    pub(super) meaning: &'static str,
    pub(super) api: &'static str,
    /// The states in which it is available; any if there are none.
    pub(super) states: &'static [&'static str],
    /// What is shown of the response.
    pub(super) answer: Answer,
}

/// What is shown of the response to a change.
#[derive(Debug, Clone, Copy)]
pub(super) enum Answer {
    /// That it was done.
    Done,
    /// Rows, by their place; the response itself if that is empty.
    Rows(&'static str, &'static [Column]),
    /// A secret, by its place in the response, which cannot be shown again.
    Secret(&'static str),
}

pub(super) fn named(name: &str) -> Option<&'static Kind> {
    ALL.iter().find(|kind| kind.name == name).copied()
}

pub(crate) const fn column(label: &'static str, pointer: &'static str, cell: Cell) -> Column {
    Column { label, pointer, cell }
}

const fn filter(
    name: &'static str,
    label: &'static str,
    values: &'static [&'static str],
) -> Filter {
    Filter { name, label, values }
}

/// Returns the column of links to a form about a row of a record.
const fn row_form(
    text: &'static str,
    kind: &'static str,
    form: &'static str,
    of: &'static str,
) -> Column {
    column(text, "", Cell::Form(FormLink { text, kind, id: "/record_id", form, of }))
}

const PLAIN: Kind = Kind {
    name: "",
    title: "",
    noun: "",
    section: Section::None,
    api: "",
    query: "",
    list_fields: "",
    plural: "",
    singular: "",
    is_searched: true,
    has_days: false,
    filters: &[],
    order: "-created_at",
    sorts: &[],
    columns: &[],
    ahead: &[],
    empty: "",
    heading: &["/name"],
    facts: &[],
    parts: &[],
    actions: &[],
    forms: &[],
    pages: &[],
    begin: None,
    export: None,
};

const ACTION: Action =
    Action { word: "", label: "", meaning: "", api: "", states: &[], answer: Answer::Done };

pub(crate) const PAYMENTS: &[(&str, &str)] = &[
    ("pp_stripe", "card, with Stripe"),
    ("pp_system_default", "hand, such as a transfer or in cash"),
    ("pp_sandbox", "test cards, for trying out"),
];

const PROVIDERS: &[(&str, &str)] = &[
    ("pp_stripe", "Stripe"),
    ("pp_system_default", "hand"),
    ("pp_sandbox", "test cards"),
    ("manual_manual", "hand"),
    ("tp_system", "this server"),
];

const CREATED: Column = column("Created", "/created_at", Cell::Moment);

/// All kinds, in the order of the navigation.
pub(super) static ALL: &[&Kind] = &[
    &metrics::ALERTS,
    &metrics::ALERT_DELIVERIES,
    &ORDERS,
    &orders::RETURNS,
    &PRODUCTS,
    &groupings::COLLECTIONS,
    &groupings::CATEGORIES,
    &groupings::TAGS,
    &inventory::INVENTORY,
    &reviews::REVIEWS,
    &CUSTOMERS,
    &customers::STORE_CREDIT,
    &customers::TIERS,
    &promotions::PROMOTIONS,
    &promotions::PRICE_LISTS,
    &subscriptions::SUBSCRIPTIONS,
    &subscriptions::PLANS,
    &flows::FLOWS,
    &PARTNERS,
    &partners::CONVERSIONS,
    &partners::PAYOUTS,
    &webhooks::DELIVERIES,
    &ENDPOINTS,
    &PEOPLE,
    &settings::INVITES,
    &KEYS,
    &selling::REGIONS,
    &selling::TAX_REGIONS,
    &shipping::SHIPPING_OPTIONS,
    &shipping::PROFILES,
    &LOCATIONS,
    &selling::SALES_CHANNELS,
    &selling::STORES,
];
