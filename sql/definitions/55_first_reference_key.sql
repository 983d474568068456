-- The first key by which references in the queue are signed. Later ones: docket.rotate_reference_key().
select docket.make_reference_key() where not exists (select from docket.reference_keys);
