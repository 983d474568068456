-- The whole text of a document as it was recognised, nothing masked: of the published result, else of the newest.
-- Called by: evidence owners and auditors. Effects: event text_read, unless there is no text.
-- Errors: ZD005 · ZD020 there is no such job, or they do not see it · ZD021 · ZD030 it was disposed of.
create or replace function docket.read_text(
  p_job_id uuid,
  p_reason text
)
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
declare
  v_result record;
begin
  -- check
  select r.result_sha256, r.attempt, r.page_count
  into v_result
  from docket.jobs j
  join docket.results r on r.job_id = j.job_id
  where j.job_id = p_job_id
  order by (r.attempt = j.result_attempt) is true desc, r.attempt desc
  limit 1;

  -- record
  if found or not docket.sees_job(p_job_id) then
    perform docket.note_reading(
      p_job_id, 'text_read', p_reason, json_build_object('result', v_result.attempt, 'pages', v_result.page_count)
    );
  end if;

  return query
  select p.page_no, v_result.attempt, p.width_px, p.height_px, p.dpi, p.rotation_degrees, p.angle_degrees, p.verdict,
    p.confidence, p.text, p.words
  from docket.pages p
  where p.job_id = p_job_id and p.result_sha256 = v_result.result_sha256
  order by p.page_no;
end;
$$;
comment on function docket.read_text(uuid, text) is
  'Pages of a document as recognised, nothing masked. Each reading is an event. Raises ZD005, ZD020, ZD021, ZD030.';
