//! The options of a range, as query parameters and in bodies.

/// Defines a query or a body of a dashboard or a report: the range and filters, and fields of its own. What is `paged` is a
/// query, and has the position of a page too.
macro_rules! ranged {
    (paged $(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $ty:ty,)* }) => {
        $crate::compute::routes::range_query::ranged! {
            $(#[$meta])*
            #[derive(Debug, Deserialize, crate::http::IntoParams)]
            #[into_params(parameter_in = Query)]
            $name {
                $($(#[$field_meta])* $field: $ty,)*
                /// The maximum number of rows on the page.
                #[param(minimum = 0, maximum = 200, default = 20)]
                limit: Option<u32>,
                /// The number of rows before the page.
                #[serde(default)]
                #[param(minimum = 0, maximum = 10_000_000, default = 0)]
                offset: u32,
            }
        }

        impl $name {
            fn page(&self) -> Result<$crate::compute::range::RangeQuery, $crate::MetricError> {
                self.range(self.limit, self.offset)
            }
        }
    };
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $ty:ty,)* }) => {
        $(#[$meta])*
        #[serde(deny_unknown_fields)]
        pub(crate) struct $name {
            /// The first day, such as 2026-11-01; defaults to 30 days that end with the last day.
            start_date: Option<$crate::compute::routes::range_query::DayText>,
            /// The last day, inclusive; defaults to today.
            end_date: Option<$crate::compute::routes::range_query::DayText>,
            /// An IANA time zone name; defaults to the store's.
            timezone: Option<$crate::compute::routes::range_query::ZoneText>,
            /// The currency whose orders are included; defaults to the store's.
            currency_code: Option<$crate::money::Currency>,
            /// The sales channel.
            sales_channel_id: Option<$crate::ids::SalesChannelId>,
            /// The region.
            region_id: Option<$crate::ids::RegionId>,
            /// The country, a two-letter code.
            country_code: Option<$crate::compute::routes::range_query::CountryText>,
            $($(#[$field_meta])* $field: $ty,)*
        }

        impl $name {
            fn range(
                &self,
                limit: Option<u32>,
                offset: u32,
            ) -> Result<$crate::compute::range::RangeQuery, $crate::MetricError> {
                use $crate::compute::{range::RangeQuery, request::UnresolvedQuestion};
                use $crate::compute::routes::range_query as ranged;
                $crate::routes::paging::check_page(limit, offset)?;
                let day = |name, text: &Option<ranged::DayText>| {
                    text.as_ref().map(|text| RangeQuery::day(name, text.as_str())).transpose()
                };
                let country = self.country_code.as_ref().map(ranged::CountryText::as_str);
                let question = UnresolvedQuestion {
                    start_date: day("start_date", &self.start_date)?,
                    end_date: day("end_date", &self.end_date)?,
                    timezone: self.timezone.as_ref().map(|zone| zone.as_str().to_owned()),
                    currency_code: self.currency_code.map(|code| code.upper().to_owned()),
                    sales_channel_id: self.sales_channel_id.clone(),
                    region_id: self.region_id.clone(),
                    country_code: country.map(RangeQuery::country).transpose()?,
                    ..UnresolvedQuestion::default()
                };
                Ok(RangeQuery { question, limit, offset })
            }
        }
    };
}

pub(crate) use ranged;

use std::borrow::Cow;

use serde::Deserialize;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// Defines a text that is parsed later, with the pattern of its schema.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident, $pattern:literal, $example:literal) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Deserialize)]
        #[serde(transparent)]
        pub(crate) struct $name(String);

        impl $name {
            pub(crate) fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let text = ObjectBuilder::new().schema_type(Type::String).pattern(Some($pattern));
                text.examples([$example]).into()
            }
        }

        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                stringify!($name).into()
            }
        }
    };
}

words!(
    /// A calendar day.
    DayText, "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", "2026-11-21"
);
words!(
    /// A time zone.
    ZoneText, "^[A-Za-z0-9_+/-]{1,64}$", "Europe/London"
);
words!(
    /// A two-letter country code.
    CountryText, "^[A-Za-z]{2}$", "gb"
);
