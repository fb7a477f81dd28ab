//! A shop for one test: one region, one channel, one location with mugs, and carts of them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rusqlite::params;
use serde_json::json;

use crate::auth::{Secret, SecretDigest, Shop};
use crate::cart::{self, contents::Cart};
use crate::checkout::claim::{ClaimOutcome, claim};
use crate::checkout::complete::{CompleteRequest, complete};
use crate::checkout::confirm::{ConfirmError, ConfirmRequest, Confirmed, confirm};
use crate::checkout::pay::{begin, initiate};
use crate::checkout::{CheckoutError, Completion};
use crate::clock::{Clock, Timestamp};
use crate::credit::{self, NewEntry};
use crate::database::{self, Db, Options, temporary};
use crate::ids::{
    ApiKeyId, CartAdjustmentId, CartCreditLineId, CartId, CartLineId, CartShippingMethodId,
    CreditAccountId, PaymentCollectionId,
};
use crate::money::Currency;
use crate::payments::manual::Manual;
use crate::payments::provider::{
    Answer, Data, Moved, Outcome, Provider, ProviderError, Providers, Request,
};
use crate::payments::sandbox::Sandbox;
use crate::payments::{self, PaymentGateway};
use crate::subscriptions::create::NewSubscribe;

/// The time at which every test begins.
pub(crate) const BEGIN: Timestamp = Timestamp::from_millis(1_795_262_400_000);

const CHANNEL: &str = "sc_01JD2Q8Z5M6T3W9XKCV4B7N0RE";
const REGION: &str = "reg_01JD2Q8Z5M6T3W9XKCV4B7N0RE";
const VARIANT: &str = "variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE";
const PRODUCT: &str = "prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE";
const CUSTOMER: &str = "cus_01JD2Q8Z5M6T3W9XKCV4B7N0RE";
const PROMOTION: &str = "promo_01JD2Q8Z5M6T3W9XKCV4B7N0RE";
const OPTION: &str = "so_01JD2Q8Z5M6T3W9XKCV4B7N0RE";
const PROFILE: &str = "sp_01JD2Q8Z5M6T3W9XKCV4B7N0RE";

/// The prices of a mug and of shipping, in pence.
pub(crate) const MUG: i64 = 1_000;
pub(crate) const POSTAGE: i64 = 395;

#[derive(Debug, Clone)]
pub(crate) struct TestShop {
    pub db: Db,
    pub(crate) clock: Clock,
    pub gateway: PaymentGateway,
    pub(crate) mute: Arc<Mute>,
}

/// The contents of a cart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wish<'a> {
    pub quantity: i64,
    /// Whether the promotion takes a tenth off.
    pub(crate) has_promotion: bool,
    /// The account that pays a part, and the amount.
    pub credit: Option<(&'a CreditAccountId, i64)>,
    /// Whether a shipping method is chosen.
    pub(crate) is_shipped: bool,
}

pub(crate) const ONE_MUG: Wish<'static> =
    Wish { quantity: 1, has_promotion: false, credit: None, is_shipped: true };

impl TestShop {
    /// Returns a shop with `count` mugs in stock.
    pub(crate) async fn with_mugs(count: i64) -> Self {
        let clock = Clock::fixed(BEGIN);
        let db =
            Db::open(&Options { counts_statements: true, ..temporary::options(&clock) }).unwrap();
        let mute = Arc::new(Mute::default());
        let providers: Vec<Arc<dyn Provider>> =
            vec![Arc::new(Sandbox::default()), Arc::new(Manual), Arc::<Mute>::clone(&mute)];
        let gateway = PaymentGateway::new(Providers::new(providers));
        let shop = Self { db, clock, gateway, mute };
        shop.change(SHOP.replace("MUGS", &count.to_string())).await;
        shop
    }

