-- Has published documents read again by an OCR configuration, so that what is read then supersedes what is published. An order that has
-- not ended is overtaken by a later one of the same document, whatever a worker makes of it.
-- Called by: operators. Effects: rereadings, each with an event reread_ordered; the order of which it takes the place is named there.
-- Answers the orders, in the order of the ids of the documents.
-- Errors: ZD020 there is no such document · ZD021 · ZD030 it was disposed of · ZD082 there is no such OCR configuration · ZD084 it was
-- rolled back · ZD085 a document is not published, or none or too many are named.
create or replace function docket.order_rereadings(
  p_jobs uuid[],
  p_version integer,
  p_reason text
)
returns table (rereading_id bigint, job_id uuid)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_jobs uuid[];
  v_bad uuid;
  v_overtaken bigint[];
  v_ordered bigint[];
begin
  -- check
  perform docket.require_reason(p_reason, 'a re-reading');
  perform docket.require_ocr_version(p_version);
  v_jobs := docket.require_published(p_jobs);
  perform docket.end_if_left_open();

  -- lock
  perform from docket.jobs j where j.job_id = any (v_jobs) order by j.job_id for no key update;
  select n.job_id into v_bad from unnest(v_jobs) as n (job_id) where docket.is_disposed(n.job_id) limit 1;
  if found then
    raise exception 'job_id: document % was disposed of', v_bad using errcode = 'ZD030', hint = 'Nothing of it is left.';
  end if;

  -- record
  v_overtaken := array(
    select o.rereading_id
    from unnest(v_jobs) with ordinality as n (job_id, place)
    left join docket.rereadings o on o.job_id = n.job_id and o.trial_id is null and o.ended_at is null
    order by n.place
  );
  perform docket.end_rereadings(array_remove(v_overtaken, null), 'overtaken');
  with ordered as (
    insert into docket.rereadings (job_id, ocr_version, reason, ordered_by)
    select n.job_id, p_version, p_reason, docket.actor()
    from unnest(v_jobs) with ordinality as n (job_id, place)
    order by n.place
    returning rereading_id, job_id
  )
  select array_agg(o.rereading_id order by o.job_id) into v_ordered from ordered o;
  perform docket.record_events(
    v_jobs,
    array_fill('reread_ordered'::text, array[cardinality(v_jobs)]),
    docket.actor(),
    array_fill(p_reason, array[cardinality(v_jobs)]),
    null,
    null,
    array(
      select json_build_object('rereading', n.rereading_id, 'ocr_version', p_version, 'instead_of', n.overtaken)::text
      from unnest(v_ordered, v_overtaken) with ordinality as n (rereading_id, overtaken, place)
      order by n.place
    )
  );
  return query select * from unnest(v_ordered, v_jobs);
end;
$$;
comment on function docket.order_rereadings(uuid[], integer, text) is
  'Has published documents read again by an OCR configuration, to supersede what is published. Raises ZD020, ZD021, ZD030, ZD082, ZD084, ZD085.';
