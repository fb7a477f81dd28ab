// Uses a running store with the unmodified SDK: a guest and then a customer shop, an administrator manages the
// store, a program gets tokens with an OAuth client. Every step asserts the fields that a storefront reads.
//
//   QUOTIENT_URL, QUOTIENT_PUBLISHABLE_KEY, QUOTIENT_SECRET_KEY, QUOTIENT_ADMIN_EMAIL, QUOTIENT_ADMIN_PASSWORD

import assert from "node:assert/strict";
import process from "node:process";
import sdk from "@medusajs/js-sdk";
import oauth from "simple-oauth2";

const Medusa = sdk.default ?? sdk;
const setting = (name) => {
  const value = process.env[`QUOTIENT_${name}`];
  assert.ok(value, `QUOTIENT_${name} is not set`);
  return value;
};
const url = setting("URL");
const publishableKey = setting("PUBLISHABLE_KEY");
const steps = [];
const step = async (name, work) => {
  try {
    const outcome = await work();
    steps.push(name);
    console.log(`ok ${steps.length} - ${name}`);
    return outcome;
  } catch (error) {
    console.error(`not ok - ${name}`);
    throw error;
  }
};
const refused = async (status, work) => {
  await assert.rejects(work, (error) => {
    assert.equal(error.status, status, error.message);
    assert.ok(error.message.length > 0);
    return true;
  });
};
// Amounts are JSON numbers; they are compared in whole minor units.
const minor = (amount) => Math.round(amount * 100);
const address = {
  first_name: "Ada", last_name: "Shopper", address_1: "1 High Street", city: "London",
  postal_code: "N1 1AA", country_code: "gb", phone: "02000000000",
};
const suffix = `${Date.now()}-${process.pid}`;
// What the Next.js starter of Medusa asks for, letter for letter.
const starter = {
  products: "*variants.calculated_price,+variants.inventory_quantity,*variants.images,+metadata,+tags,",
  categories: "*category_children, *products, *parent_category, *parent_category.parent_category",
  cart: "*items, *region, *items.product, *items.variant, *items.thumbnail, *items.metadata, +items.total, *promotions, " +
    "+shipping_methods.name",
  options: "+service_zone.fulfllment_set.type,*service_zone.fulfillment_set.location.address",
  order: "*payment_collections.payments,*items,*items.metadata,*items.variant,*items.product",
  orders: "*items,+items.metadata,*items.variant,*items.product",
};

const shop = new Medusa({ baseUrl: url, publishableKey, auth: { type: "jwt", jwtTokenStorageMethod: "memory" } });
const admin = new Medusa({ baseUrl: url, apiKey: setting("SECRET_KEY") });

// ── the shopper ─────────────────────────────────────────────────────────────────────────────────

await step("a wrong publishable key is refused", () =>
  refused(401, () => new Medusa({ baseUrl: url, publishableKey: "pk_wrong" }).store.product.list()));

const region = await step("regions are listed, and one sells to Britain", async () => {
  const { regions, count } = await shop.store.region.list();
  assert.ok(count >= regions.length && regions.length > 0);
  const found = regions.find(({ countries }) => countries.some(({ iso_2 }) => iso_2 === "gb"));
  assert.ok(found);
  assert.equal((await shop.store.region.retrieve(found.id)).region.id, found.id);
  return found;
});

const products = await step("products are listed with their prices, a page at a time", async () => {
  const first = await shop.store.product.list({
    limit: 5, region_id: region.id, fields: starter.products,
  });
  assert.deepEqual(first.products[0].variants[0].images, first.products[0].images);
  const second = await shop.store.product.list({ limit: 5, offset: 5, region_id: region.id });
  assert.equal(first.products.length, 5);
  assert.equal(first.count, second.count);
  assert.ok(first.products.every(({ id }) => !second.products.some((other) => other.id === id)));
  const price = first.products[0].variants[0].calculated_price;
  assert.equal(price.currency_code, region.currency_code);
  assert.equal(typeof price.calculated_amount, "number");
  return first.products;
});

await step("one product is read, and a missing one is not found", async () => {
  const { product } = await shop.store.product.retrieve(products[0].id, { region_id: region.id });
  assert.equal(product.title, products[0].title);
  assert.ok(product.variants.length > 0 && product.options.length >= 0);
  await refused(404, () => shop.store.product.retrieve("prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE"));
});

