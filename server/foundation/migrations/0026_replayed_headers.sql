-- The headers of a stored response that are sent again with it, as a JSON object.
alter table idempotency_key rename column content_type to headers;
update idempotency_key
   set headers = case when headers is null then '{}' else json_object('content-type', headers) end
 where state = 'done';
