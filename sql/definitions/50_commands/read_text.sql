-- The whole text of a document as it was recognised, nothing masked: of the published result, else of the newest.
-- Called by: evidence owners and auditors, after note_reading. No row where there is no text.
-- Errors: ZD020 there is no such job, or they do not see it · ZD030 it was disposed of · ZD044 the reading is not recorded.
create or replace function docket.read_text(p_job_id uuid)
returns table (
  page_no integer,
  attempt integer,
  width_px integer,
  height_px integer,
  dpi real,
  rotation_degrees integer,
  angle_degrees real,
  verdict text,
  confidence real,
  text text,
  words json
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  perform docket.require_noted(p_job_id, 'text');
  return query
  select p.page_no, r.attempt, p.width_px, p.height_px, p.dpi, p.rotation_degrees, p.angle_degrees, p.verdict, p.confidence,
    p.text, p.words
  from docket.results r
  join docket.pages p on p.job_id = r.job_id and p.result_sha256 = r.result_sha256
  where r.job_id = p_job_id and r.attempt = docket.readable_attempt(p_job_id)
  order by p.page_no;
end;
$$;
comment on function docket.read_text(uuid) is
  'Pages of a document as recognised, nothing masked, once the reading is recorded. Raises ZD020, ZD030, ZD044.';
