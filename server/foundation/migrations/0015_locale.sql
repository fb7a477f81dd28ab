-- How the store writes numbers, amounts and days.
alter table store add column locale text not null default 'en-GB';
