-- Metrics: their definitions with history, and the views that formulas read. A view `metric_x` is the source `x` of
-- metrics/store.metrics: its columns have the names of the fields. Amounts are minor units of `currency_code`.

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

-- Versions are never changed or removed.
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

-- A new value after every change of a metric or placeholder, which identifies whatever is derived from them.
create table metric_stamp (stamp text not null) strict;
insert into metric_stamp (stamp) values ('');

-- The stock of a variant at the end of a day, at cost. Days are counted from 1970-01-01.
create table inventory_snapshot (
  day integer not null, variant_id text not null, on_hand integer not null,
  value_minor integer, currency text not null, taken_at integer not null, primary key (day, variant_id)
) strict, without rowid;
create index inventory_snapshot_by_currency on inventory_snapshot (currency, day);

create index cart_by_creation on cart (created_at);
create index payment_session_by_creation on payment_session (created_at);
create index fulfillment_by_creation on fulfillment (created_at);
create index credit_entry_by_creation on credit_entry (created_at);

-- The plus before a currency prevents an automatic index over all rows of a currency for each query. The id of a visit is cast
-- so that there is one for it: without a type, each order is compared with each visit.
create view metric_orders as
select o.id, o.placed_at as created_at, +o.currency as currency_code, o.customer_id,
  o.sales_channel_id, (select name from sales_channel where id = o.sales_channel_id) as sales_channel,
  o.region_id, (select name from region where id = o.region_id) as region, o.country, o.province,
  (select code from order_promotion where order_id = o.id order by code limit 1) as promo_code,
  json_extract(o.metadata, '$.utm_source') as utm_source, cast(json_extract(o.metadata, '$.session_id') as text) as session_id,
  o.status, o.payment_status, o.fulfillment_status,
  o.total_minor + o.credit_line_minor as total, o.item_total_minor - o.item_tax_minor as subtotal,
  o.tax_minor as tax_total, o.discount_subtotal_minor as discount_total,
  o.shipping_total_minor - o.shipping_tax_minor as shipping_total, o.credit_line_minor as credit_total,
  o.cost_minor as cost, o.quantity, o.canceled_at, o.completed_at
from orders o where o.status <> 'draft';

create view metric_items as
select l.id, o.placed_at as created_at, +o.currency as currency_code, l.order_id, l.product_id, l.variant_id,
  l.title, l.variant_sku as sku, l.quantity, l.unit_price_minor as unit_price, l.unit_cost_minor as unit_cost,
  l.subtotal_minor as subtotal, l.discount_subtotal_minor as discount, l.tax_minor as tax, l.total_minor as total
from orders o join order_line l on l.order_id = o.id where o.status <> 'draft';

create view metric_refunds as
select t.id, t.created_at, +o.currency as currency_code, t.order_id,
  coalesce(t.tax_minor, 0) + coalesce(t.shipping_minor, 0) - t.amount_minor as subtotal,
  -coalesce(t.tax_minor, 0) as tax_amount, -coalesce(t.shipping_minor, 0) as shipping_amount,
  -t.amount_minor as amount
from order_transaction t join orders o on o.id = t.order_id where t.amount_minor < 0 and o.status <> 'draft';

create view metric_payments as
select s.id, s.created_at, +s.currency as currency_code, p.order_id, s.provider_id,
  case when p.captured_at is not null then 'captured' when p.canceled_at is not null then 'canceled'
       when s.status = 'error' then 'failed' when s.status = 'pending_authorization' then 'pending'
       else s.status end as status,
  s.amount_minor as amount, null as fee, p.captured_at
from payment_session s left join payment p on p.payment_session_id = s.id;

create view metric_fulfillments as
select f.id, f.created_at, +o.currency as currency_code, f.order_id, f.location_id, f.provider_id,
  f.shipped_at, null as promised_at, f.delivered_at, f.canceled_at, null as cost
from fulfillment f join orders o on o.id = f.order_id;

create view metric_carts as
select c.id, c.created_at, +c.currency as currency_code, c.customer_id,
  c.sales_channel_id, (select name from sales_channel where id = c.sales_channel_id) as sales_channel,
  c.region_id, (select name from region where id = c.region_id) as region,
  cast(json_extract(c.metadata, '$.session_id') as text) as session_id, c.completed_at
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
select p.order_id || '/' || p.promotion_id as id, o.placed_at as created_at, +o.currency as currency_code, p.order_id,
  p.promotion_id, p.campaign_id, p.code, p.amount_minor as amount
