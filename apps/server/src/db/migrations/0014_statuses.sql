-- Until now a status meant nothing, and new brands are pending: those that publish already go on.
update brands set status = 'active' where status = 'pending' and opted_in_for_trial;
