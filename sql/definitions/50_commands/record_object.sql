-- Records a sealed object with its wrapped key. From then on it may be delivered; without the record nobody can open it.
-- Called by: senders, and the server for senders, once the object lies in the store. Effects: object_keys.
-- Errors: ZD010 not a source that who acts may deliver for · ZD017 it is disabled · ZD038 the shape is wrong, or the object is
-- recorded already.
create or replace function docket.record_object(
  p_object_key_id uuid,
  p_source_id text,
  p_locator text,
  p_version text,
  p_sha256 bytea,
  p_size_bytes bigint,
  p_sealed_sha256 bytea,
  p_sealed_size_bytes bigint,
  p_key_id text,
  p_wrapped_key bytea
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text;
begin
  -- check
  perform docket.require_may_deliver(p_source_id);
  v_problem := case
    when p_object_key_id is null then 'object_key_id: is missing'
    when coalesce(p_locator, '') !~ '^((file|memory):[A-Za-z0-9]|s3://[a-z0-9])' or length(p_locator) > 1024 or p_locator like '%..%'
      or p_locator ~ '[[:cntrl:]\\]' then format('locator: "%s" does not name an object', left(p_locator, 200))
    when length(p_version) > 1024 then 'version: is longer than 1024 characters'
    when coalesce(octet_length(p_sha256), 0) <> 32 then 'sha256: a SHA-256 has 32 bytes'
    when coalesce(octet_length(p_sealed_sha256), 0) <> 32 then 'sealed_sha256: a SHA-256 has 32 bytes'
    when p_size_bytes is null or p_size_bytes not between 0 and 5368709120
      then format('size_bytes: %s is not between 0 and 5368709120', p_size_bytes)
    when p_sealed_size_bytes is null or p_sealed_size_bytes < p_size_bytes
      then format('sealed_size_bytes: %s is less than the scan has', p_sealed_size_bytes)
    when coalesce(p_key_id, '') !~ '^[A-Za-z0-9:/._-]{1,255}$' then format('key_id: "%s" is not the name of a key', left(p_key_id, 200))
    when coalesce(octet_length(p_wrapped_key), 0) not between 1 and 8192 then 'wrapped_key: has 1 to 8192 bytes'
  end;
  if v_problem is not null then
    raise exception '%', v_problem
      using errcode = 'ZD038', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD038');
  end if;

  -- record
  insert into docket.object_keys
    (object_key_id, locator, version, source_id, sha256, size_bytes, sealed_sha256, sealed_size_bytes, key_id, wrapped_key, sealed_by)
  values
    (p_object_key_id, p_locator, p_version, p_source_id, p_sha256, p_size_bytes, p_sealed_sha256, p_sealed_size_bytes, p_key_id,
     p_wrapped_key, docket.actor())
  on conflict do nothing;
  if not found then
    raise exception 'locator: "%" is recorded already, or its key is', left(p_locator, 200)
      using errcode = 'ZD038', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD038');
  end if;
end;
$$;
comment on function docket.record_object(uuid, text, text, text, bytea, bigint, bytea, bigint, text, bytea) is
  'Records a sealed object with its wrapped key. Raises ZD010, ZD017, ZD038.';
