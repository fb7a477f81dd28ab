//! Subscriptions: from checkout over renewals and refusals to the end.

mod admin;
mod attempts;
mod cards;
mod dunning;
mod edges;
mod late;
mod paid_ahead;
mod renewals;
mod revenue;
mod self_service;
mod setup;
mod subscribe;
mod swaps;

use serde_json::{Value, json};

use crate::harness::{Person, Reply, Store, TestServer};

/// The customer's subscriptions.
const MINE: &str = "/store/customers/me/subscriptions";

/// A day in milliseconds.
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("a text: {value}")).to_owned()
}

/// The body that changes an address to one in a city.
fn address(city: &str, country: &str) -> Value {
    json!({ "shipping_address": {
        "first_name": "Ada", "address_1": "1 High Street", "city": city, "postal_code": "N1 1AA",
        "country_code": country,
    }})
}

impl TestServer {
    /// Creates a server with a store, people whose log-ins do not expire, and no recurring work except renewals: the audit
    /// scans everything on purpose.
    pub(crate) async fn for_years() -> (Self, Store) {
        let (server, store) = Self::with_store().await;
        server.only_renews().await;
        (server, store)
    }

    async fn only_renews(&self) {
        self.sql("update token set expires_at = 4102444800000").await;
        self.work().await;
        self.sql("update job set run_at = 4102444800000 where kind <> 'subscriptions.renew'").await;
    }

    /// Changes the database over separate connections.
    pub(crate) async fn sql(&self, statement: impl Into<String>) {
        let statement = statement.into();
        let changed = self.beside().write::<_, quotient_server::database::Error>(move |tx| {
            tx.execute(&statement, [])?;
            Ok(())
        });
        changed.await.expect("the statement runs");
    }

    /// Advances the clock day by day, and does the due work at the end of each day.
    pub(crate) async fn pass(&self, days: i64) {
        for _ in 0..days {
            self.clock.advance(DAY_MS);
            self.work().await;
        }
    }

    /// Advances the clock by several days at once, and then does the due work.
    async fn jump(&self, days: i64) {
        self.clock.advance(days.saturating_mul(DAY_MS));
        self.work().await;
    }

    /// Creates a cart of customer A with a mug and a plan with these fields, ready to pay.
    async fn planned_cart(&self, store: &Store, plan: Value) -> String {
        let plan = self.plan_with(store, plan).await;
        let buyer = Person::customer_a();
        let cart = self.cart_with(&buyer, store, &store.mug, 1).await;
        let shown = self.get(&buyer, &format!("/store/carts/{cart}")).await.ok();
        let item = json!({ "item_id": shown["cart"]["items"][0]["id"], "plan_id": plan["id"] });
        let path = format!("/store/carts/{cart}/sync-subscription-pricing");
        self.post(&buyer, &path, json!({ "items": [item] })).await.ok();
        self.ship(&buyer, store, &cart).await;
        cart
    }

    /// Creates a monthly plan of the product with a title, with these fields; returns it.
    async fn plan_of(&self, title: &str, fields: Value) -> Value {
        let path = format!("/admin/products?title={title}");
        let shown = self.get(&Person::admin(), &path).await.ok();
        let mut plan = fields;
        plan["name"] = json!(title);
        plan["interval"] = json!("month");
        plan["product_ids"] = json!([shown["products"][0]["id"]]);
        let made = self.post(&Person::admin(), "/admin/subscription-plans", plan).await;
        made.ok()["subscription_plan"].clone()
    }

    /// Starts a payment session that saves a test card.
    async fn keep_card(&self, cart: &str, test_card: &str) -> Reply {
        let body = json!({ "provider_id": "pp_sandbox", "data": { "payment_method": test_card } });
        let path = format!("/store/carts/{cart}/subscription-payment-session");
        self.post(&Person::customer_a(), &path, body).await
    }

    async fn subscribe(&self, cart: &str, body: Value) -> Reply {
        self.post(&Person::customer_a(), &format!("/store/carts/{cart}/subscribe"), body).await
    }

