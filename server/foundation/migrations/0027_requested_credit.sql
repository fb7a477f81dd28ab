-- A credit line keeps the amount that was asked for, none for the whole balance. What it pays follows the cart's total,
-- and may be nothing for a while. Existing lines keep what they
-- paid as the amount that was asked for.
create table requested_credit (
  cart_id text not null references cart on delete cascade, id text not null,
  amount_minor integer not null check (amount_minor >= 0), requested_minor integer check (requested_minor > 0),
  reference text not null, reference_id text not null,
  metadata text, created_at integer not null, updated_at integer not null,
  primary key (cart_id, id)
) strict, without rowid;
insert into requested_credit (cart_id, id, amount_minor, requested_minor, reference, reference_id, metadata, created_at,
                              updated_at)
select cart_id, id, amount_minor, amount_minor, reference, reference_id, metadata, created_at, updated_at
  from cart_credit_line;
drop table cart_credit_line;
alter table requested_credit rename to cart_credit_line;