from orders o join order_promotion p on p.order_id = o.id where o.status <> 'draft';

-- Tax of lines and of shipping. Not a `union`, of which SQLite would read every row for each query.
create view metric_tax_lines as
select o.id || '/' || coalesce(l.line_id || '/' || l.position, s.method_id || '/' || s.position) as id,
  o.placed_at as created_at, +o.currency as currency_code, o.id as order_id,
  coalesce(l.country, s.country) as country, coalesce(l.province, s.province) as province,
  coalesce(l.name, s.name) as name, coalesce(l.code, s.code) as code,
  coalesce(l.rate_ppm, s.rate_ppm) as rate, coalesce(l.amount_minor, s.amount_minor) as amount
from orders o cross join (select 1 as is_line union all select 0) k
  left join order_line_tax l on l.order_id = o.id and k.is_line
  left join order_shipping_tax s on s.order_id = o.id and not k.is_line
where o.status <> 'draft' and coalesce(l.order_id, s.order_id) is not null;

create view metric_store_credit as
select e.id, e.created_at, +a.currency as currency_code, e.account_id, a.customer_id, e.kind, e.reference,
  case e.reference
    when 'order_refund' then e.reference_id
    when 'cart' then (select o.id from orders o where o.cart_id = e.reference_id and o.status <> 'draft') end as order_id,
  e.amount_minor as amount, case e.kind when 'CREDIT' then e.amount_minor else -e.amount_minor end as change
from credit_entry e join credit_account a on a.id = e.account_id;

create view metric_webhook_deliveries as
select d.id, d.received_at, d.direction, d.receiver, d.endpoint_id, d.event, d.signature, d.status,
  d.attempt_count as attempts, d.order_id, d.handled_at
from webhook_delivery d;

-- Sources without data yet: they have no rows, and metrics over them report that.
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

-- A version for each table that a source reads, raised with every row written: values computed under a version are valid
-- until it changes. Triggers raise it, so that no program can bypass them; tables whose rows are only added together with
-- their order have no insert trigger, since the order has one.
create table metric_data_version (
  name text primary key, version integer not null, committed_version integer not null default 0
) strict, without rowid;
insert into metric_data_version (name, version) values
  ('orders', 0), ('order_line', 0), ('order_transaction', 0), ('order_promotion', 0), ('order_line_tax', 0),
  ('order_shipping_tax', 0), ('sales_channel', 0), ('region', 0), ('payment_session', 0), ('payment', 0),
  ('fulfillment', 0), ('cart', 0), ('customer', 0), ('customer_address', 0), ('product', 0),
  ('product_collection', 0), ('product_type', 0), ('product_category_product', 0), ('product_category', 0), ('product_variant', 0),
  ('inventory_snapshot', 0), ('credit_entry', 0), ('credit_account', 0),
  ('webhook_delivery', 0);
create trigger metric_data_orders_insert after insert on orders begin
  update metric_data_version set version = version + 1 where name = 'orders'; end;
create trigger metric_data_orders_update after update of customer_id, region_id, sales_channel_id, currency, status,
  payment_status, fulfillment_status, item_total_minor, item_tax_minor, tax_minor, discount_subtotal_minor,
  shipping_total_minor, shipping_tax_minor, credit_line_minor, total_minor, cost_minor, quantity, country, province,
  placed_at, canceled_at, completed_at, metadata on orders begin
  update metric_data_version set version = version + 1 where name = 'orders'; end;
create trigger metric_data_orders_delete after delete on orders begin
  update metric_data_version set version = version + 1 where name = 'orders'; end;
create trigger metric_data_order_line_update after update of product_id, variant_id, title, variant_sku, quantity,
  unit_price_minor, unit_cost_minor, subtotal_minor, discount_subtotal_minor, tax_minor, total_minor on order_line begin
  update metric_data_version set version = version + 1 where name = 'order_line'; end;
create trigger metric_data_order_line_delete after delete on order_line begin
  update metric_data_version set version = version + 1 where name = 'order_line'; end;
