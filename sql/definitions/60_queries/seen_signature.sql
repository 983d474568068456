-- What can be said of the signatures of a document to who acts: of the sources that they may see. Without a valid signature over the
-- whole document it is called received, never signed.
-- Called by: docket_api.documents, for rows that the reader sees.
create or replace function docket.seen_signature(
  p_job_id uuid,
  out status text,
  out coverage text,
  out is_signed boolean,
  out statement text
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  select s.status, s.coverage, s.is_signed, s.statement
  into seen_signature.status, seen_signature.coverage, seen_signature.is_signed, seen_signature.statement
  from docket.signature_summary(p_job_id, array(select v from docket.visible_sources() as v)) s
  where docket.sees_job(p_job_id);
end;
$$;
comment on function docket.seen_signature(uuid) is
  'Status and coverage of the signature that speaks for a document, and what can be said of it, to who acts; nulls where they do not see it.';
