//! The reports: their API routes, what is shown, and how they are drawn.

use crate::records::{Cell, Column, column};

#[derive(Debug)]
pub(super) struct Report {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) meaning: &'static str,
    /// The API's query parameters besides the range.
    pub(super) takes: &'static [&'static str],
    /// The first one is shown if the URL names none.
    pub(super) views: &'static [View],
    pub(super) empty: &'static str,
}

/// What the rows of a report are grouped by.
#[derive(Debug)]
pub(super) struct View {
    /// The word in the URL.
    pub(super) word: &'static str,
    pub(super) api: &'static str,
    pub(super) plural: &'static str,
    pub(super) columns: &'static [Column],
    pub(super) picture: Picture,
}

/// How rows are drawn.
#[derive(Debug, Clone, Copy)]
pub(super) enum Picture {
    /// A bar in each row, in proportion to a number in it.
    Bars(&'static str),
    /// Lines over rows that are periods.
    Lines(&'static Lines),
}

/// Amounts over rows that are periods: the name and the place of each.
#[derive(Debug)]
pub(super) struct Lines {
    /// The place of a row's start.
    pub(super) start: &'static str,
    pub(super) front: (&'static str, &'static str),
    pub(super) behind: Option<(&'static str, &'static str)>,
}

const CURRENCY: &str = "/currency_code";
const PAGES: &[&str] = &["limit", "offset"];
const GROUPS: &[&str] = &["by", "limit", "offset"];

/// The name of a row that is a period.
const PERIOD: Column = column("Period", "/period", Cell::Text);

const BEST: &[Column] = &[
    column("Product", "/product/title", Cell::Link("products", "/product/id")),
    column("Units", "/units", Cell::Count),
    column("Orders", "/orders", Cell::Count),
    column("Gross sales", "/gross_sales", Cell::Money(CURRENCY)),
    column("Net sales", "/net_sales", Cell::Money(CURRENCY)),
    column("Share", "/share", Cell::Percent),
    column("Margin", "/margin", Cell::Percent),
];

const fn best(word: &'static str, drawn: &'static str) -> View {
    View {
        word,
        api: "/admin/metrics/reports/top-products",
        plural: "products",
        columns: BEST,
        picture: Picture::Bars(drawn),
    }
}

const fn margins(first: Column) -> [Column; 7] {
    [
        first,
        column("Units", "/units", Cell::Count),
        column("Revenue", "/revenue", Cell::Money(CURRENCY)),
        column("Cost", "/cost", Cell::Money(CURRENCY)),
        column("Profit", "/profit", Cell::Money(CURRENCY)),
        column("Margin", "/margin", Cell::Percent),
        column("Without cost", "/missing_cost", Cell::Count),
    ]
}

const MARGINS: &[Column] = &margins(column("Of", "/title", Cell::Text));
const MARGINS_OVER_TIME: &[Column] = &margins(PERIOD);

const fn margins_by(word: &'static str, columns: &'static [Column], picture: Picture) -> View {
    View { word, api: "/admin/reports/cogs/margins", plural: "margins", columns, picture }
}

const REVENUE: Picture = Picture::Bars("/revenue");

const TURNOVER: &[Column] = &[
    column("Of", "/title", Cell::Text),
    column("Cost of what was sold", "/cost", Cell::Money(CURRENCY)),
    column("Average value", "/average_inventory_value", Cell::Money(CURRENCY)),
    column("Turnover", "/turnover", Cell::Count),
    column("Days of inventory", "/days_of_inventory", Cell::Count),
];

const fn turnover(word: &'static str) -> View {
    View {
        word,
        api: "/admin/reports/cogs/inventory-turnover",
        plural: "inventory_turnover",
        columns: TURNOVER,
        picture: Picture::Bars("/average_inventory_value"),
    }
}

const PROMOTIONS: &[Column] = &[
    column("Code", "/code", Cell::Link("promotions", "/promotion_id")),
    column("Orders", "/orders", Cell::Count),
    column("Uses", "/uses", Cell::Count),
    column("New customers", "/new_customers", Cell::Count),
    column("Revenue", "/revenue", Cell::Money(CURRENCY)),
    column("Revenue per order", "/average_revenue", Cell::Money(CURRENCY)),
    column("Discount", "/discount", Cell::Money(CURRENCY)),
    column("Discount rate", "/discount_rate", Cell::Percent),
];

const fn promotions(word: &'static str, api: &'static str) -> View {
    View {
        word,
        api,
        plural: "promotions",
        columns: PROMOTIONS,
        picture: Picture::Bars("/discount"),
    }
}

const fn taxes(
    word: &'static str,
    plural: &'static str,
    columns: &'static [Column],
    picture: Picture,
) -> View {
    View { word, api: "/admin/reports/taxes/dashboard", plural, columns, picture }
}

const TAXABLE: Column = column("Taxable sales", "/taxable_sales", Cell::Money(CURRENCY));
const EXEMPT: Column = column("Exempt sales", "/exempt_sales", Cell::Money(CURRENCY));
const TAX: Column = column("Tax collected", "/tax_collected", Cell::Money(CURRENCY));
const REFUNDED: Column = column("Tax refunded", "/tax_refunded", Cell::Money(CURRENCY));
const NET: Column = column("Net tax", "/tax_net", Cell::Money(CURRENCY));
const COUNTRY: Column = column("Country", "/country", Cell::Country);
const PROVINCE: Column = column("Province", "/province", Cell::Code);
const TAXES_OVER_TIME: &[Column] = &[PERIOD, TAXABLE, EXEMPT, TAX, REFUNDED, NET];
const TAXES_BY_PLACE: &[Column] = &[
    COUNTRY,
    PROVINCE,
    column("Orders", "/orders", Cell::Count),
    TAXABLE,
    EXEMPT,
    TAX,
    REFUNDED,
    NET,
];
const TAXES_BY_RATE: &[Column] = &[
    column("Rate", "/name", Cell::Text),
    COUNTRY,
    PROVINCE,
    column("Percent", "/rate", Cell::Count),
    TAXABLE,
    TAX,
];
const COLLECTED: Picture = Picture::Bars("/tax_collected");

pub(super) static ALL: &[Report] = &[
    Report {
        name: "top-products",
        title: "Best products",
        meaning: "What sold best, by revenue, pieces, orders or margin.",
        takes: GROUPS,
        views: &[
            best("revenue", "/net_sales"),
            best("units", "/units"),
            best("orders", "/orders"),
            best("margin", "/margin"),
        ],
        empty: "Nothing was sold in this range.",
    },
    Report {
        name: "margins",
        title: "Margins",
        meaning: "Revenue, cost and profit.",
        takes: &["by", "granularity", "limit", "offset"],
        views: &[
            margins_by("product", MARGINS, REVENUE),
            margins_by("variant", MARGINS, REVENUE),
            margins_by("category", MARGINS, REVENUE),
            margins_by(
                "period",
                MARGINS_OVER_TIME,
                Picture::Lines(&Lines {
                    start: "/start",
                    front: ("Revenue", "/revenue"),
                    behind: Some(("Cost", "/cost")),
                }),
            ),
        ],
        empty: "Nothing was sold in this range.",
    },
    Report {
        name: "turnover",
        title: "Inventory turnover",
        meaning: "How often the stock was sold, from the values at the ends of days.",
        takes: GROUPS,
        views: &[turnover("product"), turnover("category")],
        empty: "There are no values of the stock in this range yet: they are taken at the end of each day.",
    },
    Report {
        name: "stock",
        title: "Value of the stock",
        meaning: "What the stock was worth at cost, at the end of each day.",
        takes: PAGES,
        views: &[View {
            word: "",
            api: "/admin/reports/cogs/snapshots",
            plural: "snapshots",
            columns: &[
                PERIOD,
                column("Variants", "/variants", Cell::Count),
                column("Units", "/units", Cell::Count),
                column("Value", "/value", Cell::Money(CURRENCY)),
                column("Variants without cost", "/missing_cost", Cell::Count),
            ],
            picture: Picture::Lines(&Lines {
                start: "/date",
                front: ("Value", "/value"),
                behind: None,
            }),
        }],
        empty: "There are no values of the stock in this range yet: they are taken at the end of each day.",
    },
    Report {
        name: "costs",
        title: "Costs to look at",
        meaning: "Variants without a cost, sold under cost or below the target margin, and stock that did not move.",
        takes: PAGES,
        views: &[View {
            word: "",
            api: "/admin/reports/cogs/alerts",
            plural: "alerts",
            columns: &[
                column("Variant", "/title", Cell::Link("products", "/product_id")),
                column("SKU", "/sku", Cell::Text),
                column("What", "/kind", Cell::Chip),
                column("Last", "/at", Cell::Moment),
                column("Revenue", "/revenue", Cell::Money(CURRENCY)),
                column("Cost", "/cost", Cell::Money(CURRENCY)),
                column("Cost before", "/previous_cost", Cell::Money(CURRENCY)),
                column("In stock", "/units", Cell::Count),
            ],
            picture: REVENUE,
        }],
        empty: "Nothing needs to be looked at.",
    },
    Report {
        name: "promotions",
        title: "Promotions",
        meaning: "What promotions sold, and what they took off.",
        takes: PAGES,
        views: &[
            promotions("promotion", "/admin/reports/promotions"),
            promotions("code", "/admin/reports/promotions/codes"),
        ],
        empty: "No promotion was used in this range.",
    },
    Report {
        name: "taxes",
        title: "Taxes",
        meaning: "Tax that was collected, and tax that was given back.",
        takes: &["granularity"],
        views: &[
            taxes(
                "period",
                "periods",
                TAXES_OVER_TIME,
                Picture::Lines(&Lines {
                    start: "/start",
                    front: ("Collected", "/tax_collected"),
                    behind: Some(("Refunded", "/tax_refunded")),
                }),
            ),
            taxes("place", "jurisdictions", TAXES_BY_PLACE, COLLECTED),
            taxes("rate", "rates", TAXES_BY_RATE, COLLECTED),
        ],
        empty: "Nothing was sold in this range.",
    },
];
