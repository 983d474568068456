-- Attempts under way are found by their jobs, so that the end of an attempt changes no index.

drop index docket.attempts__open_idx;
-- Every attempt ends, and its row grows by that: room for it on its page.
alter table docket.attempts set (fillfactor = 50);
