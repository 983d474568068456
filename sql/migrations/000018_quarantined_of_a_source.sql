-- Quarantined documents of one source, the newest first: what is said of a source must not depend on how many others have.
create index jobs__quarantined_of_source_idx on docket.jobs (source_id, state_at) where state = 'quarantined';
