-- Bodies are deleted oldest first; the deliveries that have lost theirs stay for a year.
create index webhook_delivery_with_body on webhook_delivery (received_at) where body is not null;
