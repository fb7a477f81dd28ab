-- The stock of a location is written off when the location is deleted; that of those deleted before is now.
insert into inventory_movement (inventory_item_id, location_id, change_quantity, stocked_after, reason, created_at)
  select level.inventory_item_id, level.location_id, -level.stocked_quantity, 0, 'removal', location.deleted_at
    from inventory_level level join stock_location location on location.id = level.location_id
   where location.deleted_at is not null and level.stocked_quantity > 0;
delete from inventory_level
 where location_id in (select id from stock_location where deleted_at is not null);
