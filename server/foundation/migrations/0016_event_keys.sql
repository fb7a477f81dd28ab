-- The ids of events are stored a group at a time, in the order in which they came: in an index by id, every event wrote a
-- page of its own. Whoever writes events knows those of the last seven days.
create table visit_event_keys (
  -- The newest row stays, so that no number comes again.
  seq integer primary key, received_at integer not null,
  -- The first eight bytes of the digest of each id.
  keys blob not null
) strict;
create index visit_event_keys_by_age on visit_event_keys (received_at);
insert into visit_event_keys (received_at, keys)
  select received_at, unhex(substr(digest, 1, 16)) from visit_event_key order by received_at;
drop table visit_event_key;
