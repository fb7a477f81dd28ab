//! A small test store and its visitors.

use crate::auth::{Email, Shop};
use crate::cart::changes::buyer::{self, AddressChange};
use crate::cart::changes::codes;
use crate::cart::changes::create::{self, CreateCartRequest};
use crate::cart::changes::items::{self, AddLineItemRequest};
use crate::cart::contents::{Address, Cart};
use crate::cart::refresh::{self, Taxes};
use crate::cart::{CartError, load_to_change, shipping};
use crate::catalog::{NewOption, NewProduct, NewVariant, ProductStatus, create_product};
use crate::clock::{Clock, Timestamp};
use crate::database::{Db, Error, Tx, temporary};
use crate::ids::{
    ApiKeyId, CartId, CustomerId, RegionId, SalesChannelId, ShippingOptionId, StockLocationId,
    VariantId,
};
use crate::inventory;
use crate::metadata::Metadata;
use crate::money::Currency;
use crate::pricing::NewPrice;
use crate::promotions::promotion::Promotion;
use crate::regions::{self, NewChannel, NewRegion};
use crate::shipping::{self as delivery, GeoZone};
use crate::taxes;

/// A store with America (7.25 % tax on top) and Europe (two countries), a mug at 12.99, a lamp at 14.99, three prints,
/// shipping at 9.95, and TENOFF.
#[derive(Debug, Clone)]
pub(super) struct TestShop {
    pub(super) db: Db,
    pub(super) clock: Clock,
    pub(super) channel: SalesChannelId,
    pub(super) america: RegionId,
    pub(super) europe: RegionId,
    pub(super) mug: VariantId,
    pub(super) lamp: VariantId,
    /// Three pieces in stock.
    pub(super) print: VariantId,
    pub(super) postage: ShippingOptionId,
}

impl TestShop {
    pub(super) async fn open() -> Self {
        let clock = Clock::fixed(Timestamp::from_millis(1_795_262_400_000));
        let db = Db::open(&temporary::options(&clock)).unwrap();
        let opened = db.clone();
        db.write::<_, Error>(move |tx| Ok(furnish(tx, opened, clock))).await.unwrap()
    }

    /// Returns an anonymous visitor's storefront.
    pub(super) fn visitor(&self) -> Shop {
        Shop {
            key_id: ApiKeyId::new(),
            sales_channel_ids: vec![self.channel.clone()],
            customer_id: None,
        }
    }

    pub(super) async fn create(
        &self,
        shop: Shop,
        new: CreateCartRequest,
    ) -> Result<Cart, CartError> {
        self.db.write(move |tx| create::create(tx, &shop, new)).await
    }

    /// Creates a cart in America.
    pub(super) async fn cart(&self) -> Cart {
        self.create(self.visitor(), CreateCartRequest::default()).await.unwrap()
    }

