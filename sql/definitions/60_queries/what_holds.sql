-- What a document waits for, whoever asks: each thing that holds it up, since when, what would help, and the next command. No row: there is
-- no such job.
-- cause is a word for programs: disposed, published, disputed, quarantined, running, retry, due, gate, rate, memory, turn, worker, pool,
-- held_back or outage.
-- Called by: why_job and watch. Not granted to anyone.
create or replace function docket.what_holds(p_job_id uuid)
returns table (cause text, fact text, since timestamptz, would_help text, next_command text)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_job docket.jobs;
  v_place record;
begin
  select * into v_job from docket.jobs j where j.job_id = p_job_id;
  if not found then
    return;
  end if;

  if docket.is_disposed(p_job_id) then
    return query
    select 'disposed', 'It was disposed of: nothing of it is left but what the log says.', v_job.state_at, null::text,
      'docket timeline ' || p_job_id;
  elsif v_job.state = 'published' then
    return query
    select 'published', 'It is published, and waits for nothing.', v_job.state_at, null::text, 'docket status ' || p_job_id
    union all
    select 'disputed', 'Its newest replay failed: something about it is not what the log says.', d.disputed_at,
      'Find out why, restore what differs, and replay it.', 'docket replay list'
    from docket.disputed_documents d
    where d.job_id = p_job_id;
  elsif v_job.state = 'quarantined' then
    return query
    select 'quarantined', format('It is quarantined for %s: %s', concat_ws(' after ', v_job.last_code, c.path), f.meaning), v_job.state_at,
      t.remedy, case when t.is_transport then format('docket redrive %s --reason ''...''', t.code)
        else format('docket quarantine show %s', p_job_id) end
    from docket.stopping_codes(array[p_job_id]) c
    join docket.failure_codes t on t.code = c.code
    join docket.failure_codes f on f.code = v_job.last_code;
  elsif v_job.next_task is null then
    select * into v_place from docket.place_in_line(p_job_id);
    return query
    select 'gate', format('Admission is closed for %s: %s', case g.target when 'all' then 'all documents' else g.target end, g.reason),
      g.closed_at, format('%s closed it; what was delivered waits, and goes on once it is opened.', g.closed_by),
      format('docket admission open %s --reason ''...''', g.target)
    from docket.admission_gates g
    where g.target in ('all', 'source:' || v_job.source_id, 'kind:' || v_job.document_kind);
    return query
    select v_place.waits_for,
      format(
        case v_place.waits_for
          when 'rate' then 'It waits for its turn at the rate of %2$s'
          when 'memory' then 'It waits for memory: as much as may be taken by documents of %2$s at once is taken'
          else 'It waits for its turn in the lane %1$s'
        end || '; %3$s%4$s of its source and %5$s of others go first%6$s.',
        v_place.lane,
        case v_place.target when 'all' then 'all sources' else v_place.target end,
        v_place.ahead,
        case v_place.ahead when 1 then ' document' else ' documents' end,
        v_place.ahead_in_all - v_place.ahead,
        coalesce('; it may be admitted at ' || docket.iso_time(v_place.expected_at), '')
      ),
      v_place.since,
      case v_place.waits_for
        when 'rate' then 'A higher rate, or to wait.'
        when 'memory' then 'That documents before it are done; or a higher limit.'
        else 'More slots or hosts for those before it; or another lane for this one.'
      end,
      case v_place.waits_for
        when 'rate' then 'docket limit list'
        when 'memory' then 'docket limit list'
        else format('docket prioritise %s --lane signature_critical --reason ''...''', p_job_id)
      end
    where v_place.waits_for in ('rate', 'memory', 'turn');
    -- where nothing is recognised, the window of its lane stays full
    return query
    select h.* from docket.why_halted('{io}', '{}') h
    union all
    select h.*
    from docket.why_halted(
      case when v_job.lane is null then '{ocr}' else '{ocr,ocr_reserved}' end::text[],
      '{}'
    ) h
    where h.cause <> 'worker';
  else
    return query
    select 'running', format('The task %s runs on the worker %s, attempt %s, until %s at most.', a.task,
        l.host || '/' || l.pid, a.attempt, docket.iso_time(a.deadline)),
      a.started_at, 'To wait. If the worker is lost, it is run elsewhere.', 'docket timeline ' || p_job_id
    from docket.attempts a
    join docket.leases l on l.lease_id = a.lease_id
    where a.job_id = p_job_id and a.attempt = v_job.attempt and a.ended_at is null;
    if found then
      return;
    end if;
    return query
    select 'retry', format('The task %s is tried again at %s, after %s.', v_job.next_task, docket.iso_time(v_job.due_at), coalesce(
        v_job.last_code || ': ' || f.meaning, 'a failure')),
      v_job.state_at, f.remedy, 'docket status ' || p_job_id
    from (select) as one
    left join docket.failure_codes f on f.code = v_job.last_code
    where v_job.due_at > clock_timestamp();
    -- what halts it explains why what is due is not begun
    return query
    select h.*
    from docket.why_halted(
      case
        when v_job.next_task <> 'ocr' then '{io}'
        when v_job.lane is null then '{ocr}'
        else '{ocr,ocr_reserved}'
      end::text[],
      case v_job.next_task when 'hash' then '{store,keys,disk}' when 'ocr' then '{store,keys,disk,engine}' else '{}' end::text[]
    ) h;
    return query
    select 'due', format('The task %s is due; so are %s of other documents, in the lane %s and others.', v_job.next_task,
        count(*), coalesce(v_job.lane, 'standard')),
      greatest(v_job.state_at, v_job.due_at), 'More slots or hosts, if it stays so.', 'docket pool list'
    from docket.jobs j
    where j.next_task = v_job.next_task and j.token is null and j.job_id <> p_job_id
      and coalesce(j.due_at <= clock_timestamp(), true)
    having coalesce(v_job.due_at <= clock_timestamp(), true);
  end if;
end;
$$;
comment on function docket.what_holds(uuid) is
  'What a document waits for, since when, what would help, and the next command, whoever asks.';
