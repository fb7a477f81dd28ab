-- Whether prices of a region include tax is stored once, as its price preference.

alter table region drop column is_tax_inclusive;