await step("a search finds a product by its title", async () => {
  const word = products[0].title.split(" ")[0];
  const { products: found } = await shop.store.product.list({ q: word, limit: 50 });
  assert.ok(found.length > 0);
});

await step("products are filtered by collection and by category", async () => {
  const { collections } = await shop.store.collection.list({ fields: "id, handle, *products" });
  assert.ok(collections[0].products.every((product) => product.collection_id === collections[0].id));
  assert.ok(collections.length > 0);
  const inCollection = await shop.store.product.list({ collection_id: [collections[0].id], limit: 3 });
  assert.ok(inCollection.products.every((product) => product.collection_id === collections[0].id));
  const { product_categories: categories } = await shop.store.category.list({ fields: starter.categories });
  assert.ok(categories.length > 0 && categories.every(({ products }) => products.length <= 20));
  const inCategory = await shop.store.product.list({ category_id: [categories[0].id], limit: 3 });
  assert.ok(inCategory.count >= 0);
});

const sellable = await step("products with stock are found", async () => {
  const { products: page } = await shop.store.product.list({
    limit: 100, region_id: region.id, fields: "*variants.calculated_price,+variants.inventory_quantity",
  });
  const variants = page.flatMap(({ variants }) => variants)
    .filter((variant) => variant.inventory_quantity > 20 && variant.calculated_price?.calculated_amount > 1);
  assert.ok(variants.length >= 2);
  return variants;
});

const shopFor = async (client, email) => {
  let { cart } = await client.store.cart.create({ region_id: region.id, ...(email ? { email } : {}) });
  ({ cart } = await client.store.cart.createLineItem(cart.id, { variant_id: sellable[0].id, quantity: 2 }));
  ({ cart } = await client.store.cart.createLineItem(cart.id, { variant_id: sellable[1].id, quantity: 1 }));
  return cart;
};
const ship = async (client, cart) => {
  ({ cart } = await client.store.cart.update(cart.id, { shipping_address: address, billing_address: address }));
  const { shipping_options: options } = await client.store.fulfillment.listCartOptions({
    cart_id: cart.id, fields: starter.options,
  });
  assert.ok(options.length > 0 && typeof options[0].amount === "number");
  assert.equal(options[0].service_zone.fulfillment_set.type, "shipping");
  ({ cart } = await client.store.cart.addShippingMethod(cart.id, { option_id: options[0].id }));
  assert.equal(cart.shipping_methods.length, 1);
  return cart;
};
const pay = async (client, cart, data) => {
  const { payment_providers: providers } = await client.store.payment.listPaymentProviders({ region_id: region.id });
  assert.ok(providers.length > 0);
  const provider = providers.find(({ id }) => id === "pp_sandbox") ?? providers[0];
  const { payment_collection: collection } = await client.store.payment.initiatePaymentSession(cart, {
    provider_id: provider.id, ...(data ? { data } : {}),
  });
  assert.equal(collection.payment_sessions.length, 1);
  assert.equal(minor(collection.amount), minor(cart.total));
};

let cart = await step("a guest fills a cart", async () => {
  const filled = await shopFor(shop, `guest-${suffix}@example.com`);
  assert.equal(filled.items.length, 2);
  assert.equal(minor(filled.item_subtotal) > 0, true);
  return filled;
});

await step("an item is added again, changed and removed", async () => {
  ({ cart } = await shop.store.cart.createLineItem(cart.id, { variant_id: sellable[0].id, quantity: 1 }));
  assert.equal(cart.items.length, 2, "the same variant merges");
  const line = cart.items.find((item) => item.variant_id === sellable[0].id);
  assert.equal(line.quantity, 3);
  ({ cart } = await shop.store.cart.updateLineItem(cart.id, line.id, { quantity: 2 }));
  assert.equal(cart.items.find((item) => item.id === line.id).quantity, 2);
  const other = cart.items.find((item) => item.id !== line.id);
  const removed = await shop.store.cart.deleteLineItem(cart.id, other.id);
  assert.deepEqual([removed.id, removed.object, removed.deleted], [other.id, "line-item", true]);
  assert.equal(removed.parent.items.length, 1);
  ({ cart } = await shop.store.cart.retrieve(cart.id, { fields: starter.cart }));
  assert.equal(cart.items.length, 1);
});

