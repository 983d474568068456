-- Records how replays of documents ended. A code says that something could not be looked at: it is tried again as
-- docket.failure_codes says; and so is what was read anew under the configuration of a result that was superseded meanwhile. What the
-- worker found is compared here with the log: `p_found` is the SHA-256 of bytes that are not the
-- right ones, `p_signatures` what record_signatures would read, `p_readings` a result as record_results takes it.
-- Called by: the worker, for what it claimed. Effects: replay_tasks, replayed_documents, replay_findings, disputed_documents,
-- replay_runs; events replay_passed and replay_failed.
-- Outcome of each: passed, failed, unchecked (it could not be looked at, or was disposed of), retry or stale.
-- Errors: ZD022 a code is not known.
create or replace function docket.record_replays(
  p_replays integer[],
  p_jobs uuid[],
  p_codes text[],
  p_found text[],
  p_signatures json[],
  p_configs bytea[],
  p_readings json[]
)
returns table (replay_id integer, job_id uuid, outcome text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_brought record;
  v_findings docket.replay_findings[];
  v_checks text[];
  v_seq integer;
begin
  -- check
  perform docket.require_failure_codes(array_remove(array_remove(p_codes, null), 'DISPOSED'));

  -- lock
  perform from docket.jobs j where j.job_id = any (p_jobs) order by j.job_id for no key update;
  perform from docket.replay_runs r where r.replay_id = any (p_replays) order by r.replay_id for no key update;

  -- record
  for v_brought in
    select n.*, k.tries, r.is_reread, docket.is_disposed(n.job_id) as is_disposed, f.base_delay, f.longest_delay,
      n.reading is not null and n.config_sha256 is distinct from p.config_sha256 as is_superseded,
      (n.code = 'DISPOSED' or f.is_retryable and k.tries < f.max_tries) is true as is_passing
    from unnest(p_replays, p_jobs, p_codes, p_found, p_signatures, p_configs, p_readings)
      as n (replay_id, job_id, code, found, signatures, config_sha256, reading)
    left join docket.replay_tasks k on k.replay_id = n.replay_id and k.job_id = n.job_id
    left join docket.replay_runs r on r.replay_id = n.replay_id
    left join docket.failure_codes f on f.code = n.code
    left join docket.jobs j on j.job_id = n.job_id
    left join docket.results p on p.job_id = j.job_id and p.result_sha256 = j.result_sha256
  loop
    replay_id := v_brought.replay_id;
    job_id := v_brought.job_id;
    if v_brought.tries is null then
      outcome := 'stale';
      return next;
      continue;
    elsif (v_brought.is_passing or v_brought.is_superseded) and not v_brought.is_disposed then
      update docket.replay_tasks k
      set tries = case when v_brought.code = 'WORKER_STOPPING' then greatest(k.tries - 1, 0) else k.tries end,
        due_at = clock_timestamp()
          + coalesce(docket.back_off(v_brought.base_delay, v_brought.longest_delay, k.tries - 1), '0')
      where k.replay_id = v_brought.replay_id and k.job_id = v_brought.job_id;
      outcome := 'retry';
      return next;
      continue;
    end if;

    v_findings := '{}';
    v_checks := '{}';
    v_seq := null;
    if v_brought.is_disposed then
      outcome := 'unchecked';
      v_brought.code := 'DISPOSED';
    else
      v_findings := array(
        select row(v_brought.replay_id, v_brought.job_id, row_number() over (), d.*)::docket.replay_findings
        from docket.replay_differences(
          v_brought.job_id, v_brought.code, v_brought.found, v_brought.signatures, v_brought.config_sha256, v_brought.reading
        ) d
      );
      v_checks := array['packet', 'result', 'page_count']
        || case when v_brought.code is null then array['object', 'envelope'] else '{}' end
        || case when v_brought.reading is not null then array['reading'] else '{}' end;
      v_checks := v_checks || array(
        select distinct f.checked from unnest(v_findings) f where f.checked <> all (v_checks)
      );
      outcome := case
        when v_findings <> '{}' then 'failed'
        when v_brought.code is not null then 'unchecked'
        else 'passed'
      end;
      if v_brought.code is null and v_brought.is_reread and v_brought.reading is null then
        v_brought.code := 'OTHER_CONFIGURATION';
      end if;
    end if;

    if outcome <> 'unchecked' then
      perform docket.record_events(
        array[v_brought.job_id], array['replay_' || outcome], docket.actor(), null, null, null,
        array[
          json_build_object(
            'replay', v_brought.replay_id, 'checks', v_checks, 'findings', cardinality(v_findings)
          )::text
        ]
      );
      select j.seq into v_seq from docket.jobs j where j.job_id = v_brought.job_id;
    end if;
    insert into docket.replayed_documents (replay_id, job_id, outcome, code, checks, seq, replayed_at)
    values (v_brought.replay_id, v_brought.job_id, outcome, v_brought.code, v_checks, v_seq, clock_timestamp());
    insert into docket.replay_findings select f.* from unnest(v_findings) f;
    if outcome = 'passed' then
      delete from docket.disputed_documents d where d.job_id = v_brought.job_id;
    elsif outcome = 'failed' then
      insert into docket.disputed_documents as d (job_id, replay_id, seq, disputed_at)
      values (v_brought.job_id, v_brought.replay_id, v_seq, clock_timestamp())
      on conflict (job_id) do update set replay_id = excluded.replay_id, seq = excluded.seq, disputed_at = excluded.disputed_at;
    end if;
    delete from docket.replay_tasks k where k.replay_id = v_brought.replay_id and k.job_id = v_brought.job_id;
    return next;
  end loop;

  update docket.replay_runs r
  set ended_at = clock_timestamp()
  where r.replay_id = any (p_replays) and r.ended_at is null
    and not exists (select from docket.replay_tasks k where k.replay_id = r.replay_id);
end;
$$;
comment on function docket.record_replays(integer[], uuid[], text[], text[], json[], bytea[], json[]) is
  'Records how replays of documents ended: passed, failed with findings, or not looked at. Raises ZD022.';
