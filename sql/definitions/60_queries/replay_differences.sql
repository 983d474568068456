-- All findings of a replay of one document: what differs as it is stored, and what the worker found that looked at its object, its
-- signatures and its text. Its code is a finding where it says that the object is not the one of the log, or, of the very bytes that
-- were read before, that they cannot be read; other codes say that it could not look.
-- Called by: record_replays. Not granted to anyone.
create or replace function docket.replay_differences(
  p_job_id uuid,
  p_code text,
  p_found text,
  p_signatures json,
  p_config_sha256 bytea,
  p_reading json
)
returns table (checked text, page_no integer, expected text, found text)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_checked constant text := case
    when p_code in (
      'OBJECT_NOT_FOUND', 'SIZE_MISMATCH', 'HASH_MISMATCH', 'OBJECT_DAMAGED', 'OBJECT_SWAPPED', 'KEY_MISSING', 'KEY_WRONG',
      'LOCATOR_TAKEN'
    ) then 'object'
    when p_code in (
      'EMPTY_OBJECT', 'UNKNOWN_FORMAT', 'UNSUPPORTED_FORMAT', 'UNSUPPORTED_CODEC', 'TRUNCATED', 'CORRUPT', 'ENCRYPTED', 'NO_PAGES',
      'TOO_MANY_PAGES', 'TOO_MANY_PIXELS'
    ) then 'reading'
  end;
begin
  return query select * from docket.stored_differences(p_job_id);
  if v_checked is not null then
    return query
    select v_checked, null::integer, encode(j.sha256, 'hex'), coalesce(p_found, p_code)
    from docket.jobs j
    where j.job_id = p_job_id;
  end if;
  if p_code is null then
    return query select * from docket.signature_differences(p_job_id, p_signatures);
  end if;
  if p_reading is not null then
    return query select * from docket.reading_differences(p_job_id, p_config_sha256, p_reading);
  end if;
end;
$$;
comment on function docket.replay_differences(uuid, text, text, json, bytea, json) is 'All findings of a replay of one document.';
