-- When the contents of a cart were deleted that nobody had come back to. Its row stays, because metrics count the carts
-- that were begun.
alter table cart add column emptied_at integer;
create index cart_untouched on cart (updated_at, id) where completed_at is null and emptied_at is null;
