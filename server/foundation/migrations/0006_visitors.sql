-- What visitors do: visits, events, reviews, wishes and consents. Instants are milliseconds since 1970.

-- Reviews ---------------------------------------------------------------------------------------

create table review (
  id text primary key, product_id text not null references product, variant_id text,
  customer_id text references customer (id),
  -- The order that the author named, whether it exists or not.
  order_reference text,
  -- The order that shows that the author bought the product; null without the badge.
  verified_order_id text references orders,
  is_verified integer not null generated always as (verified_order_id is not null) virtual,
  title text, content text not null, rating integer not null check (rating between 1 and 5),
  first_name text not null, last_name text not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  reject_reason text check (reject_reason in ('spam', 'abuse', 'off_topic', 'personal_data', 'duplicate', 'unlawful')),
  decided_at integer, decided_by text,
  response text, responded_at integer, responded_by text,
  -- JSON: what a moderator should look at, such as `["url"]`.
  flags text not null default '[]',
  -- The digest of the text, to find the same one elsewhere.
  text_digest text not null,
  helpful_count integer not null default 0, unhelpful_count integer not null default 0,
  version integer not null default 1, written_at integer not null,
  created_at integer not null, updated_at integer not null,
  check ((status = 'rejected') = (reject_reason is not null)),
  check ((response is null) = (responded_at is null))
) strict;
create unique index review_of_customer on review (customer_id, product_id) where customer_id is not null;
create unique index review_of_guest on review (order_reference, product_id)
  where customer_id is null and order_reference is not null;
create index review_by_creation on review (created_at);
create index review_by_update on review (updated_at);
create index review_by_status on review (status, created_at);
create index review_by_rating on review (rating, created_at);
create index review_by_product on review (product_id, status, created_at);
create index review_by_text on review (text_digest);
create index review_by_verification on review (verified_order_id) where verified_order_id is not null;
create index review_by_badge on review (is_verified, created_at);
create index review_flagged on review (created_at) where flags <> '[]';

-- The texts that a review had before.
create table review_version (
  review_id text not null references review on delete cascade, number integer not null,
  title text, content text not null, rating integer not null, first_name text not null, last_name text not null,
  created_at integer not null, primary key (review_id, number)
) strict, without rowid;

create table review_vote (
  review_id text not null references review on delete cascade, customer_id text not null references customer (id),
  is_helpful integer not null, created_at integer not null, updated_at integer not null,
  primary key (review_id, customer_id)
) strict, without rowid;
create index review_vote_by_customer on review_vote (customer_id);

-- The approved reviews of a product, counted. Triggers move it in the transaction of every change of a review, so that no
-- program can bypass them.
create table product_rating (
  product_id text primary key references product, rating_sum integer not null default 0,
  count_1 integer not null default 0, count_2 integer not null default 0, count_3 integer not null default 0,
  count_4 integer not null default 0, count_5 integer not null default 0,
  review_count integer not null generated always as (count_1 + count_2 + count_3 + count_4 + count_5) virtual,
  check (min(count_1, count_2, count_3, count_4, count_5) >= 0)
) strict, without rowid;
create trigger product_rating_gains after insert on review when new.status = 'approved' begin
  insert or ignore into product_rating (product_id) values (new.product_id);
  update product_rating set rating_sum = rating_sum + new.rating, count_1 = count_1 + (new.rating = 1),
    count_2 = count_2 + (new.rating = 2), count_3 = count_3 + (new.rating = 3), count_4 = count_4 + (new.rating = 4),
    count_5 = count_5 + (new.rating = 5) where product_id = new.product_id; end;
create trigger product_rating_moves after update of status, rating on review
  when old.status = 'approved' or new.status = 'approved' begin
  insert or ignore into product_rating (product_id) values (new.product_id);
  update product_rating set
    rating_sum = rating_sum - iif(old.status = 'approved', old.rating, 0) + iif(new.status = 'approved', new.rating, 0),
    count_1 = count_1 - (old.status = 'approved' and old.rating = 1) + (new.status = 'approved' and new.rating = 1),
    count_2 = count_2 - (old.status = 'approved' and old.rating = 2) + (new.status = 'approved' and new.rating = 2),
    count_3 = count_3 - (old.status = 'approved' and old.rating = 3) + (new.status = 'approved' and new.rating = 3),
    count_4 = count_4 - (old.status = 'approved' and old.rating = 4) + (new.status = 'approved' and new.rating = 4),
    count_5 = count_5 - (old.status = 'approved' and old.rating = 5) + (new.status = 'approved' and new.rating = 5)
    where product_id = new.product_id; end;