create trigger metric_data_order_transaction_insert after insert on order_transaction when new.amount_minor < 0 begin
  update metric_data_version set version = version + 1 where name = 'order_transaction'; end;
create trigger metric_data_order_transaction_update after update on order_transaction begin
  update metric_data_version set version = version + 1 where name = 'order_transaction'; end;
create trigger metric_data_order_transaction_delete after delete on order_transaction begin
  update metric_data_version set version = version + 1 where name = 'order_transaction'; end;
create trigger metric_data_order_promotion_update after update on order_promotion begin
  update metric_data_version set version = version + 1 where name = 'order_promotion'; end;
create trigger metric_data_order_promotion_delete after delete on order_promotion begin
  update metric_data_version set version = version + 1 where name = 'order_promotion'; end;
create trigger metric_data_order_line_tax_update after update on order_line_tax begin
  update metric_data_version set version = version + 1 where name = 'order_line_tax'; end;
create trigger metric_data_order_line_tax_delete after delete on order_line_tax begin
  update metric_data_version set version = version + 1 where name = 'order_line_tax'; end;
create trigger metric_data_order_shipping_tax_update after update on order_shipping_tax begin
  update metric_data_version set version = version + 1 where name = 'order_shipping_tax'; end;
create trigger metric_data_order_shipping_tax_delete after delete on order_shipping_tax begin
  update metric_data_version set version = version + 1 where name = 'order_shipping_tax'; end;
create trigger metric_data_sales_channel_insert after insert on sales_channel begin
  update metric_data_version set version = version + 1 where name = 'sales_channel'; end;
create trigger metric_data_sales_channel_update after update on sales_channel begin
  update metric_data_version set version = version + 1 where name = 'sales_channel'; end;
create trigger metric_data_sales_channel_delete after delete on sales_channel begin
  update metric_data_version set version = version + 1 where name = 'sales_channel'; end;
create trigger metric_data_region_insert after insert on region begin
  update metric_data_version set version = version + 1 where name = 'region'; end;
create trigger metric_data_region_update after update on region begin
  update metric_data_version set version = version + 1 where name = 'region'; end;
create trigger metric_data_region_delete after delete on region begin
  update metric_data_version set version = version + 1 where name = 'region'; end;
create trigger metric_data_payment_session_insert after insert on payment_session begin
  update metric_data_version set version = version + 1 where name = 'payment_session'; end;
create trigger metric_data_payment_session_update after update on payment_session begin
  update metric_data_version set version = version + 1 where name = 'payment_session'; end;
create trigger metric_data_payment_session_delete after delete on payment_session begin
  update metric_data_version set version = version + 1 where name = 'payment_session'; end;
create trigger metric_data_payment_insert after insert on payment begin
  update metric_data_version set version = version + 1 where name = 'payment'; end;
create trigger metric_data_payment_update after update on payment begin
  update metric_data_version set version = version + 1 where name = 'payment'; end;
create trigger metric_data_payment_delete after delete on payment begin
  update metric_data_version set version = version + 1 where name = 'payment'; end;
create trigger metric_data_fulfillment_insert after insert on fulfillment begin
  update metric_data_version set version = version + 1 where name = 'fulfillment'; end;
create trigger metric_data_fulfillment_update after update on fulfillment begin
  update metric_data_version set version = version + 1 where name = 'fulfillment'; end;
create trigger metric_data_fulfillment_delete after delete on fulfillment begin
  update metric_data_version set version = version + 1 where name = 'fulfillment'; end;
create trigger metric_data_cart_insert after insert on cart begin
  update metric_data_version set version = version + 1 where name = 'cart'; end;
create trigger metric_data_cart_update after update on cart begin
  update metric_data_version set version = version + 1 where name = 'cart'; end;
create trigger metric_data_cart_delete after delete on cart begin
  update metric_data_version set version = version + 1 where name = 'cart'; end;
create trigger metric_data_customer_insert after insert on customer begin
  update metric_data_version set version = version + 1 where name = 'customer'; end;
create trigger metric_data_customer_update after update on customer begin
  update metric_data_version set version = version + 1 where name = 'customer'; end;