    pub(crate) async fn cart(&self, wish: Wish<'_>) -> CartId {
        let id = CartId::new();
        let cart = id.clone();
        let credit = wish.credit.map(|(account, amount)| (account.clone(), amount));
        let Wish { quantity, has_promotion, is_shipped, .. } = wish;
        self.db
            .write::<_, database::Error>(move |tx| {
                let adjustments = if has_promotion {
                    json!([{
                        "id": CartAdjustmentId::new(), "promotion_id": PROMOTION, "code": "TENTH",
                        "amount_minor": quantity.saturating_mul(MUG).saturating_div(10), "is_tax_inclusive": false,
                    }])
                } else {
                    json!([])
                };
                let codes = if has_promotion { "[\"TENTH\"]" } else { "[]" };
                tx.execute(
                    "insert into cart (id, region_id, sales_channel_id, customer_id, currency, email, promo_codes,
                                       shipping_address, created_at, updated_at)
                     values (?1, ?2, ?3, ?4, 'gbp', 'ada@example.com', ?5,
                             '{\"id\":\"caaddr_01JD2Q8Z5M6T3W9XKCV4B7N0RE\",\"country_code\":\"gb\"}', ?6, ?6)",
                    params![cart, REGION, CHANNEL, CUSTOMER, codes, tx.now()],
                )?;
                tx.execute(
                    "insert into cart_line (cart_id, id, position, variant_id, product_id, title, quantity,
                                            unit_price_minor, adjustments, created_at, updated_at)
                     values (?1, ?2, 0, ?3, ?4, 'Mug', ?5, ?6, ?7, ?8, ?8)",
                    params![cart, CartLineId::new(), VARIANT, PRODUCT, quantity, MUG, adjustments.to_string(), tx.now()],
                )?;
                if is_shipped {
                    tx.execute(
                        "insert into cart_shipping_method (cart_id, id, shipping_option_id, shipping_profile_id, name,
                                                           amount_minor, created_at, updated_at)
                         values (?1, ?2, ?3, ?4, 'Post', ?5, ?6, ?6)",
                        params![cart, CartShippingMethodId::new(), OPTION, PROFILE, POSTAGE, tx.now()],
                    )?;
                }
                if let Some((account, amount)) = credit {
                    tx.execute(
                        "insert into cart_credit_line (cart_id, id, amount_minor, requested_minor, reference,
                                                       reference_id, created_at, updated_at)
                         values (?1, ?2, ?3, ?3, 'store-credit', ?4, ?5, ?5)",
                        params![cart, CartCreditLineId::new(), amount, account, tx.now()],
                    )?;
                }
                Ok(())
            })
            .await
            .unwrap();
        id
    }

    /// Starts the payment of a cart.
    pub(crate) async fn pay(&self, cart: &CartId, provider: &str, method: &str) {
        let cart_id = cart.clone();
        let begun = self
            .db
            .write::<_, CheckoutError>(move |tx| {
                let cart = cart::load(tx, &cart_id)?;
                let id: PaymentCollectionId =
                    payments::collect(tx, &cart.id, cart.currency, cart.totals.total)?;
                begin(tx, &id, &storefront(&cart))
            })
            .await
            .unwrap();
        let data = json!({ "payment_method": method }).as_object().cloned().unwrap();
        let begun = begun.with(Some(provider.to_owned()), data).unwrap();
        initiate(self.db.clone(), self.gateway.clone(), BEGIN, begun).await.unwrap();
    }

    /// Returns a cart that is ready to complete, with a sandbox session.
    pub(crate) async fn ready(&self, wish: Wish<'_>, method: &str) -> CartId {
        let cart = self.cart(wish).await;
        self.pay(&cart, "pp_sandbox", method).await;
        cart
    }

    pub(crate) async fn complete(&self, cart: &CartId) -> Result<Completion, CheckoutError> {
        let shop = Some(self.storefront(cart).await?);
        let (cart_id, subscribe) = (cart.clone(), NewSubscribe::default());
        let request = CompleteRequest { cart_id, shop, token: token(), subscribe };
        complete(self.db.clone(), self.gateway.clone(), request).await
    }

    /// Confirms the payment of a cart with a token.
    pub(in crate::checkout) async fn confirm(
        &self,
        cart: &CartId,
        provider: &str,
        token: &str,
    ) -> Result<Confirmed, ConfirmError> {
        let shop = self.storefront(cart).await?;
        let request = ConfirmRequest {
            cart_id: cart.clone(),
            token: token.to_owned(),
            expected: None,
            provider_id: Some(provider.to_owned()),
            data: Data::new(),
        };
        confirm(self.db.clone(), self.gateway.clone(), self.clock.clone(), shop, request).await
    }

    /// Claims a cart without paying for it.
    pub(in crate::checkout) async fn claim(
        &self,
        cart: &CartId,
    ) -> Result<ClaimOutcome, CheckoutError> {
        let (shop, cart) = (self.storefront(cart).await?, cart.clone());
        let new = NewSubscribe::default();
        self.db.write(move |tx| claim(tx, cart::load_for(tx, &cart, &shop)?, token(), &new)).await
    }

    async fn storefront(&self, cart: &CartId) -> Result<Shop, CheckoutError> {
        let cart = cart.clone();
        Ok(storefront(&self.db.read(move |tx| cart::load(tx, &cart)).await?))
    }

    /// Creates an account of the carts' customer with a balance.
    pub(crate) async fn account(&self, balance_minor: i64) -> CreditAccountId {
        self.db
            .write::<_, CheckoutError>(move |tx| {
                let customer_id = CUSTOMER.parse().unwrap();
                let currency = Currency::from_code("gbp").unwrap();
                let account = credit::open_for(tx, &customer_id, currency, "")?;
                let entry = NewEntry {
                    amount_minor: balance_minor,
                    reference: "user",
                    reference_id: "user_1",
                    note: None,
                    actor_id: "",
                };
                credit::credit(tx, &account.id, entry)?;
                Ok(account.id)
            })
            .await
            .unwrap()
    }

    pub(crate) async fn number(&self, sql: &'static str) -> i64 {
        self.db
            .read::<_, database::Error>(move |tx| Ok(tx.query_row(sql, [], |row| row.get(0))?))
            .await
            .unwrap()
    }

    /// Asserts that the audit finds no bad row.
    pub(crate) async fn assert_sound(&self) {
        let findings = self.db.read(database::audit).await.unwrap();
        assert!(findings.is_empty(), "{findings:#?}");
    }

    /// Asserts that an unpaid cart left nothing behind.
    pub(crate) async fn assert_nothing_taken(&self) {
        for sql in [
            "select count(*) from orders",
            "select count(*) from order_line",
            "select count(*) from payment",
            "select count(*) from capture",
            "select count(*) from cart_completion",
            "select count(*) from cart where completed_at is not null",
            "select coalesce(sum(reserved_quantity), 0) from inventory_level",
            "select coalesce(sum(used_count), 0) from promotion",
            "select coalesce(sum(debits_minor - (select sum(amount_minor) from credit_entry
                                                   where kind = 'CREDIT' and reference = 'cart')), 0)
               from credit_account where debits_minor > 0",
        ] {
            assert_eq!(self.number(sql).await, 0, "{sql}");
        }
        self.assert_sound().await;
    }

    /// Runs statements.
    pub(crate) async fn change(&self, sql: impl Into<String>) {
        let sql = sql.into();
        let changed = self.db.write::<_, database::Error>(move |tx| Ok(tx.execute_batch(&sql)?));
        changed.await.unwrap();
    }
}