create trigger product_rating_loses after delete on review when old.status = 'approved' begin
  update product_rating set rating_sum = rating_sum - old.rating, count_1 = count_1 - (old.rating = 1),
    count_2 = count_2 - (old.rating = 2), count_3 = count_3 - (old.rating = 3), count_4 = count_4 - (old.rating = 4),
    count_5 = count_5 - (old.rating = 5) where product_id = old.product_id; end;

-- Visits and events -----------------------------------------------------------------------------

-- A visit has the id that its storefront sends.
create table visit (
  id text primary key, sales_channel_id text, customer_id text references customer (id),
  device text, country text, locale text, referrer_host text,
  utm_source text, utm_medium text, utm_campaign text, utm_term text, utm_content text,
  started_at integer not null
) strict;
create index visit_by_start on visit (started_at);
create index visit_by_customer on visit (customer_id) where customer_id is not null;

create table visit_event (
  seq integer primary key, name text not null,
  visit_id text, customer_id text references customer (id), sales_channel_id text,
  product_id text, variant_id text, cart_id text, order_id text, banner_id text,
  properties text not null default '{}', created_at integer not null, received_at integer not null
) strict;
create index visit_event_by_time on visit_event (created_at);
create index visit_event_by_name on visit_event (name, created_at);
create index visit_event_by_visit on visit_event (visit_id) where visit_id is not null;
create index visit_event_by_customer on visit_event (customer_id) where customer_id is not null;

-- The digests of the ids that events had in the last seven days, each of which is counted once.
create table visit_event_key (digest text primary key, received_at integer not null) strict, without rowid;
create index visit_event_key_by_age on visit_event_key (received_at);

-- The names that storefronts made up.
create table visit_event_name (name text primary key, created_at integer not null) strict, without rowid;

-- Products that somebody wishes for. Both instants are the latest of their kind, so that events may come in any order.
create table wishlist_item (
  id text primary key,
  -- The customer, or the visit of somebody who is not logged in.
  holder text not null, customer_id text references customer (id), visit_id text,
  product_id text not null references product, variant_id text,
  added_at integer, removed_at integer, created_at integer not null, updated_at integer not null,
  unique (holder, product_id), check (coalesce(added_at, removed_at) is not null)
) strict;
create index wishlist_item_by_adding on wishlist_item (added_at);
create index wishlist_item_by_product on wishlist_item (product_id);
create index wishlist_item_by_customer on wishlist_item (customer_id) where customer_id is not null;
create index wishlist_item_by_creation on wishlist_item (created_at);

-- Consents to text messages ---------------------------------------------------------------------

-- The number is erased with its owner; its keyed digest stays, so that it is not written to. A number that sends a
-- message is its own proof: the delivery that brought it is named.
create table sms_consent (
  id text primary key, phone text not null, phone_digest blob not null,
  -- Whether nothing is sent to the number until it sends START.
  is_blocking integer not null default 0,
  email text, cart_id text, customer_id text references customer (id),
  consent_text text, consent_webhook_id text, locale text,
  status text not null check (status in ('pending', 'confirmed', 'refused', 'withdrawn')),
  provider_id text not null,
  -- Null until the provider has taken the number.
  synced_at integer,
  -- Of the code in the second message.
  code_digest blob, code_attempts integer not null default 0,
  confirmed_at integer, withdrawn_at integer, withdrawn_by text, withdrawn_text text, withdrawn_webhook_id text,
  created_at integer not null, updated_at integer not null,
  check ((status = 'withdrawn') = (withdrawn_at is not null)), check (is_blocking = 0 or status = 'withdrawn')
) strict;
create index sms_consent_blocking on sms_consent (phone_digest) where is_blocking = 1;
create index sms_consent_by_creation on sms_consent (created_at);
create index sms_consent_by_phone on sms_consent (phone, created_at);
create index sms_consent_by_cart on sms_consent (cart_id) where cart_id is not null;
create index sms_consent_by_customer on sms_consent (customer_id) where customer_id is not null;
create index sms_consent_by_status on sms_consent (status, created_at);