await step("a product has options, and a variant of each of its values", async () => {
  const { products: [parasol] } = await shop.store.product.list({
    handle: "edwardian-parasol", region_id: region.id, fields: "*options.values,*variants.options,*variants.calculated_price",
  });
  const [colour] = parasol.options;
  assert.equal(colour.title, "Colour");
  assert.ok(parasol.variants.length >= 2 && colour.values.length === parasol.variants.length);
  for (const variant of parasol.variants) {
    assert.equal(variant.options[0].value, variant.title);
    assert.ok(variant.calculated_price.calculated_amount > 0);
  }
});

await step("more than there is in stock is refused", () =>
  refused(400, () => shop.store.cart.createLineItem(cart.id, { variant_id: sellable[1].id, quantity: 9999 })));

cart = await step("addresses and a shipping method are set", () => ship(shop, cart));

await step("an unknown promotion is refused", () =>
  refused(400, () => shop.store.cart.addPromotions(cart.id, { promo_codes: ["NO-SUCH-CODE"] })));

const promotion = await step("an administrator makes a promotion", async () => {
  const { promotion: made } = await admin.admin.promotion.create({
    code: `TEN-${suffix}`, type: "standard", status: "active", is_automatic: false,
    application_method: { type: "percentage", target_type: "items", allocation: "across", value: 10, currency_code: region.currency_code },
  });
  return made;
});

await step("a promotion lowers the total and can be taken off", async () => {
  const before = minor(cart.total);
  ({ cart } = await shop.store.cart.addPromotions(cart.id, { promo_codes: [promotion.code] }));
  assert.ok(minor(cart.total) < before && cart.discount_total > 0);
  assert.equal(cart.promotions[0].code, promotion.code);
  ({ cart } = await shop.store.cart.removePromotions(cart.id, { promo_codes: [promotion.code] }));
  assert.equal(minor(cart.total), before);
  ({ cart } = await shop.store.cart.addPromotions(cart.id, { promo_codes: [promotion.code] }));
});

await step("totals add up to the penny", () => {
  assert.equal(minor(cart.total), minor(cart.item_total) + minor(cart.shipping_total));
  assert.equal(minor(cart.total), minor(cart.subtotal) - minor(cart.discount_subtotal) + minor(cart.tax_total));
});

await step("completing without a payment is refused", () => refused(400, () => shop.store.cart.complete(cart.id)));

await step("a declined card keeps the cart", async () => {
  await pay(shop, cart, { payment_method: "pm_card_declined" });
  const outcome = await shop.store.cart.complete(cart.id);
  assert.equal(outcome.type, "cart");
  assert.equal(outcome.error.type, "payment_authorization_error");
  assert.equal(outcome.cart.completed_at, null);
});

const order = await step("the guest pays, and completing again gives the same order", async () => {
  await pay(shop, cart, { payment_method: "pm_card_visa" });
  const outcome = await shop.store.cart.complete(cart.id);
  assert.equal(outcome.type, "order", JSON.stringify(outcome.error));
  assert.equal(minor(outcome.order.total), minor(cart.total));
  const again = await shop.store.cart.complete(cart.id);
  assert.equal(again.order.id, outcome.order.id);
  return { ...outcome.order, token: outcome.order_token };
});

await step("the guest alone sees the order's confirmation, by its token or its e-mail address", async () => {
  for (const proof of [{ "x-order-token": order.token }, { "x-order-email": order.email }]) {
    const { order: seen } = await shop.store.order.retrieve(order.id, { fields: starter.order }, proof);
    assert.equal(seen.display_id, order.display_id);
    assert.equal(seen.items.length, 1);
    assert.equal(seen.items[0].product.id, seen.items[0].product_id);
    assert.equal(minor(seen.payment_collections[0].payments[0].amount), minor(order.total));
  }
  await refused(404, () => shop.store.order.retrieve(order.id));
});

const credentials = { email: `ada-${suffix}@example.com`, password: "correct horse battery staple" };

await step("a customer registers and logs in", async () => {
  await shop.auth.register("customer", "emailpass", credentials);
  const { customer } = await shop.store.customer.create({ email: credentials.email, first_name: "Ada", last_name: "Shopper" });
  assert.equal(customer.has_account, true);
  await shop.auth.login("customer", "emailpass", credentials);
  const me = await shop.store.customer.retrieve();
  assert.equal(me.customer.email, credentials.email);
});

await step("a wrong password is refused", () =>
  refused(401, () => new Medusa({ baseUrl: url, publishableKey, auth: { type: "jwt", jwtTokenStorageMethod: "memory" } })
    .auth.login("customer", "emailpass", { ...credentials, password: "wrong" })));

