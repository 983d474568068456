-- The object in which a scan was sealed for a source before, so that it need not be stored again. None for a document that is
-- quarantined because its object could not be read: storing it anew is what helps.
-- Called by: senders, and the server for senders, who have the bytes at hand and compare them. Effects: none.
-- Errors: ZD010 not a source that who acts may deliver for · ZD017 it is disabled.
create or replace function docket.known_object(
  p_source_id text,
  p_sha256 bytea
)
returns table (locator text, version text, size_bytes bigint, sealed_size_bytes bigint, key_id text)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  -- check
  perform docket.require_may_deliver(p_source_id);

  return query
  select k.locator, k.version, k.size_bytes, k.sealed_size_bytes, k.key_id
  from docket.object_keys k
  where k.job_id = docket.job_id_of(p_sha256) and k.source_id = p_source_id and k.sha256 = p_sha256
    and not exists (
      select
      from docket.jobs j
      where j.job_id = k.job_id and j.state = 'quarantined'
        and j.last_code in ('OBJECT_NOT_FOUND', 'OBJECT_DAMAGED', 'OBJECT_SWAPPED', 'KEY_MISSING', 'KEY_WRONG')
    )
  order by k.sealed_at desc
  limit 1;
end;
$$;
comment on function docket.known_object(text, bytea) is
  'The object in which a scan was sealed for a source before, if any. Raises ZD010, ZD017.';
