-- Subscriptions: plans, what is subscribed to, each cycle with the attempts to charge it, and every change. Money is
-- whole minor units of the subscription's currency; instants are milliseconds since 1970.

-- How products can be subscribed to. A change of a plan keeps the version before as a row of its own, which the plan
-- supersedes: the subscriptions that run with it refer to that row, which never changes.
create table subscription_plan (
  id text primary key, name text not null,
  interval text not null check (interval in ('day', 'week', 'month', 'year')),
  interval_count integer not null default 1 check (interval_count between 1 and 52),
  kind text not null default 'delivery' check (kind in ('delivery', 'access')),
  -- Millionths of the price, or minor units of the discount's currency.
  discount_type text check (discount_type in ('percent', 'amount')),
  discount_value integer check (discount_value >= 0), discount_currency text,
  trial_days integer not null default 0 check (trial_days between 0 and 365),
  min_cycles integer check (min_cycles > 0), max_cycles integer check (max_cycles > 0),
  -- JSON: `[{"interval": "month", "interval_count": 2}]`.
  allowed_frequencies text not null default '[]',
  cutoff_hours integer not null default 0 check (cutoff_hours >= 0),
  max_skips integer check (max_skips >= 0), max_pause_days integer not null default 180 check (max_pause_days > 0),
  out_of_stock text not null default 'delay' check (out_of_stock in ('delay', 'skip')),
  on_exhausted text not null default 'cancel' check (on_exhausted in ('cancel', 'pause', 'keep')),
  version integer not null default 1, superseded_by text references subscription_plan,
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer,
  check ((discount_type is null) = (discount_value is null)),
  check ((discount_type is 'amount') = (discount_currency is not null))
) strict;
create index subscription_plan_by_creation on subscription_plan (created_at);
create index subscription_plan_by_successor on subscription_plan (superseded_by) where superseded_by is not null;

create table subscription_plan_product (
  product_id text not null references product on delete cascade,
  plan_id text not null references subscription_plan on delete cascade,
  primary key (product_id, plan_id)
) strict, without rowid;
create index subscription_plan_products on subscription_plan_product (plan_id);

-- The plan that the line of a cart is subscribed by.
alter table cart_line add column plan_id text references subscription_plan;
-- How a claimed cart is subscribed, as JSON; null if it has no plans.
alter table cart_completion add column subscribe text;

create table subscription (
  id text primary key, customer_id text not null references customer (id),
  -- The order that it began with.
  order_id text not null references orders,
  status text not null check (status in ('trial', 'active', 'past_due', 'paused', 'canceled', 'expired')),
  sales_channel_id text, region_id text, currency text not null, email text, locale text,
  kind text not null check (kind in ('delivery', 'access')),
  interval text not null check (interval in ('day', 'week', 'month', 'year')),
  interval_count integer not null check (interval_count between 1 and 52),
  -- The first paid period begins at the anchor; months have the period's day, or their last.
  anchor_at integer not null, anchor_day integer not null check (anchor_day between 1 and 31), time_zone text not null,
  -- The number of the last cycle that began, and the index from the anchor of the period of the next one.
  cycle integer not null default 0, period integer not null default 0,
  paid_cycles integer not null default 0,
  current_period_start integer, current_period_end integer,
  -- When the next cycle that is not skipped is billed; null while paused and after the end.
  next_billing_at integer,
  -- When the server has something to do about it: to bill, to retry, to resume, to cancel, to announce.
  acts_at integer,
  -- The last cycle that was announced.
  announced_cycle integer not null default 0,
  trial_end integer, started_at integer, paused_at integer, resume_at integer, cancel_at integer, canceled_at integer,
  cancellation_reason text, cancellation_comment text, ended_at integer,
  -- The rules of its plans when it began, as JSON.
  terms text not null,
  shipping_address text, billing_address text,
  -- The address of the next cycle alone.
  next_shipping_address text,
  -- JSON: `[{"shipping_option_id": …, "name": …}]`.
  shipping_methods text not null default '[]',
  payment_method_id text references payment_method,
  credit_balance_minor integer not null default 0 check (credit_balance_minor >= 0),
  mrr_minor integer not null default 0 check (mrr_minor >= 0),
  -- Refusals of the open cycle, when it is tried again, and why it was refused last.
  dunning_attempt integer not null default 0, dunning_next_at integer, dunning_reason text,
  metadata text, version integer not null default 1, created_at integer not null, updated_at integer not null,
  check (status not in ('canceled', 'expired') or (ended_at is not null and acts_at is null))
) strict;
create index subscription_by_action on subscription (acts_at) where acts_at is not null;
create index subscription_by_billing on subscription (next_billing_at);
create index subscription_by_customer on subscription (customer_id, created_at);
create index subscription_by_status on subscription (status, created_at);
create index subscription_by_creation on subscription (created_at);
create index subscription_by_update on subscription (updated_at);
create index subscription_by_order on subscription (order_id);
create index subscription_by_method on subscription (payment_method_id) where ended_at is null;

