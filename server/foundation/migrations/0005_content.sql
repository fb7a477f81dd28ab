-- Content of storefronts: sites, banners, pages, bundles and settings.

create table site (
  id text primary key, handle text not null, domain text not null, name text not null,
  sales_channel_id text not null references sales_channel, region_id text references region,
  locale text, currency text, is_primary integer not null, is_enabled integer not null,
  redirect_to text, seo text, created_at integer not null, updated_at integer not null
) strict;
create unique index site_by_handle on site (handle);
create unique index site_by_domain on site (domain);
create unique index site_by_primary on site (sales_channel_id) where is_primary;

-- The id is that of the sales channel.
create table storefront_setting (
  id text primary key references sales_channel, analytics text not null, custom text not null,
  created_at integer not null, updated_at integer not null
) strict;

create table banner (
  id text primary key, site_id text references site on delete cascade, placement text not null, locale text,
  title text not null, body text, image_url text, mobile_image_url text, image_alt text, link_url text,
  link_label text, priority integer not null, starts_at integer, ends_at integer,
  campaign_id text references campaign, audience text not null, customer_group_ids text not null,
  is_dismissible integer not null, is_enabled integer not null, metadata text,
  created_at integer not null, updated_at integer not null
) strict;
create index banner_by_site on banner (site_id, placement);

-- Customers are in the highest tier whose condition holds for their orders.
create table membership_tier (
  id text primary key, name text not null unique, rank integer not null unique, condition text not null,
  currency text not null, created_at integer not null, updated_at integer not null
) strict;

-- A page has versions; the published one is shown, the last one is its draft.
create table content_page (
  id text primary key, site_id text references site on delete cascade, slug text not null, locale text,
  version integer not null, published_version integer, published_at integer,
  publish_at integer, unpublish_at integer, metadata text,
  created_at integer not null, updated_at integer not null
) strict;
create unique index content_page_by_place on content_page (coalesce(site_id, ''), slug, coalesce(locale, ''));
create index content_page_by_creation on content_page (created_at);
create index content_page_by_slug on content_page (site_id, slug);

create table content_page_version (
  page_id text not null references content_page on delete cascade, version integer not null,
  content text not null, created_by text not null, created_at integer not null,
  primary key (page_id, version)
) strict, without rowid;

-- Tokens that show the draft of one page.
create table content_preview (
  hash blob primary key, page_id text not null references content_page on delete cascade,
  created_at integer not null, expires_at integer not null
) strict, without rowid;
create index content_preview_by_page on content_preview (page_id);
create index content_preview_by_expiry on content_preview (expires_at);

-- What is sold together at a price of its own; the pieces stay lines with their variants.
create table bundle_product (
  id text primary key, title text not null, handle text not null, description text,
  product_id text references product, status text not null, pricing_type text not null, percent_ppm integer,
  amounts text not null, sales_channel_ids text not null, metadata text,
  created_at integer not null, updated_at integer not null
) strict;
create unique index bundle_product_by_handle on bundle_product (handle);
create unique index bundle_product_by_product on bundle_product (product_id);

create table bundle_slot (
  id text primary key, bundle_id text not null references bundle_product on delete cascade, position integer not null,
  title text not null, product_id text not null references product, quantity integer not null,
  is_optional integer not null, default_variant_id text references product_variant
) strict;
create index bundle_product_by_creation on bundle_product (created_at);
create index bundle_slot_by_bundle on bundle_slot (bundle_id, position);
create index bundle_slot_by_product on bundle_slot (product_id);

alter table cart_line add column bundle_product_id text;
alter table cart_line add column bundle_item_id text;
alter table order_line add column bundle_product_id text;

-- The bundles of an order: a row for each instance, as it was when it was ordered. Amounts are without tax.
create table order_bundle (
  order_id text not null references orders on delete cascade, bundle_id text not null,
  bundle_product_id text not null, title text not null, set_count integer not null,
  subtotal_minor integer not null, discount_minor integer not null, primary key (order_id, bundle_id)
) strict, without rowid;

create view metric_bundle_sales as
select sold.order_id || '/' || sold.bundle_id as id, o.placed_at as created_at, +o.currency as currency_code,
  sold.order_id, sold.bundle_product_id, sold.title as bundle, sold.set_count as sets, sold.subtotal_minor as subtotal,
  sold.discount_minor as discount
from orders o join order_bundle sold on sold.order_id = o.id where o.status <> 'draft';

insert into metric_data_version (name, version) values ('order_bundle', 0);
create trigger metric_data_order_bundle_insert after insert on order_bundle begin
  update metric_data_version set version = version + 1 where name = 'order_bundle'; end;
create trigger metric_data_order_bundle_update after update on order_bundle begin
  update metric_data_version set version = version + 1 where name = 'order_bundle'; end;
create trigger metric_data_order_bundle_delete after delete on order_bundle begin
  update metric_data_version set version = version + 1 where name = 'order_bundle'; end;

-- Programs that get tokens for themselves, and those tokens, of which only the SHA-256 is stored.
create table oauth_client (
  id text primary key, name text not null, secret_hash blob not null, redacted text not null, scopes text not null,
  is_enabled integer not null, created_by text, created_at integer not null, updated_at integer not null
) strict;

create table oauth_token (
  hash blob primary key, client_id text not null references oauth_client on delete cascade, scopes text not null,
  created_at integer not null, expires_at integer not null
) strict, without rowid;
create index oauth_token_by_client on oauth_token (client_id);
create index oauth_token_by_expiry on oauth_token (expires_at);