-- What formulas read ----------------------------------------------------------------------------

create index payment_confirmation_by_cart on payment_confirmation (cart_id);

drop view metric_sessions;
create view metric_sessions as
select v.id, v.started_at, v.device, (select name from sales_channel where id = v.sales_channel_id) as sales_channel,
  v.country, v.utm_source
from visit v;

drop view metric_events;
create view metric_events as
select cast(e.seq as text) as id, e.created_at, e.name, e.visit_id as session_id, e.product_id, e.variant_id,
  e.banner_id, e.order_id, e.customer_id
from visit_event e;

create view metric_product_views as
select cast(e.seq as text) as id, e.created_at, e.visit_id as session_id, e.product_id, e.variant_id, e.customer_id
from visit_event e where e.name = 'product_viewed';

create view metric_reviews as
select r.id, r.created_at, r.product_id, r.customer_id, r.rating, r.status, r.is_verified, r.reject_reason, r.decided_at
from review r;

create view metric_wishlist_items as
select w.id, w.added_at, w.product_id, w.visit_id as session_id, w.customer_id,
  iif(w.removed_at >= w.added_at, w.removed_at, null) as removed_at
from wishlist_item w where w.added_at is not null;

create view metric_payment_confirmations as
select p.id, p.created_at, +p.currency as currency_code, p.provider_id, p.status, p.refusal_code,
  p.amount_minor as amount, (select o.id from orders o where o.cart_id = p.cart_id and o.status <> 'draft') as order_id
from payment_confirmation p;

insert into metric_data_version (name, version) values
  ('visit', 0), ('visit_event', 0), ('review', 0), ('wishlist_item', 0), ('payment_confirmation', 0);
create trigger metric_data_visit_insert after insert on visit begin
  update metric_data_version set version = version + 1 where name = 'visit'; end;
create trigger metric_data_visit_update after update on visit begin
  update metric_data_version set version = version + 1 where name = 'visit'; end;
create trigger metric_data_visit_delete after delete on visit begin
  update metric_data_version set version = version + 1 where name = 'visit'; end;
create trigger metric_data_visit_event_insert after insert on visit_event begin
  update metric_data_version set version = version + 1 where name = 'visit_event'; end;
create trigger metric_data_visit_event_update after update on visit_event begin
  update metric_data_version set version = version + 1 where name = 'visit_event'; end;
create trigger metric_data_visit_event_delete after delete on visit_event begin
  update metric_data_version set version = version + 1 where name = 'visit_event'; end;
create trigger metric_data_review_insert after insert on review begin
  update metric_data_version set version = version + 1 where name = 'review'; end;
create trigger metric_data_review_update after update of product_id, customer_id, rating, status, verified_order_id, reject_reason, decided_at on review begin
  update metric_data_version set version = version + 1 where name = 'review'; end;
create trigger metric_data_review_delete after delete on review begin
  update metric_data_version set version = version + 1 where name = 'review'; end;
create trigger metric_data_wishlist_item_insert after insert on wishlist_item begin
  update metric_data_version set version = version + 1 where name = 'wishlist_item'; end;
create trigger metric_data_wishlist_item_update after update on wishlist_item begin
  update metric_data_version set version = version + 1 where name = 'wishlist_item'; end;
create trigger metric_data_wishlist_item_delete after delete on wishlist_item begin
  update metric_data_version set version = version + 1 where name = 'wishlist_item'; end;
create trigger metric_data_payment_confirmation_insert after insert on payment_confirmation begin
  update metric_data_version set version = version + 1 where name = 'payment_confirmation'; end;
create trigger metric_data_payment_confirmation_update after update on payment_confirmation begin
  update metric_data_version set version = version + 1 where name = 'payment_confirmation'; end;
create trigger metric_data_payment_confirmation_delete after delete on payment_confirmation begin
  update metric_data_version set version = version + 1 where name = 'payment_confirmation'; end;