create trigger metric_data_customer_delete after delete on customer begin
  update metric_data_version set version = version + 1 where name = 'customer'; end;
create trigger metric_data_customer_address_insert after insert on customer_address begin
  update metric_data_version set version = version + 1 where name = 'customer_address'; end;
create trigger metric_data_customer_address_update after update on customer_address begin
  update metric_data_version set version = version + 1 where name = 'customer_address'; end;
create trigger metric_data_customer_address_delete after delete on customer_address begin
  update metric_data_version set version = version + 1 where name = 'customer_address'; end;
create trigger metric_data_product_insert after insert on product begin
  update metric_data_version set version = version + 1 where name = 'product'; end;
create trigger metric_data_product_update after update on product begin
  update metric_data_version set version = version + 1 where name = 'product'; end;
create trigger metric_data_product_delete after delete on product begin
  update metric_data_version set version = version + 1 where name = 'product'; end;
create trigger metric_data_product_collection_insert after insert on product_collection begin
  update metric_data_version set version = version + 1 where name = 'product_collection'; end;
create trigger metric_data_product_collection_update after update on product_collection begin
  update metric_data_version set version = version + 1 where name = 'product_collection'; end;
create trigger metric_data_product_collection_delete after delete on product_collection begin
  update metric_data_version set version = version + 1 where name = 'product_collection'; end;
create trigger metric_data_product_type_insert after insert on product_type begin
  update metric_data_version set version = version + 1 where name = 'product_type'; end;
create trigger metric_data_product_type_update after update on product_type begin
  update metric_data_version set version = version + 1 where name = 'product_type'; end;
create trigger metric_data_product_type_delete after delete on product_type begin
  update metric_data_version set version = version + 1 where name = 'product_type'; end;
create trigger metric_data_product_category_product_insert after insert on product_category_product begin
  update metric_data_version set version = version + 1 where name = 'product_category_product'; end;
create trigger metric_data_product_category_product_update after update on product_category_product begin
  update metric_data_version set version = version + 1 where name = 'product_category_product'; end;
create trigger metric_data_product_category_product_delete after delete on product_category_product begin
  update metric_data_version set version = version + 1 where name = 'product_category_product'; end;
create trigger metric_data_product_category_insert after insert on product_category begin
  update metric_data_version set version = version + 1 where name = 'product_category'; end;
create trigger metric_data_product_category_update after update on product_category begin
  update metric_data_version set version = version + 1 where name = 'product_category'; end;
create trigger metric_data_product_category_delete after delete on product_category begin
  update metric_data_version set version = version + 1 where name = 'product_category'; end;
create trigger metric_data_product_variant_insert after insert on product_variant begin
  update metric_data_version set version = version + 1 where name = 'product_variant'; end;
create trigger metric_data_product_variant_update after update on product_variant begin
  update metric_data_version set version = version + 1 where name = 'product_variant'; end;
create trigger metric_data_product_variant_delete after delete on product_variant begin
  update metric_data_version set version = version + 1 where name = 'product_variant'; end;
create trigger metric_data_inventory_snapshot_insert after insert on inventory_snapshot begin
  update metric_data_version set version = version + 1 where name = 'inventory_snapshot'; end;
create trigger metric_data_inventory_snapshot_update after update on inventory_snapshot begin
  update metric_data_version set version = version + 1 where name = 'inventory_snapshot'; end;
create trigger metric_data_inventory_snapshot_delete after delete on inventory_snapshot begin
  update metric_data_version set version = version + 1 where name = 'inventory_snapshot'; end;
create trigger metric_data_credit_entry_insert after insert on credit_entry begin
  update metric_data_version set version = version + 1 where name = 'credit_entry'; end;
create trigger metric_data_credit_entry_update after update on credit_entry begin
  update metric_data_version set version = version + 1 where name = 'credit_entry'; end;
create trigger metric_data_credit_entry_delete after delete on credit_entry begin
  update metric_data_version set version = version + 1 where name = 'credit_entry'; end;
create trigger metric_data_credit_account_insert after insert on credit_account begin
  update metric_data_version set version = version + 1 where name = 'credit_account'; end;
create trigger metric_data_credit_account_update after update on credit_account begin
  update metric_data_version set version = version + 1 where name = 'credit_account'; end;
