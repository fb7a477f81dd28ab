//! The offered, the charged and the ordered amounts are equal, over random prices, taxes and currencies.

#![expect(clippy::arithmetic_side_effects, reason = "amounts are small")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use quotient_server::testing::rounds;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::FLOWS;
use crate::harness::{Chance, Person, Store, TestServer, address};

const PROVINCE: &str = "GB-SCT";

/// A store that sells in one currency, whose country has a province with its own tax.
struct Shop {
    server: TestServer,
    store: Store,
    currency: &'static str,
    digits: u32,
    ledger: PathBuf,
    /// Paths: the lamp's variant, the rates of the country and the province, whether prices have taxes inside, the flow.
    lamp: String,
    rates: [String; 2],
    preference: String,
    flow: String,
}

/// A random offer: amounts in minor units, shares in millionths.
#[derive(Debug)]
struct Offer {
    piece: i64,
    quantity: i64,
    kind: &'static str,
    /// The share or the amount that the kind needs.
    value: i64,
    rates: [i64; 2],
    is_in_province: bool,
    is_combinable: bool,
    is_tax_inclusive: bool,
}

/// Rounds a part of an amount, a half up.
fn part(amount: i64, share: i64) -> i64 {
    (amount * share * 2 + 1_000_000) / 2_000_000
}

impl Offer {
    fn random(chance: &mut Chance) -> Self {
        let kind = ["none", "percent_off", "amount_off", "fixed"]
            [usize::try_from(chance.below(4)).expect("an index")];
        let piece = i64::from(chance.below(90_000)) + 1;
        let value = match kind {
            "percent_off" => chance.below(1_000_001).into(),
            _ => chance.below(u32::try_from(piece).expect("small") + 100).into(),
        };
        Self {
            piece,
            quantity: i64::from(chance.below(3)) + 1,
            kind,
            value,
            rates: [chance.below(300_000).into(), chance.below(200_000).into()],
            is_in_province: chance.below(2) == 0,
            is_combinable: chance.below(2) == 0,
            is_tax_inclusive: chance.below(3) == 0,
        }
    }

    /// The total by definition: taxes are added to the discounted price, each rounded separately, or are included.
    fn total(&self) -> i64 {
        let list = self.piece * self.quantity;
        let left = match self.kind {
            "percent_off" => list - part(list, self.value),
            "amount_off" => (list - self.value * self.quantity).max(0),
            "fixed" => list.min(self.value * self.quantity),
            _ => list,
        };
        let [country, province] = self.rates;
        let rates = match (self.is_in_province, self.is_combinable) {
            _ if self.is_tax_inclusive => Vec::new(),
            (true, true) => vec![province, country],
            (true, false) => vec![province],
            (false, _) => vec![country],
        };
        rates.iter().fold(left, |total, rate| total + part(left, *rate))
    }
}

/// Returns a decimal number as it is sent.
fn number(digits: i64, scale: u32) -> Value {
    serde_json::from_str(&Decimal::new(digits, scale).to_string()).expect("a number")
}

impl Shop {
    async fn open(currency: &'static str, digits: u32) -> Self {
        let (server, store, ledger) = TestServer::with_ledger(&[]).await;
        let admin = Person::admin();
        let post = async |path: &str, body: Value| server.post(&admin, path, body).await.ok();
        let first = async |path: &str, list: &str| {
            let found = server.get(&admin, path).await.ok();
            found[list][0]["id"].as_str().unwrap_or_default().to_owned()
        };
        post(&format!("/admin/regions/{}", store.britain), json!({ "currency_code": currency }))
            .await;
        let prices = json!({ "prices": [{ "currency_code": currency, "amount": 10 }] });
        let mug = format!("/admin/products/{}/variants/{}", store.mug_product, store.mug);
        post(&mug, prices.clone()).await;
        post(&format!("/admin/shipping-options/{}", store.postage), prices).await;
        let lamp = first("/admin/products?title=Lamp", "products").await;
        let country = first("/admin/tax-regions?country_code=gb", "tax_regions").await;
        let province = json!({ "country_code": "gb", "province_code": PROVINCE, "parent_id": country,
            "default_tax_rate": { "rate": 1, "code": "province", "name": "Province" } });
        let province = post("/admin/tax-regions", province).await["tax_region"]["id"].clone();
        let rate = async |region: &str| {
            let path = format!("/admin/tax-rates?tax_region_id={region}");
            format!("/admin/tax-rates/{}", first(&path, "tax_rates").await)
        };
        let rates = [rate(&country).await, rate(province.as_str().expect("an id")).await];
        let preferences = "/admin/price-preferences";
        let new =
            json!({ "attribute": "currency_code", "value": currency, "is_tax_inclusive": false });
        let found = first(
            &format!("{preferences}?attribute=currency_code&value={currency}"),
            "price_preferences",
        )
        .await;
        let preference = if found.is_empty() {
            post(preferences, new).await["price_preference"]["id"]
                .as_str()
                .expect("an id")
                .to_owned()
        } else {
            found
        };
        let flow = json!({ "name": "Lamps", "kind": "post_purchase", "currency_code": currency, "is_public": true });
        let flow = post(FLOWS, flow).await["flow"]["id"].clone();
        Self {
            lamp: format!("/admin/products/{lamp}/variants/{}", store.lamp),
            preference: format!("{preferences}/{preference}"),
            flow: flow.as_str().expect("an id").to_owned(),
            server,
            store,
            currency,
            digits,
            ledger,
            rates,
        }
    }

