-- Metrics: their definitions with history, and the views that formulas read. A view `metric_x` is the source `x` of
-- metrics/store.metrics: its columns bear the names of the fields. Amounts are minor units of `currency_code`.

create table metric (
  seq integer primary key, id text not null unique, key text not null unique, name text not null,
  description text, category text not null, scope text not null,
  formula text not null, data_type text not null, formatting_rules text not null default '{}',
  tags text not null default '[]', org_id text, owner_id text, visibility text not null default 'public',
  is_system integer not null default 0, is_active integer not null default 1, is_locked integer not null default 0,
  state text not null default 'draft' check (state in ('draft', 'active', 'deprecated', 'archived')),
  version integer not null, created_by text, updated_by text,
  created_at integer not null, updated_at integer not null, deleted_at integer
) strict;
create unique index metric_by_name on metric (coalesce(org_id, ''), lower(name));
create index metric_by_creation on metric (created_at);
create index metric_by_category on metric (category, state);

-- Never changed and never removed.
create table metric_version (
  metric_seq integer not null references metric, number integer not null, id text not null unique,
  name text not null, formula text not null, canonical text not null, hash text not null,
  data_type text not null, formatting_rules text not null, body text not null,
  author text, note text, restored_from integer, created_at integer not null,
  primary key (metric_seq, number)
) strict, without rowid;
create trigger metric_version_stays before delete on metric_version
begin select raise(abort, 'versions are never removed'); end;
create trigger metric_version_is_fixed before update on metric_version
begin select raise(abort, 'versions are never changed'); end;

create table metric_example (
  id text primary key, metric_seq integer not null references metric, position integer not null,
  context text not null, expected text not null, created_at integer not null, unique (metric_seq, position)
) strict;

create table placeholder (
  id text primary key, key text not null unique, display_name text not null, description text,
  data_source text not null, source_field text not null, data_type text not null, default_aggregation text,
  category text, created_by text, created_at integer not null, updated_at integer not null
) strict;

-- Another value after every change of a metric or placeholder: what was made of them is known by it.
create table metric_stamp (stamp text not null) strict;
insert into metric_stamp (stamp) values ('');

-- What a variant had in stock at the end of a day, at cost. Days are counted from 1970-01-01.
create table inventory_snapshot (
  day integer not null, variant_id text not null, on_hand integer not null,
  value_minor integer, currency text not null, taken_at integer not null, primary key (day, variant_id)
) strict, without rowid;

create index cart_by_creation on cart (created_at);
create index payment_session_by_creation on payment_session (created_at);
create index fulfillment_by_creation on fulfillment (created_at);
create index credit_entry_by_creation on credit_entry (created_at);

create view metric_orders as
select o.id, o.placed_at as created_at, o.currency as currency_code, o.customer_id,
  o.sales_channel_id, (select name from sales_channel where id = o.sales_channel_id) as sales_channel,
  o.region_id, (select name from region where id = o.region_id) as region, o.country, o.province,
  (select code from order_promotion where order_id = o.id order by code limit 1) as promo_code,
  json_extract(o.metadata, '$.utm_source') as utm_source, json_extract(o.metadata, '$.session_id') as session_id,
  o.status, o.payment_status, o.fulfillment_status,
  o.total_minor + o.credit_line_minor as total, o.item_total_minor - o.item_tax_minor as subtotal,
  o.tax_minor as tax_total, o.discount_subtotal_minor as discount_total,
  o.shipping_total_minor - o.shipping_tax_minor as shipping_total, o.credit_line_minor as credit_total,
  o.cost_minor as cost, o.quantity, o.canceled_at, o.completed_at
from orders o where o.status <> 'draft';

create view metric_items as
select l.id, o.placed_at as created_at, o.currency as currency_code, l.order_id, l.product_id, l.variant_id,
  l.title, l.variant_sku as sku, l.quantity, l.unit_price_minor as unit_price, l.unit_cost_minor as unit_cost,
  l.subtotal_minor as subtotal, l.discount_subtotal_minor as discount, l.tax_minor as tax, l.total_minor as total
from orders o join order_line l on l.order_id = o.id where o.status <> 'draft';

create view metric_refunds as
select t.id, t.created_at, o.currency as currency_code, t.order_id,
  coalesce(t.tax_minor, 0) + coalesce(t.shipping_minor, 0) - t.amount_minor as subtotal,
  -coalesce(t.tax_minor, 0) as tax_amount, -coalesce(t.shipping_minor, 0) as shipping_amount,
  -t.amount_minor as amount
