-- Where the bytes of a job may be: the evidence once it is fixed, before that the deliveries in the order to try them.
-- Sources take turns, so that many wrong deliveries of one source cannot keep out the right one of another.
-- Called by: begin_attempts. Not granted to anyone.
create or replace function docket.candidate_locators(
  p_job_id uuid,
  p_sha256 bytea
)
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_candidates json;
begin
  select json_build_array(
    json_build_object(
      'delivery_id', e.delivery_id, 'locator', e.locator, 'version', e.version, 'size_bytes', e.size_bytes,
      'media_type', e.media_type
    )
  )
  into v_candidates
  from docket.evidence e
  where e.job_id = p_job_id;
  if found then
    return v_candidates;
  end if;

  select json_agg(
    json_build_object(
      'delivery_id', c.delivery_id, 'locator', c.locator, 'version', c.version, 'size_bytes', c.size_bytes,
      'media_type', c.media_type
    )
    order by c.turn, c.delivery_id
  )
  into v_candidates
  from (
    select d.*, row_number() over (partition by d.source_id order by d.delivery_id) as turn
    from docket.deliveries d
    where d.job_id = p_job_id and d.sha256 = p_sha256
    order by turn, d.delivery_id
    limit 100
  ) as c;
  return v_candidates;
end;
$$;
comment on function docket.candidate_locators(uuid, bytea) is
  'JSON array of the places to look for the bytes of a job, in order.';
