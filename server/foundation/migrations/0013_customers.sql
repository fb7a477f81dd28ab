-- Customers in the order of their lists: those who were imported together were created at one instant. Few are deleted, so
-- that all but these are counted without reading any.
drop index customer_by_creation;
create index customer_by_creation on customer (created_at, id);
create index customer_by_deletion on customer (deleted_at) where deleted_at is not null;