create trigger metric_data_credit_account_delete after delete on credit_account begin
  update metric_data_version set version = version + 1 where name = 'credit_account'; end;
create trigger metric_data_webhook_delivery_insert after insert on webhook_delivery begin
  update metric_data_version set version = version + 1 where name = 'webhook_delivery'; end;
create trigger metric_data_webhook_delivery_update after update of endpoint_id, status, attempt_count, order_id, handled_at
  on webhook_delivery begin
  update metric_data_version set version = version + 1 where name = 'webhook_delivery'; end;
create trigger metric_data_webhook_delivery_delete after delete on webhook_delivery begin
  update metric_data_version set version = version + 1 where name = 'webhook_delivery'; end;

-- Values of a day as they were at the time of the snapshot, unaffected by later edits of orders.
create table metric_day_snapshot (
  day text not null, scope text not null, metric text not null, record text not null,
  taken_by text, taken_at integer not null, primary key (day, scope, metric)
) strict, without rowid;

-- Stored performance reports.
create table metric_performance_report (
  id text primary key, body text not null, created_by text, created_at integer not null
) strict;

-- The audit log of changes. Entries are chained by their hashes, and never changed or removed.
create table audit_entry (
  seq integer primary key, id text not null unique, entity_type text not null, entity_id text not null,
  action text not null, actor_type text not null, actor_id text not null, request_id text not null,
  before text, after text, changed text not null, at integer not null,
  previous_hash text not null, hash text not null
) strict;
create index audit_entry_by_entity on audit_entry (entity_id, seq);
create index audit_entry_by_type on audit_entry (entity_type, seq);
create index audit_entry_by_actor on audit_entry (actor_id, seq);
create index audit_entry_by_action on audit_entry (action, seq);
create index audit_entry_by_time on audit_entry (at, id);
create trigger audit_entry_stays before delete on audit_entry
begin select raise(abort, 'entries of the audit log are never removed'); end;
create trigger audit_entry_is_fixed before update on audit_entry
begin select raise(abort, 'entries of the audit log are never changed'); end;

-- The last entry of the audit log, to detect a truncated log.
create table audit_head (seq integer not null, hash text not null) strict;
insert into audit_head (seq, hash) values (0, '');

