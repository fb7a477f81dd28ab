-- Carts whose parts are paid at different times, and look-ups for events of the card processor.

-- The part of a cart's total that is not to be paid now, because what it is for begins later.
alter table payment_collection add column later_minor integer not null default 0 check (later_minor >= 0);

-- The customers and methods that a processor's events name.
create index account_holder_by_external_id on account_holder (external_id);
