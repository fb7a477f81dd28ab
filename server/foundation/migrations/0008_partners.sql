-- Partners: offers, clicks, conversions, commissions and payouts.

create table partner (
  id text primary key, name text not null, email text not null,
  status text not null default 'active' check (status in ('active', 'paused', 'closed')),
  created_by text, metadata text, created_at integer not null, updated_at integer not null, deleted_at integer
) strict;
create index partner_by_creation on partner (created_at);
create index token_by_partner on token (actor_id) where kind = 'partner';

-- A code with what it earns. `code_key` is the code in lower case; a code is never used again, so rows stay.
create table partner_offer (
  id text primary key, partner_id text not null references partner, code text not null, code_key text not null unique,
  landing_url text not null, window_days integer not null default 30 check (window_days between 1 and 365),
  attribution text not null default 'last' check (attribution in ('last', 'first')),
  -- Millionths of the base, or minor units of `currency`, which is also that of the cap and of the overrides.
  commission_type text not null check (commission_type in ('percent', 'fixed')),
  commission_value integer not null check (commission_value >= 0), currency text not null,
  -- JSON: `[{"product_id": …, "category_id": …, "type": "percent", "value": 100000}]`; the first that fits a line counts.
  overrides text not null default '[]',
  new_customers_only integer not null default 0,
  renewals text not null default 'none' check (renewals in ('none', 'first_n', 'all')),
  renewal_count integer check (renewal_count between 1 and 1000),
  hold_days integer not null default 30 check (hold_days between 0 and 365),
  cap_per_order_minor integer check (cap_per_order_minor >= 0),
  starts_at integer, ends_at integer,
  metadata text, created_at integer not null, updated_at integer not null, deleted_at integer,
  check ((renewals = 'first_n') = (renewal_count is not null))
) strict;
create index partner_offer_by_partner on partner_offer (partner_id, created_at);

-- The promotion codes that bring an order to an offer; each code belongs to one.
create table partner_offer_promo_code (
  code text primary key, offer_id text not null references partner_offer on delete cascade
) strict, without rowid;
create index partner_offer_promo_codes on partner_offer_promo_code (offer_id);

-- `visitor` is random, and the same for clicks with one cookie. No address is kept.
create table partner_click (
  id text primary key, offer_id text not null references partner_offer, partner_id text not null references partner,
  visitor text not null, sub1 text, sub2 text, sub3 text, referrer_host text, country text, device text not null,
  repeat_count integer not null default 0, clicked_at integer not null
) strict;
create index partner_click_by_time on partner_click (clicked_at);
create index partner_click_by_partner on partner_click (partner_id, clicked_at);
create index partner_click_by_visitor on partner_click (visitor, clicked_at);
create index partner_click_by_offer on partner_click (offer_id, clicked_at);

-- An order that a partner has brought; an order has at most one. Amounts are of the order's currency.
create table partner_conversion (
  id text primary key, order_id text not null unique references orders, partner_id text not null references partner,
  offer_id text not null references partner_offer, click_id text, via text not null check (via in ('click', 'promo_code', 'renewal')),
  status text not null check (status in ('pending', 'approved', 'paid', 'reversed', 'rejected')),
  currency text not null, base_minor integer not null check (base_minor >= 0),
  -- What it earns: the sum of its entries.
  commission_minor integer not null check (commission_minor >= 0),
  -- JSON: `[{"line_id": …, "base_minor": …, "commission_minor": …}]`, which add up to the amounts above.
  lines text not null default '[]',
  -- JSON: the findings that a person must decide on.
  flags text not null default '[]',
  reason text, decided_by text, is_new_customer integer not null default 0, is_renewal integer not null default 0,
  -- The terms when it was recorded: millionths, minor units and so on, as JSON.
  terms text not null,
  placed_at integer not null, due_at integer not null,
  -- When the order was paid, and when the state last changed.
  paid_at integer, decided_at integer not null, created_at integer not null, updated_at integer not null
) strict;
create index partner_conversion_by_partner on partner_conversion (partner_id, placed_at);
create index partner_conversion_by_offer on partner_conversion (offer_id, placed_at);
create index partner_conversion_by_placement on partner_conversion (placed_at);
create index partner_conversion_by_creation on partner_conversion (created_at);
create index partner_conversion_by_update on partner_conversion (updated_at);
create index partner_conversion_by_status on partner_conversion (status, placed_at);
create index partner_conversion_by_click on partner_conversion (click_id) where click_id is not null;
create index partner_conversion_due on partner_conversion (due_at)
  where status = 'pending' and paid_at is not null and flags = '[]';

create table partner_payout (
  id text primary key, partner_id text not null references partner, currency text not null,
  amount_minor integer not null check (amount_minor >= 0), entry_count integer not null check (entry_count > 0),
  up_to integer not null, created_by text not null, created_at integer not null
) strict;
create index partner_payout_by_partner on partner_payout (partner_id, created_at);
create index partner_payout_by_creation on partner_payout (created_at);

