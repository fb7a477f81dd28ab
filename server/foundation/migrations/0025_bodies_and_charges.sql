-- Bodies are deleted oldest first; the deliveries that have lost theirs stay for a year.
create index webhook_delivery_with_body on webhook_delivery (received_at) where body is not null;

-- The charge of a claimed press, as JSON: its method, which the order may lose before the provider answers.
alter table flow_press add column charge text;
