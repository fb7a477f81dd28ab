//! Renewals in process, with the fake clock and a provider that may be silent.

mod effort;
mod simulation;
mod unanswered;

use super::anchor::Anchor;
use super::subscription::{
    Item, NewSubscription, OnExhausted, OutOfStock, Shipping, Subscription, SubscriptionKind, Terms,
};
use super::{act_on_due, change};
use crate::cart::contents::Address;
use crate::checkout::tests::shop::TestShop;
use crate::clock::Timestamp;
use crate::database;
use crate::ids::{SubscriptionId, SubscriptionItemId};
use crate::money::Currency;
use crate::plans::Interval;

/// What the subscriptions of the test shop refer to.
const FIXTURES: &str = "
insert into orders (id, display_id, currency, item_subtotal_minor, item_tax_minor, item_discount_minor,
    item_total_minor, shipping_subtotal_minor, shipping_tax_minor, shipping_discount_minor,
    shipping_total_minor, subtotal_minor, discount_subtotal_minor, discount_tax_minor, tax_minor,
    original_total_minor, original_tax_minor, total_minor, line_count, quantity, placed_at, created_at, updated_at)
  values ('order_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 1, 'gbp', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1);
insert into subscription_plan (id, name, interval, created_at, updated_at)
  values ('subplan_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'Monthly', 'month', 1, 1);
insert into account_holder (id, customer_id, provider_id, external_id, created_at, updated_at)
  values ('acchld_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'cus_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'pp_sandbox', 'ada', 1, 1);
insert into payment_method (id, account_holder_id, provider_id, reference, created_at, updated_at)
  values ('paymeth_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'acchld_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'pp_sandbox',
          'sbxpm_ada_card_visa', 1, 1),
         ('paymeth_01JD2Q8Z5M6T3W9XKCV4B7N0RF', 'acchld_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'pp_mute', 'any', 1, 1);
";

/// A subscription to begin.
#[derive(Debug, Clone, Copy)]
struct Wish<'a> {
    interval: Interval,
    kind: SubscriptionKind,
    /// When the first period begins.
    anchor_at: Timestamp,
    zone: &'a str,
    unit_price_minor: i64,
    quantity: i64,
    /// The last letter of the method's id.
    method: char,
}

impl Wish<'_> {
    fn subscription(self, now: Timestamp) -> Subscription {
        let id = SubscriptionId::new();
        let item = Item {
            id: SubscriptionItemId::new(),
            subscription_id: id.clone(),
            position: 0,
            variant_id: "variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE".parse().unwrap(),
            product_id: "prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE".parse().unwrap(),
            title: "Mug".to_owned(),
            variant_title: None,
            thumbnail: None,
            quantity: self.quantity,
            unit_price_minor: self.unit_price_minor,
            is_tax_inclusive: false,
            plan_id: "subplan_01JD2Q8Z5M6T3W9XKCV4B7N0RE".parse().unwrap(),
            next: None,
            created_at: now,
            updated_at: now,
        };
        let shipping = Shipping {
            shipping_option_id: Some("so_01JD2Q8Z5M6T3W9XKCV4B7N0RE".parse().unwrap()),
            name: "Post".to_owned(),
        };
        let method = format!("paymeth_01JD2Q8Z5M6T3W9XKCV4B7N0R{}", self.method);
        let new = NewSubscription {
            customer_id: "cus_01JD2Q8Z5M6T3W9XKCV4B7N0RE".parse().unwrap(),
            order_id: "order_01JD2Q8Z5M6T3W9XKCV4B7N0RE".parse().unwrap(),
            currency: Currency::from_code("gbp").unwrap(),
            kind: self.kind,
            interval: self.interval,
            anchor_at: self.anchor_at,
            anchor_day: Anchor::new(self.anchor_at, self.zone).unwrap().day(),
            time_zone: self.zone.to_owned(),
            terms: TERMS,
            at: now,
        };
        Subscription {
            sales_channel_id: Some("sc_01JD2Q8Z5M6T3W9XKCV4B7N0RE".parse().unwrap()),
            region_id: Some("reg_01JD2Q8Z5M6T3W9XKCV4B7N0RE".parse().unwrap()),
            trial_end: Some(self.anchor_at),
            shipping_address: Some(Address::of_country("gb".to_owned())),
            shipping_methods: vec![shipping],
            payment_method_id: Some(method.parse().unwrap()),
            items: vec![item],
            ..Subscription::new(id, new)
        }
    }
}

const TERMS: Terms = Terms {
    min_cycles: None,
    max_cycles: None,
    allowed_frequencies: Vec::new(),
    cutoff_hours: 0,
    max_skips: None,
    max_pause_days: 180,
    out_of_stock: OutOfStock::Delay,
    on_exhausted: OnExhausted::Cancel,
};

impl TestShop {
    /// Returns a shop that has what subscriptions refer to.
    async fn with_subscribers() -> Self {
        let shop = Self::with_mugs(1_000_000).await;
        shop.db.write::<_, database::Error>(|tx| Ok(tx.execute_batch(FIXTURES)?)).await.unwrap();
        shop
    }

    async fn begin(&self, wish: Wish<'_>) -> SubscriptionId {
        let mut subscription = wish.subscription(self.clock.now());
        let id = subscription.id.clone();
        self.db.write(move |tx| change::insert(tx, &mut subscription, "subscribe")).await.unwrap();
        id
    }

    async fn renew(&self) -> usize {
        act_on_due(&self.db, &self.gateway).await.unwrap()
    }

    /// Returns the due dates and totals of the paid cycles of a subscription.
    async fn paid(&self, id: &SubscriptionId) -> Vec<(i64, i64, i64)> {
        let id = id.clone();
        self.db
            .read::<_, database::Error>(move |tx| {
                let sql = "select number, due_at, total_minor from subscription_cycle
                            where subscription_id = ?1 and status = 'paid' order by number";
                tx.sql(sql).all([id], |row| row.try_into())
            })
            .await
            .unwrap()
    }
}