-- The ledger: what conversions earn, and what was paid out, which is negative.
create table partner_entry (
  id text primary key, partner_id text not null references partner,
  conversion_id text references partner_conversion, payout_id text references partner_payout,
  kind text not null check (kind in ('commission', 'reversal', 'adjustment', 'payout')),
  currency text not null, amount_minor integer not null check (amount_minor <> 0),
  cause text not null, actor_id text, created_at integer not null,
  check ((kind = 'payout') = (payout_id is not null)), check ((kind = 'payout') = (conversion_id is null))
) strict;
create index partner_entry_by_conversion on partner_entry (conversion_id) where conversion_id is not null;
create index partner_entry_by_partner on partner_entry (partner_id, currency, created_at);
create index partner_entry_by_payout on partner_entry (payout_id) where payout_id is not null;
create trigger partner_entry_stays before delete on partner_entry
begin select raise(abort, 'ledger entries are never removed'); end;
create trigger partner_entry_is_fixed before update on partner_entry
begin select raise(abort, 'ledger entries are never changed'); end;

-- The entries that a payout pays; an entry is paid once.
create table partner_payout_entry (
  entry_id text primary key references partner_entry, payout_id text not null references partner_payout
) strict, without rowid;
create index partner_payout_entries on partner_payout_entry (payout_id);

-- To find who else pays with a card, and all methods of a holder.
create index payment_method_by_holder on payment_method (account_holder_id);
create index payment_method_by_fingerprint on payment_method (fingerprint) where fingerprint is not null;

-- Clicks and conversions as sources of formulas. Each is of one table, so that a link finds its row by the key.
create view metric_partner_clicks as
select k.id, k.clicked_at, (select name from partner where id = k.partner_id) as partner,
  (select code from partner_offer where id = k.offer_id) as code, k.country, k.device, k.repeat_count,
  (select v.order_id from partner_conversion v where v.click_id = k.id and v.is_renewal = 0 order by v.placed_at limit 1)
    as order_id
from partner_click k;

create view metric_partner_conversions as
select v.id, v.placed_at, +v.currency as currency_code, v.order_id, v.click_id,
  (select name from partner where id = v.partner_id) as partner, (select code from partner_offer where id = v.offer_id) as code,
  v.status, v.base_minor as base, v.commission_minor as commission, v.is_new_customer, v.is_renewal, v.paid_at
from partner_conversion v;

insert into metric_data_version (name, version) values
  ('partner', 0), ('partner_offer', 0), ('partner_click', 0), ('partner_conversion', 0);
create trigger metric_data_partner_insert after insert on partner begin
  update metric_data_version set version = version + 1 where name = 'partner'; end;
create trigger metric_data_partner_update after update of name on partner begin
  update metric_data_version set version = version + 1 where name = 'partner'; end;
create trigger metric_data_partner_delete after delete on partner begin
  update metric_data_version set version = version + 1 where name = 'partner'; end;
create trigger metric_data_partner_offer_insert after insert on partner_offer begin
  update metric_data_version set version = version + 1 where name = 'partner_offer'; end;
create trigger metric_data_partner_offer_update after update of partner_id, code on partner_offer begin
  update metric_data_version set version = version + 1 where name = 'partner_offer'; end;
create trigger metric_data_partner_offer_delete after delete on partner_offer begin
  update metric_data_version set version = version + 1 where name = 'partner_offer'; end;
create trigger metric_data_partner_click_insert after insert on partner_click begin
  update metric_data_version set version = version + 1 where name = 'partner_click'; end;
create trigger metric_data_partner_click_update after update of repeat_count on partner_click begin
  update metric_data_version set version = version + 1 where name = 'partner_click'; end;
create trigger metric_data_partner_click_delete after delete on partner_click begin
  update metric_data_version set version = version + 1 where name = 'partner_click'; end;
create trigger metric_data_partner_conversion_insert after insert on partner_conversion begin
  update metric_data_version set version = version + 1 where name = 'partner_conversion'; end;
create trigger metric_data_partner_conversion_update after update of status, base_minor, commission_minor, paid_at, click_id on partner_conversion begin
  update metric_data_version set version = version + 1 where name = 'partner_conversion'; end;
create trigger metric_data_partner_conversion_delete after delete on partner_conversion begin
  update metric_data_version set version = version + 1 where name = 'partner_conversion'; end;

-- An erasure that a customer has asked for.
create table customer_erasure (
  customer_id text primary key references customer (id) on delete cascade,
  confirm_forfeit integer not null default 0, requested_at integer not null, due_at integer not null
) strict, without rowid;
create index customer_erasure_due on customer_erasure (due_at);

-- An erasure may remove the note of an entry, and nothing else.
drop trigger credit_entry_is_fixed;
create trigger credit_entry_is_fixed before update on credit_entry
when new.note is not null or new.id <> old.id or new.account_id <> old.account_id or new.kind <> old.kind
  or new.amount_minor <> old.amount_minor or new.balance_after_minor <> old.balance_after_minor
  or new.reference <> old.reference or new.reference_id <> old.reference_id or new.actor_id is not old.actor_id
  or new.metadata is not old.metadata or new.created_at <> old.created_at
begin select raise(abort, 'ledger entries are never changed'); end;
