//! The parameters of a list in the API description, generated from its definition.

use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::schema::SchemaType;
use utoipa::openapi::{ObjectBuilder, Type};

use super::values::MAX_AMOUNT_DIGITS;
use super::{ListRequest, Listed, MAX_LIMIT, MAX_OFFSET};
use crate::clock::INSTANT_OR_DAY;
use crate::database::listing::{Column, Kind, Listing};
use crate::http::fields::{self, in_query};
use crate::http::query::MAX_SEARCH_CHARS;
use crate::http::text;

/// Omits the keys that the route parses, because the route also describes them.
impl<R: Listed> IntoParams for ListRequest<R> {
    fn into_params(_place: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let listing = R::LISTING;
        let mut parameters =
            vec![limit(listing), offset(), order(listing), fields::parameter(R::SHAPE)];
        if !listing.search.is_empty() {
            let schema = text::described(MAX_SEARCH_CHARS);
            parameters.push(in_query("q", "Text to search for, anywhere, in any case.", schema));
        }
        parameters.extend(listing.columns.iter().filter(|column| column.filters).map(filter));
        parameters
    }
}

fn limit(listing: &Listing) -> Parameter {
    let schema = object(Type::Integer)
        .minimum(Some(0))
        .maximum(Some(MAX_LIMIT))
        .default(Some(listing.default_limit.into()));
    in_query("limit", "The maximum number of rows on the page.", schema)
}

fn offset() -> Parameter {
    let schema =
        object(Type::Integer).minimum(Some(0)).maximum(Some(MAX_OFFSET)).default(Some(0.into()));
    in_query("offset", "The number of rows before the page.", schema)
}

fn order(listing: &Listing) -> Parameter {
    let names = listing.columns.iter().filter(|column| column.orders);
    let choices: Vec<String> =
        names.flat_map(|column| [column.name.to_owned(), format!("-{}", column.name)]).collect();
    let schema =
        object(Type::String).enum_values(Some(choices)).default(Some(listing.default_order.into()));
    in_query("order", "The order; `-` before a name means descending. The id breaks ties.", schema)
}

fn filter(column: &Column) -> Parameter {
    let (schema, what) = match column.kind {
        Kind::Id => (short_text(), "An id."),
        Kind::Text => (short_text(), "A text."),
        Kind::LowerCase => (short_text(), "A text, in any case."),
        Kind::Word(words) => {
            (object(Type::String).enum_values(Some(words.iter().copied())), "One of the words.")
        }
        Kind::Time => (
            object(Type::String).pattern(Some(time())),
            "An RFC 3339 instant, or a day in the store's time zone.",
        ),
        Kind::Integer => (
            object(Type::Integer).minimum(Some(i64::MIN)).maximum(Some(i64::MAX)),
            "A whole number.",
        ),
        Kind::Boolean => (object(Type::Boolean), "`true` or `false`."),
        Kind::Money { digits } => {
            (object(Type::String).pattern(Some(amount(digits))), "An amount in major units.")
        }
        Kind::Code => (short_text(), "A whole code."),
        Kind::Link => (short_text(), "An id of a linked resource."),
    };
    let name = column.name;
    let description = format!(
        "{what} Repeat it (`{name}[]=`) to match any of several; `{name}[$operator]=` compares, with `$eq` `$ne` `$in` \
         `$nin` `$gt` `$gte` `$lt` `$lte` `$like` `$ilike` where applicable."
    );
    in_query(name, &description, schema)
}

/// Returns the pattern of an instant, a day, or `null`.
fn time() -> String {
    format!("^(null|{INSTANT_OR_DAY})$")
}

/// Returns the pattern of an amount with at most this many decimal places.
fn amount(digits: u32) -> String {
    let fraction = if digits == 0 { String::new() } else { format!(r"(\.[0-9]{{1,{digits}}})?") };
    format!("^-?[0-9]{{1,{MAX_AMOUNT_DIGITS}}}{fraction}$")
}

fn short_text() -> ObjectBuilder {
    object(Type::String).max_length(Some(MAX_SEARCH_CHARS))
}

fn object(of: Type) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::new(of))
}
