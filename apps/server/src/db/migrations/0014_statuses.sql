-- Statuses had no effect before, and a new brand is pending. Brands that already publish must be able to go on.
update brands set status = 'active' where status = 'pending' and opted_in_for_trial;
