-- What signatures of a source are judged by now.
-- Called by: read_envelopes and claim_envelope_checks. Not granted to anyone.
create or replace function docket.envelope_trust(p_source_id text)
returns table (anchors json, revocation_lists integer[])
language sql
stable
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $$
  select * from docket.envelope_judged_by(p_source_id, 'infinity')
$$;
comment on function docket.envelope_trust(text) is 'Trust anchors and revocation lists by which signatures of a source are judged now.';
