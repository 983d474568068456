-- Hands out documents that are to be read again, those of trials first, then what has waited longest: an attempt is opened for each, with
-- a token, for as long as recognition may take. Of a trial the published pages come along, to be compared with. `code` is set where it
-- is known without looking how it ends. On a host where something is down nothing is handed out.
-- p_held: what the process has under way. What else is open under its lease was handed out by an answer that it never got, and is taken
-- back, without a try.
-- Called by: every worker process, between the duties. Effects: rereadings, reread_attempts.
-- Errors: ZD040 the lease has ended.
create or replace function docket.claim_rereadings(
  p_lease uuid,
  p_limit integer,
  p_held bigint[]
)
returns table (
  rereading_id bigint,
  attempt integer,
  token uuid,
  seconds double precision,
  job_id uuid,
  sha256 bytea,
  document_kind text,
  candidates json,
  ocr_version integer,
  is_trial boolean,
  published json,
  code text
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_unheld bigint[];
  v_now timestamptz;
  v_host text;
  v_deadline interval;
begin
  v_unheld := array(
    select a.rereading_id
    from docket.reread_attempts a
    where a.ended_at is null and a.lease_id = p_lease and a.rereading_id <> all (p_held)
  );
  if v_unheld <> '{}' then
    perform docket.take_back_rereadings(v_unheld, 'WORKER_STOPPING', 'the answer that handed it out was lost');
  end if;

  -- check
  v_now := clock_timestamp();
  if not exists (select from docket.rereadings r where r.ended_at is null and r.due_at <= v_now) then
    return;
  end if;
  select l.host into v_host
  from docket.leases l
  where l.lease_id = p_lease and l.closed_at is null and l.deadline > v_now;
  if not found then
    raise exception 'lease % has ended', p_lease using errcode = 'ZD040', hint = 'Stop all work and open a new lease.';
  end if;
  if exists (select from docket.breakers b where b.host = v_host and b.state <> 'closed') then
    return;
  end if;
  select t.deadline into v_deadline from docket.tasks t where t.task = 'ocr';

  -- lock, record
  return query
  with due as materialized (
    select r.rereading_id, r.job_id
    from docket.rereadings r
    where r.ended_at is null and r.due_at <= v_now
    order by r.trial_id is null, r.due_at
    limit p_limit
    for no key update of r skip locked
  ),
  claimed as materialized (
    update docket.rereadings r
    set due_at = v_now + v_deadline, tries = r.tries + 1
    from due d
    where r.rereading_id = d.rereading_id
    returning r.rereading_id, r.job_id, r.ocr_version, r.trial_id
  ),
  opened as materialized (
    select c.*, j.sha256, j.document_kind, j.result_sha256, gen_random_uuid() as token,
      (select coalesce(max(a.attempt), 0) + 1 from docket.reread_attempts a where a.rereading_id = c.rereading_id) as attempt
    from claimed c
    cross join lateral (select * from docket.jobs j where j.job_id = c.job_id limit 1) as j
  ),
  noted as (
    insert into docket.reread_attempts (rereading_id, attempt, token, lease_id, published_sha256, started_at, deadline)
    select o.rereading_id, o.attempt, o.token, p_lease, o.result_sha256, v_now, v_now + v_deadline
    from opened o
  )
  select o.rereading_id, o.attempt, o.token, extract(epoch from v_deadline)::double precision, o.job_id, o.sha256, o.document_kind,
    coalesce(places.candidates, '[]'), o.ocr_version, o.trial_id is not null,
    case
      when o.trial_id is not null then (
        select json_agg(
          json_build_object(
            'page_no', p.page_no, 'width', p.width_px, 'height', p.height_px, 'dpi', p.dpi, 'rotation', p.rotation_degrees,
            'angle', p.angle_degrees, 'verdict', p.verdict, 'confidence', p.confidence, 'text', p.text, 'words', p.words
          )
          order by p.page_no
        )
        from docket.pages p
        where p.job_id = o.job_id and p.result_sha256 = o.result_sha256
      )
    end,
    case
      when docket.is_disposed(o.job_id) then 'DISPOSED'
      when exists (select from docket.ocr_withdrawals w where w.ocr_version = o.ocr_version) then 'OCR_VERSION_WITHDRAWN'
      when places.candidates is null then 'OBJECT_NOT_FOUND'
    end
  from opened o
  cross join lateral (select docket.candidate_locators(o.job_id, o.sha256) as candidates) as places;
end;
$$;
comment on function docket.claim_rereadings(uuid, integer, bigint[]) is
  'Hands out documents that are to be read again, each under an attempt with a token. Raises ZD040.';
