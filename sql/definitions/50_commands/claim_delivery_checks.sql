-- Hands out deliveries of further sources whose bytes are to be compared, in turn over the sources, each for as long as the
-- hash task may take; a worker that dies leaves them to be handed out again after that. Whoever sees the document already
-- has nothing left to show.
-- Called by: every worker process, between the duties; several may at a time. Effects: delivery_checks.
-- `code` is set where it is known without reading how the check ends.
create or replace function docket.claim_delivery_checks(p_limit integer)
returns table (
  delivery_id bigint,
  job_id uuid,
  sha256 bytea,
  locator text,
  version text,
  size_bytes bigint,
  seconds double precision,
  code text,
  source_id text,
  encryption text,
  object_key json
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_deadline interval;
  v_due bigint[];
  v_taken bigint[];
begin
  -- check
  if not exists (select from docket.delivery_checks k where k.due_at <= v_now) then
    return;
  end if;
  select t.deadline into v_deadline from docket.tasks t where t.task = 'hash';
  v_due := array(
    select waiting.delivery_id
    from docket.sources s
    cross join lateral (
      select k.delivery_id, row_number() over (order by k.due_at) as turn
      from docket.delivery_checks k
      where k.source_id = s.source_id and k.due_at <= v_now
      order by k.due_at
      limit p_limit
    ) as waiting
    order by waiting.turn, s.source_id
    limit p_limit
  );
  v_taken := array(select docket.taken_places(v_due));

  -- lock, record
  return query
  with due as materialized (
    select k.*, exists (
      select from docket.document_sources s where s.job_id = k.job_id and s.source_id = k.source_id
    ) as is_seen
    from docket.delivery_checks k
    where k.delivery_id = any (v_due) and k.due_at <= v_now
    for update of k skip locked
  ),
  dropped as (
    delete from docket.delivery_checks k using due d where k.delivery_id = d.delivery_id and d.is_seen
  ),
  claimed as (
    update docket.delivery_checks k
    set due_at = v_now + v_deadline, tries = k.tries + 1
    from due d
    where k.delivery_id = d.delivery_id and not d.is_seen
    returning k.delivery_id, k.job_id, k.tries
  )
  select c.delivery_id, c.job_id, e.sha256, d.locator, d.version, d.size_bytes, extract(epoch from v_deadline)::double precision,
    case
      when c.delivery_id = any (v_taken) then 'LOCATOR_TAKEN'
      -- no code is tried as often: nobody came back to say how it ended
      when c.tries > 20 then 'CRASH_LOOP'
    end,
    d.source_id, d.encryption, docket.object_key_of(d.locator, d.source_id, d.encryption)
  from claimed c
  join docket.evidence e on e.job_id = c.job_id
  join docket.deliveries d on d.delivery_id = c.delivery_id;
end;
$$;
comment on function docket.claim_delivery_checks(integer) is
  'Hands out deliveries of further sources to be compared with the hash of their document.';
