-- Records that who acts is about to read what others see masked or not at all: p_of is text or original. What is read is handed
-- out by read_text and read_original, and only once this is committed: whoever read and then rolled back would leave no trace.
-- Called by: evidence owners and auditors. Effects: event text_read or original_read, unless there is nothing to read.
-- Errors: ZD020 there is no such job, or they do not see it · ZD021 · ZD030 it was disposed of.
create or replace function docket.note_reading(
  p_job_id uuid,
  p_of text,
  p_reason text
)
returns table (is_there boolean)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_detail json;
begin
  -- lock
  perform from docket.jobs j where j.job_id = p_job_id for no key update;

  -- check
  if not docket.sees_job(p_job_id) then
    raise exception 'job_id: there is no job %', p_job_id using errcode = 'ZD020', hint = 'Check the job id.';
  end if;
  perform docket.require_reason(p_reason, 'reading what others do not see');
  if docket.is_disposed(p_job_id) then
    raise exception 'job_id: document % was disposed of', p_job_id using errcode = 'ZD030', hint = 'Nothing of it is left.';
  end if;
  v_detail := case p_of
    when 'text' then (
      select json_build_object('result', r.attempt, 'pages', r.page_count)
      from docket.results r
      where r.job_id = p_job_id and r.attempt = docket.readable_attempt(p_job_id)
    )
    when 'original' then (
      select json_build_object('sources', json_agg(d.source_id order by d.ordinal))
      from docket.document_sources d
      where d.job_id = p_job_id and d.source_id = any (array(select docket.visible_sources()))
      having count(*) > 0
    )
  end;

  -- record
  if v_detail is not null then
    perform docket.record_events(
      array[p_job_id], array[p_of || '_read'], docket.actor(), array[p_reason], null, null, array[v_detail::text]
    );
  end if;
  return query select v_detail is not null;
end;
$$;
comment on function docket.note_reading(uuid, text, text) is
  'Records that who acts is about to read the text or the original of a document; false where there is none. Raises ZD020, ZD021, ZD030.';
