-- Entries of one instant are listed in the order of the chain.
drop index audit_entry_by_time;
create index audit_entry_by_time on audit_entry (at);
