//! The vocabulary of definitions: category, scope, visibility, lifecycle, data type.

use quotient::types::{CurrencyOf, Flavour, Type, Unit};
use serde::{Deserialize, Serialize};

/// Declares an enum with the same words in JSON and in the database.
macro_rules! text_enum {
    ($(#[doc = $doc:literal])* $name:ident { $($(#[$word_doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub(crate) enum $name {
            $($(#[$word_doc])* #[serde(rename = $word)] $variant,)*
        }

        // A derive would know only the names of the variants here.
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

        quotient_foundation::stored_as_word!($name: $($variant = $word),*);
    };
}

pub(crate) use text_enum;

text_enum! {
    /// The subject area of a metric.
    Category {
        Sales = "sales",
        Orders = "orders",
        Customers = "customers",
        Products = "products",
        /// Stock.
        Inventory = "inventory",
        Marketing = "marketing",
        /// The share of visitors who buy.
        Conversion = "conversion",
        /// Shipping and delivery.
        Fulfillment = "fulfillment",
        Finance = "finance",
        /// Recurring sales.
        Subscriptions = "subscriptions",
        /// Operations of the store.
        Operations = "operations",
        /// Anything else.
        Custom = "custom",
    }
}

text_enum! {
    /// The entity that a value describes.
    Scope {
        Store = "store",
        SalesChannel = "sales_channel",
        Region = "region",
        Product = "product",
        Variant = "variant",
        Customer = "customer",
        Order = "order",
        /// No particular entity.
        Global = "global",
    }
}

text_enum! {
    /// The users who see a metric.
    Visibility {
        /// Its owner.
        Private = "private",
        /// Its organisation.
        Organization = "organization",
        /// Everyone who may read metrics.
        Public = "public",
    }
}

text_enum! {
    /// The lifecycle state of a metric.
    Lifecycle {
        /// In progress; computed only in trials.
        Draft = "draft",
        /// In use.
        Active = "active",
        /// In use, but to be replaced.
        Deprecated = "deprecated",
        /// Not in use.
        Archived = "archived",
    }
}

text_enum! {
    /// The type of a metric's values.
    DataType {
        /// Any number.
        Number = "number",
        /// A count.
        Integer = "integer",
        /// An amount of money.
        Currency = "currency",
        /// A ratio formatted as a percentage.
        Percentage = "percentage",
        /// A ratio formatted as a plain number.
        Ratio = "ratio",
        Duration = "duration",
        /// True or false.
        Boolean = "boolean",
        /// Text.
        String = "string",
        /// A date or an instant.
        Date = "date",
    }
}

text_enum! {
    /// The source of a placeholder's values.
    DataSource {
        Orders = "orders",
        /// Order lines.
        Items = "items",
        Refunds = "refunds",
        Payments = "payments",
        /// Parcels.
        Fulfillments = "fulfillments",
        Carts = "carts",
        Customers = "customers",
        Products = "products",
        Variants = "variants",
        /// Daily stock.
        Inventory = "inventory",
        /// Discounts.
        Promotions = "promotions",
        /// Bundles that were ordered.
        BundleSales = "bundle_sales",
        TaxLines = "tax_lines",
        /// Visits.
        Sessions = "sessions",
        /// Events of visitors.
        Events = "events",
        ProductViews = "product_views",
        Reviews = "reviews",
        WishlistItems = "wishlist_items",
        /// Attempts to pay with a token of the shopper's browser.
        PaymentConfirmations = "payment_confirmations",
        Subscriptions = "subscriptions",
        /// Changes of the recurring revenue.
        MrrMovements = "mrr_movements",
        /// Billed periods of subscriptions.
        SubscriptionCycles = "subscription_cycles",
        /// Sessions of flows.
        FlowSessions = "flow_sessions",
        /// What shoppers did at the buttons of flows.
        FlowSubmissions = "flow_submissions",
        /// Clicks on the links of partners.
        PartnerClicks = "partner_clicks",
        /// Orders that partners have brought.
        PartnerConversions = "partner_conversions",
        /// Entries of store credit.
        StoreCredit = "store_credit",
        /// Webhooks, in both directions.
        WebhookDeliveries = "webhook_deliveries",
        /// Daily campaigns.
        Marketing = "marketing",
        /// Inputs from a context; never read from the store.
        Input = "input",
    }
}

text_enum! {
    /// The aggregation of a placeholder that is used alone.
    Aggregation {
        Sum = "sum",
        Count = "count",
        CountDistinct = "count_distinct",
        /// The mean.
        Avg = "avg",
        /// The minimum.
        Min = "min",
        /// The maximum.
        Max = "max",
        Median = "median",
        /// The latest.
        Last = "last",
        /// None: it cannot be used alone.
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

/// Returns the name of a type, as definitions use it, and its unit if it has one: a currency or what is counted.
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
