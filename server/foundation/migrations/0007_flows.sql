-- Flows: versions, sessions, presses and answers. Money is whole minor units of the flow's currency; instants are
-- milliseconds since 1970.

-- A funnel of offers and questions with its draft. Lists, drafts and definitions are JSON.
create table flow (
  id text primary key, name text not null,
  kind text not null check (kind in ('pre_purchase', 'post_purchase')), currency text not null,
  is_public integer not null default 0, allowed_origins text not null default '[]',
  redirect_hosts text not null default '[]',
  offer_window_minutes integer not null default 60 check (offer_window_minutes between 5 and 1440),
  draft text not null, public_token text not null unique, old_token text, old_token_until integer,
  -- The published version; null before the first.
  version integer, revision integer not null default 1,
  created_at integer not null, updated_at integer not null, deleted_at integer
) strict;
create index flow_by_creation on flow (created_at);
create index flow_by_old_token on flow (old_token) where old_token is not null;

-- A published version never changes.
create table flow_version (
  id text primary key, flow_id text not null references flow, number integer not null check (number > 0),
  definition text not null, note text, created_by text not null, created_at integer not null,
  unique (flow_id, number)
) strict;
create trigger flow_version_is_fixed before update on flow_version begin
  select raise(abort, 'a published version never changes'); end;

create table flow_button (
  id text primary key, version_id text not null references flow_version, key text not null,
  unique (version_id, key)
) strict;

-- A shopper's way through a version.
create table flow_session (
  id text primary key, flow_id text not null references flow, version_id text not null references flow_version,
  status text not null check (status in ('open', 'completed', 'expired', 'revoked')),
  cart_id text, order_id text, customer_id text, currency text not null,
  -- The key of the button that is shown.
  current_key text not null,
  -- What the page told of the visitor, as JSON.
  context text not null default '{}', locale text, bucket integer not null check (bucket between 0 and 99),
  original_total_minor integer not null default 0, upsell_total_minor integer not null default 0,
  -- Charges that were refused since the last one that was not.
  refusal_count integer not null default 0,
  -- For a day: the address that began it, under the key of that day.
  address_digest blob,
  started_at integer not null, seen_at integer not null, expires_at integer not null, completed_at integer
) strict;
create unique index flow_session_by_order on flow_session (flow_id, order_id) where order_id is not null;
create unique index flow_session_by_cart on flow_session (flow_id, cart_id)
  where cart_id is not null and order_id is null;
create index flow_session_of_order on flow_session (order_id) where order_id is not null;
create index flow_session_of_customer on flow_session (customer_id) where customer_id is not null;
create index flow_session_by_expiry on flow_session (expires_at) where status = 'open';
create index flow_session_by_address on flow_session (address_digest) where address_digest is not null;
create index flow_session_addressed on flow_session (started_at) where address_digest is not null;
create index flow_session_by_start on flow_session (started_at);
create index flow_session_of_flow on flow_session (flow_id, started_at);

-- The digests of the tokens that open a session.
create table flow_token (
  digest blob primary key, session_id text not null references flow_session on delete cascade, created_at integer not null
) strict, without rowid;
create index flow_token_by_session on flow_token (session_id, created_at);

-- What happened at a button. A press is claimed, then settled, refused or closed.
create table flow_press (
  id text primary key, session_id text not null references flow_session on delete cascade,
  flow_id text not null references flow, button_id text not null references flow_button, key text not null,
  action text not null check (action in ('shown', 'accepted', 'declined', 'skipped', 'answered')),
  state text not null check (state in ('claimed', 'settled', 'refused', 'closed')),
  title text not null, quantity integer, amount_minor integer,
  -- The line of the order or the cart that it added.
  line_id text,
  -- The draft that holds what is being paid, and the payment.
  draft_order_id text, payment_session_id text, notice text, reason text,
  -- The hash of the record that conditions were evaluated over, and their results as JSON.
  record_hash text, conditions text,
  -- The first answer, which every repetition gets.
  answer text, is_spam integer not null default 0, shown_ms integer,
  created_at integer not null, settled_at integer
) strict;
create unique index flow_press_once on flow_press (session_id, button_id)
  where action <> 'shown' and state <> 'refused';