await step("the customer keeps an address book", async () => {
  const { customer } = await shop.store.customer.createAddress({ ...address, address_name: "Home" });
  assert.equal(customer.addresses.length, 1);
  const [{ id }] = customer.addresses;
  await shop.store.customer.updateAddress(id, { city: "Leeds" });
  const { addresses } = await shop.store.customer.listAddress();
  assert.equal(addresses[0].city, "Leeds");
  const removed = await shop.store.customer.deleteAddress(id);
  assert.equal(removed.deleted, true);
});

const mine = await step("the customer orders", async () => {
  let own = await shopFor(shop);
  ({ cart: own } = await shop.store.cart.transferCart(own.id));
  assert.equal(own.email, credentials.email);
  own = await ship(shop, own);
  await pay(shop, own);
  const outcome = await shop.store.cart.complete(own.id);
  assert.equal(outcome.type, "order", JSON.stringify(outcome.error));
  return outcome.order;
});

await step("the customer sees just their own orders", async () => {
  const { orders, count } = await shop.store.order.list({ fields: starter.orders });
  assert.equal(count, 1);
  assert.equal(orders[0].id, mine.id);
  assert.equal(orders[0].items[0].product.id, orders[0].items[0].product_id);
  const { customer } = await shop.store.customer.retrieve({ fields: "*orders" });
  assert.deepEqual(customer.orders.map(({ id }) => id), [mine.id]);
});

// The SDK has no methods of its own for accounts of store credit: storefronts call their routes by `client.fetch`.
const credit = await step("a customer has store credit, which an administrator gives", async () => {
  const { customer } = await shop.store.customer.retrieve();
  const made = await admin.client.fetch("/admin/store-credit-accounts", {
    method: "POST", body: { currency_code: region.currency_code, customer_id: customer.id },
  });
  const { store_credit_account: account } = await admin.client.fetch(
    `/admin/store-credit-accounts/${made.store_credit_account.id}/credit`, { method: "POST", body: { amount: 5, note: "sorry" } });
  assert.equal(account.balance, 5);
  const { store_credit_accounts: own } = await shop.client.fetch("/store/store-credit-accounts");
  assert.deepEqual(own.map(({ id, balance }) => [id, balance]), [[account.id, 5]]);
  return account;
});

await step("the credit pays a part of an order and is spent with it", async () => {
  let own = await shopFor(shop);
  ({ cart: own } = await shop.store.cart.transferCart(own.id));
  own = await ship(shop, own);
  const before = minor(own.total);
  ({ cart: own } = await shop.client.fetch(`/store/carts/${own.id}/store-credits`, { method: "POST", body: { amount: 3.5 } }));
  assert.equal(minor(own.total), before - 350);
  await pay(shop, own);
  const outcome = await shop.store.cart.complete(own.id);
  assert.equal(outcome.type, "order", JSON.stringify(outcome.error));
  const { transactions } = await admin.client.fetch(`/admin/store-credit-accounts/${credit.id}/transactions`);
  assert.deepEqual(transactions.map(({ kind, amount }) => [kind, amount]).sort(), [["CREDIT", 5], ["DEBIT", 3.5]]);
  const { order: lined } = await admin.admin.order.createCreditLine(outcome.order.id, {
    amount: -2, reference: "store-credit", reference_id: credit.id,
  });
  assert.equal(lined.id, outcome.order.id);
  const { store_credit_account: seen } = await admin.client.fetch(`/admin/store-credit-accounts/${credit.id}`);
  assert.equal(minor(seen.balance), 350);
});

const bundled = await step("a bundle is browsed, bought for less than its pieces, and paid", async () => {
  const slots = sellable.slice(0, 2).map((variant, index) =>
    ({ title: `Slot ${index}`, product_id: variant.product_id, default_variant_id: variant.id }));
  const { bundle_product: made } = await admin.client.fetch("/admin/bundle-products", { method: "POST", body: {
    title: "Two of us", handle: `two-${suffix}`, status: "published", pricing: { type: "percent_off", value: 10 }, items: slots,
  } });
  const { bundle_product: seen } = await shop.client.fetch(`/store/bundle-products/${made.handle}`, { query: { region_id: region.id } });
  assert.ok(seen.available_sets > 0 && seen.price.amount < seen.price.original_amount);
  let { cart: own } = await shop.store.cart.create({ region_id: region.id });
  ({ cart: own } = await shop.client.fetch(`/store/carts/${own.id}/line-item-bundles`, { method: "POST", body: { bundle_id: made.id } }));
  assert.equal(minor(own.item_subtotal) - minor(own.discount_subtotal), minor(seen.price.amount));
  ({ cart: own } = await shop.store.cart.transferCart(own.id));
  own = await ship(shop, own);
  await pay(shop, own);
  const outcome = await shop.store.cart.complete(own.id);
  assert.equal(outcome.type, "order", JSON.stringify(outcome.error));
  return outcome.order;
});

