-- Indexes of texts, for searches inside of texts: each has the trigrams of a table's rows. New rows are added later, many at
-- once, so that an index costs nothing where rows are written; those that are in an index are replaced when they change.

-- The last row that is in each index: those after it are not.
create table text_index (name text primary key, last_row integer not null) strict, without rowid;
insert into text_index (name, last_row) values ('order_text', 0), ('customer_text', 0);

create virtual table order_text using fts5 (body, content = '', tokenize = 'trigram', detail = none, columnsize = 0);
insert into order_text (order_text, rank) values ('secure-delete', 1);
create view order_text_row as
select display_id as number, display_id || char(10) || coalesce(email, '') as body from orders;
create trigger order_text_changed after update of email on orders
  when new.email is not old.email
    and old.display_id <= (select last_row from text_index where name = 'order_text') begin
  insert into order_text (order_text, rowid, body)
    values ('delete', old.display_id, old.display_id || char(10) || coalesce(old.email, ''));
  insert into order_text (rowid, body) select number, body from order_text_row where number = new.display_id;
end;
-- The number of the last order is given again after it is deleted.
create trigger order_text_ended after delete on orders
  when old.display_id <= (select last_row from text_index where name = 'order_text') begin
  insert into order_text (order_text, rowid, body)
    values ('delete', old.display_id, old.display_id || char(10) || coalesce(old.email, ''));
  update text_index set last_row = min(last_row, (select coalesce(max(display_id), 0) from orders)) where name = 'order_text';
end;

create virtual table customer_text using fts5 (body, content = '', tokenize = 'trigram', detail = none, columnsize = 0);
insert into customer_text (customer_text, rank) values ('secure-delete', 1);
create view customer_text_row as
select number, concat_ws(char(10), email, first_name, last_name, company_name, phone) as body from customer;
create trigger customer_text_changed after update of email, first_name, last_name, company_name, phone on customer
  when old.number <= (select last_row from text_index where name = 'customer_text') begin
  insert into customer_text (customer_text, rowid, body) values ('delete', old.number,
    concat_ws(char(10), old.email, old.first_name, old.last_name, old.company_name, old.phone));
  insert into customer_text (rowid, body) select number, body from customer_text_row where number = new.number;
end;
create trigger customer_text_ended after delete on customer
  when old.number <= (select last_row from text_index where name = 'customer_text') begin
  insert into customer_text (customer_text, rowid, body) values ('delete', old.number,
    concat_ws(char(10), old.email, old.first_name, old.last_name, old.company_name, old.phone));
  update text_index set last_row = min(last_row, (select coalesce(max(number), 0) from customer)) where name = 'customer_text';
end;
