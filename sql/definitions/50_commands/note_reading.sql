-- Records that somebody reads what others see masked or not at all, and refuses it where nobody may.
-- Called by: read_text and read_original, before they answer. Not granted to anyone. Effects: event text_read or original_read.
-- Errors: ZD005 who acts may not read · ZD020 there is no such job, or they do not see it · ZD021 · ZD030.
create or replace function docket.note_reading(
  p_job_id uuid,
  p_event text,
  p_reason text,
  p_detail json
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- lock
  perform from docket.jobs j where j.job_id = p_job_id for no key update;

  -- check
  if not docket.sees_job(p_job_id) then
    raise exception 'job_id: there is no job %', p_job_id using errcode = 'ZD020', hint = 'Check the job id.';
  end if;
  if btrim(coalesce(p_reason, '')) = '' or length(p_reason) > 1000 then
    raise exception 'reason: reading what others do not see needs one, of at most 1000 characters'
      using errcode = 'ZD021', hint = 'Say why, in words.';
  end if;
  if docket.is_disposed(p_job_id) then
    raise exception 'job_id: document % was disposed of', p_job_id using errcode = 'ZD030', hint = 'Nothing of it is left.';
  end if;

  -- record
  perform docket.record_events(
    array[p_job_id],
    array[p_event],
    docket.actor(),
    array[p_reason],
    null,
    null,
    array[p_detail::text]
  );
end;
$$;
comment on function docket.note_reading(uuid, text, text, json) is
  'Records that somebody reads unredacted text or an original. Raises ZD005, ZD020, ZD021, ZD030.';
