-- The envelopes of a document that is being replayed, each with what it was judged by when it was checked last, and for which time.
-- The trust of a check was read up to the deadline of the hash task before it was recorded: where it changed meanwhile, the delivery
-- comes twice, with either.
-- Called by: the worker, for what it claimed. Nothing where nothing was checked, or the document is not being replayed.
create or replace function docket.replay_envelopes(p_job_id uuid)
returns table (
  delivery_id bigint,
  envelope bytea,
  is_embedded boolean,
  judged_at timestamptz,
  anchors json,
  revocation_lists integer[]
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select distinct on (c.delivery_id, t.anchors::text, t.revocation_lists)
    c.delivery_id, case when 'envelope' = any (c.places) then d.envelope end, 'embedded' = any (c.places), c.judged_at, t.anchors,
    t.revocation_lists
  from docket.checked_envelopes(p_job_id) c
  cross join lateral (select * from docket.deliveries d where d.delivery_id = c.delivery_id limit 1) as d
  cross join (
    values (interval '0'), ((select k.deadline from docket.tasks k where k.task = 'hash'))
  ) as earlier (span)
  cross join lateral docket.envelope_judged_by(d.source_id, c.at - earlier.span) as t
  where c.places <> '{}' and exists (select from docket.replay_tasks k where k.job_id = p_job_id)
$$;
comment on function docket.replay_envelopes(uuid) is
  'The envelopes of a document that is being replayed, with what they were judged by when they were checked last.';