    /// Pays a cart by card and subscribes its lines with plans; returns the first subscription's id.
    async fn subscribe_cart(&self, cart: &str) -> String {
        self.keep_card(cart, "pm_card_visa").await.ok();
        let made = self.subscribe(cart, json!({})).await.ok();
        text(&made["subscriptions"][0]["id"])
    }

    /// Subscribes customer A to a mug by a plan with these fields; returns the subscription's id.
    pub(crate) async fn subscribed(&self, store: &Store, plan: Value) -> String {
        let cart = self.planned_cart(store, plan).await;
        self.subscribe_cart(&cart).await
    }

    /// Does the same with this metadata on the cart.
    pub(crate) async fn subscribed_with(
        &self,
        store: &Store,
        plan: Value,
        metadata: Value,
    ) -> String {
        let cart = self.planned_cart(store, plan).await;
        let path = format!("/store/carts/{cart}");
        self.post(&Person::customer_a(), &path, json!({ "metadata": metadata })).await.ok();
        self.subscribe_cart(&cart).await
    }

    /// Returns a subscription of customer A.
    async fn mine(&self, id: &str) -> Value {
        let shown = self.get(&Person::customer_a(), &format!("{MINE}/{id}?fields=%2Bcycles")).await;
        shown.ok()["subscription"].clone()
    }

    /// Does something with a subscription of customer A.
    async fn act(&self, id: &str, action: &str, body: Value) -> Reply {
        self.post(&Person::customer_a(), &format!("{MINE}/{id}/{action}"), body).await
    }

    /// Saves another card of customer A; returns its reference.
    async fn save_card(&self, card: &str) -> String {
        let holder = self.word("select id from account_holder").await;
        let path = format!("/store/payment-methods/{holder}");
        let body = json!({ "data": { "payment_method": card } });
        let saved = self.post(&Person::customer_a(), &path, body).await.ok();
        text(&saved["reference"])
    }

    /// Gives the customer of a subscription store credit, in pounds.
    async fn give_credit(&self, id: &str, pounds: i64) {
        let customer = self.mine(id).await["customer_id"].clone();
        let body = json!({ "currency_code": "gbp", "customer_id": customer });
        let made = self.post(&Person::admin(), "/admin/store-credit-accounts", body).await.ok();
        let account = text(&made["store_credit_account"]["id"]);
        let path = format!("/admin/store-credit-accounts/{account}/credit");
        self.post(&Person::admin(), &path, json!({ "amount": pounds })).await.ok();
    }

    /// Has renewals charged to the saved card whose reference ends so.
    async fn charge_to(&self, ending: &str) {
        self.sql(format!(
            "update subscription set payment_method_id =
               (select id from payment_method where reference like '%{ending}')"
        ))
        .await;
    }

    /// Makes renewals use a card that is refused.
    async fn lose_card(&self) {
        self.save_card("pm_card_declined").await;
        self.charge_to("declined").await;
    }

    /// Has renewals charged to a card that needs its holder each time.
    async fn need_holder(&self) {
        self.save_card("pm_card_requires_action").await;
        self.charge_to("requires_action").await;
    }

    /// Returns a text from the database.
    pub(crate) async fn word(&self, sql: &'static str) -> String {
        let found = self.beside().read::<_, quotient_server::database::Error>(move |tx| {
            Ok(tx.query_row(sql, [], |row| row.get(0))?)
        });
        found.await.expect("a text")
    }

    /// Returns texts from the database, in a list.
    async fn words(&self, sql: &'static str) -> Vec<String> {
        let found = self.beside().read::<_, quotient_server::database::Error>(move |tx| {
            let mut statement = tx.prepare(sql)?;
            let rows = statement.query_map([], |row| row.get(0))?;
            Ok(rows.collect::<Result<Vec<String>, _>>()?)
        });
        found.await.expect("texts")
    }
}