    pub(super) async fn change(
        &self,
        id: &CartId,
        work: impl FnOnce(&Tx<'_>, &mut Cart) -> Result<(), CartError> + Send + 'static,
    ) -> Result<Cart, CartError> {
        let (id, storefront) = (id.clone(), self.visitor());
        self.db
            .write(move |tx| {
                let before = load_to_change(tx, &id, &storefront)?;
                let mut cart = before.clone();
                work(tx, &mut cart)?;
                refresh::save(tx, &before, cart, Taxes::AsTheRegionSays)
            })
            .await
    }

    pub(super) async fn add(
        &self,
        id: &CartId,
        variant_id: &VariantId,
        quantity: i64,
    ) -> Result<Cart, CartError> {
        let item = AddLineItemRequest { variant_id: variant_id.clone(), quantity, metadata: None };
        self.change(id, move |tx, cart| items::add(tx, cart, vec![item])).await
    }

    pub(super) async fn enter(&self, id: &CartId, code: &str) -> Result<Cart, CartError> {
        let code = code.to_owned();
        self.change(id, move |tx, cart| codes::add(tx, cart, vec![code])).await
    }

    pub(super) async fn send_by_post(&self, id: &CartId) -> Result<Cart, CartError> {
        let postage = self.postage.clone();
        self.change(id, move |tx, cart| shipping::choose(tx, cart, &postage, None)).await
    }

    pub(super) async fn send_to(&self, id: &CartId, country: &str) -> Result<Cart, CartError> {
        let draft = Address {
            country_code: Some(country.to_owned()),
            city: Some("Reno".to_owned()),
            ..Address::empty()
        };
        self.change(id, move |tx, cart| {
            buyer::ship_to(tx, cart, AddressChange::Set(Box::new(draft)))
        })
        .await
    }

    pub(super) async fn loaded(&self, id: &CartId) -> Cart {
        let id = id.clone();
        self.db.read(move |tx| crate::cart::load(tx, &id)).await.unwrap()
    }

    /// Marks a cart as completed.
    pub(super) async fn complete(&self, id: &CartId) {
        self.execute("update cart set completed_at = updated_at where id = ?", id).await;
    }

    /// Claims a cart for an order.
    pub(super) async fn claim(&self, id: &CartId) {
        let claim =
            "insert into cart_completion (cart_id, state, started_at) values (?, 'claimed', 1)";
        self.execute(claim, id).await;
    }

    pub(super) async fn account(&self, email: &str) -> CustomerId {
        let email: Email = email.parse().unwrap();
        self.db
            .write::<_, Error>(move |tx| {
                let id = CustomerId::new();
                tx.execute(
                    "insert into customer (id, email, has_account, created_at, updated_at)
                     values (?1, ?2, 1, ?3, ?3)",
                    (&id, &email, tx.now()),
                )?;
                Ok(id)
            })
            .await
            .unwrap()
    }

    /// Runs a statement with an id.
    pub(super) async fn execute(&self, sql: &'static str, id: impl AsRef<str>) {
        let id = id.as_ref().to_owned();
        self.db.write(move |tx| tx.sql(sql).run([id])).await.unwrap();
    }

    /// Creates or replaces a promotion.
    pub(super) async fn promote(&self, promotion: Promotion) {
        self.db.write(move |tx| crate::promotions::put(tx, &promotion)).await.unwrap();
    }
}

fn furnish(tx: &Tx<'_>, db: Db, clock: Clock) -> TestShop {
    let usd: Currency = "usd".parse().unwrap();
    regions::ensure_store(tx, "Shop", usd).unwrap();
    let channel = regions::create_channel(tx, NewChannel::named("Web")).unwrap().id;
    let america = region(tx, "America", "usd", &["us"]);
    let europe = region(tx, "Europe", "eur", &["de", "fr"]);
    let defaults = regions::StoreChange {
        default_region_id: crate::http::Patch::Value(america.clone()),
        ..regions::StoreChange::default()
    };
    regions::change_store(tx, defaults).unwrap();
    for (country, rate_ppm) in [("us", 72_500), ("de", 190_000)] {
        tax(tx, country, rate_ppm);
    }
    let location = inventory::create_location(
        tx,
        inventory::NewLocation {
            name: "Warehouse".to_owned(),
            address: inventory::LocationAddress::default(),
            metadata: Metadata::default(),
        },
    )
    .unwrap();
    inventory::connect_channel(tx, &location, &channel).unwrap();
    inventory::connect_provider(tx, &location, "manual_manual").unwrap();
    let profile = delivery::create_profile(tx, &delivery::NewProfile::default_profile()).unwrap();
    let postage = postage(tx, &location, &profile);
    let product = |title: &str, amount: i64, stock: i64| {
        let mut product = simple(title, amount, &channel);
        product.shipping_profile_id = Some(profile.clone());
        sell(tx, &product, &location, stock)
    };
    TestShop {
        mug: product("Mug", 1_299, 1_000),
        lamp: product("Lamp", 1_499, 1_000),
        print: product("Print", 2_500, 3),
        db,
        clock,
        channel,
        america,
        europe,
        postage,
    }
}

fn region(tx: &Tx<'_>, name: &str, currency: &str, countries: &[&str]) -> RegionId {
    let new = NewRegion {
        name: name.to_owned(),
        currency: currency.parse().unwrap(),
        countries: countries.iter().map(|code| (*code).to_owned()).collect(),
        payment_providers: vec!["pp_system_default".to_owned()],
        automatic_taxes: true,
        is_tax_inclusive: false,
        metadata: Metadata::default(),
    };
    regions::create(tx, new).unwrap().id
}

fn tax(tx: &Tx<'_>, country: &str, rate_ppm: i64) {
    let region = taxes::NewTaxRegion {
        country: country.to_owned(),
        province: None,
        parent_id: None,
        provider_id: None,
        metadata: Metadata::default(),
        created_by: None,
    };
    let rate = taxes::NewTaxRate {
        tax_region_id: taxes::create_region(tx, region).unwrap(),
        rate_ppm,
        code: format!("{country}-default"),
        name: format!("{country} default"),
        is_default: true,
        is_combinable: false,
        rules: Vec::new(),
        metadata: Metadata::default(),
        created_by: None,
    };
    taxes::create_rate(tx, &rate).unwrap();
}

fn postage(
    tx: &Tx<'_>,
    location: &StockLocationId,
    profile: &crate::ids::ShippingProfileId,
) -> ShippingOptionId {
    let set = delivery::NewSet {
        name: "Delivery".to_owned(),
        kind: "shipping".to_owned(),
        location_id: location.clone(),
    };
    let places = ["us", "de"].map(|code| GeoZone::Country { country_code: code.to_owned() });
    let zone = delivery::NewZone {
        name: "Everywhere".to_owned(),
        fulfillment_set_id: delivery::create_set(tx, &set).unwrap(),
        places: places.to_vec(),
        metadata: Metadata::default(),
    };
    let prices = ["usd", "eur"].map(|code| NewPrice::plain(code.parse().unwrap(), 995));
    let option = delivery::NewOption {
        name: "Standard".to_owned(),
        service_zone_id: delivery::create_zone(tx, &zone).unwrap(),
        shipping_profile_id: profile.clone(),
        provider_id: "manual_manual".to_owned(),
        type_id: None,
        prices: prices.to_vec(),
        rules: vec![delivery::NewRule::enabled_in_store()],
        data: Metadata::default(),
        metadata: Metadata::default(),
    };
    delivery::create_option(tx, &option).unwrap()
}

/// Returns a product with one variant, at the same amount in dollars and euros.
pub(super) fn simple(title: &str, amount: i64, channel: &SalesChannelId) -> NewProduct {
    let prices = ["usd", "eur"].map(|code| NewPrice::plain(code.parse().unwrap(), amount));
    let variant = NewVariant {
        options: [("Size".to_owned(), "One".to_owned())].into(),
        prices: prices.to_vec(),
        ..NewVariant::with_sku(title.to_uppercase())
    };
    NewProduct {
        status: ProductStatus::Published,
        options: vec![NewOption { title: "Size".into(), values: vec!["One".into()] }],
        variants: vec![variant],
        sales_channel_ids: vec![channel.clone()],
        ..NewProduct::titled(title)
    }
}

/// Creates a product with stock and returns its variant.
pub(super) fn sell(
    tx: &Tx<'_>,
    product: &NewProduct,
    location: &StockLocationId,
    stock: i64,
) -> VariantId {
    let product_id = create_product(tx, product).unwrap();
    let (variant_id, item_id) = tx
        .query_row(
            "select v.id, i.inventory_item_id
               from product_variant v join product_variant_inventory_item i on i.variant_id = v.id
              where v.product_id = ?",
            [product_id],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .unwrap();
    inventory::set_level(tx, &item_id, location, stock, "stocktaking").unwrap();
    variant_id
}
