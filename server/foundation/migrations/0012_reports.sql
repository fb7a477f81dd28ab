-- What reports over goods count, and what changes their refunds.

-- A line repeats a product if an earlier line of its order has it too: the orders with a product are its lines without those.
drop view metric_items;
create view metric_items as
select l.id, o.placed_at as created_at, +o.currency as currency_code, l.order_id, l.product_id, l.variant_id,
  l.title, l.variant_sku as sku, l.quantity, l.unit_price_minor as unit_price, l.unit_cost_minor as unit_cost,
  l.subtotal_minor as subtotal, l.discount_subtotal_minor as discount, l.tax_minor as tax, l.total_minor as total,
  exists (select 1 from order_line e
    where e.order_id = l.order_id and e.product_id is l.product_id and e.id < l.id) as repeats_product
from orders o join order_line l on l.order_id = o.id where o.status <> 'draft';

-- Refunds are attributed to the lines that came back.
create trigger metric_touched_by_line_return after update of refunded_minor on order_line
  when new.refunded_minor <> old.refunded_minor begin
  insert or ignore into metric_touched values ('changed', new.order_id); end;
