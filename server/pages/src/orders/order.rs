//! An order in the API's format.

use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::Value;

use crate::decimal;
use crate::records::country;

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Order {
    pub(super) id: String,
    pub(super) display_id: u64,
    pub(super) status: String,
    pub(super) payment_status: String,
    pub(super) fulfillment_status: String,
    pub(super) email: Option<String>,
    pub(super) customer_id: Option<String>,
    pub(super) currency_code: String,
    pub(super) created_at: String,
    pub(super) canceled_at: Option<String>,
    pub(super) item_subtotal: Value,
    pub(super) discount_total: Value,
    pub(super) shipping_subtotal: Value,
    pub(super) tax_total: Value,
    pub(super) credit_line_total: Value,
    pub(super) total: Value,
    pub(super) summary: Summary,
    pub(super) shipping_address: Option<Address>,
    #[serde(default)]
    pub(super) items: Vec<Item>,
    #[serde(default)]
    pub(super) shipping_methods: Vec<ShippingMethod>,
    #[serde(default)]
    pub(super) payment_collections: Vec<Collection>,
    #[serde(default)]
    pub(super) fulfillments: Vec<Fulfillment>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Summary {
    pub(super) paid_total: Value,
    pub(super) refunded_total: Value,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Address {
    first_name: Option<String>,
    last_name: Option<String>,
    company: Option<String>,
    #[serde(rename = "address_1")]
    street: Option<String>,
    #[serde(rename = "address_2")]
    house: Option<String>,
    postal_code: Option<String>,
    city: Option<String>,
    country_code: Option<String>,
}

impl Address {
    /// Returns the lines of the address.
    pub(super) fn lines(&self) -> Vec<String> {
        let joined = |parts: [&Option<String>; 2]| {
            let parts = parts.into_iter().flatten().map(String::as_str);
            parts.collect::<Vec<_>>().join(" ")
        };
        let country = self.country_code.as_deref().map(country);
        let lines = [
            joined([&self.first_name, &self.last_name]),
            joined([&self.company, &None]),
            joined([&self.street, &self.house]),
            joined([&self.postal_code, &self.city]),
            country.unwrap_or_default(),
        ];
        lines.into_iter().filter(|line| !line.is_empty()).collect()
    }
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Item {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) product_id: Option<String>,
    pub(super) variant_sku: Option<String>,
    pub(super) variant_title: Option<String>,
    pub(super) unit_price: Value,
    pub(super) quantity: u64,
    pub(super) total: Value,
    pub(super) detail: ItemDetail,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct ItemDetail {
    #[serde(rename = "fulfilled_quantity")]
    pub(super) packed: u64,
    #[serde(rename = "shipped_quantity")]
    pub(super) sent: u64,
    #[serde(rename = "return_received_quantity")]
    pub(super) returned: u64,
    #[serde(rename = "return_requested_quantity", default)]
    pub(super) awaited: u64,
}

impl Item {
    /// Returns how many items have not been packed.
    pub(super) fn unpacked(&self) -> u64 {
        self.quantity.saturating_sub(self.detail.packed)
    }

    /// Returns how many items were shipped and are not being returned. The page offers a return; the API decides
    /// what is possible.
    pub(super) fn returnable(&self) -> u64 {
        let ItemDetail { sent, returned, awaited, .. } = self.detail;
        sent.saturating_sub(returned).saturating_sub(awaited)
    }
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct ShippingMethod {
    pub(super) name: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Collection {
    #[serde(default)]
    pub(super) payments: Vec<Payment>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Payment {
    pub(super) id: String,
    pub(super) amount: Value,
    pub(super) provider_id: String,
    pub(super) canceled_at: Option<String>,
    #[serde(default)]
    pub(super) captures: Vec<Movement>,
    #[serde(default)]
    pub(super) refunds: Vec<Movement>,
}

/// A capture or a refund.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Movement {
    pub(super) amount: Value,
    pub(super) created_at: String,
}

impl Payment {
    /// Returns the amount authorised and not captured. The page offers a step; the API decides what
    /// is possible.
    pub(super) fn uncaptured(&self) -> Decimal {
        let amount = decimal::read(&self.amount).unwrap_or_default();
        amount.checked_sub(sum(&self.captures)).unwrap_or_default()
    }

    /// Returns the amount captured and not refunded.
    pub(super) fn refundable(&self) -> Decimal {
        sum(&self.captures).checked_sub(sum(&self.refunds)).unwrap_or_default()
    }
}

fn sum(movements: &[Movement]) -> Decimal {
    let amounts = movements.iter().filter_map(|own| decimal::read(&own.amount));
    amounts.fold(Decimal::ZERO, |sum, amount| sum.checked_add(amount).unwrap_or(sum))
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Fulfillment {
    pub(super) id: String,
    pub(super) packed_at: Option<String>,
    pub(super) shipped_at: Option<String>,
    pub(super) delivered_at: Option<String>,
    pub(super) canceled_at: Option<String>,
    #[serde(default)]
    pub(super) items: Vec<FulfillmentItem>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct FulfillmentItem {
    pub(super) quantity: u64,
}

impl Fulfillment {
    pub(super) fn pieces(&self) -> u64 {
        self.items.iter().fold(0, |sum, item| sum.saturating_add(item.quantity))
    }
}
