//! The vocabulary of definitions: category, scope, visibility, lifecycle, data type.

use quotient::types::{CurrencyOf, Flavour, Type, Unit};
use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use serde::{Deserialize, Serialize};

/// Declares an enum that is the same word in JSON and in the database.
macro_rules! text_enum {
    ($(#[doc = $doc:literal])* $name:ident { $($(#[$word_doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub(crate) enum $name {
            $($(#[$word_doc])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            pub(crate) const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        // The derive knows only the names of variants here.
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                $crate::openapi::words(&[$($word),*], concat!($($doc),*))
            }
        }

        impl utoipa::ToSchema for $name {
            fn name() -> std::borrow::Cow<'static, str> {
                concat!("Metric", stringify!($name)).into()
            }
        }

        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(self.as_str().into())
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                match value.as_str()? {
                    $($word => Ok(Self::$variant),)*
                    _ => Err(FromSqlError::InvalidType),
                }
            }
        }
    };
}

pub(crate) use text_enum;

text_enum! {
    /// What a metric is about.
    Category {
        /// What is sold.
        Sales = "sales",
        /// Orders.
        Orders = "orders",
        /// Who buys.
        Customers = "customers",
        /// What is offered.
        Products = "products",
        /// What is there.
        Inventory = "inventory",
        /// What brings buyers.
        Marketing = "marketing",
        /// How many of those who look buy.
        Conversion = "conversion",
        /// How goods reach buyers.
        Fulfillment = "fulfillment",
        /// Money.
        Finance = "finance",
        /// What comes again.
        Subscriptions = "subscriptions",
        /// How the store runs.
        Operations = "operations",
        /// Anything else.
        Custom = "custom",
    }
}

text_enum! {
    /// The entity that a value is about.
    Scope {
        /// The store.
        Store = "store",
        /// A sales channel.
        SalesChannel = "sales_channel",
        /// A region.
        Region = "region",
        /// A product.
        Product = "product",
        /// A variant.
        Variant = "variant",
        /// A customer.
        Customer = "customer",
        /// An order.
        Order = "order",
        /// Nothing in particular.
        Global = "global",
    }
}

text_enum! {
    /// Who sees a metric.
    Visibility {
        /// Its owner.
        Private = "private",
        /// Its organisation.
        Organization = "organization",
        /// Everyone who sees metrics.
        Public = "public",
    }
}

text_enum! {
    /// How far a metric is released.
    Lifecycle {
        /// Being worked on; computed on trial only.
        Draft = "draft",
        /// In use.
        Active = "active",
        /// In use, and to be replaced.
        Deprecated = "deprecated",
        /// Out of use.
        Archived = "archived",
    }
}

text_enum! {
    /// What kind of value a metric has.
    DataType {
        /// Any number.
        Number = "number",
        /// A count.
        Integer = "integer",
        /// An amount of money.
        Currency = "currency",
        /// Shown in percent.
        Percentage = "percentage",
        /// Shown as a plain ratio.
        Ratio = "ratio",
        /// A length of time.
        Duration = "duration",
        /// A condition.
        Boolean = "boolean",
        /// Text.
        String = "string",
        /// A day or an instant.
        Date = "date",
    }
}

text_enum! {
    /// What a placeholder's values are read from.
    DataSource {
        /// Orders.
        Orders = "orders",
        /// Lines of orders.
        Items = "items",
        /// Refunds.
        Refunds = "refunds",
        /// Payments.
        Payments = "payments",
        /// Parcels.
        Fulfillments = "fulfillments",
        /// Baskets.
        Carts = "carts",
        /// Buyers.
        Customers = "customers",
        /// Products.
        Products = "products",
        /// Variants.
        Variants = "variants",
        /// Stock by day.
        Inventory = "inventory",
        /// Price reductions.
        Promotions = "promotions",
        /// Taxes by line.
        TaxLines = "tax_lines",
        /// Visits.
        Sessions = "sessions",
        /// What visitors did.
        Events = "events",
        /// Plans.
        Subscriptions = "subscriptions",
        /// Entries of store credit.
        StoreCredit = "store_credit",
        /// Campaigns by day.
        Marketing = "marketing",
        /// Values that a context gives; never read from the store.
        Input = "input",
    }
}

