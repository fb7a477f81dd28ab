-- An archived order is not fulfilled any more and holds no stock; that of those archived before is released now.
update inventory_level
   set reserved_quantity = reserved_quantity
     - (select sum(r.quantity) from reservation r join orders o on o.id = r.order_id
         where o.status = 'archived' and r.deleted_at is null
           and r.inventory_item_id = inventory_level.inventory_item_id and r.location_id = inventory_level.location_id)
 where exists (select 1 from reservation r join orders o on o.id = r.order_id
                where o.status = 'archived' and r.deleted_at is null
                  and r.inventory_item_id = inventory_level.inventory_item_id and r.location_id = inventory_level.location_id);
update reservation
   set deleted_at = (select coalesce(o.archived_at, o.updated_at) from orders o where o.id = reservation.order_id)
 where deleted_at is null and order_id in (select id from orders where status = 'archived');
