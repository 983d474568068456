-- The newest check of the signatures of each delivery of a document, as the log has it: the event, the places that were looked at,
-- and the time they were judged for.
-- Called by: replay_envelopes and signature_differences. Not granted to anyone.
create or replace function docket.checked_envelopes(p_job_id uuid)
returns table (seq integer, at timestamptz, delivery_id bigint, places text[], judged_at timestamptz)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select distinct on (d.delivery_id) e.seq, e.at, d.delivery_id,
    array(select json_array_elements_text(e.detail::json -> 'places')),
    coalesce(
      (
        select min(s.judged_at)
        from docket.signatures s
        where s.job_id = p_job_id and s.delivery_id = d.delivery_id and s.seq = e.seq
      ),
      d.received_at
    )
  from docket_audit.events e
  cross join lateral (
    select * from docket.deliveries d where d.delivery_id = (e.detail::json ->> 'delivery')::bigint offset 0
  ) as d
  where e.job_id = p_job_id and e.event = 'envelope_checked' and e.code is null
  order by d.delivery_id, e.seq desc
$$;
comment on function docket.checked_envelopes(uuid) is
  'The newest check of the signatures of each delivery of a document, as the log has it.';