create unique index flow_press_shown on flow_press (session_id, button_id) where action = 'shown';
create index flow_press_of_session on flow_press (session_id);
create index flow_press_claimed on flow_press (created_at) where state = 'claimed';
create index flow_press_by_creation on flow_press (created_at);
create index flow_press_of_flow on flow_press (flow_id, created_at);

-- The answers of shoppers, apart from what happened, so that erasing is deleting.
create table flow_answer (
  press_id text not null references flow_press on delete cascade, field_key text not null,
  value text not null, pii text not null check (pii in ('none', 'email', 'phone', 'name', 'free')),
  created_at integer not null,
  primary key (press_id, field_key)
) strict, without rowid;
create index flow_answer_by_creation on flow_answer (created_at);

-- Flows as sources of formulas.
create view metric_flow_sessions as
select s.id, s.started_at, s.currency as currency_code, s.flow_id as flow_key, f.name as flow, v.number as version,
  s.status, f.kind, s.bucket, s.order_id, s.original_total_minor as original_total, s.upsell_total_minor as upsell_total,
  s.completed_at
from flow_session s join flow f on f.id = s.flow_id join flow_version v on v.id = s.version_id;

create view metric_flow_submissions as
select p.id, p.created_at, +s.currency as currency_code, p.session_id, s.order_id, p.flow_id as flow_key, f.name as flow,
  p.key as button_key, p.action, p.amount_minor as amount, p.quantity, p.shown_ms / 1000 as seconds_shown
from flow_press p join flow_session s on s.id = p.session_id join flow f on f.id = p.flow_id
where p.action <> 'shown' and p.state = 'settled' and p.is_spam = 0;

insert into metric_data_version (name, version) values ('flow', 0), ('flow_version', 0), ('flow_session', 0), ('flow_press', 0);
create trigger metric_data_flow_insert after insert on flow begin
  update metric_data_version set version = version + 1 where name = 'flow'; end;
create trigger metric_data_flow_update after update of name, kind on flow begin
  update metric_data_version set version = version + 1 where name = 'flow'; end;
create trigger metric_data_flow_delete after delete on flow begin
  update metric_data_version set version = version + 1 where name = 'flow'; end;
create trigger metric_data_flow_version_insert after insert on flow_version begin
  update metric_data_version set version = version + 1 where name = 'flow_version'; end;
create trigger metric_data_flow_version_update after update on flow_version begin
  update metric_data_version set version = version + 1 where name = 'flow_version'; end;
create trigger metric_data_flow_version_delete after delete on flow_version begin
  update metric_data_version set version = version + 1 where name = 'flow_version'; end;
create trigger metric_data_flow_session_insert after insert on flow_session begin
  update metric_data_version set version = version + 1 where name = 'flow_session'; end;
create trigger metric_data_flow_session_update after update of status, order_id, original_total_minor, upsell_total_minor,
  completed_at on flow_session begin
  update metric_data_version set version = version + 1 where name = 'flow_session'; end;
create trigger metric_data_flow_session_delete after delete on flow_session begin
  update metric_data_version set version = version + 1 where name = 'flow_session'; end;
create trigger metric_data_flow_press_insert after insert on flow_press when new.action <> 'shown' begin
  update metric_data_version set version = version + 1 where name = 'flow_press'; end;
create trigger metric_data_flow_press_update after update of state, amount_minor, quantity, is_spam on flow_press begin
  update metric_data_version set version = version + 1 where name = 'flow_press'; end;
create trigger metric_data_flow_press_delete after delete on flow_press begin
  update metric_data_version set version = version + 1 where name = 'flow_press'; end;