text_enum! {
    /// What a placeholder means when it stands alone.
    Aggregation {
        /// The sum.
        Sum = "sum",
        /// How many there are.
        Count = "count",
        /// How many different ones there are.
        CountDistinct = "count_distinct",
        /// The mean.
        Avg = "avg",
        /// The least.
        Min = "min",
        /// The greatest.
        Max = "max",
        /// The one in the middle.
        Median = "median",
        /// The newest.
        Last = "last",
        /// Nothing: it only stands inside other words.
        None = "none",
    }
}

impl From<DataType> for quotient::types::DeclaredType {
    fn from(data_type: DataType) -> Self {
        match data_type {
            DataType::Number => Self::Number,
            DataType::Integer => Self::Integer,
            DataType::Currency => Self::Currency,
            DataType::Percentage => Self::Percentage,
            DataType::Ratio => Self::Ratio,
            DataType::Duration => Self::Duration,
            DataType::Boolean => Self::Boolean,
            DataType::String => Self::String,
            DataType::Date => Self::Date,
        }
    }
}

impl From<quotient::types::DeclaredType> for DataType {
    fn from(declared: quotient::types::DeclaredType) -> Self {
        use quotient::types::DeclaredType as Declared;
        match declared {
            Declared::Number => Self::Number,
            Declared::Integer => Self::Integer,
            Declared::Currency => Self::Currency,
            Declared::Percentage => Self::Percentage,
            Declared::Ratio => Self::Ratio,
            Declared::Duration => Self::Duration,
            Declared::Boolean => Self::Boolean,
            Declared::String => Self::String,
            Declared::Date => Self::Date,
        }
    }
}

impl From<Lifecycle> for quotient::registry::State {
    fn from(lifecycle: Lifecycle) -> Self {
        match lifecycle {
            Lifecycle::Draft => Self::Draft,
            Lifecycle::Active => Self::Active,
            Lifecycle::Deprecated => Self::Deprecated,
            Lifecycle::Archived => Self::Archived,
        }
    }
}

impl From<quotient::registry::State> for Lifecycle {
    fn from(state: quotient::registry::State) -> Self {
        use quotient::registry::State;
        match state {
            State::Draft => Self::Draft,
            State::Active => Self::Active,
            State::Deprecated => Self::Deprecated,
            State::Archived => Self::Archived,
        }
    }
}

/// The kind of a value, as definitions name it, and its unit where it has one: a currency, what is counted.
pub(crate) fn kind(ty: &Type) -> (&'static str, Option<String>) {
    match ty {
        Type::Quantity(unit) => of_unit(unit),
        Type::Text => ("string", None),
        Type::Bool => ("boolean", None),
        Type::Date | Type::DateTime => ("date", None),
        Type::Period => ("period", None),
        Type::Span => ("span", None),
        Type::List(item) => ("list", kind(item).1),
        Type::Null => ("null", None),
    }
}

fn of_unit(unit: &Unit) -> (&'static str, Option<String>) {
    let currency = match unit.currency {
        CurrencyOf::Fixed(currency) => Some(currency.code().to_owned()),
        CurrencyOf::Mixed => None,
    };
    match (unit.money, unit.time, &unit.flavour) {
        (1, 0, _) => ("currency", currency),
        (0, 1, _) => ("duration", Some("seconds".to_owned())),
        (0, 0, Flavour::Count(entity)) => ("integer", entity.as_ref().map(ToString::to_string)),
        (0, 0, Flavour::Ratio) => ("ratio", None),
        (0, 0, Flavour::Percent) => ("percentage", None),
        (0, 0, Flavour::Number | Flavour::Literal) => ("number", None),
        _ => ("number", Some(Type::Quantity(unit.clone()).to_string())),
    }
}
