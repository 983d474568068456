-- What is true of deliveries for their senders, and whether that is news to them.
--   outcome   PEND: the hash is claimed, the bytes were not seen for this source; RECE: they were, and this delivery brought
--             them; DUPE: another one of the same source did. BENV, BSIG: it is refused, as its code says. A document that was
--             stopped for another reason leaves the outcome as it is, with the code.
--   code      why the document was stopped, or the delivery of a further source refused. Where a failure came too often, the
--             code of the failure if the sender can mend it.
--   seq       the event that made it true. is_told: the source may know that event. Of a document that it does not see, and did
--             not bring first, it learns nothing: a number would say that others know the hash.
--   is_plain  the source sees it, and neither the scan nor anything beside it can hold a signature.
--   is_news   it is not what the newest receipt of the delivery says.
-- Deliveries that admission has not noticed yet have no row. The rest is as the delivery, its document and that event have it.
-- Called by: claim_receipts. Not granted to anyone.
create or replace function docket.receipt_facts(p_deliveries bigint[])
returns table (
  delivery_id bigint,
  job_id uuid,
  source_id text,
  received_at timestamptz,
  captured_at timestamptz,
  sha256 bytea,
  size_bytes bigint,
  is_stopped boolean,
  outcome text,
  code text,
  meaning text,
  remedy text,
  seq integer,
  event text,
  event_at timestamptz,
  event_hash bytea,
  brought_by bigint,
  is_told boolean,
  is_plain boolean,
  is_news boolean
)
language plpgsql
stable
rows 10
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  -- planned once a session
  return query
  with stated as materialized (
    select d.delivery_id, d.job_id, d.source_id, d.received_at, d.captured_at, d.sha256, d.size_bytes,
      j.delivery_id as first_delivery, j.source_id as first_source, e.delivery_id as evidence, e.media_type,
      s.delivery_id as brought_by, j.state = 'quarantined' as is_stopped
    from unnest(p_deliveries) as n (delivery_id)
    cross join lateral (select * from docket.deliveries d where d.delivery_id = n.delivery_id limit 1) as d
    cross join lateral (select * from docket.jobs j where j.job_id = d.job_id limit 1) as j
    left join lateral (select e.delivery_id, e.media_type from docket.evidence e where e.job_id = d.job_id limit 1) as e on true
    left join lateral (
      select s.delivery_id from docket.document_sources s where s.job_id = d.job_id and s.source_id = d.source_id limit 1
    ) as s on true
    where (select true from docket.arrivals a where a.delivery_id = n.delivery_id) is null
  ),
  -- all that happened to a document is read once
  happened as materialized (
    select t.*, h.stopped, h.resumed, h.refused, h.seen, h.is_marked,
      case
        when t.delivery_id = t.first_delivery then 1
        else (
          select e.seq
          from docket_audit.events e
          where e.job_id = t.job_id and e.event in ('delivered_again', 'redelivered') and e.at >= t.received_at
            and exists (
              select from json_array_elements_text(e.detail::json -> 'deliveries') as l (delivery)
              where l.delivery = t.delivery_id::text
            )
          order by e.seq
          limit 1
        )
      end as noticed
    from stated t
    cross join lateral (
      select
        max(e.seq) filter (
          where e.event = 'quarantined' and t.is_stopped and (t.brought_by is not null or t.evidence is null)
        ) as stopped,
        max(e.seq) filter (where e.event in ('released', 'redelivered', 'redriven')) as resumed,
        max(e.seq) filter (
          where t.brought_by is null and t.evidence is not null and e.event = 'delivery_refused' and e.names_it
        ) as refused,
        max(e.seq) filter (
          where case
            when t.delivery_id = t.evidence then e.event = 'verified'
            when t.delivery_id = t.brought_by then e.event = 'delivery_verified' and e.names_it
          end
        ) as seen,
        -- no signature and no disposal is without such an event
        count(*) filter (where e.event in ('envelope_checked', 'disposal_requested', 'retention_ended', 'disposed')) > 0 as is_marked
      from (
        select e.seq, e.event,
          case
            when e.event in ('delivery_refused', 'delivery_verified') then e.detail::json ->> 'delivery' = t.delivery_id::text
          end as names_it
        from docket_audit.events e
        where e.job_id = t.job_id
          and e.event in (
            'verified', 'quarantined', 'released', 'redelivered', 'redriven', 'delivery_refused', 'delivery_verified',
            'envelope_checked', 'disposal_requested', 'retention_ended', 'disposed'
          )
      ) as e
    ) as h
  ),
  found as materialized (
    select h.*, e.seq, e.event, e.at as event_at, e.hash as event_hash,
      -- a failure that came too often is named in the detail
      coalesce(named.code, e.code) as code, coalesce(named.meaning, f.meaning) as meaning,
      coalesce(named.remedy, f.remedy) as remedy, coalesce(named.receipt_outcome, f.receipt_outcome) as refusal
    from happened h
    cross join lateral (
      select e.seq, e.event, e.at, e.hash, case when coalesce(h.stopped, h.refused) is not null then e.code end as code,
        e.detail
      from docket_audit.events e
      where e.job_id = h.job_id
        and e.seq = coalesce(h.stopped, h.refused, greatest(h.noticed, h.seen, h.resumed), 1)
      limit 1
    ) as e
    left join lateral (select * from docket.failure_codes f where f.code = e.code limit 1) as f on true
    left join lateral (
      select *
      from docket.failure_codes n
      where e.code = 'RETRY_EXHAUSTED' and n.code = e.detail::json ->> 'code' and n.receipt_outcome is not null
      limit 1
    ) as named on true
  ),
  judged as (
    select f.*,
      case
        when f.brought_by is null then coalesce(f.refusal, 'PEND')
        when f.delivery_id <> f.brought_by then 'DUPE'
        when f.delivery_id = f.evidence then coalesce(f.refusal, 'RECE')
        else 'RECE'
      end as outcome
    from found f
  )
  select j.delivery_id, j.job_id, j.source_id, j.received_at, j.captured_at, j.sha256, j.size_bytes, j.is_stopped,
    j.outcome, j.code, j.meaning, j.remedy, j.seq, j.event, j.event_at, j.event_hash, j.brought_by,
    j.brought_by is not null or j.evidence is null and j.source_id = j.first_source,
    j.brought_by is not null and j.media_type <> 'application/pdf' and not j.is_marked
      and not exists (select from docket.deliveries d where d.job_id = j.job_id and d.envelope is not null),
    not exists (
      select
      from docket.receipts r
      where r.delivery_id = j.delivery_id and r.outcome = j.outcome
        and (
          r.seq = j.seq
          or r.code is null and j.code is null and not exists (
            select from docket.receipts l where l.delivery_id = r.delivery_id and l.receipt_no > r.receipt_no
          )
        )
    )
  from judged j;
end;
$$;
comment on function docket.receipt_facts(bigint[]) is
  'What is true of deliveries for their senders: outcome, code, the event that made it true, and whether it is news.';
