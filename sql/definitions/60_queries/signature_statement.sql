-- What can be said of the signatures of a document, in a sentence, to who acts: of the sources that they may see.
-- Called by: people. Errors: ZD020 there is no such document, or they may not see it.
create or replace function docket.signature_statement(p_job_id uuid)
returns text
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform docket.require_seen(array[p_job_id]);
  return (docket.seen_signature(p_job_id)).statement;
end;
$$;
comment on function docket.signature_statement(uuid) is
  'What can be said of the signatures of a document, in a sentence. Raises ZD020.';