await step("a buyer reviews what they bought, and it is shown once it is approved", async () => {
  const product = sellable[0].product_id;
  const { review } = await shop.client.fetch("/store/reviews", { method: "POST", body: {
    product_id: product, rating: 5, content: "Very good.", first_name: "Ada", last_name: "Shopper",
  } });
  assert.equal(review.status, "pending");
  const shown = () => shop.client.fetch(`/store/products/${product}/reviews`);
  assert.equal((await shown()).count, 0);
  await admin.client.fetch(`/admin/reviews/${review.id}/approve`, { method: "POST", body: {} });
  const { reviews: [one], average_rating: average } = await shown();
  assert.deepEqual([one.id, one.last_name, one.is_verified, average], [review.id, "S.", true, 5]);
});

await step("an order grants a membership, which its customer sees", async () => {
  const status = () => shop.client.fetch("/store/membership/status", { query: { order_id: bundled.id } });
  assert.equal((await status()).membership, null);
  await admin.admin.order.update(bundled.id, { metadata: { membership: { plan: "club", credentials: { code: "7Q4T" } } } });
  const { membership } = await status();
  assert.deepEqual([membership.status, membership.plan, membership.credentials.code], ["active", "club", "7Q4T"]);
});

await step("after logging out nothing is theirs", async () => {
  await shop.auth.refresh();
  await shop.auth.logout();
  await refused(401, () => shop.store.customer.retrieve());
});

// ── the administrator ───────────────────────────────────────────────────────────────────────────

await step("an administrator logs in with a password", async () => {
  const person = new Medusa({ baseUrl: url, auth: { type: "jwt", jwtTokenStorageMethod: "memory" } });
  await person.auth.login("user", "emailpass", { email: setting("ADMIN_EMAIL"), password: setting("ADMIN_PASSWORD") });
  const { user } = await person.admin.user.me();
  assert.equal(user.email, setting("ADMIN_EMAIL"));
});

await step("without a credential the administrator's routes are closed", () =>
  refused(401, () => new Medusa({ baseUrl: url }).admin.product.list()));

await step("an administrator makes, changes, lists and deletes a product", async () => {
  const { product } = await admin.admin.product.create({
    title: `Lamp ${suffix}`, status: "published", options: [{ title: "Colour", values: ["Red", "Blue"] }],
    variants: [
      { title: "Red", sku: `LAMP-R-${suffix}`, options: { Colour: "Red" }, prices: [{ currency_code: region.currency_code, amount: 12.99 }], manage_inventory: false },
      { title: "Blue", sku: `LAMP-B-${suffix}`, options: { Colour: "Blue" }, prices: [{ currency_code: region.currency_code, amount: 14.5 }], manage_inventory: false },
    ],
  });
  assert.equal(product.variants.length, 2);
  const { product: changed } = await admin.admin.product.update(product.id, { subtitle: "Warm light" });
  assert.equal(changed.subtitle, "Warm light");
  const { products: found } = await admin.admin.product.list({ q: `Lamp ${suffix}` });
  assert.equal(found.length, 1);
  await refused(404, () => admin.admin.product.retrieve("prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE"));
  const removed = await admin.admin.product.delete(product.id);
  assert.deepEqual([removed.id, removed.object, removed.deleted], [product.id, "product", true]);
  await refused(404, () => admin.admin.product.retrieve(product.id));
});

await step("an administrator finds the order and fulfils it", async () => {
  const { orders } = await admin.admin.order.list({ q: `guest-${suffix}@example.com` });
  assert.equal(orders.length, 1);
  const { order: seen } = await admin.admin.order.retrieve(order.id);
  assert.equal(seen.payment_status, "captured");
  assert.equal(seen.fulfillment_status, "not_fulfilled");
  const items = seen.items.map(({ id, quantity }) => ({ id, quantity }));
  const { order: packed } = await admin.admin.order.createFulfillment(order.id, { items });
  assert.equal(packed.fulfillment_status, "fulfilled");
  const [{ id: fulfillmentId }] = packed.fulfillments;
  const { order: shipped } = await admin.admin.order.createShipment(order.id, fulfillmentId, {
    items, labels: [{ tracking_number: "T1", tracking_url: "", label_url: "" }],
  });
  assert.equal(shipped.fulfillment_status, "shipped");
});

