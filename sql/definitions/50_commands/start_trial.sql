-- Has published documents read by an OCR configuration and compared with what is published of them, which stays as it is: those that are
-- named, or so many that are drawn, of every source and kind some. A trial ends when the last of them was dealt with.
-- Called by: operators. Effects: ocr_trials, rereadings. Answers the number of the trial.
-- Errors: ZD020 there is no such document · ZD021 · ZD030 it was disposed of · ZD082 there is no such OCR configuration · ZD084 it was
-- rolled back · ZD085 neither documents nor a count from 1 to 10000, or there is no published document.
create or replace function docket.start_trial(
  p_version integer,
  p_reason text,
  p_jobs uuid[] default null,
  p_count integer default null
)
returns table (trial_id integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_jobs uuid[];
begin
  -- check
  perform docket.require_reason(p_reason, 'a trial');
  perform docket.require_ocr_version(p_version);
  if (p_jobs is null) = (p_count is null) or p_count not between 1 and 10000 then
    raise exception 'a trial asks for documents by name, or for a count from 1 to 10000; not for % documents and count %',
      coalesce(cardinality(p_jobs)::text, 'no'), coalesce(p_count::text, 'null')
      using errcode = 'ZD085', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD085');
  end if;
  v_jobs := case
    when p_jobs is null then array(select d.job_id from docket.draw_trial(p_count) d)
    else docket.require_published(p_jobs)
  end;
  if v_jobs = '{}' then
    raise exception 'count: there is no published document to be read for a trial'
      using errcode = 'ZD085', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD085');
  end if;

  -- record, enqueue
  insert into docket.ocr_trials (ocr_version, reason, started_by, documents)
  values (p_version, p_reason, docket.actor(), cardinality(v_jobs))
  returning ocr_trials.trial_id into start_trial.trial_id;
  insert into docket.rereadings (job_id, ocr_version, trial_id, reason, ordered_by)
  select n.job_id, p_version, start_trial.trial_id, p_reason, docket.actor()
  from unnest(v_jobs) with ordinality as n (job_id, place)
  order by n.place;
  return next;
end;
$$;
comment on function docket.start_trial(integer, text, uuid[], integer) is
  'Has published documents read by an OCR configuration and compared; nothing published changes. Raises ZD020, ZD021, ZD030, ZD082, ZD084, ZD085.';
