-- How far alerts are from firing, and what their channels answered.

-- How far the compared value was from its threshold, in thousandths of the threshold.
alter table metric_alert add column distance_permille integer check (distance_permille >= 0);

-- What is sent to the channels of alerts, with the last answer; `state` is what it tells.
create table metric_alert_delivery (
  id text primary key, alert_id text not null references metric_alert,
  state text not null check (state in ('firing', 'ok')), channel text not null,
  status text not null check (status in ('pending', 'delivered', 'failed', 'dead', 'dropped')),
  attempt_count integer not null, answer text, attempted_at integer, created_at integer not null
) strict;
create index metric_alert_delivery_by_alert on metric_alert_delivery (alert_id, created_at);
create index metric_alert_delivery_by_creation on metric_alert_delivery (created_at);
create index metric_alert_delivery_by_status on metric_alert_delivery (status, created_at);
