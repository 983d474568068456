-- Admission: notices what arrived, then lets jobs enter, oldest first, in turn over the sources, up to the window.
-- Called by: every worker process about ten times a second; one at a time does it, the others return at once.
-- Effects: jobs of arrivals, events delivered_again, redelivered, admitted; hash becomes due. Returns how many entered.
create or replace function docket.admit(p_window integer)
returns table (admitted integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_room integer;
  v_jobs uuid[];
begin
  -- lock
  admitted := 0;
  perform from docket.duties d where d.duty = 'admit' for update skip locked;
  if not found then
    return next;
    return;
  end if;

  -- check
  perform docket.notice_arrivals(1000);
  select p_window - count(*) into v_room from docket.jobs j where j.next_task is not null;
  if v_room > 0 then
    select array_agg(chosen.job_id)
    into v_jobs
    from (
      select waiting.job_id
      from docket.sources s
      cross join lateral (
        select j.job_id, row_number() over (order by j.accepted_at) as turn
        from docket.jobs j
        where j.source_id = s.source_id and j.state = 'accepted' and j.next_task is null
        order by j.accepted_at
        limit v_room
      ) as waiting
      order by waiting.turn, s.source_id
      limit v_room
    ) as chosen;
  end if;

  -- record, enqueue
  if v_jobs is not null then
    perform from docket.jobs j where j.job_id = any (v_jobs) order by j.job_id for no key update;
    perform docket.record_events(
      v_jobs,
      array_fill('admitted'::text, array[cardinality(v_jobs)]),
      docket.actor(),
      null,
      null,
      null,
      null
    );
    admitted := cardinality(v_jobs);
  end if;
  return next;
end;
$$;
comment on function docket.admit(integer) is
  'Notices arrivals and admits waiting jobs, fair over sources, while fewer than the window are in flight.';
