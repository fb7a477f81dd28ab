-- The refunds of an order that were not owed when they were made, so that what comes back later is owed in full.
alter table orders add column goodwill_minor integer not null default 0;
