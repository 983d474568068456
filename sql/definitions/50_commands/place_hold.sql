-- Places a legal hold on documents, for a matter. While one is open a document cannot be disposed of; several may be at a time.
-- Called by: an evidence owner. Effects: legal_holds, event hold_placed; stores that enforce holds are told.
-- Errors: ZD020 · ZD021 the reason or the matter is missing · ZD030 disposed of · ZD035 the matter holds it already.
create or replace function docket.place_hold(
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
  v_held uuid;
  v_details text[];
begin
  -- lock, check
  v_jobs := docket.take_documents(p_jobs, p_reason);
  if coalesce(v_matter, '') = '' or length(v_matter) > 200 then
    raise exception 'matter: a legal hold is for one, of at most 200 characters'
      using errcode = 'ZD021', hint = 'Name the case or the claim.';
  end if;
  select h.job_id into v_held
  from docket.legal_holds h
  where h.job_id = any (v_jobs) and h.matter = v_matter and h.lifted_at is null
  limit 1;
  if found then
    raise exception 'matter: "%" holds document % already', v_matter, v_held
      using errcode = 'ZD035', hint = 'None is needed; a hold for another matter may be placed beside it.';
  end if;

  -- record
  with placed as (
    insert into docket.legal_holds (job_id, matter, reason, placed_by)
    select n.job_id, v_matter, p_reason, docket.actor() from unnest(v_jobs) as n (job_id)
    returning legal_holds.job_id, legal_hold_id
  )
  select array_agg(json_build_object('hold', p.legal_hold_id, 'matter', v_matter)::text order by p.job_id)
  into v_details
  from placed p;
  perform docket.record_custody(v_jobs, 'hold_placed', p_reason, v_details);

  -- enqueue
  perform docket.order_protection(v_jobs);
  return query select * from unnest(v_jobs);
end;
$$;
comment on function docket.place_hold(uuid[], text, text) is
  'Places a legal hold on documents. Raises ZD020, ZD021, ZD030, ZD035.';
