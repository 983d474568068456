-- Where the original scan of a document lies, with what is needed to open it: of each source that delivered it and that who asks
-- may see, in the order in which their deliveries were verified. All of them hold the same bytes, those of the hash.
-- Called by: evidence owners and auditors, after note_reading. No row where no delivery was verified.
-- Errors: ZD020 there is no such job, or they do not see it · ZD030 it was disposed of · ZD044 the reading is not recorded.
create or replace function docket.read_original(p_job_id uuid)
returns table (
  source_id text,
  locator text,
  version text,
  encryption text,
  sha256 bytea,
  size_bytes bigint,
  media_type text,
  object_key json
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  perform docket.require_noted(p_job_id, 'original');
  return query
  select s.source_id, d.locator, d.version, d.encryption, e.sha256, e.size_bytes, e.media_type,
    docket.object_key_of(d.locator, s.source_id, d.encryption)
  from docket.document_sources s
  join docket.deliveries d on d.delivery_id = s.delivery_id
  join docket.evidence e on e.job_id = s.job_id
  where s.job_id = p_job_id and s.source_id = any (array(select docket.visible_sources()))
  order by s.ordinal;
end;
$$;
comment on function docket.read_original(uuid) is
  'Places and wrapped keys of the original of a document, once the reading is recorded. Raises ZD020, ZD030, ZD044.';
