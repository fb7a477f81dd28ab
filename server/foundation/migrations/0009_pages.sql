-- What the admin pages keep for a person.

-- Which figures a person has pinned, and in which order.
create table board (
  owner_id text not null,
  name text not null,
  -- Keys in JSON.
  tiles text not null check (json_type(tiles) = 'array'),
  -- Whether others see it.
  is_shared integer not null check (is_shared in (0, 1)),
  updated_at integer not null,
  primary key (owner_id, name)
) strict, without rowid;

create index board_by_name on board (name) where is_shared = 1;
