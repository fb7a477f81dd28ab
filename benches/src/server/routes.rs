//! The measured calls of a storefront and an administrator.

use std::time::Duration;

use serde_json::{Value, json};

use super::Client;
use crate::Failure;

/// Orders per customer: every fifth order is a customer's first, as in the retail data.
const ORDERS_OF_EACH: usize = 5;

/// One kind of call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// A page of 20 products with prices.
    ProductPage,
    /// One product with its variants and prices.
    Product,
    /// A page of 15 orders for an administrator.
    AdminOrders,
    /// An empty cart.
    CreateCart,
    /// A cart with one item: two calls.
    AddItem,
    /// A whole checkout: eight calls from the cart to the order.
    Checkout,
}

impl Call {
    /// All kinds, the cheapest first.
    pub const ALL: [Self; 6] = [
        Self::ProductPage,
        Self::Product,
        Self::AdminOrders,
        Self::CreateCart,
        Self::AddItem,
        Self::Checkout,
    ];

    /// Returns the name in the table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ProductPage => "product page of 20",
            Self::Product => "product by id",
            Self::AdminOrders => "admin orders",
            Self::CreateCart => "create a cart",
            Self::AddItem => "create a cart, add an item",
            Self::Checkout => "whole checkout, 8 calls",
        }
    }

    /// Returns the processor time that a stock Medusa 2.21 and its PostgreSQL spend on the same work, as
    /// measured on two cores at 2.5 GHz.
    pub const fn reference(self) -> Duration {
        Duration::from_millis(match self {
            Self::ProductPage => 101 + 11,
            Self::Product => 43 + 8,
            Self::AdminOrders => 210 + 14,
            Self::CreateCart => 183 + 20,
            Self::AddItem => 183 + 20 + 400 + 47,
            Self::Checkout => 2_851 + 328,
        })
    }

    /// Returns the goal, if there is one: how many times less than the reference.
    pub const fn goal(self) -> Option<u32> {
        match self {
            Self::ProductPage | Self::Product | Self::AddItem | Self::Checkout => Some(200),
            Self::AdminOrders | Self::CreateCart => None,
        }
    }
}

/// The data that a storefront needs before its first customer.
#[derive(Debug, Clone)]
pub struct Shop {
    pub(super) client: Client,
    region: String,
    pub(super) products: Vec<String>,
    variants: Vec<String>,
}

impl Shop {
    /// Requests the region and the products of a store.
    ///
    /// # Errors
    /// If there is nothing to sell.
    pub fn discover(client: Client) -> Result<Self, Failure> {
        let regions = client.get("/store/regions")?;
        let sells_to_britain = |region: &&Value| {
            list(region, "/countries").iter().any(|one| one.pointer("/iso_2") == Some(&json!("gb")))
        };
        let region = list(&regions, "/regions").iter().find(sells_to_britain);
        let region = text(region.ok_or("no region sells to Britain")?, "/id")?;
        let page = client.get(
            "/store/products?limit=100&fields=id,variants.id,%2Bvariants.inventory_quantity",
        )?;
        let (mut products, mut variants) = (Vec::new(), Vec::new());
        for product in list(&page, "/products") {
            products.push(text(product, "/id")?);
            for variant in list(product, "/variants") {
                let quantity = variant.pointer("/inventory_quantity").and_then(Value::as_i64);
                if quantity > Some(100) {
                    variants.push(text(variant, "/id")?);
                }
            }
        }
        if variants.len() < 2 {
            return Err("fewer than two products are there in plenty".into());
        }
        Ok(Self { client, region, products, variants })
    }

