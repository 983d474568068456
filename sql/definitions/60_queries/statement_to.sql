-- What may be said of what is signed to a source that sees the document, in one sentence.
-- Called by: claim_receipts. Not granted to anyone.
create or replace function docket.statement_to(
  p_job_id uuid,
  p_source_id text
)
returns text
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if docket.is_disposed(p_job_id) then
    return 'Bytes received. The document was disposed of since.';
  end if;
  return (select s.statement from docket.signature_summary(p_job_id, array[p_source_id]) s);
end;
$$;
comment on function docket.statement_to(uuid, text) is
  'What may be said of what is signed to a source that sees the document, in one sentence.';
