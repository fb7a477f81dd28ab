//! Shops like a storefront, up to the call that a test is about.

use serde_json::{Value, json};

use super::{Person, Reply, Store, TestServer};

/// Returns a customer's address in Britain.
pub(crate) fn address() -> Value {
    json!({
        "first_name": "Ada", "last_name": "Shopper", "address_1": "1 High Street",
        "city": "London", "postal_code": "N1 1AA", "country_code": "gb",
    })
}

impl TestServer {
    /// Creates a cart in Britain with a quantity of a variant; returns its id.
    pub(crate) async fn cart_with(
        &self,
        person: &Person,
        store: &Store,
        variant: &str,
        quantity: i64,
    ) -> String {
        let body = json!({"region_id": store.britain, "email": "ada@example.com"});
        let made = self.post(person, "/store/carts", body).await.ok();
        let cart = made["cart"]["id"].as_str().expect("a cart").to_owned();
        let line = json!({"variant_id": variant, "quantity": quantity});
        self.post(person, &format!("/store/carts/{cart}/line-items"), line).await.ok();
        cart
    }

    /// Sets a cart's addresses and shipping method.
    pub(crate) async fn ship(&self, person: &Person, store: &Store, cart: &str) {
        self.ship_to(person, store, cart, address()).await;
    }

    /// Does the same for another address.
    pub(crate) async fn ship_to(&self, person: &Person, store: &Store, cart: &str, to: Value) {
        let addresses = json!({"shipping_address": to, "billing_address": to});
        self.post(person, &format!("/store/carts/{cart}"), addresses).await.ok();
        let path = format!("/store/carts/{cart}/shipping-methods");
        self.post(person, &path, json!({"option_id": store.postage})).await.ok();
    }

    /// Starts a payment with a test card; returns the id of the payment collection.
    pub(crate) async fn pay(&self, person: &Person, cart: &str, test_card: &str) -> String {
        let made =
            self.post(person, "/store/payment-collections", json!({"cart_id": cart})).await.ok();
        let collection =
            made["payment_collection"]["id"].as_str().expect("a collection").to_owned();
        let path = format!("/store/payment-collections/{collection}/payment-sessions");
        let session = json!({"provider_id": "pp_sandbox", "data": {"payment_method": test_card}});
        self.post(person, &path, session).await.ok();
        collection
    }

    /// Creates a cart that is ready to complete; returns its id.
    pub(crate) async fn ready_cart(
        &self,
        person: &Person,
        store: &Store,
        variant: &str,
        quantity: i64,
    ) -> String {
        let cart = self.cart_with(person, store, variant, quantity).await;
        self.ship(person, store, &cart).await;
        self.pay(person, &cart, "pm_card_visa").await;
        cart
    }

    /// Completes a cart.
    pub(crate) async fn complete(&self, person: &Person, cart: &str) -> Reply {
        self.post(person, &format!("/store/carts/{cart}/complete"), json!({})).await
    }

    /// Refunds a part of an order, or all that is left.
    pub(crate) async fn refund(&self, order: &str, amount: Option<Value>) {
        let admin = Person::program();
        let path = format!("/admin/orders/{order}?fields=*payment_collections.payments");
        let shown = self.get(&admin, &path).await.ok();
        let id = shown["order"]["payment_collections"][0]["payments"][0]["id"].as_str();
        let path = format!("/admin/payments/{}/refund", id.expect("a payment"));
        let body = amount.map_or(json!({}), |amount| json!({ "amount": amount }));
        self.post(&admin, &path, body).await.ok();
    }

    /// Refunds what is left of an order to its customer's new account of store credit.
    pub(crate) async fn refund_to_credit(&self, order: &str) {
        let (admin, path) = (Person::admin(), format!("/admin/orders/{order}"));
        let order = self.get(&admin, &path).await.ok()["order"].take();
        let body =
            json!({ "currency_code": order["currency_code"], "customer_id": order["customer_id"] });
        let made = self.post(&admin, "/admin/store-credit-accounts", body).await.ok();
        let left = format!("-{}", order["summary"]["transaction_total"]);
        let left: serde_json::Number = left.parse().expect("an amount");
        let body = json!({ "amount": left, "reference": "store-credit",
                           "reference_id": made["store_credit_account"]["id"] });
        self.post(&admin, &format!("{path}/credit-lines"), body).await.ok();
    }

    /// Returns a number from the database. Uses separate connections whose statements are not checked, because it may
    /// scan tables.
    pub(crate) async fn number(&self, sql: &'static str) -> i64 {
        let found = self.beside().read::<_, quotient_server::database::Error>(move |tx| {
            Ok(tx.query_row(sql, [], |row| row.get(0))?)
        });
        found.await.expect("a number")
    }
}
