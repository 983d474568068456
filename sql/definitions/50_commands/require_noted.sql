-- Refuses a reading that is not recorded for good: by whoever acts, within the last five minutes. The event must be older than the
-- transaction, so that it is committed; from the gateway, which answers only after it committed, one of this transaction will do.
-- Called by: read_text and read_original. Not granted to anyone. Errors: ZD020 · ZD030 · ZD044.
create or replace function docket.require_noted(
  p_job_id uuid,
  p_of text
)
returns void
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if not docket.sees_job(p_job_id) then
    raise exception 'job_id: there is no job %', p_job_id using errcode = 'ZD020', hint = 'Check the job id.';
  end if;
  if docket.is_disposed(p_job_id) then
    raise exception 'job_id: document % was disposed of', p_job_id using errcode = 'ZD030', hint = 'Nothing of it is left.';
  end if;
  if not exists (
    select
    from docket_audit.events e
    where e.job_id = p_job_id and e.event = p_of || '_read' and e.actor = docket.actor()
      and e.at > clock_timestamp() - interval '5 min'
      -- the time of an event is that of its recording, never before its transaction began
      and (e.at < transaction_timestamp() or docket.is_gateway())
  ) then
    raise exception 'job_id: that you read the % of document % is not recorded', p_of, p_job_id
      using errcode = 'ZD044', hint = format('First, in a transaction of its own: docket.note_reading(%L, %L, REASON).', p_job_id, p_of);
  end if;
end;
$$;
comment on function docket.require_noted(uuid, text) is
  'Refuses a reading that is not recorded in a committed transaction. Raises ZD020, ZD030, ZD044.';
