-- The store's data model. Money is whole minor units of the currency beside it; instants are
-- milliseconds since 1970; rates are parts per million (7.25 % is 72500); ids are text with their prefix.
-- Soft-deleted rows have `deleted_at`; columns that lists are ordered by or joins use have an index.

-- The store -------------------------------------------------------------------------------------

create table sales_channel (
  id text primary key, name text not null, description text, is_disabled integer not null default 0,
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;

create table region (
  id text primary key, name text not null, currency text not null,
  automatic_taxes integer not null default 1, is_tax_inclusive integer not null default 0,
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;

create table region_country (
  country text primary key, region_id text not null references region on delete cascade
) strict, without rowid;
create index region_country_by_region on region_country (region_id);

create table region_payment_provider (
  region_id text not null references region on delete cascade, provider_id text not null,
  primary key (region_id, provider_id)
) strict, without rowid;

create table stock_location (
  id text primary key, name text not null,
  address_1 text, address_2 text, city text, province text, postal_code text, country text,
  company text, phone text,
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;

create table stock_location_sales_channel (
  stock_location_id text not null references stock_location on delete cascade,
  sales_channel_id text not null references sales_channel on delete cascade,
  primary key (sales_channel_id, stock_location_id)
) strict, without rowid;
create index stock_location_channels on stock_location_sales_channel (stock_location_id);

create table stock_location_fulfillment_provider (
  stock_location_id text not null references stock_location on delete cascade, provider_id text not null,
  primary key (stock_location_id, provider_id)
) strict, without rowid;

create table store (
  id text primary key, name text not null, default_currency text not null,
  default_sales_channel_id text references sales_channel, default_region_id text references region,
  default_location_id text references stock_location, time_zone text not null default 'UTC',
  metadata text, created_at integer not null, updated_at integer not null
) strict;

create table store_currency (
  currency text primary key, is_default integer not null default 0, created_at integer not null
) strict, without rowid;

-- Users and credentials -------------------------------------------------------------------------

create table user (
  id text primary key, email text not null, first_name text, last_name text, avatar_url text,
  role text not null check (role in ('admin', 'analyst', 'viewer')),
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;
create unique index user_by_email on user (email) where deleted_at is null;

create table invite (
  id text primary key, email text not null, role text not null, token_hash blob not null unique,
  -- Of the token in the e-mail, which differs from the one in the response.
  mail_token_hash blob unique,
  accepted_at integer, expires_at integer not null,
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;
create unique index invite_by_email on invite (email) where deleted_at is null and accepted_at is null;

-- An e-mail address with its password, for one type of actor, which is linked later.
create table identity (
  id text primary key, actor_type text not null check (actor_type in ('user', 'customer')),
  email text not null, password_hash text not null, actor_id text,
  created_at integer not null, updated_at integer not null,
  unique (actor_type, email)
) strict;
create index identity_by_actor on identity (actor_id);

-- The addresses from which an identity has logged in: when somebody else fails to log in again and again, they still may.
create table login_address (
  identity_id text not null references identity on delete cascade, address text not null, seen_at integer not null,
  primary key (identity_id, address)
) strict, without rowid;

-- Only the SHA-256 of tokens is stored. `kind`: access (bearer), session (cookie), reset (password).
create table token (
  hash blob primary key, kind text not null check (kind in ('access', 'session', 'reset', 'partner')),
  actor_type text not null, actor_id text, identity_id text references identity on delete cascade,
  created_at integer not null, expires_at integer not null
) strict, without rowid;
create index token_by_identity on token (identity_id);
create index token_by_expiry on token (expires_at);

create table api_key (
  id text primary key, type text not null check (type in ('publishable', 'secret')),
  title text not null, token_hash blob not null unique, token text, redacted text not null,
  created_by text, last_used_at integer, revoked_by text, revoked_at integer,
  created_at integer not null, updated_at integer not null, deleted_at integer
) strict;

create table api_key_sales_channel (
  api_key_id text not null references api_key on delete cascade,
  sales_channel_id text not null references sales_channel on delete cascade,
  primary key (api_key_id, sales_channel_id)
) strict, without rowid;

create table idempotency_key (
  principal text not null, key text not null, method text not null, path text not null,
  body_sha256 blob not null, state text not null check (state in ('running', 'committed', 'lost', 'done')),
  status integer, content_type text, body blob, created_at integer not null,
  primary key (principal, key)
) strict, without rowid;
create index idempotency_key_by_age on idempotency_key (created_at);

-- Customers -------------------------------------------------------------------------------------

-- `number` represents the customer in large sets.
create table customer (
  number integer primary key, id text not null unique, email text not null, first_name text, last_name text, company_name text,
  phone text, has_account integer not null default 0, created_by text,
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;
create unique index customer_by_email on customer (email, has_account) where deleted_at is null;
create index customer_by_creation on customer (created_at);

create table customer_address (
  id text primary key, customer_id text not null references customer (id) on delete cascade,
  address_name text, is_default_shipping integer not null default 0, is_default_billing integer not null default 0,
  company text, first_name text, last_name text, address_1 text, address_2 text, city text,
  country text, province text, postal_code text, phone text,
  metadata text, created_at integer not null, updated_at integer not null
) strict;
create index customer_address_by_customer on customer_address (customer_id);
create unique index customer_address_default_shipping on customer_address (customer_id) where is_default_shipping = 1;
create unique index customer_address_default_billing on customer_address (customer_id) where is_default_billing = 1;

create table customer_group (
  id text primary key, name text not null, created_by text,
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;
create unique index customer_group_by_name on customer_group (name) where deleted_at is null;

create table customer_group_member (
  customer_group_id text not null references customer_group on delete cascade,
  customer_id text not null references customer (id) on delete cascade,
  primary key (customer_id, customer_group_id)
) strict, without rowid;
create index customer_group_members on customer_group_member (customer_group_id);

create table customer_note (
  id text primary key, customer_id text not null references customer (id) on delete cascade, note text not null,
  created_by text not null, created_at integer not null, updated_at integer not null
) strict;
create index customer_note_by_customer on customer_note (customer_id, created_at);
create index customer_note_by_author on customer_note (created_by, created_at);
create index customer_note_by_creation on customer_note (created_at);
create index customer_note_by_update on customer_note (updated_at);

-- Catalog ---------------------------------------------------------------------------------------

create table shipping_profile (
  id text primary key, name text not null, type text not null default 'default',
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;

create table product_type (
  id text primary key, value text not null,
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;
create unique index product_type_by_value on product_type (value) where deleted_at is null;

create table product_tag (
  id text primary key, value text not null,
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;
create unique index product_tag_by_value on product_tag (value) where deleted_at is null;

create table product_collection (
  id text primary key, title text not null, handle text not null, external_id text,
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;
create unique index product_collection_by_handle on product_collection (handle) where deleted_at is null;

create table product_category (
  id text primary key, name text not null, handle text not null, description text not null default '',
  is_active integer not null default 0, is_internal integer not null default 0, rank integer not null default 0,
  parent_category_id text references product_category, external_id text,
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;
create unique index product_category_by_handle on product_category (handle) where deleted_at is null;
create index product_category_by_parent on product_category (parent_category_id, rank);

create table product (
  id text primary key, title text not null, handle text not null, subtitle text, description text,
  status text not null default 'draft' check (status in ('draft', 'proposed', 'published', 'rejected')),
  thumbnail text, is_giftcard integer not null default 0, discountable integer not null default 1,
  collection_id text references product_collection, type_id text references product_type,
  shipping_profile_id text references shipping_profile, external_id text,
  weight integer, length integer, height integer, width integer,
  hs_code text, origin_country text, mid_code text, material text,
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;
create unique index product_by_handle on product (handle) where deleted_at is null;
create index product_by_collection on product (collection_id);
create index product_by_type on product (type_id);
create index product_by_creation on product (created_at);
create index product_by_title on product (title);

create table product_option (
  id text primary key, product_id text not null references product on delete cascade, title text not null,
  rank integer not null default 0, metadata text, created_at integer not null, updated_at integer not null,
  unique (product_id, title)
) strict;
create index product_option_by_creation on product_option (created_at);
create index product_option_by_update on product_option (updated_at);

create table product_option_value (
  id text primary key, option_id text not null references product_option on delete cascade, value text not null,
  rank integer not null default 0, metadata text, created_at integer not null, updated_at integer not null,
  unique (option_id, value)
) strict;

create table product_variant (
  id text primary key, product_id text not null references product on delete cascade, title text not null,
  sku text, barcode text, ean text, upc text,
  allow_backorder integer not null default 0, manage_inventory integer not null default 1,
  variant_rank integer not null default 0, thumbnail text, price_set_id text not null unique,
  weight integer, length integer, height integer, width integer,
  hs_code text, origin_country text, mid_code text, material text,
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;
create index product_variant_by_product on product_variant (product_id, variant_rank);
create index product_variant_by_rank on product_variant (variant_rank, id) where deleted_at is null;
create unique index product_variant_by_sku on product_variant (sku) where deleted_at is null;
create unique index product_variant_by_barcode on product_variant (barcode) where deleted_at is null;
create unique index product_variant_by_ean on product_variant (ean) where deleted_at is null;
create unique index product_variant_by_upc on product_variant (upc) where deleted_at is null;

create table product_variant_option (
  variant_id text not null references product_variant on delete cascade,
  option_value_id text not null references product_option_value on delete cascade,
  primary key (variant_id, option_value_id)
) strict, without rowid;
create index product_variant_option_by_value on product_variant_option (option_value_id);

create table product_image (
  id text primary key, product_id text not null references product on delete cascade, url text not null,
  rank integer not null default 0, metadata text, created_at integer not null, updated_at integer not null
) strict;
create index product_image_by_product on product_image (product_id, rank);

create table product_category_product (
  product_category_id text not null references product_category on delete cascade,
  product_id text not null references product on delete cascade,
  primary key (product_category_id, product_id)
) strict, without rowid;
create index product_categories on product_category_product (product_id);

create table product_tag_product (
  product_tag_id text not null references product_tag on delete cascade,
  product_id text not null references product on delete cascade,
  primary key (product_tag_id, product_id)
) strict, without rowid;
create index product_tags on product_tag_product (product_id);

create table product_sales_channel (
  sales_channel_id text not null references sales_channel on delete cascade,
  product_id text not null references product on delete cascade,
  primary key (sales_channel_id, product_id)
) strict, without rowid;
create index product_channels on product_sales_channel (product_id);

-- One row: a number that every change of the products in lists raises, so that their total need not be counted for each
-- page.
create table catalog_version (version integer not null) strict;
insert into catalog_version (version) values (1);
create trigger catalog_product_added after insert on product
begin update catalog_version set version = version + 1; end;
create trigger catalog_product_changed after update on product
begin update catalog_version set version = version + 1; end;
create trigger catalog_variant_added after insert on product_variant
begin update catalog_version set version = version + 1; end;
create trigger catalog_variant_changed after update on product_variant
begin update catalog_version set version = version + 1; end;
create trigger catalog_channel_added after insert on product_sales_channel
begin update catalog_version set version = version + 1; end;
create trigger catalog_channel_removed after delete on product_sales_channel
begin update catalog_version set version = version + 1; end;
create trigger catalog_category_added after insert on product_category_product
begin update catalog_version set version = version + 1; end;
create trigger catalog_category_removed after delete on product_category_product
begin update catalog_version set version = version + 1; end;
create trigger catalog_tag_added after insert on product_tag_product
begin update catalog_version set version = version + 1; end;
create trigger catalog_tag_removed after delete on product_tag_product
begin update catalog_version set version = version + 1; end;

-- Prices ----------------------------------------------------------------------------------------

create table price_list (
  id text primary key, title text not null, description text not null default '',
  status text not null default 'draft' check (status in ('draft', 'active')),
  type text not null default 'sale' check (type in ('sale', 'override')),
  starts_at integer, ends_at integer,
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;

-- `values_json` is an array of texts, any of which matches.
create table price_list_rule (
  price_list_id text not null references price_list on delete cascade, attribute text not null,
  values_json text not null, primary key (price_list_id, attribute)
) strict, without rowid;

-- One price of a variant or a shipping option, which both own a `price_set_id`.
create table price (
  id text primary key, price_set_id text not null, currency text not null,
  amount_minor integer not null check (amount_minor >= 0),
  min_quantity integer, max_quantity integer, price_list_id text references price_list on delete cascade,
  title text, created_at integer not null, updated_at integer not null
) strict;
create index price_by_set on price (price_set_id);
create index price_by_list on price (price_list_id) where price_list_id is not null;

-- `attribute`: region_id, customer.groups.id, item_total; `operator`: eq gt gte lt lte.
create table price_rule (
  price_id text not null references price on delete cascade, attribute text not null,
  operator text not null default 'eq', value text not null, primary key (price_id, attribute, operator)
) strict, without rowid;

create table price_preference (
  id text primary key, attribute text not null check (attribute in ('currency_code', 'region_id')),
  value text not null, is_tax_inclusive integer not null,
  created_at integer not null, updated_at integer not null, unique (attribute, value)
) strict;

-- The cost of a variant from an instant on, with its history.
create table unit_cost (
  variant_id text not null references product_variant on delete cascade, currency text not null,
  valid_from integer not null, amount_minor integer not null check (amount_minor >= 0), created_by text,
  created_at integer not null, primary key (variant_id, currency, valid_from)
) strict, without rowid;

-- Stock -----------------------------------------------------------------------------------------

create table inventory_item (
  id text primary key, sku text, title text, description text, thumbnail text,
  requires_shipping integer not null default 1,
  weight integer, length integer, height integer, width integer,
  hs_code text, origin_country text, mid_code text, material text,
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;
create unique index inventory_item_by_sku on inventory_item (sku) where deleted_at is null;

create table product_variant_inventory_item (
  variant_id text not null references product_variant on delete cascade,
  inventory_item_id text not null references inventory_item on delete cascade,
  required_quantity integer not null default 1 check (required_quantity > 0),
  primary key (variant_id, inventory_item_id)
) strict, without rowid;
create index variants_of_inventory_item on product_variant_inventory_item (inventory_item_id);

create table inventory_level (
  id text primary key, inventory_item_id text not null references inventory_item on delete cascade,
  location_id text not null references stock_location on delete cascade,
  stocked_quantity integer not null default 0 check (stocked_quantity >= 0), reserved_quantity integer not null default 0 check (reserved_quantity >= 0),
  incoming_quantity integer not null default 0 check (incoming_quantity >= 0),
  metadata text, created_at integer not null, updated_at integer not null,
  unique (inventory_item_id, location_id)
) strict;
create index inventory_level_by_location on inventory_level (location_id);

-- Each change of a level's stock, to compute the stock of any day.
create table inventory_movement (
  seq integer primary key, inventory_item_id text not null, location_id text not null,
  change_quantity integer not null, stocked_after integer not null, reason text not null, reference_id text,
  created_at integer not null
) strict;
create index inventory_movement_by_item on inventory_movement (inventory_item_id, location_id, created_at);

-- `required_quantity`: units of the item in one unit of the line. A row of shipped units keeps its quantity and has
-- `deleted_at`, so that cancelling the shipment can restore it.
create table reservation (
  id text primary key, inventory_item_id text not null references inventory_item,
  location_id text not null references stock_location, line_item_id text, order_id text,
  quantity integer not null check (quantity > 0), required_quantity integer not null default 1 check (required_quantity > 0),
  allow_backorder integer not null default 0, description text, external_id text, created_by text,
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;
create index reservation_by_line on reservation (line_item_id);
create index reservation_by_order on reservation (order_id);
create index reservation_by_item on reservation (inventory_item_id, location_id, allow_backorder, quantity)
  where deleted_at is null;
create index reservation_by_creation on reservation (created_at) where deleted_at is null;

-- Promotions ------------------------------------------------------------------------------------

create table campaign (
  id text primary key, name text not null, description text, campaign_identifier text not null,
  starts_at integer, ends_at integer,
  budget_type text check (budget_type in ('spend', 'usage')), budget_currency text,
  budget_limit integer, budget_used integer not null default 0,
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;
create unique index campaign_by_identifier on campaign (campaign_identifier) where deleted_at is null;

-- The application method is part of its promotion; `value_text` is a decimal: a percentage, or major
-- units of `value_currency`.
create table promotion (
  id text primary key, code text not null, type text not null check (type in ('standard', 'buyget')),
  status text not null default 'draft' check (status in ('draft', 'active', 'inactive')),
  is_automatic integer not null default 0, is_tax_inclusive integer not null default 0,
  limit_count integer, used_count integer not null default 0, campaign_id text references campaign,
  application_method_id text not null, application_type text not null check (application_type in ('fixed', 'percentage')),
  target_type text not null check (target_type in ('items', 'order', 'shipping_methods')),
  allocation text check (allocation in ('each', 'across', 'once')),
  value_text text not null, value_currency text, max_quantity integer,
  apply_to_quantity integer, buy_rules_min_quantity integer,
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer,
  check (limit_count is null or used_count <= limit_count)
) strict;
create unique index promotion_by_code on promotion (code) where deleted_at is null;
create index promotion_automatic on promotion (is_automatic) where deleted_at is null and status = 'active';
create index promotion_by_campaign on promotion (campaign_id);

-- `kind`: rule (when it applies), target (what it applies to), buy (what must be bought).
create table promotion_rule (
  id text primary key, promotion_id text not null references promotion on delete cascade,
  kind text not null check (kind in ('rule', 'target', 'buy')), attribute text not null,
  operator text not null, values_json text not null, description text
) strict;
create index promotion_rule_by_promotion on promotion_rule (promotion_id);

-- Taxes -----------------------------------------------------------------------------------------

create table tax_region (
  id text primary key, country text not null, province text, parent_id text references tax_region on delete cascade,
  provider_id text, metadata text, created_by text, created_at integer not null, updated_at integer not null
) strict;
create unique index tax_region_by_place on tax_region (country, coalesce(province, ''));
create index tax_region_by_parent on tax_region (parent_id);

create table tax_rate (
  id text primary key, tax_region_id text not null references tax_region on delete cascade,
  rate_ppm integer not null check (rate_ppm between 0 and 10000000), code text not null, name text not null,
  is_default integer not null default 0, is_combinable integer not null default 0,
  metadata text, created_by text, created_at integer not null, updated_at integer not null
) strict;
create index tax_rate_by_region on tax_rate (tax_region_id);
create unique index tax_rate_default on tax_rate (tax_region_id) where is_default = 1;

create table tax_rate_rule (
  tax_rate_id text not null references tax_rate on delete cascade,
  reference text not null check (reference in ('product', 'product_type', 'shipping_option')),
  reference_id text not null, primary key (tax_rate_id, reference, reference_id)
) strict, without rowid;

-- Shipping --------------------------------------------------------------------------------------

create table fulfillment_set (
  id text primary key, name text not null, type text not null,
  location_id text references stock_location on delete cascade,
  metadata text, created_at integer not null, updated_at integer not null
) strict;
create index fulfillment_set_by_location on fulfillment_set (location_id);

create table service_zone (
  id text primary key, name text not null,
  fulfillment_set_id text not null references fulfillment_set on delete cascade,
  metadata text, created_at integer not null, updated_at integer not null
) strict;
create index service_zone_by_set on service_zone (fulfillment_set_id);

create table geo_zone (
  id text primary key, service_zone_id text not null references service_zone on delete cascade,
  type text not null check (type in ('country', 'province', 'city', 'zip')),
  country text not null, province text, city text, postal_expression text,
  metadata text, created_at integer not null, updated_at integer not null
) strict;
create index geo_zone_by_zone on geo_zone (service_zone_id);
create index geo_zone_by_country on geo_zone (country);

create table shipping_option_type (
  id text primary key, label text not null, description text, code text not null,
  created_at integer not null, updated_at integer not null
) strict;

create table shipping_option (
  id text primary key, name text not null, price_type text not null check (price_type in ('flat', 'calculated')),
  service_zone_id text not null references service_zone on delete cascade,
  shipping_profile_id text references shipping_profile, provider_id text not null,
  type_id text references shipping_option_type, price_set_id text not null unique, data text,
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;
create index shipping_option_by_zone on shipping_option (service_zone_id);

create table shipping_option_rule (
  id text primary key, shipping_option_id text not null references shipping_option on delete cascade,
  attribute text not null, operator text not null, values_json text not null
) strict;
create index shipping_option_rule_by_option on shipping_option_rule (shipping_option_id);

-- Carts -----------------------------------------------------------------------------------------

-- Addresses, tax lines and adjustments of a cart are JSON: they are read and written only with
-- their cart.
create table cart (
  id text primary key, region_id text references region, sales_channel_id text references sales_channel,
  customer_id text references customer (id), currency text not null, email text, locale text,
  shipping_address text, billing_address text, promo_codes text not null default '[]',
  completed_at integer, metadata text, created_at integer not null, updated_at integer not null
) strict;
create index cart_by_customer on cart (customer_id);
create index cart_by_update on cart (updated_at);

create table cart_line (
  cart_id text not null references cart on delete cascade, id text not null,
  position integer not null, variant_id text references product_variant, product_id text references product,
  title text not null, subtitle text, thumbnail text, quantity integer not null check (quantity > 0),
  unit_price_minor integer not null, compare_at_unit_price_minor integer,
  is_custom_price integer not null default 0, is_tax_inclusive integer not null default 0,
  is_discountable integer not null default 1, is_giftcard integer not null default 0,
  requires_shipping integer not null default 1, bundle_id text,
  product_title text, product_description text, product_subtitle text, product_handle text,
  product_type text, product_type_id text, product_collection text,
  variant_title text, variant_sku text, variant_barcode text,
  tax_lines text not null default '[]', adjustments text not null default '[]',
  metadata text, created_at integer not null, updated_at integer not null,
  primary key (cart_id, id)
) strict, without rowid;

create table cart_shipping_method (
  cart_id text not null references cart on delete cascade, id text not null,
  shipping_option_id text references shipping_option, shipping_profile_id text, name text not null,
  amount_minor integer not null, is_tax_inclusive integer not null default 0, data text,
  tax_lines text not null default '[]', adjustments text not null default '[]',
  metadata text, created_at integer not null, updated_at integer not null,
  primary key (cart_id, id)
) strict, without rowid;

create table cart_credit_line (
  cart_id text not null references cart on delete cascade, id text not null,
  amount_minor integer not null check (amount_minor > 0), reference text not null, reference_id text not null,
  metadata text, created_at integer not null, updated_at integer not null,
  primary key (cart_id, id)
) strict, without rowid;

-- Payments --------------------------------------------------------------------------------------

create table account_holder (
  id text primary key, customer_id text not null references customer (id), provider_id text not null,
  external_id text not null, email text, data text,
  metadata text, created_at integer not null, updated_at integer not null,
  unique (customer_id, provider_id)
) strict;

-- `reference` is the provider's id, `card` its brand, last digits and expiry; numbers of cards are never stored.
create table payment_method (
  id text primary key, account_holder_id text not null references account_holder, provider_id text not null,
  reference text not null, card text, fingerprint text, is_default integer not null default 0,
  created_at integer not null, updated_at integer not null, deleted_at integer
) strict;
create unique index payment_method_by_reference on payment_method (account_holder_id, reference) where deleted_at is null;
create index payment_method_of_provider on payment_method (reference) where deleted_at is null;
create unique index payment_method_default on payment_method (account_holder_id)
  where is_default = 1 and deleted_at is null;

create table payment_collection (
  id text primary key, cart_id text unique references cart, order_id text, currency text not null,
  amount_minor integer not null check (amount_minor >= 0),
  authorized_minor integer not null default 0, captured_minor integer not null default 0,
  refunded_minor integer not null default 0,
  status text not null default 'not_paid', completed_at integer,
  metadata text, created_at integer not null, updated_at integer not null,
  check (refunded_minor <= captured_minor)
) strict;
create index payment_collection_by_order on payment_collection (order_id);

create table payment_session (
  id text primary key, payment_collection_id text not null references payment_collection on delete cascade,
  provider_id text not null, currency text not null, amount_minor integer not null,
  status text not null default 'pending', data text not null default '{}', context text not null default '{}',
  authorized_at integer, metadata text, created_at integer not null, updated_at integer not null,
  -- When the total changed that it was started for; it may be taken up again with the new total for an hour.
  parked_at integer
) strict;
create index payment_session_parked on payment_session (parked_at) where parked_at is not null;
create index payment_session_by_collection on payment_session (payment_collection_id);
-- The provider's own id of the payment, by which it reports it.
create index payment_session_by_provider on payment_session (data ->> 'id');

-- An attempt to pay with a token that the shopper's browser created.
create table payment_confirmation (
  id text primary key, cart_id text not null references cart on delete cascade, payment_session_id text not null,
  token_digest blob not null, provider_id text not null, currency text not null, amount_minor integer not null,
  status text not null check (status in ('pending', 'succeeded', 'requires_capture', 'requires_action', 'failed')),
  refusal_code text, created_at integer not null, updated_at integer not null,
  unique (cart_id, token_digest)
) strict;
create index payment_confirmation_by_creation on payment_confirmation (created_at);

create table payment (
  id text primary key, payment_collection_id text not null references payment_collection,
  payment_session_id text not null unique, order_id text, provider_id text not null, currency text not null,
  amount_minor integer not null check (amount_minor > 0), data text not null default '{}',
  captured_at integer, canceled_at integer,
  metadata text, created_at integer not null, updated_at integer not null
) strict;
create index payment_by_collection on payment (payment_collection_id);
create index payment_by_order on payment (order_id);
create index payment_by_creation on payment (created_at);

create table capture (
  id text primary key, payment_id text not null references payment, amount_minor integer not null check (amount_minor > 0),
  created_by text, metadata text, created_at integer not null
) strict;
create index capture_by_payment on capture (payment_id);

create table refund_reason (
  id text primary key, label text not null, code text not null, description text,
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;
create unique index refund_reason_by_code on refund_reason (code) where deleted_at is null;

create table refund (
  id text primary key, payment_id text not null references payment, amount_minor integer not null check (amount_minor > 0),
  refund_reason_id text references refund_reason, note text, created_by text,
  metadata text, created_at integer not null
) strict;
create index refund_by_payment on refund (payment_id);
create index refund_by_creation on refund (created_at);

-- Orders ----------------------------------------------------------------------------------------

-- Totals are stored, rounded to the currency per line and per tax line, so that they add up.
-- `placed_at` is when the customer ordered; later changes move `updated_at` alone.
create table orders (
  id text primary key, display_id integer not null unique, cart_id text unique, customer_id text references customer (id),
  email text, region_id text, sales_channel_id text, currency text not null, locale text,
  status text not null default 'pending'
    check (status in ('pending', 'completed', 'draft', 'archived', 'canceled', 'requires_action')),
  payment_status text not null default 'not_paid', fulfillment_status text not null default 'not_fulfilled',
  is_draft_order integer not null default 0, version integer not null default 1,
  -- Whether e-mails about the order are disabled.
  no_notification integer not null default 0,
  item_subtotal_minor integer not null, item_tax_minor integer not null, item_discount_minor integer not null,
  item_total_minor integer not null,
  shipping_subtotal_minor integer not null, shipping_tax_minor integer not null,
  shipping_discount_minor integer not null, shipping_total_minor integer not null,
  subtotal_minor integer not null, discount_subtotal_minor integer not null, discount_tax_minor integer not null,
  tax_minor integer not null, original_total_minor integer not null, original_tax_minor integer not null,
  credit_line_minor integer not null default 0, total_minor integer not null,
  paid_minor integer not null default 0, refunded_minor integer not null default 0,
  cost_minor integer, line_count integer not null, quantity integer not null,
  shipping_address text, billing_address text, country text, province text,
  placed_at integer not null, canceled_at integer, completed_at integer, archived_at integer,
  -- The digest of the token that shows a guest's order.
  token_digest blob,
  metadata text, created_at integer not null, updated_at integer not null,
  check (total_minor = item_total_minor + shipping_total_minor - credit_line_minor)
) strict;
create index orders_by_placement on orders (placed_at);
create index orders_by_update on orders (updated_at);
create index orders_by_channel on orders (sales_channel_id, placed_at);
create index orders_by_customer on orders (customer_id, placed_at);
create index orders_by_email on orders (email);
create index orders_by_region on orders (region_id, placed_at);
create index orders_by_status on orders (status, placed_at);
create index orders_by_payment_status on orders (payment_status, placed_at);
create index orders_by_fulfillment_status on orders (fulfillment_status, placed_at);
-- Draft orders by administrators that nobody has ordered yet; unlike drafts of a checkout they reserve nothing.
create index orders_offered on orders (placed_at) where is_draft_order = 1;
create index orders_paid_unfulfilled on orders (placed_at)
  where payment_status in ('captured', 'partially_refunded')
    and fulfillment_status in ('not_fulfilled', 'partially_fulfilled') and status in ('pending', 'requires_action');

create table order_line (
  order_id text not null references orders on delete cascade, id text not null,
  position integer not null, variant_id text, product_id text,
  title text not null, subtitle text, thumbnail text,
  quantity integer not null, unit_price_minor integer not null, compare_at_unit_price_minor integer,
  unit_cost_minor integer, is_tax_inclusive integer not null default 0, is_discountable integer not null default 1,
  is_giftcard integer not null default 0, requires_shipping integer not null default 1, bundle_id text,
  product_title text, product_description text, product_subtitle text, product_handle text,
  product_type text, product_type_id text, product_collection text,
  variant_title text, variant_sku text, variant_barcode text,
  subtotal_minor integer not null, discount_subtotal_minor integer not null default 0,
  discount_tax_minor integer not null default 0, tax_minor integer not null default 0,
  original_tax_minor integer not null default 0, total_minor integer not null, original_total_minor integer not null,
  fulfilled_quantity integer not null default 0, shipped_quantity integer not null default 0,
  delivered_quantity integer not null default 0, return_requested_quantity integer not null default 0,
  return_received_quantity integer not null default 0, return_dismissed_quantity integer not null default 0,
  written_off_quantity integer not null default 0, refunded_minor integer not null default 0,
  metadata text, created_at integer not null, updated_at integer not null,
  primary key (order_id, id),
  check (total_minor = subtotal_minor - discount_subtotal_minor + tax_minor),
  check (fulfilled_quantity between 0 and quantity or quantity < 0)
) strict, without rowid;
create index order_line_by_product on order_line (product_id, order_id);
create index order_line_by_variant on order_line (variant_id, order_id);

create table order_line_tax (
  order_id text not null references orders on delete cascade, line_id text not null, position integer not null,
  code text, name text not null, rate_ppm integer not null, amount_minor integer not null,
  country text, province text, provider_id text not null default 'system',
  primary key (order_id, line_id, position)
) strict, without rowid;

create table order_line_adjustment (
  order_id text not null references orders on delete cascade, line_id text not null, position integer not null,
  promotion_id text, code text, amount_minor integer not null, is_tax_inclusive integer not null default 0,
  primary key (order_id, line_id, position)
) strict, without rowid;
create index order_line_adjustment_by_promotion on order_line_adjustment (promotion_id, order_id);

create table order_shipping_method (
  order_id text not null references orders on delete cascade, id text not null,
  shipping_option_id text, name text not null, amount_minor integer not null,
  is_tax_inclusive integer not null default 0, data text,
  subtotal_minor integer not null, discount_subtotal_minor integer not null default 0,
  discount_tax_minor integer not null default 0, tax_minor integer not null default 0,
  original_tax_minor integer not null default 0, total_minor integer not null, original_total_minor integer not null,
  metadata text, created_at integer not null, updated_at integer not null,
  primary key (order_id, id)
) strict, without rowid;

create table order_shipping_tax (
  order_id text not null references orders on delete cascade, method_id text not null, position integer not null,
  code text, name text not null, rate_ppm integer not null, amount_minor integer not null,
  country text, province text, provider_id text not null default 'system',
  primary key (order_id, method_id, position)
) strict, without rowid;

create table order_shipping_adjustment (
  order_id text not null references orders on delete cascade, method_id text not null, position integer not null,
  promotion_id text, code text, amount_minor integer not null, is_tax_inclusive integer not null default 0,
  primary key (order_id, method_id, position)
) strict, without rowid;
create index order_shipping_adjustment_by_promotion on order_shipping_adjustment (promotion_id, order_id);

-- The discount of each promotion on an order, lines and shipping together.
create table order_promotion (
  order_id text not null references orders on delete cascade, promotion_id text not null, code text not null,
  campaign_id text, amount_minor integer not null, primary key (order_id, promotion_id)
) strict, without rowid;
create index order_promotion_by_promotion on order_promotion (promotion_id, order_id);

create table order_credit_line (
  order_id text not null references orders on delete cascade, id text not null,
  amount_minor integer not null, reference text not null, reference_id text not null,
  metadata text, created_at integer not null, updated_at integer not null,
  primary key (order_id, id)
) strict, without rowid;

-- Captures are positive, refunds negative. `tax_minor` and `shipping_minor` are the parts of a refund for tax (including
-- that of shipping) and for shipping without tax, negative like the amount; the rest is goods.
create table order_transaction (
  id text primary key, order_id text not null references orders on delete cascade, amount_minor integer not null,
  reference text not null, reference_id text not null, tax_minor integer, shipping_minor integer,
  created_at integer not null, unique (reference, reference_id)
) strict;
create index order_transaction_by_order on order_transaction (order_id);
create index order_transaction_refunds on order_transaction (created_at) where amount_minor < 0;
create index order_transaction_by_creation on order_transaction (created_at);

-- Every state change of an order: `aspect` is status, payment, fulfillment or return.
create table order_transition (
  seq integer primary key, order_id text not null references orders on delete cascade,
  aspect text not null, from_state text, to_state text not null, actor_id text, created_at integer not null
) strict;
create index order_transition_by_order on order_transition (order_id);

create table order_change (
  id text primary key, order_id text not null references orders on delete cascade, version integer not null,
  change_type text not null, actions text not null default '[]', created_by text, created_at integer not null
) strict;
create index order_change_by_order on order_change (order_id);

-- One row for each cart whose completion has begun, so that an order is created only once.
create table cart_completion (
  cart_id text primary key references cart, state text not null check (state in ('claimed', 'done')),
  payment_session_id text, order_id text, started_at integer not null, settled_at integer
) strict, without rowid;
create index cart_completion_open on cart_completion (started_at) where state = 'claimed';

-- Fulfillment and returns -----------------------------------------------------------------------

create table fulfillment (
  id text primary key, order_id text not null references orders on delete cascade,
  location_id text references stock_location, provider_id text, shipping_option_id text,
  requires_shipping integer not null default 1, packed_at integer, shipped_at integer, delivered_at integer,
  canceled_at integer, data text, metadata text, created_by text,
  created_at integer not null, updated_at integer not null
) strict;
create index fulfillment_by_order on fulfillment (order_id);
create index fulfillment_by_shipping on fulfillment (shipped_at);

create table fulfillment_line (
  fulfillment_id text not null references fulfillment on delete cascade, line_id text not null,
  quantity integer not null check (quantity > 0), primary key (fulfillment_id, line_id)
) strict, without rowid;

create table fulfillment_label (
  fulfillment_id text not null references fulfillment on delete cascade, position integer not null,
  tracking_number text not null, tracking_url text not null default '', label_url text not null default '',
  primary key (fulfillment_id, position)
) strict, without rowid;
create index fulfillment_label_by_number on fulfillment_label (tracking_number);

create table return_reason (
  id text primary key, value text not null, label text not null, description text,
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;
create unique index return_reason_by_value on return_reason (value) where deleted_at is null;

create table order_return (
  id text primary key, order_id text not null references orders on delete cascade, display_id integer not null unique,
  status text not null check (status in ('open', 'requested', 'partially_received', 'received', 'canceled')),
  location_id text, order_version integer not null default 1, refund_minor integer,
  no_notification integer not null default 0, created_by text,
  requested_at integer, received_at integer, canceled_at integer,
  metadata text, created_at integer not null, updated_at integer not null
) strict;
create index order_return_by_order on order_return (order_id);
create index order_return_by_creation on order_return (created_at);
create index order_return_by_update on order_return (updated_at);
create index order_return_by_status on order_return (status, created_at);

create table order_return_line (
  id text primary key, return_id text not null references order_return on delete cascade, line_id text not null,
  quantity integer not null check (quantity > 0), received_quantity integer not null default 0,
  damaged_quantity integer not null default 0,
  receiving_quantity integer not null default 0, dismissing_quantity integer not null default 0,
  reason_id text references return_reason, note text,
  metadata text, created_at integer not null, updated_at integer not null, unique (return_id, line_id),
  check (received_quantity + damaged_quantity + receiving_quantity + dismissing_quantity <= quantity)
) strict;

-- Store credit ----------------------------------------------------------------------------------

create table credit_account (
  id text primary key, code text not null unique, customer_id text references customer (id), currency text not null,
  credits_minor integer not null default 0, debits_minor integer not null default 0,
  balance_minor integer not null default 0 check (balance_minor >= 0),
  metadata text, created_at integer not null, updated_at integer not null,
  check (balance_minor = credits_minor - debits_minor)
) strict;
create index credit_account_by_creation on credit_account (created_at);
create index credit_account_by_update on credit_account (updated_at);
create unique index credit_account_by_customer on credit_account (customer_id, currency);

create table credit_entry (
  id text primary key, account_id text not null references credit_account,
  kind text not null check (kind in ('CREDIT', 'DEBIT')), amount_minor integer not null check (amount_minor > 0),
  balance_after_minor integer not null check (balance_after_minor >= 0),
  reference text not null, reference_id text not null, note text, actor_id text, metadata text,
  created_at integer not null
) strict;
create index credit_entry_by_account on credit_entry (account_id, created_at);
create index credit_entry_by_reference on credit_entry (reference, reference_id);

create trigger credit_entry_stays before delete on credit_entry
begin select raise(abort, 'ledger entries are never removed'); end;
create trigger credit_entry_is_fixed before update on credit_entry
begin select raise(abort, 'ledger entries are never changed'); end;

-- Events and jobs -------------------------------------------------------------------------------

create table event (
  seq integer primary key, id text not null unique, name text not null, payload text not null,
  created_at integer not null
) strict;
create index event_by_age on event (created_at);

-- The position of each subscriber in the outbox.
create table event_cursor (
  subscriber text primary key, seq integer not null, updated_at integer not null
) strict, without rowid;

create table job (
  seq integer primary key, kind text not null, key text not null, payload text not null default '{}',
  run_at integer not null, attempt_count integer not null default 0, last_error text,
  created_at integer not null, unique (kind, key)
) strict;
create index job_by_time on job (run_at);

-- Webhooks --------------------------------------------------------------------------------------

-- Where events are sent. Secrets are kept as they are, because they sign.
create table webhook_endpoint (
  id text primary key, url text not null, events text not null, description text, is_active integer not null default 1,
  secret text not null, previous_secret text, previous_secret_until integer,
  -- When the first of the failures was that no success has followed.
  failing_since integer, disabled_reason text, created_by text,
  created_at integer not null, updated_at integer not null
) strict;
create index webhook_endpoint_by_creation on webhook_endpoint (created_at);
create index webhook_endpoint_by_update on webhook_endpoint (updated_at);

-- What a receiver was sent, and what an endpoint is sent. `external_id` is the sender's id, or the id of the event. What
-- is not verified has ids apart, so that a forged delivery never takes the place of a real one.
create table webhook_delivery (
  id text primary key, direction text not null check (direction in ('inbound', 'outbound')),
  receiver text, endpoint_id text references webhook_endpoint on delete set null,
  external_id text not null, is_verified integer not null default 0,
  event text, mode text, signature text, body blob, is_cut integer not null default 0, headers text not null default '{}',
  status text not null, attempt_count integer not null default 0, last_error text,
  order_id text, effect text not null default '{}',
  occurred_at integer, received_at integer not null, handled_at integer
) strict;
create unique index webhook_delivery_by_external_id on webhook_delivery (receiver, is_verified, external_id)
  where direction = 'inbound';
create unique index webhook_delivery_of_event on webhook_delivery (endpoint_id, external_id) where direction = 'outbound';
create index webhook_delivery_by_receipt on webhook_delivery (received_at);
create index webhook_delivery_by_direction on webhook_delivery (direction, received_at);
create index webhook_delivery_by_receiver on webhook_delivery (receiver, received_at);
create index webhook_delivery_by_endpoint on webhook_delivery (endpoint_id, received_at);
create index webhook_delivery_by_event on webhook_delivery (event, received_at);
create index webhook_delivery_by_status on webhook_delivery (status, received_at);
create index webhook_delivery_by_signature on webhook_delivery (signature, received_at);
create index webhook_delivery_by_order on webhook_delivery (order_id, received_at);
create index webhook_delivery_by_id_of_sender on webhook_delivery (external_id);

create table webhook_attempt (
  delivery_id text not null references webhook_delivery on delete cascade, number integer not null,
  at integer not null, duration_ms integer, status integer, error text, answer text,
  primary key (delivery_id, number)
) strict, without rowid;

-- What the card processor has reported of a payment session: the join of its events, whatever their order.
create table payment_report (
  session_id text primary key, intent_id text, state text not null,
  received_minor integer not null default 0, refunded_minor integer not null default 0, is_disputed integer not null default 0,
  -- Of the event that decided the state.
  decided_at_s integer not null, event_id text not null, updated_at integer not null
) strict, without rowid;
create index payment_report_by_intent on payment_report (intent_id);

-- What carriers and warehouses have reported of a parcel: the join of their messages, whatever their order.
create table parcel (
  order_id text not null references orders on delete cascade, tracking_number text not null,
  fulfillment_id text references fulfillment on delete set null, carrier text not null default '', tracking_url text not null default '',
  state text not null, shipped_at integer, delivered_at integer, returned_at integer,
  created_at integer not null, updated_at integer not null,
  primary key (order_id, tracking_number)
) strict, without rowid;
create index parcel_by_fulfillment on parcel (fulfillment_id);
create index parcel_by_number on parcel (tracking_number);

-- The e-mails that were sent, by the id in their `Message-ID`, and what the provider has reported of them.
create table sent_mail (
  id text primary key, order_id text, state text not null, state_at integer not null, sent_at integer not null
) strict, without rowid;