/// A provider that does not answer until `speaks` is set, and counts its requests.
#[derive(Debug, Default)]
pub(crate) struct Mute {
    pub speaks: std::sync::atomic::AtomicBool,
    /// Whether it answers refund requests; it always executes them.
    pub(crate) pays_back: std::sync::atomic::AtomicBool,
    /// The refunds that it has made, by key.
    pub(crate) refunds: std::sync::Mutex<BTreeMap<String, i64>>,
    pub request_count: AtomicUsize,
}

impl Provider for Mute {
    fn id(&self) -> &'static str {
        "pp_mute"
    }

    fn initiate<'a>(&'a self, _request: Request<'a>) -> Answer<'a, Data> {
        Box::pin(async { Ok(Data::new()) })
    }

    fn authorize<'a>(&'a self, _request: Request<'a>) -> Answer<'a, Outcome> {
        Box::pin(async {
            self.request_count.fetch_add(1, Ordering::SeqCst);
            if self.speaks.load(Ordering::SeqCst) {
                Ok(Outcome::Captured { data: Data::new() })
            } else {
                Err(ProviderError::Unavailable)
            }
        })
    }

    fn capture<'a>(&'a self, _request: Request<'a>) -> Answer<'a, Moved> {
        Box::pin(async { Err(ProviderError::Unavailable) })
    }

    fn confirm<'a>(&'a self, request: Request<'a>, _token: &'a str) -> Answer<'a, Outcome> {
        self.authorize(request)
    }

    fn setup_data<'a>(&'a self, data: &'a Data) -> Answer<'a, Option<Data>> {
        Box::pin(async {
            let is_speaking = self.speaks.load(Ordering::SeqCst);
            if is_speaking { Ok(Some(data.clone())) } else { Err(ProviderError::Unavailable) }
        })
    }

    fn charge<'a>(
        &'a self,
        request: Request<'a>,
        _holder: &'a str,
        _method: &'a str,
    ) -> Answer<'a, Outcome> {
        self.authorize(request)
    }

    fn refund<'a>(&'a self, request: Request<'a>) -> Answer<'a, Moved> {
        Box::pin(async move {
            let (key, amount_minor) = (request.idempotency_key.to_owned(), request.amount_minor);
            let made = *self.refunds.lock().unwrap().entry(key).or_insert(amount_minor);
            assert_eq!(made, amount_minor, "a key is of one amount");
            if self.pays_back.load(Ordering::SeqCst) {
                Ok(Moved::Done)
            } else {
                Err(ProviderError::Unavailable)
            }
        })
    }

    fn cancel<'a>(&'a self, _request: Request<'a>) -> Answer<'a, Moved> {
        Box::pin(async { Err(ProviderError::Unavailable) })
    }
}