from order_transaction t join orders o on o.id = t.order_id where t.amount_minor < 0 and o.status <> 'draft';

create view metric_payments as
select s.id, s.created_at, s.currency as currency_code, p.order_id, s.provider_id,
  case when p.captured_at is not null then 'captured' when p.canceled_at is not null then 'canceled'
       when s.status = 'error' then 'failed' when s.status = 'pending_authorization' then 'pending'
       else s.status end as status,
  s.amount_minor as amount, null as fee, p.captured_at
from payment_session s left join payment p on p.payment_session_id = s.id;

create view metric_fulfillments as
select f.id, f.created_at, o.currency as currency_code, f.order_id, f.location_id, f.provider_id,
  f.shipped_at, null as promised_at, f.delivered_at, f.canceled_at, null as cost
from fulfillment f join orders o on o.id = f.order_id;

create view metric_carts as
select c.id, c.created_at, c.currency as currency_code, c.customer_id,
  c.sales_channel_id, (select name from sales_channel where id = c.sales_channel_id) as sales_channel,
  c.region_id, (select name from region where id = c.region_id) as region,
  json_extract(c.metadata, '$.session_id') as session_id, c.completed_at
from cart c;

create view metric_customers as
select c.id, c.created_at, c.has_account,
  (select country from customer_address where customer_id = c.id and is_default_shipping = 1) as country,
  (select min(placed_at) from orders where customer_id = c.id and status <> 'draft') as first_order_at
from customer c;

create view metric_products as
select p.id, p.title, p.status, (select title from product_collection where id = p.collection_id) as collection,
  (select value from product_type where id = p.type_id) as product_type,
  (select k.name from product_category_product m join product_category k on k.id = m.product_category_id
    where m.product_id = p.id order by k.name limit 1) as category, p.created_at
from product p;

create view metric_variants as
select v.id, v.product_id, v.title, v.sku, v.created_at from product_variant v;

create view metric_inventory as
select day, currency as currency_code, variant_id, on_hand, value_minor as value from inventory_snapshot;

create view metric_promotions as
select p.order_id || '/' || p.promotion_id as id, o.placed_at as created_at, o.currency as currency_code, p.order_id,
  p.promotion_id, p.campaign_id, p.code, p.amount_minor as amount
from orders o join order_promotion p on p.order_id = o.id where o.status <> 'draft';

create view metric_tax_lines as
select t.order_id || '/' || t.line_id || '/' || t.position as id, o.placed_at as created_at,
  o.currency as currency_code, t.order_id, t.country, t.province, t.name, t.code, t.rate_ppm as rate, t.amount_minor as amount
from orders o join order_line_tax t on t.order_id = o.id where o.status <> 'draft'
union all
select t.order_id || '/' || t.method_id || '/' || t.position, o.placed_at,
  o.currency, t.order_id, t.country, t.province, t.name, t.code, t.rate_ppm, t.amount_minor
from orders o join order_shipping_tax t on t.order_id = o.id where o.status <> 'draft';

create view metric_store_credit as
select e.id, e.created_at, a.currency as currency_code, a.customer_id, e.kind, e.amount_minor as amount
from credit_entry e join credit_account a on a.id = e.account_id;

-- Sources that nothing fills yet: they have no rows, and metrics over them say so.
create view metric_sessions as
select null as id, null as started_at, null as device, null as sales_channel, null as country, null as utm_source where 0;

create view metric_events as
select null as id, null as created_at, null as name, null as session_id, null as product_id where 0;

create view metric_marketing as
select null as id, null as day, null as currency_code, null as utm_source, null as spend, null as clicks,
  null as impressions where 0;

create view metric_subscriptions as
select null as id, null as currency_code, null as customer_id, null as mrr, null as started_at, null as ended_at where 0;

create view metric_mrr_movements as
select null as id, null as occurred_at, null as currency_code, null as subscription_id, null as kind,
  null as amount where 0;

create view metric_receivables as
select null as day, null as currency_code, null as customer_id, null as balance where 0;

-- Reports that people made, as they were answered.
create table metric_report (
  id text primary key, name text, question text not null, result text not null, row_count integer not null,
  created_by text not null, created_at integer not null
) strict;
create index metric_report_by_creation on metric_report (created_at);