create table subscription_item (
  id text primary key, subscription_id text not null references subscription on delete cascade,
  position integer not null, variant_id text not null references product_variant, product_id text not null,
  title text not null, variant_title text, thumbnail text, quantity integer not null check (quantity > 0),
  unit_price_minor integer not null check (unit_price_minor >= 0), is_tax_inclusive integer not null default 0,
  plan_id text not null references subscription_plan,
  -- What replaces it from the next cycle on, as JSON.
  next text,
  created_at integer not null, updated_at integer not null
) strict;
create index subscription_item_by_subscription on subscription_item (subscription_id, position);
create index subscription_item_by_plan on subscription_item (plan_id);

-- A period to bill. A row exists once its cycle has begun or is skipped.
create table subscription_cycle (
  id text primary key, subscription_id text not null references subscription on delete cascade,
  number integer not null check (number > 0),
  status text not null check (status in ('billing', 'unpaid', 'paid', 'skipped', 'void')),
  due_at integer not null, period_end integer not null,
  -- Why it is skipped: by the customer, for lack of stock, after an outage, or while an earlier one was unpaid.
  skip_reason text check (skip_reason in ('customer', 'stock', 'outage', 'unpaid')),
  -- The order, from the payment on.
  order_id text unique references orders,
  total_minor integer, attempt_count integer not null default 0,
  -- Days that it waited for stock.
  stock_delays integer not null default 0,
  first_failed_at integer, paid_at integer, created_at integer not null, updated_at integer not null,
  unique (subscription_id, number),
  check ((status = 'paid') = (paid_at is not null)),
  check ((status = 'skipped') = (skip_reason is not null))
) strict;
create index subscription_cycle_by_time on subscription_cycle (due_at);
create unique index subscription_cycle_open on subscription_cycle (subscription_id)
  where status in ('billing', 'unpaid');

-- An attempt to charge a cycle, or a swap within its period. Its id is the key at the payment provider.
create table subscription_attempt (
  id text primary key, cycle_id text not null references subscription_cycle on delete cascade,
  number integer not null check (number > 0),
  status text not null check (status in ('pending', 'paid', 'refused', 'void')),
  -- The draft of the order, which a refusal deletes.
  order_id text not null, payment_session_id text, payment_method_id text,
  amount_minor integer not null check (amount_minor >= 0),
  credit_balance_minor integer not null default 0, store_credit_minor integer not null default 0,
  -- The item whose swap it pays for; null if it pays for the cycle itself.
  item_id text references subscription_item,
  reason text, cause text not null, requested_at integer not null, settled_at integer,
  unique (cycle_id, number)
) strict;
create unique index subscription_attempt_open on subscription_attempt (cycle_id) where status = 'pending';

-- Every change of a credit balance, and what prorations credit and charge.
create table subscription_adjustment (
  id text primary key, subscription_id text not null references subscription, cycle_id text,
  kind text not null check (kind in ('credit', 'charge', 'payment', 'spent', 'returned', 'paid_out')),
  amount_minor integer not null, tax_minor integer not null default 0,
  -- The change of the credit balance.
  balance_change_minor integer not null default 0, note text, actor_id text, created_at integer not null
) strict;
create index subscription_adjustment_by_subscription on subscription_adjustment (subscription_id, created_at);
create trigger subscription_adjustment_stays before delete on subscription_adjustment
begin select raise(abort, 'adjustments are never removed'); end;
create trigger subscription_adjustment_is_fixed before update on subscription_adjustment
begin select raise(abort, 'adjustments are never changed'); end;

create table subscription_transition (
  id text primary key, subscription_id text not null references subscription on delete cascade,
  version integer not null, from_status text, to_status text not null, cause text not null, actor_id text,
  created_at integer not null, unique (subscription_id, version)
) strict;

-- What changed the monthly recurring revenue. The changes of a subscription add up to its MRR.
create table mrr_movement (
  id text primary key, subscription_id text not null references subscription on delete cascade,
  kind text not null
    check (kind in ('new', 'expansion', 'contraction', 'pause', 'resume', 'reactivation', 'churn')),
  currency text not null, amount_minor integer not null check (amount_minor >= 0), change_minor integer not null,
  created_at integer not null, check (abs(change_minor) = amount_minor)
) strict;
create index mrr_movement_by_subscription on mrr_movement (subscription_id, created_at);
create index mrr_movement_by_time on mrr_movement (created_at);
