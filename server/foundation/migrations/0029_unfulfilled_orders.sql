-- Orders with pieces still to be sent: also those of which a parcel was shipped, and those whose parcels were all canceled.
drop index orders_paid_unfulfilled;
create index orders_paid_unfulfilled on orders (placed_at)
  where payment_status in ('captured', 'partially_refunded')
    and fulfillment_status in ('not_fulfilled', 'partially_fulfilled', 'partially_shipped', 'partially_delivered', 'canceled')
    and status in ('pending', 'requires_action');