    /// Makes one call; `number` varies its subject.
    ///
    /// # Errors
    /// If a response is not as expected.
    pub fn call(&self, call: Call, number: usize) -> Result<(), Failure> {
        let Self { client, region, products, .. } = self;
        match call {
            Call::ProductPage => {
                let offset = number % 50;
                let page = client.get(&format!(
                    "/store/products?limit=20&offset={offset}&region_id={region}&fields=*variants.calculated_price"
                ))?;
                expect(list(&page, "/products").len() == 20, "a page of 20")
            }
            Call::Product => {
                let id = one_of(products, number)?;
                let found = client.get(&format!(
                    "/store/products/{id}?region_id={region}&fields=*variants.calculated_price"
                ))?;
                expect(text(&found, "/product/id")? == *id, "the product")
            }
            Call::AdminOrders => {
                let page = client.get(&format!("/admin/orders?limit=15&offset={}", number % 50))?;
                expect(list(&page, "/orders").len() == 15, "a page of 15")
            }
            Call::CreateCart => self.cart().map(drop),
            Call::AddItem => {
                let cart = self.cart()?;
                self.add(&cart, number).map(drop)
            }
            Call::Checkout => self.check_out(number),
        }
    }

    fn cart(&self) -> Result<String, Failure> {
        let made = self.client.post("/store/carts", &json!({ "region_id": self.region }))?;
        text(&made, "/cart/id")
    }

    fn add(&self, cart: &str, number: usize) -> Result<Value, Failure> {
        let variant = one_of(&self.variants, number)?;
        let path = format!("/store/carts/{cart}/line-items");
        self.client.post(&path, &json!({ "variant_id": variant, "quantity": 1 }))
    }

    fn check_out(&self, number: usize) -> Result<(), Failure> {
        let cart = self.fill_cart(number)?;
        self.place(&cart)
    }

    /// Creates a cart that is ready to be completed; `number` varies its contents.
    ///
    /// # Errors
    /// If a response is not as expected.
    pub fn fill_cart(&self, number: usize) -> Result<String, Failure> {
        let client = &self.client;
        let cart = self.filled_cart(number)?;
        self.ship(&cart)?;
        let collection = client.post("/store/payment-collections", &json!({ "cart_id": cart }))?;
        let collection = text(&collection, "/payment_collection/id")?;
        let path = format!("/store/payment-collections/{collection}/payment-sessions");
        client.post(&path, &json!({ "provider_id": "pp_sandbox" }))?;
        Ok(cart)
    }

    /// Creates a cart with an item and addresses.
    pub(super) fn filled_cart(&self, number: usize) -> Result<String, Failure> {
        let cart = self.cart()?;
        self.add(&cart, number)?;
        let address = json!({
            "first_name": "Ada", "last_name": "Shopper", "address_1": "1 High Street",
            "city": "London", "postal_code": "N1 1AA", "country_code": "gb",
        });
        let shopper = number.checked_div(ORDERS_OF_EACH).unwrap_or(0);
        let details = json!({
            "email": format!("shopper{shopper}@example.com"), "shipping_address": address, "billing_address": address,
        });
        self.client.post(&format!("/store/carts/{cart}"), &details)?;
        Ok(cart)
    }

    /// Chooses the first way to ship a cart.
    pub(super) fn ship(&self, cart: &str) -> Result<(), Failure> {
        let options = self.client.get(&format!("/store/shipping-options?cart_id={cart}"))?;
        let option = json!({ "option_id": text(&options, "/shipping_options/0/id")? });
        self.client.post(&format!("/store/carts/{cart}/shipping-methods"), &option).map(drop)
    }

    /// Completes a cart.
    ///
    /// # Errors
    /// If the response has no order.
    pub fn place(&self, cart: &str) -> Result<(), Failure> {
        let outcome = self.client.post(&format!("/store/carts/{cart}/complete"), &json!({}))?;
        expect(text(&outcome, "/type")? == "order", "an order")
    }
}

pub(super) fn text(value: &Value, pointer: &str) -> Result<String, Failure> {
    let found = value.pointer(pointer).and_then(Value::as_str);
    Ok(found.ok_or_else(|| format!("{pointer} is missing"))?.to_owned())
}

fn list<'a>(value: &'a Value, pointer: &str) -> &'a [Value] {
    value.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn one_of(all: &[String], number: usize) -> Result<&String, Failure> {
    all.iter()
        .cycle()
        .nth(number.checked_rem(all.len()).unwrap_or(0))
        .ok_or_else(|| "nothing to choose from".into())
}

pub(super) fn expect(holds: bool, what: &str) -> Result<(), Failure> {
    if holds { Ok(()) } else { Err(format!("{what} was expected").into()) }
}
