-- What is true of deliveries for their senders, and whether that is news to them.
--   outcome   PEND: the hash is claimed, the bytes were not seen for this source; RECE: they were, and this delivery brought
--             them; DUPE: another one of the same source did. BENV, BSIG: it is refused, as its code says. A document that was
--             stopped for another reason leaves the outcome as it is, with the code.
--   code      why the document was stopped, or the delivery of a further source refused. Where a failure came too often, the
--             code of the failure if the sender can mend it.
--   seq       the event that made it true. is_told: the source may know that event. Of a document that it does not see, and did
--             not bring first, it learns nothing: a number would say that others know the hash.
--   is_news   it is not what the newest receipt of the delivery says.
-- Deliveries that admission has not noticed yet have no row.
-- Called by: claim_receipts, and record_receipts, which records what is still true. Not granted to anyone.
create or replace function docket.receipt_facts(p_deliveries bigint[])
returns table (
  delivery_id bigint,
  job_id uuid,
  source_id text,
  outcome text,
  code text,
  seq integer,
  brought_by bigint,
  is_told boolean,
  is_news boolean
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  with stated as materialized (
    select d.delivery_id, d.job_id, d.source_id, d.received_at, j.delivery_id as first_delivery, j.source_id as first_source,
      e.delivery_id as evidence, s.delivery_id as brought_by, j.state = 'quarantined' as is_stopped
    from unnest(p_deliveries) as n (delivery_id)
    cross join lateral (select * from docket.deliveries d where d.delivery_id = n.delivery_id limit 1) as d
    cross join lateral (select * from docket.jobs j where j.job_id = d.job_id limit 1) as j
    left join docket.evidence e on e.job_id = d.job_id
    left join docket.document_sources s on s.job_id = d.job_id and s.source_id = d.source_id
    where not exists (select from docket.arrivals a where a.delivery_id = n.delivery_id)
  ),
  -- all that happened to a document is read once
  happened as materialized (
    select t.*, h.stopped, h.resumed, h.refused, h.seen,
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
        max(e.seq) filter (where e.event in ('released', 'redelivered')) as resumed,
        max(e.seq) filter (
          where t.brought_by is null and t.evidence is not null and e.event = 'delivery_refused' and e.names_it
        ) as refused,
        max(e.seq) filter (
          where case
            when t.delivery_id = t.evidence then e.event = 'verified'
            when t.delivery_id = t.brought_by then e.event = 'delivery_verified' and e.names_it
          end
        ) as seen
      from (
        select e.seq, e.event,
          case
            when e.event in ('delivery_refused', 'delivery_verified') then e.detail::json ->> 'delivery' = t.delivery_id::text
          end as names_it
        from docket_audit.events e
        where e.job_id = t.job_id
      ) as e
    ) as h
  ),
  found as (
    select h.*, coalesce(h.stopped, h.refused, greatest(h.noticed, h.seen, h.resumed), 1) as seq,
      -- a failure that came too often is named in the detail
      coalesce(named.code, e.code) as code, coalesce(named.receipt_outcome, f.receipt_outcome) as refusal
    from happened h
    left join docket_audit.events e on e.job_id = h.job_id and e.seq = coalesce(h.stopped, h.refused)
    left join docket.failure_codes f on f.code = e.code
    left join docket.failure_codes named
      on e.code = 'RETRY_EXHAUSTED' and named.code = e.detail::json ->> 'code' and named.receipt_outcome is not null
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
  select j.delivery_id, j.job_id, j.source_id, j.outcome, j.code, j.seq, j.brought_by,
    j.brought_by is not null or j.evidence is null and j.source_id = j.first_source,
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
  from judged j
$$;
comment on function docket.receipt_facts(bigint[]) is
  'What is true of deliveries for their senders: outcome, code, the event that made it true, and whether it is news.';
