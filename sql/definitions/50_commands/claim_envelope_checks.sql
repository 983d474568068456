-- Hands out deliveries of verified documents whose signatures are to be checked, what has waited longest first, each for as long as
-- the hash task may take; a worker that dies leaves them to be handed out again after that.
-- Called by: every worker process, between the duties; several may at a time. Effects: envelope_checks.
-- `candidates` are the places of the bytes; `is_evidence`: signatures inside the scan are to be checked too. `code` is set where
-- it is known without looking how the check ends.
create or replace function docket.claim_envelope_checks(p_limit integer)
returns table (
  delivery_id bigint,
  job_id uuid,
  sha256 bytea,
  candidates json,
  media_type text,
  is_evidence boolean,
  envelope bytea,
  judged_at timestamptz,
  anchors json,
  revocation_lists integer[],
  seconds double precision,
  code text
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_deadline interval;
begin
  -- check
  if not exists (select from docket.envelope_checks k where k.due_at <= v_now) then
    return;
  end if;
  select t.deadline into v_deadline from docket.tasks t where t.task = 'hash';

  -- lock, record
  return query
  with due as materialized (
    select k.delivery_id
    from docket.envelope_checks k
    where k.due_at <= v_now
    order by k.due_at
    limit p_limit
    for update of k skip locked
  ),
  claimed as (
    update docket.envelope_checks k
    set due_at = v_now + v_deadline, tries = k.tries + 1
    from due d
    where k.delivery_id = d.delivery_id
    returning k.*
  )
  select c.delivery_id, c.job_id, e.sha256, docket.candidate_locators(c.job_id, e.sha256), e.media_type,
    e.delivery_id = c.delivery_id, d.envelope, coalesce(c.judged_at, d.received_at), t.anchors, t.revocation_lists,
    extract(epoch from v_deadline)::double precision,
    -- no code is tried as often: nobody came back to say how it ended
    case when c.tries > 20 then 'CRASH_LOOP' end
  from claimed c
  cross join lateral (select * from docket.evidence e where e.job_id = c.job_id limit 1) as e
  cross join lateral (select * from docket.deliveries d where d.delivery_id = c.delivery_id limit 1) as d
  cross join lateral docket.envelope_trust(d.source_id) as t;
end;
$$;
comment on function docket.claim_envelope_checks(integer) is
  'Hands out deliveries of verified documents whose signatures are to be checked, with what they are judged by.';
