-- Where the bytes of a job may be: the evidence first, once it is fixed, then the deliveries in the order to try them. So a
-- sender who takes its copy away, or changes it, does not keep out another who delivered the same bytes.
-- Sources take turns and the newest place of each comes first, so that many wrong deliveries cannot keep out a right one.
-- A place that another source named first shows nothing of the bytes that this one has: it comes last, and what merely
-- repeats the other's statement does not come at all.
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
  v_only json;
  v_evidence bigint;
begin
  -- nearly every document is delivered once
  select json_agg(
    json_build_object(
      'delivery_id', d.delivery_id, 'locator', d.locator, 'version', d.version, 'size_bytes', d.size_bytes,
      'media_type', d.media_type, 'document_kind', d.document_kind, 'source_id', d.source_id, 'encryption', d.encryption,
      'has_envelope', d.envelope is not null,
      'object_key', case when d.encryption = 'docket' then docket.object_key_of(d.locator, d.source_id, d.encryption) end
    )
  )
  into v_only
  from (select * from docket.deliveries d where d.job_id = p_job_id and d.sha256 = p_sha256 limit 2) as d
  having count(*) = 1;
  if found then
    return v_only;
  end if;

  select e.delivery_id into v_evidence from docket.evidence e where e.job_id = p_job_id;
  return (
    select json_agg(
      json_build_object(
        'delivery_id', c.delivery_id, 'locator', c.locator, 'version', c.version, 'size_bytes', c.size_bytes,
        'media_type', c.media_type, 'document_kind', c.document_kind, 'source_id', c.source_id, 'encryption', c.encryption,
        'has_envelope', c.envelope is not null,
        'object_key', docket.object_key_of(c.locator, c.source_id, c.encryption)
      )
      order by c.is_evidence desc, c.is_taken, c.turn, c.delivery_id
    )
    from (
      select d.*, (d.delivery_id = v_evidence) is true as is_evidence,
        row_number() over (partition by d.source_id order by d.delivery_id desc) as turn
      from (
        select d.*, d.source_id <> first_value(d.source_id) over place as is_taken,
          d.source_id <> first_value(d.source_id) over statement as is_repeated
        from docket.deliveries d
        where d.job_id = p_job_id and d.sha256 = p_sha256
        window
          place as (partition by lower(d.locator) order by d.delivery_id),
          statement as (
            partition by lower(d.locator), d.version, d.size_bytes, d.encryption order by d.delivery_id
          )
      ) as d
      where not d.is_repeated
      order by is_evidence desc, d.is_taken, turn, d.delivery_id
      limit 100
    ) as c
  );
end;
$$;
comment on function docket.candidate_locators(uuid, bytea) is
  'JSON array of the places to look for the bytes of a job, in order.';
