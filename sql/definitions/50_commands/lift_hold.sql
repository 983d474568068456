-- Lifts the legal hold of a matter from documents. Whoever placed it cannot.
-- Called by: an evidence owner. Effects: legal_holds, event hold_lifted; stores that enforce holds are told.
-- Errors: ZD020 · ZD021 · ZD033 they placed it themselves · ZD036 the matter does not hold the document.
create or replace function docket.lift_hold(
  p_jobs uuid[],
  p_matter text,
  p_reason text
)
returns table (job_id uuid)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_matter text := btrim(p_matter);
  v_jobs uuid[];
  v_free uuid;
begin
  -- lock, check
  v_jobs := docket.take_documents(p_jobs, p_reason);
  select n.job_id into v_free
  from unnest(v_jobs) as n (job_id)
  where not exists (
    select from docket.legal_holds h where h.job_id = n.job_id and h.matter = v_matter and h.lifted_at is null
  )
  limit 1;
  if found then
    raise exception 'matter: "%" does not hold document %', v_matter, v_free
      using errcode = 'ZD036', hint = 'See docket.document_custody.';
  end if;

  -- record
  perform docket.record_custody(
    v_jobs,
    'hold_lifted',
    p_reason,
    array(
      select json_build_object('hold', h.legal_hold_id, 'matter', h.matter)::text
      from docket.legal_holds h
      where h.job_id = any (v_jobs) and h.matter = v_matter and h.lifted_at is null
      order by h.job_id
    )
  );
  update docket.legal_holds h
  set lifted_at = clock_timestamp(), lifted_by = docket.actor(), lift_reason = p_reason
  where h.job_id = any (v_jobs) and h.matter = v_matter and h.lifted_at is null;

  -- enqueue
  perform docket.order_protection(v_jobs);
  return query select * from unnest(v_jobs);
end;
$$;
comment on function docket.lift_hold(uuid[], text, text) is
  'Lifts the legal hold of a matter from documents. Raises ZD020, ZD021, ZD033, ZD036.';
