-- What lists of people walk along.

-- An attempt brings one result at most. People name a result by its attempt, which tells nothing of the text as its hash could;
-- and what need not be joined to be counted is seen to be so by this key.
alter table docket.results add constraint results__one_for_each_attempt_uq unique (job_id, attempt);

-- what evidence owners have to look at, oldest first
create index jobs__quarantined_idx on docket.jobs (state_at, job_id) where state = 'quarantined';
