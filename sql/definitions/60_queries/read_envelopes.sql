-- What the hash task needs to check the signatures of a document whose bytes it saw at a delivery: that delivery, with its envelope
-- if it has one, and the twenty newest other envelopes of its source and of those that see the document already. Each with what
-- it is judged by, and the time it is judged for: that of its receipt.
-- Called by: the hash task, where there is an envelope, or the scan may hold signatures. A stale attempt is answered nothing.
create or replace function docket.read_envelopes(
  p_job_id uuid,
  p_attempt integer,
  p_token uuid,
  p_delivery bigint
)
returns table (
  delivery_id bigint,
  envelope bytea,
  judged_at timestamptz,
  anchors json,
  revocation_lists integer[]
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  with held as materialized (
    select d.job_id, d.delivery_id, d.source_id
    from docket.deliveries d
    where d.delivery_id = p_delivery and d.job_id = p_job_id
      and exists (
        select from docket.jobs j where j.job_id = p_job_id and j.attempt = p_attempt and j.token = p_token
      )
  )
  select d.delivery_id, d.envelope, d.received_at, t.anchors, t.revocation_lists
  from held h
  cross join lateral (
    (select * from docket.deliveries d where d.delivery_id = h.delivery_id)
    union all
    (
      select *
      from docket.deliveries d
      where d.job_id = h.job_id and d.delivery_id <> h.delivery_id and d.envelope is not null
        and (
          d.source_id = h.source_id
          or exists (select from docket.document_sources s where s.job_id = d.job_id and s.source_id = d.source_id)
        )
      order by d.delivery_id desc
      limit 20
    )
  ) as d
  cross join lateral docket.envelope_trust(d.source_id) as t
$$;
comment on function docket.read_envelopes(uuid, integer, uuid, bigint) is
  'The envelopes of a document that the hash task checks, each with what it is judged by and for which time.';
