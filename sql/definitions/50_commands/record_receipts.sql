-- Records receipts that were signed, of what is still true; what is not any more is told anew. Only what is recorded is handed on.
-- Called by: the worker, for what it claimed. Effects: receipts, messages to webhooks; the orders that were carried out go.
-- Outcome of each: recorded or stale. What somebody else is changing at the moment is stale: that orders anew.
-- Errors: ZD047 a receipt is not of the documented shape, or is signed by a key that is not recorded.
create or replace function docket.record_receipts(p_jws text[])
returns table (delivery_id bigint, outcome text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_brought record;
  v_held bigint[];
  v_recorded record;
begin
  -- check
  begin
    select array_agg(c.jti) as receipts,
      array_agg((c.delivery ->> 'id')::bigint) as deliveries,
      array_agg(c.sub) as sources,
      array_agg(c.outcome) as outcomes,
      array_agg(c.code) as codes,
      array_agg((c.event ->> 'seq')::integer) as seqs,
      array_agg(to_timestamp(c.iat)) as issued_at,
      array_agg(docket.jws_part(n.jws, 1) ->> 'kid') as keys,
      array_agg(n.jws) as jws
    into v_brought
    from unnest(p_jws) as n (jws)
    cross join lateral json_to_record(docket.jws_part(n.jws, 2))
      as c (jti uuid, iat bigint, sub text, outcome text, code text, delivery json, event json);
  exception
    when data_exception then
      raise exception 'jws: not a compact JWS with the claims of a receipt: %', sqlerrm
        using errcode = 'ZD047', hint = 'Sign what docket.claim_receipts handed out; see docs/receipts.md.';
  end;
  if array_position(v_brought.receipts, null) is not null or array_position(v_brought.deliveries, null) is not null
    or array_position(v_brought.issued_at, null) is not null
    or exists (select from unnest(v_brought.keys) as n (key_id) where not exists (
      select from docket.receipt_keys k where k.key_id = n.key_id
    ))
  then
    raise exception 'jws: lacks jti, iat or delivery, or names a key that is not recorded'
      using errcode = 'ZD047', hint = 'Record the key by docket.add_receipt_key, and sign what docket.claim_receipts handed out.';
  end if;

  -- lock: one at a time, so that the receipts of a document are numbered in the order in which they become visible; after it the
  -- facts hold until the end, as whoever changes them orders, and waits
  perform from docket.duties d where d.duty = 'receipts' for update;
  with held as materialized (
    select o.delivery_id
    from docket.receipt_orders o
    where o.delivery_id = any (v_brought.deliveries)
    order by o.delivery_id
    for update skip locked
  )
  select array_agg(h.delivery_id) into v_held from held h;

  -- record
  with recorded as (
    insert into docket.receipts (receipt_id, delivery_id, source_id, job_id, seq, outcome, code, issued_at, key_id, jws)
    select n.receipt_id, f.delivery_id, f.source_id, f.job_id, f.seq, f.outcome, f.code, n.issued_at, n.key_id, n.jws
    from docket.receipt_facts(v_held) f
    join unnest(
      v_brought.receipts, v_brought.deliveries, v_brought.sources, v_brought.outcomes, v_brought.codes, v_brought.seqs,
      v_brought.issued_at, v_brought.keys, v_brought.jws
    ) as n (receipt_id, delivery_id, source_id, outcome, code, seq, issued_at, key_id, jws) using (delivery_id)
    where f.is_news and n.source_id = f.source_id and n.outcome = f.outcome and n.code is not distinct from f.code
      and n.seq is not distinct from case when f.is_told then f.seq end
      and n.issued_at between v_now - interval '1 minute' and v_now
    order by f.job_id, f.seq, f.delivery_id
    returning receipt_id, delivery_id
  ),
  done as (
    delete from docket.receipt_orders o where o.delivery_id in (select r.delivery_id from recorded r)
  ),
  again as (
    update docket.receipt_orders o
    set due_at = v_now, tries = 0
    where o.delivery_id = any (v_held) and o.delivery_id not in (select r.delivery_id from recorded r)
  )
  select array_agg(r.receipt_id) as receipts, array_agg(r.delivery_id) as deliveries into v_recorded from recorded r;

  -- enqueue
  if v_recorded.receipts is not null then
    perform docket.order_webhooks(v_recorded.receipts);
  end if;

  return query
  select n.delivery_id, case when n.delivery_id = any (v_recorded.deliveries) then 'recorded' else 'stale' end
  from unnest(v_brought.deliveries) as n (delivery_id);
end;
$$;
comment on function docket.record_receipts(text[]) is 'Records signed receipts of what is still true. Raises ZD047.';