    /// Sets the price, the taxes and the flow.
    async fn set(&self, offer: &Offer) {
        let post = async |path: &str, body: Value| {
            self.server.post(&Person::admin(), path, body).await.ok()
        };
        let amount = |minor: i64| number(minor, self.digits);
        let price = json!({ "currency_code": self.currency, "amount": amount(offer.piece) });
        post(&self.lamp, json!({ "prices": [price] })).await;
        for (path, rate) in self.rates.iter().zip(offer.rates) {
            let body = json!({ "rate": number(rate, 4), "is_combinable": offer.is_combinable });
            post(path, body).await;
        }
        post(&self.preference, json!({ "is_tax_inclusive": offer.is_tax_inclusive })).await;
        let price = match offer.kind {
            "none" => json!({ "type": "none" }),
            "percent_off" => json!({ "type": offer.kind, "value": number(offer.value, 4) }),
            _ => json!({ "type": offer.kind, "value": amount(offer.value) }),
        };
        let terms = json!({ "variant_id": self.store.lamp, "quantity": offer.quantity,
            "max_quantity": offer.quantity, "price": price });
        let draft = json!({ "entry": "lamp", "buttons": {
            "lamp": { "type": "offer", "title": "A lamp?", "offer": terms,
                      "accept_next": [{ "to": "end" }], "decline_next": [{ "to": "end" }] },
            "end": { "type": "end", "title": "Thank you" },
        } });
        let path = format!("{FLOWS}/{}", self.flow);
        post(&path, json!({ "draft": draft })).await;
        post(&format!("{path}/publish"), json!({})).await;
    }

    /// Returns an amount in minor units.
    fn minor(&self, amount: &Value) -> i64 {
        let amount: Decimal = amount.to_string().parse().unwrap_or_else(|_| panic!("{amount}"));
        i64::try_from(amount * Decimal::from(10_i64.pow(self.digits))).expect("an amount")
    }

    /// Buys a mug, accepts the offer, and asserts that its total is the same everywhere.
    async fn assert_total(&self, offer: &Offer) {
        let Self { server, store, .. } = self;
        let mut to = address();
        if offer.is_in_province {
            to["province"] = json!(PROVINCE);
        }
        let (cart, order) = server.kept_order_to(store, "pm_card_visa", to).await;
        let before = charged(&self.ledger, self.currency);
        let begun = server.begin_after(&json!({ "id": self.flow }), &cart, &order).await;
        let button = &begun["entry_button"];
        let accepted =
            server.press("accept", &begun["session"]["token"], button, json!({})).await.ok();

        assert_eq!(accepted["success"], true, "{offer:?}: {accepted:#}");
        let order = server.order_of(&order).await;
        let mut lines = order["items"].as_array().expect("lines").iter();
        let line = lines.find(|line| line["variant_sku"] == "LAMP").expect("a lamp");
        let totals = [
            ("shown", self.minor(&button["offer"]["total"])),
            ("charged", charged(&self.ledger, self.currency) - before),
            ("of the line", self.minor(&line["total"])),
        ];
        for (which, total) in totals {
            assert_eq!(total, offer.total(), "{which}: {offer:?} in {}", self.currency);
        }
    }
}

/// Returns the total charged in a currency, according to the provider's ledger: each key is one movement.
fn charged(ledger: &Path, currency: &str) -> i64 {
    let text = std::fs::read_to_string(ledger).expect("the ledger");
    let mut moved = BTreeMap::new();
    for line in text.lines() {
        let [kind, key, amount, of] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        assert_eq!(of, currency);
        if ["capture", "charge", "sale"].contains(&kind) {
            moved.insert((kind, key), amount.parse::<i64>().expect("an amount"));
        }
    }
    moved.values().sum()
}

#[tokio::test]
async fn an_offer_costs_its_displayed_price_under_any_taxes_in_each_currency() {
    let mut chance = Chance(7);
    for (currency, digits) in [("usd", 2), ("jpy", 0), ("kwd", 3)] {
        let shop = Shop::open(currency, digits).await;
        for _ in 0..rounds(5, 300) {
            let offer = Offer::random(&mut chance);
            shop.set(&offer).await;
            shop.assert_total(&offer).await;
        }
        shop.server.assert_sound().await;
    }
}