const SHOP: &str = "
insert into sales_channel (id, name, created_at, updated_at) values ('sc_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'Web', 1, 1);
insert into region (id, name, currency, created_at, updated_at)
  values ('reg_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'Britain', 'gbp', 1, 1);
insert into region_payment_provider (region_id, provider_id)
  values ('reg_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'pp_sandbox'), ('reg_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'pp_mute'),
         ('reg_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'pp_system_default');
insert into stock_location (id, name, created_at, updated_at)
  values ('sloc_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'Shelf', 1, 1);
insert into stock_location_sales_channel (stock_location_id, sales_channel_id)
  values ('sloc_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'sc_01JD2Q8Z5M6T3W9XKCV4B7N0RE');
insert into shipping_profile (id, name, created_at, updated_at)
  values ('sp_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'Parcels', 1, 1);
insert into product (id, title, handle, status, shipping_profile_id, created_at, updated_at)
  values ('prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'Mug', 'mug', 'published', 'sp_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 1, 1);
insert into product_variant (id, product_id, title, sku, price_set_id, created_at, updated_at)
  values ('variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'Red', 'MUG-RED',
          'pset_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 1, 1);
insert into product_sales_channel (sales_channel_id, product_id)
  values ('sc_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE');
insert into inventory_item (id, sku, created_at, updated_at)
  values ('iitem_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'MUG-RED', 1, 1);
insert into product_variant_inventory_item (variant_id, inventory_item_id)
  values ('variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'iitem_01JD2Q8Z5M6T3W9XKCV4B7N0RE');
insert into inventory_level (id, inventory_item_id, location_id, stocked_quantity, created_at, updated_at)
  values ('ilev_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'iitem_01JD2Q8Z5M6T3W9XKCV4B7N0RE',
          'sloc_01JD2Q8Z5M6T3W9XKCV4B7N0RE', MUGS, 1, 1);
insert into region_country (country, region_id) values ('gb', 'reg_01JD2Q8Z5M6T3W9XKCV4B7N0RE');
insert into price (id, price_set_id, currency, amount_minor, created_at, updated_at)
  values ('price_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'pset_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'gbp', 1000, 1, 1),
         ('price_01JD2Q8Z5M6T3W9XKCV4B7N0RF', 'pset_01JD2Q8Z5M6T3W9XKCV4B7N0RF', 'gbp', 395, 1, 1);
insert into stock_location_fulfillment_provider (stock_location_id, provider_id)
  values ('sloc_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'manual_manual');
insert into fulfillment_set (id, name, type, location_id, created_at, updated_at)
  values ('fuset_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'Post', 'shipping', 'sloc_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 1, 1);
insert into service_zone (id, name, fulfillment_set_id, created_at, updated_at)
  values ('serzo_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'Britain', 'fuset_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 1, 1);
insert into geo_zone (id, service_zone_id, type, country, created_at, updated_at)
  values ('fgz_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'serzo_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'country', 'gb', 1, 1);
insert into shipping_option (id, name, price_type, service_zone_id, shipping_profile_id, provider_id, price_set_id,
                             created_at, updated_at)
  values ('so_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'Post', 'flat', 'serzo_01JD2Q8Z5M6T3W9XKCV4B7N0RE',
          'sp_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'manual_manual', 'pset_01JD2Q8Z5M6T3W9XKCV4B7N0RF', 1, 1);
insert into customer (id, email, created_at, updated_at)
  values ('cus_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'ada@example.com', 1, 1);
insert into promotion (id, code, type, status, application_method_id, application_type, target_type, allocation,
                       value_text, created_at, updated_at)
  values ('promo_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'TENTH', 'standard', 'active', 'proappmet_01JD2Q8Z5M6T3W9XKCV4B7N0RE',
          'percentage', 'items', 'across', '10', 1, 1);
insert into unit_cost (variant_id, currency, valid_from, amount_minor, created_at)
  values ('variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE', 'gbp', 1, 400, 1);
";

fn token() -> SecretDigest {
    Secret::generate("ot_").unwrap().digest()
}

/// Returns the storefront of a cart, for its customer.
fn storefront(cart: &Cart) -> Shop {
    Shop {
        key_id: ApiKeyId::new(),
        sales_channel_ids: cart.sales_channel_id.clone().into_iter().collect(),
        customer_id: cart.customer_id.clone(),
    }
}
