//! Store credit: its accounts, and paying with it.

mod accounts;
mod paying;

use serde_json::{Value, json};

use crate::harness::{Person, TestServer};

const ACCOUNTS: &str = "/admin/store-credit-accounts";
const CUSTOMER_A: &str = "cus_01JD2Q8Z5M6T3W9XKCV4B7N00A";

impl TestServer {
    /// Creates an account in pounds with a balance; returns it.
    async fn credit_account(&self, customer: Option<&str>, balance: i64) -> Value {
        let body = json!({ "currency_code": "gbp", "customer_id": customer });
        let made = self.post(&Person::admin(), ACCOUNTS, body).await.ok();
        let path = of(&made["store_credit_account"]);
        if balance > 0 {
            let body = json!({ "amount": balance });
            self.post(&Person::admin(), &format!("{path}/credit"), body).await.ok();
        }
        self.get(&Person::admin(), &path).await.ok()["store_credit_account"].clone()
    }
}

/// Returns the path of an account.
fn of(account: &Value) -> String {
    format!("{ACCOUNTS}/{}", account["id"].as_str().expect("an id"))
}
