-- Whether a task at a document needs something: recognition needs the engine, reading the scan needs the store and room for a copy, and the
-- keys where the scan is encrypted.
-- Called by: hold_back and note_successes. Not granted to anyone.
create or replace function docket.depends_on(
  p_job_id uuid,
  p_task text,
  p_dependency text
)
returns boolean
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select case p_dependency
    when 'store' then p_task in ('hash', 'ocr')
    when 'disk' then p_task in ('hash', 'ocr')
    when 'engine' then p_task = 'ocr'
    when 'keys' then p_task in ('hash', 'ocr')
      and exists (select from docket.deliveries d where d.job_id = p_job_id and d.encryption <> 'none')
  end;
$$;
comment on function docket.depends_on(uuid, text, text) is 'Whether a task at a document needs the store, the keys, the engine or the disk.';
