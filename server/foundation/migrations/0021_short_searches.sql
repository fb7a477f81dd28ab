-- All that a search of orders looks at: texts of one or two letters, which the index of trigrams cannot find, are looked
-- for in this index instead of in the orders.
drop index orders_by_email;
create index orders_by_email on orders (email, display_id);
