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
            start_date: Option<$crate::routes::day::Day>,
            /// The last day, inclusive; defaults to today.
            end_date: Option<$crate::routes::day::Day>,
            /// An IANA time zone name; defaults to the store's.
            timezone: Option<$crate::http::Text<64>>,
            /// The currency whose orders are included; defaults to the store's.
            currency_code: Option<$crate::money::Currency>,
            /// The sales channel.
            sales_channel_id: Option<$crate::ids::SalesChannelId>,
            /// The region.
            region_id: Option<$crate::ids::RegionId>,
            /// The country, a two-letter code.
            country_code: Option<$crate::http::Text<2>>,
            $($(#[$field_meta])* $field: $ty,)*
        }

        impl $name {
            fn range(
                &self,
                limit: Option<u32>,
                offset: u32,
            ) -> Result<$crate::compute::range::RangeQuery, $crate::MetricError> {
                use $crate::compute::{range::RangeQuery, request::UnresolvedQuestion};
                $crate::routes::paging::check_page(limit, offset)?;
                let question = UnresolvedQuestion {
                    start_date: self.start_date,
                    end_date: self.end_date,
                    timezone: self.timezone.clone().map(String::from),
                    currency_code: self.currency_code.map(|code| code.upper().to_owned()),
                    sales_channel_id: self.sales_channel_id.clone(),
                    region_id: self.region_id.clone(),
                    country_code: self.country_code.clone().map(String::from),
                    ..UnresolvedQuestion::default()
                };
                Ok(RangeQuery { question, limit, offset })
            }
        }
    };
}

pub(crate) use ranged;