create table metric_alert (
  id text primary key, name text not null, description text, metric_id text not null,
  condition text not null, granularity text not null, window text not null, severity text not null,
  channels text not null, cooldown_minutes integer not null, min_sample integer not null,
  is_active integer not null, state text not null check (state in ('ok', 'firing', 'no_data', 'error')),
  last_value text, last_error text, last_evaluated_at integer, last_fired_at integer, next_at integer not null,
  created_by text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;
create index metric_alert_by_creation on metric_alert (created_at);
create index metric_alert_by_metric on metric_alert (metric_id);
create index metric_alert_by_due on metric_alert (next_at) where is_active = 1 and deleted_at is null;

create table metric_alert_history (
  id text primary key, alert_id text not null references metric_alert, at integer not null,
  from_state text not null, state text not null, value text, period_start integer, period_end integer, note text
) strict;
create index metric_alert_history_by_alert on metric_alert_history (alert_id, at);

-- Stored reports with their results.
create table metric_report (
  id text primary key, name text, question text not null, result text not null, row_count integer not null,
  created_by text not null, created_at integer not null
) strict;
create index metric_report_by_creation on metric_report (created_at);

-- The metrics of a report: users who may not see one of them do not see the report.
create table metric_report_use (
  metric_key text not null, report_id text not null references metric_report, primary key (metric_key, report_id)
) strict, without rowid;

-- Rollups: partial aggregates by hour and day, updated with the rows. A table has the definitions of one source with one
-- event time; each of its buckets is an hour, a day or a block of 32 days, and has a partial aggregate for each definition
-- and each sales channel and region, or product. A table whose layout differs from the program's is built again; it is
-- complete from bucket `built_from` on. The partial aggregates of a bucket are stored in pages, by the numbers of their
-- keys.
create table metric_rollup_table (
  seq integer primary key, name text not null unique, layout text not null, built_from integer not null,
  first_at integer, last_at integer, scales text not null
) strict;
create table metric_rollup_key (seq integer primary key, parts blob not null unique) strict;
-- The address combines table, level, bucket and page into one number, as in `PageAddress`.
create table metric_rollup_page (address integer primary key, body blob not null) strict;
-- Dirty buckets: a write could not be folded into them, and they are rebuilt before they are read.
create table metric_rollup_dirty (
  rollup integer not null, bucket integer not null, primary key (rollup, bucket)
) strict, without rowid;
-- Pending deltas: new orders that are not in buckets yet, and customers whose first order is not. They are few, and
-- flushed together.
create table metric_rollup_pending (
  kind text not null check (kind in ('customer', 'order')), id text not null, primary key (kind, id)
) strict, without rowid;
-- Numbers of keys, for sets of them; a number is never reused, because the last one of each kind is stored. Customers have
-- numbers of their own.
create table metric_key_number (
  kind text not null, key text not null, number integer not null, primary key (kind, key)
) strict, without rowid;
create table metric_key_last (kind text primary key, number integer not null) strict, without rowid;

-- The rows that a group of writes has touched; empty at every commit. Orders are `added`, `changed` in columns of rollups,
-- or `restated` in columns that only formulas read.
create table metric_touched (
  kind text not null check (kind in ('added', 'changed', 'restated', 'customer')), id text not null,
  primary key (kind, id)
) strict, without rowid;
-- An order that was added in the same group is not also changed, as long as it exists.
create trigger metric_touched_once before insert on metric_touched
  when new.kind in ('changed', 'restated')
    and exists (select 1 from metric_touched where kind = 'added' and id = new.id)
    and exists (select 1 from orders where id = new.id) begin
  select raise(ignore); end;
-- Drafts are not counted, so an order is added when it stops being one.
create trigger metric_touched_by_order after insert on orders when new.status <> 'draft' begin
  insert or ignore into metric_touched values ('added', new.id); end;
create trigger metric_touched_by_order_placement after update of status on orders
  when old.status = 'draft' and new.status <> 'draft' begin
  insert or ignore into metric_touched values ('added', new.id); end;
create trigger metric_touched_by_order_change after update of customer_id, region_id, sales_channel_id, currency, status,
  item_tax_minor, item_total_minor, shipping_tax_minor, shipping_total_minor, discount_subtotal_minor, tax_minor,
  credit_line_minor, total_minor, placed_at on orders when old.status <> 'draft' begin
  insert or ignore into metric_touched values ('changed', new.id); end;
create trigger metric_touched_by_order_status after update of payment_status, fulfillment_status, cost_minor, quantity,
  country, province, canceled_at, completed_at, metadata on orders when old.status <> 'draft' begin
  insert or ignore into metric_touched values ('restated', new.id); end;
create trigger metric_touched_by_order_end after delete on orders when old.status <> 'draft' begin
  insert or ignore into metric_touched values ('changed', old.id); end;
create trigger metric_touched_by_line_change after update of product_id, quantity, unit_cost_minor, subtotal_minor,
  discount_subtotal_minor on order_line begin
  insert or ignore into metric_touched values ('changed', new.order_id); end;
create trigger metric_touched_by_line_end after delete on order_line begin
  insert or ignore into metric_touched values ('changed', old.order_id); end;
create trigger metric_touched_by_refund after insert on order_transaction when new.amount_minor < 0 begin
  insert or ignore into metric_touched values ('changed', new.order_id); end;
create trigger metric_touched_by_refund_change after update on order_transaction begin
  insert or ignore into metric_touched values ('changed', new.order_id); end;
create trigger metric_touched_by_refund_end after delete on order_transaction begin
  insert or ignore into metric_touched values ('changed', old.order_id); end;
create trigger metric_touched_by_customer after insert on customer begin
  insert or ignore into metric_touched values ('customer', new.id); end;
create trigger metric_touched_by_customer_end after delete on customer begin
  insert or ignore into metric_touched values ('customer', old.id); end;

-- The changes of each source, with the days of its date, counted from 1970-01-01, to invalidate cached answers. `added`
-- rows are those that no row of another source refers to yet; without days, all rows of the source changed. The last ten
-- thousand are stored.
create table metric_change (
  seq integer primary key, source text not null, is_added integer not null, first_day integer, last_day integer
) strict;
