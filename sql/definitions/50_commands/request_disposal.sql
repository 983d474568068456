-- Asks for the disposal of documents, published or quarantined, whose retention is over. Nothing is destroyed by it: that takes
-- the approval of another person.
-- Called by: an evidence owner. Effects: disposals, event disposal_requested.
-- Errors: ZD002 the state of the job · ZD020 · ZD021 · ZD030 disposed of · ZD031 its retention runs · ZD032 on hold
--   · ZD035 asked for already.
create or replace function docket.request_disposal(
  p_jobs uuid[],
  p_reason text
)
returns table (job_id uuid, disposal_id bigint)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select a.job_id, a.disposal_id
  from docket.ask_disposals(docket.take_documents(p_jobs, p_reason), 'disposal_requested', p_reason) a;
end;
$$;
comment on function docket.request_disposal(uuid[], text) is
  'Asks for the disposal of documents. Raises ZD002, ZD020, ZD021, ZD030, ZD031, ZD032, ZD035.';
