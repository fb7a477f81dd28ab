-- Subscriptions as sources of formulas: their rows, what changed the recurring revenue, and the cycles that were billed.

-- Subscriptions have no date, so formulas read all in a currency; from the index, unless they name more.
create index subscription_for_metrics on subscription (currency, started_at, ended_at, trial_end, mrr_minor);
drop view metric_subscriptions;
create view metric_subscriptions as
select s.id, s.currency as currency_code, s.customer_id, s.status,
  (select p.name from subscription_item i join subscription_plan p on p.id = i.plan_id
    where i.subscription_id = s.id order by i.position limit 1) as plan,
  s.interval, s.interval_count, s.mrr_minor as mrr, s.paid_cycles as cycles_paid, s.cancellation_reason,
  s.created_at, s.trial_end, s.started_at, s.ended_at
from subscription s;

drop view metric_mrr_movements;
create view metric_mrr_movements as
select m.id, m.created_at as occurred_at, +m.currency as currency_code, m.subscription_id, m.kind,
  m.amount_minor as amount, m.change_minor as change
from mrr_movement m;

create view metric_subscription_cycles as
select c.id, c.due_at, +s.currency as currency_code, c.subscription_id, c.number, c.status, c.skip_reason,
  c.total_minor as amount, c.attempt_count as attempts, c.first_failed_at, c.paid_at, c.order_id
from subscription_cycle c join subscription s on s.id = c.subscription_id;

insert into metric_data_version (name, version) values
  ('subscription', 0), ('subscription_item', 0), ('subscription_plan', 0), ('subscription_cycle', 0), ('mrr_movement', 0);
create trigger metric_data_subscription_insert after insert on subscription begin
  update metric_data_version set version = version + 1 where name = 'subscription'; end;
create trigger metric_data_subscription_update after update of customer_id, currency, status, interval, interval_count, mrr_minor,
  paid_cycles, cancellation_reason, trial_end, started_at, ended_at on subscription begin
  update metric_data_version set version = version + 1 where name = 'subscription'; end;
create trigger metric_data_subscription_delete after delete on subscription begin
  update metric_data_version set version = version + 1 where name = 'subscription'; end;
create trigger metric_data_subscription_item_insert after insert on subscription_item begin
  update metric_data_version set version = version + 1 where name = 'subscription_item'; end;
create trigger metric_data_subscription_item_update after update of plan_id, position, subscription_id on subscription_item begin
  update metric_data_version set version = version + 1 where name = 'subscription_item'; end;
create trigger metric_data_subscription_item_delete after delete on subscription_item begin
  update metric_data_version set version = version + 1 where name = 'subscription_item'; end;
create trigger metric_data_subscription_plan_insert after insert on subscription_plan begin
  update metric_data_version set version = version + 1 where name = 'subscription_plan'; end;
create trigger metric_data_subscription_plan_update after update of name on subscription_plan begin
  update metric_data_version set version = version + 1 where name = 'subscription_plan'; end;
create trigger metric_data_subscription_plan_delete after delete on subscription_plan begin
  update metric_data_version set version = version + 1 where name = 'subscription_plan'; end;
create trigger metric_data_subscription_cycle_insert after insert on subscription_cycle begin
  update metric_data_version set version = version + 1 where name = 'subscription_cycle'; end;
create trigger metric_data_subscription_cycle_update after update of number, status, skip_reason, due_at, total_minor,
  attempt_count, first_failed_at, paid_at, order_id on subscription_cycle begin
  update metric_data_version set version = version + 1 where name = 'subscription_cycle'; end;
create trigger metric_data_subscription_cycle_delete after delete on subscription_cycle begin
  update metric_data_version set version = version + 1 where name = 'subscription_cycle'; end;
create trigger metric_data_mrr_movement_insert after insert on mrr_movement begin
  update metric_data_version set version = version + 1 where name = 'mrr_movement'; end;
create trigger metric_data_mrr_movement_update after update on mrr_movement begin
  update metric_data_version set version = version + 1 where name = 'mrr_movement'; end;
create trigger metric_data_mrr_movement_delete after delete on mrr_movement begin
  update metric_data_version set version = version + 1 where name = 'mrr_movement'; end;