await step("an administrator refunds a part", async () => {
  const { payments } = await admin.admin.payment.list({ payment_collection_id: order.payment_collections?.[0]?.id });
  const { order: seen } = await admin.admin.order.retrieve(order.id, { fields: "+payment_collections.payments.id" });
  const payment = seen.payment_collections[0].payments[0] ?? payments[0];
  const { payment: refunded } = await admin.admin.payment.refund(payment.id, { amount: 1 });
  assert.equal(refunded.refunds.length, 1);
  await refused(400, () => admin.admin.payment.refund(payment.id, { amount: 1_000_000 }));
});

await step("customers, regions, channels, keys and stock are listed", async () => {
  const { customers } = await admin.admin.customer.list({ q: credentials.email });
  assert.equal(customers.length, 1);
  assert.ok((await admin.admin.region.list()).regions.length > 0);
  assert.ok((await admin.admin.salesChannel.list()).sales_channels.length >= 2);
  assert.ok((await admin.admin.apiKey.list()).api_keys.length >= 2);
  assert.ok((await admin.admin.stockLocation.list()).stock_locations.length > 0);
  assert.ok((await admin.admin.inventoryItem.list({ limit: 1 })).count > 0);
  assert.ok((await admin.admin.shippingOption.list()).shipping_options.length > 0);
  assert.ok((await admin.admin.taxRate.list()).tax_rates.length > 0);
});

await step("an administrator makes and removes a customer", async () => {
  const { customer } = await admin.admin.customer.create({ email: `new-${suffix}@example.com`, first_name: "New" });
  const { customer: changed } = await admin.admin.customer.update(customer.id, { last_name: "Person" });
  assert.equal(changed.last_name, "Person");
  const { customer_group: group } = await admin.admin.customerGroup.create({ name: `Trade ${suffix}` });
  await admin.admin.customerGroup.batchCustomers(group.id, { add: [customer.id] });
  const { customer_group: seen } = await admin.admin.customerGroup.retrieve(group.id, { fields: "*customers" });
  assert.deepEqual(seen.customers.map(({ email }) => email), [customer.email]);
  assert.equal((await admin.admin.customerGroup.delete(group.id)).deleted, true);
  assert.equal((await admin.admin.customer.delete(customer.id)).deleted, true);
});

// ── programs ────────────────────────────────────────────────────────────────────────────────────

await step("a program gets tokens by form, JSON and Basic, which end with its client", async () => {
  const path = "/admin/oauth-clients";
  const body = { name: `Reports ${suffix}`, scopes: ["metrics:read"] };
  const { oauth_client: { id, secret } } = await admin.client.fetch(path, { method: "POST", body });
  const token = async (options, own = secret) => {
    const client = new oauth.ClientCredentials({
      client: { id, secret: own },
      auth: { tokenHost: url, tokenPath: "/store/oauth/token" },
      http: { headers: { "x-publishable-api-key": publishableKey } },
      options,
    });
    return (await client.getToken({ scope: "metrics:read" })).token;
  };
  const headers = (own) => ({ headers: { Authorization: `Bearer ${own.access_token}` } });
  const reader = new Medusa({ baseUrl: url });
  const read = (own) => reader.client.fetch("/admin/metrics/catalog", headers(own));
  const ways = [
    { authorizationMethod: "body", bodyFormat: "form" },
    { authorizationMethod: "body", bodyFormat: "json" },
    { authorizationMethod: "header", bodyFormat: "form" },
    { authorizationMethod: "header", bodyFormat: "json" },
  ];
  const tokens = [];
  for (const way of ways) {
    const own = await token(way);
    assert.deepEqual([own.token_type, own.expires_in, own.scope], ["bearer", 3600, "metrics:read"]);
    await read(own);
    tokens.push(own);
  }
  await assert.rejects(() => token(ways[0], "ocs_wrong"), ({ output }) => output.statusCode === 401);
  await admin.client.fetch(`${path}/${id}`, { method: "DELETE" });
  for (const own of tokens) await refused(401, () => read(own));
});

console.log(`1..${steps.length}`);
