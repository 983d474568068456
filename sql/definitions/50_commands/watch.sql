-- Looks whether something is wrong, and opens, changes and closes alerts. What crosses a threshold is an alert in the same round. It eases,
-- or closes, once three rounds on end found it below four fifths of the threshold: so nothing that hovers about it opens and closes.
-- Each change is kept, told on the channel docket_alerts by the number of the alert, and sent to the webhooks of alerts. Where a rollback
-- threshold was crossed soon enough after an OCR configuration was activated, a rollback begins, if that was allowed.
-- Called by: every worker process every two seconds; one at a time does it, and not sooner than that after the last.
-- Effects: watch_rounds, alerts, alert_changes, webhook_messages; a rollback. Returns what changed.
create or replace function docket.watch()
returns table (
  alert_id bigint,
  subject text,
  change text,
  severity text,
  fact text,
  why text,
  next_command text
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_severities constant text[] := '{warning,breach,rollback}';
  v_enough constant integer := 3;
  v_margin constant double precision := 0.8;
  v_seen record;
  v_old integer;
  v_new integer;
  v_kept integer;
  v_rank integer;
  v_change text;
  v_fact text;
  v_why text;
  v_alert bigint;
  v_numbers bigint[] := '{}';
begin
  -- lock
  perform from docket.duties d where d.duty = 'watch' for update skip locked;
  if not found then
    return;
  end if;

  -- check
  update docket.watch_rounds w
  set watched_at = v_now, rounds = w.rounds + 1
  where w.watched_at not between v_now - interval '1.5 seconds' and v_now;
  if not found then
    return;
  end if;

  -- record
  for v_seen in
    select coalesce(w.subject, a.subject) as subject, w.value, w.is_share, w.thresholds, w.fact, w.why, w.next_command, w.job_id,
      a.alert_id, a.severity, a.threshold, a.fact as last_fact, a.why as last_why, a.job_id as last_job, a.opened_at, a.calm_rounds
    from docket.watched() w
    full join (select o.* from docket.alerts o where o.closed_at is null) as a on a.subject = w.subject
    order by 1
  loop
    v_old := coalesce(array_position(v_severities, v_seen.severity), 0);
    v_new := docket.alert_rank(v_seen.value, v_seen.thresholds, 1);
    v_kept := docket.alert_rank(v_seen.value, v_seen.thresholds, v_margin);
    v_change := case
      when v_new > v_old and v_old = 0 then 'opened'
      when v_new > v_old then 'worsened'
      when v_kept >= v_old or v_seen.calm_rounds + 1 < v_enough then null
      when v_kept = 0 then 'closed'
      else 'eased'
    end;
    continue when v_old = 0 and v_change is null;
    v_rank := case when v_change in ('opened', 'worsened') then v_new when v_change = 'eased' then v_kept else v_old end;
    v_fact := case
      when v_change = 'closed' then left(v_seen.last_fact, 900)
      when v_seen.fact is null or v_change is null and v_kept < v_old then v_seen.last_fact
      else rtrim(v_seen.fact, '.') || coalesce(
        '; the threshold is ' || docket.slo_words(v_seen.is_share, nullif(v_seen.thresholds[v_rank], 0)), '') || '.'
    end;
    v_why := case
      when v_change = 'closed' or v_seen.fact is null then v_seen.last_why
      when v_seen.why is not null then v_seen.why
      when v_change is null and v_seen.job_id is not distinct from v_seen.last_job then v_seen.last_why
      else (select h.fact from docket.what_holds(v_seen.job_id) h limit 1)
    end;
    if v_change = 'opened' then
      insert into docket.alerts (subject, severity, value, threshold, fact, why, next_command, job_id, opened_at, changed_at, seen_at)
      values (v_seen.subject, v_severities[v_rank], v_seen.value, v_seen.thresholds[v_rank], v_fact, v_why, v_seen.next_command,
        v_seen.job_id, v_now, v_now, v_now)
      returning docket.alerts.alert_id into v_alert;
    else
      v_alert := v_seen.alert_id;
      update docket.alerts a
      set severity = v_severities[v_rank],
        value = coalesce(v_seen.value, a.value),
        threshold = coalesce(v_seen.thresholds[v_rank], a.threshold),
        fact = v_fact,
        why = v_why,
        next_command = coalesce(v_seen.next_command, a.next_command),
        job_id = coalesce(v_seen.job_id, a.job_id),
        calm_rounds = case when v_change is null and v_kept < v_old then a.calm_rounds + 1 else 0 end,
        seen_at = case when v_kept >= v_old or v_change = 'worsened' then v_now else a.seen_at end,
        changed_at = case when v_change is null then a.changed_at else v_now end,
        closed_at = case when v_change = 'closed' then v_now end
      where a.alert_id = v_alert;
    end if;
    if v_change is not null then
      v_fact := case
        when v_change = 'closed'
          then 'Over, after ' || docket.age_words(extract(epoch from v_now - v_seen.opened_at)::double precision) || '. It was: ' || v_fact
        else v_fact
      end;
      with told as (
        insert into docket.alert_changes (alert_id, change, severity, fact, changed_at)
        values (v_alert, v_change, v_severities[v_rank], v_fact, v_now)
        returning alert_change_id
      )
      select v_numbers || t.alert_change_id into v_numbers from told t;
      perform pg_notify('docket_alerts', v_alert::text);
      return query select v_alert, v_seen.subject, v_change, v_severities[v_rank], v_fact, v_why, v_seen.next_command;
    end if;
  end loop;

  -- enqueue
  perform docket.order_alert_messages(v_numbers);
  perform docket.answer_rollback_alerts();
end;
$$;
comment on function docket.watch() is 'Looks whether something is wrong, and opens, changes and closes alerts.';
