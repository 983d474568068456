-- Has the envelopes looked at that a source delivered before it was seen to have the bytes. A document that was refused for the
-- signatures of others is brought back, because it is enough that one source has brought what it must.
-- Called by: record_delivery_checks, for documents that a further source has come to see, with the jobs locked. Not granted to
-- anyone. Effects: envelope_checks, or event redelivered.
create or replace function docket.welcome_envelopes(p_jobs uuid[])
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_back uuid[];
begin
  -- check
  v_back := array(
    select j.job_id
    from docket.jobs j
    where j.job_id = any (p_jobs) and j.state = 'quarantined' and docket.is_signature_refusal(j.last_code)
    order by j.job_id
  );

  -- record
  if v_back <> '{}' then
    update docket.jobs j set first_code = null, last_code = null where j.job_id = any (v_back);
    perform docket.record_events(
      v_back, array_fill('redelivered'::text, array[cardinality(v_back)]), docket.actor(), null, null, null, null
    );
  end if;

  -- enqueue: what is brought back is looked at by the hash task
  insert into docket.envelope_checks (delivery_id, job_id)
  select d.delivery_id, d.job_id
  from unnest(p_jobs) as n (job_id)
  cross join lateral (select * from docket.deliveries d where d.job_id = n.job_id offset 0) as d
  where d.envelope is not null and d.job_id <> all (v_back)
    and exists (select from docket.document_sources s where s.job_id = d.job_id and s.source_id = d.source_id)
    and not exists (select from docket.arrivals a where a.delivery_id = d.delivery_id)
    and not exists (select from docket.signatures s where s.job_id = d.job_id and s.delivery_id = d.delivery_id)
  order by d.delivery_id
  on conflict (delivery_id) do nothing;
end;
$$;
comment on function docket.welcome_envelopes(uuid[]) is
  'Has envelopes looked at that a source delivered before it was seen to have the bytes.';
