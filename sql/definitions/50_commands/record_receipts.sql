-- Records receipts that were signed, of what is still true; what is not any more is told anew. Only what is recorded is handed on.
-- A receipt must say what claim_receipts handed out last, to the letter, beside its issuer: why that is still true is said there.
-- Only the gates stop a document without an order; so whether it is stopped is asked again.
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
    with heads as materialized (
      select h.head, docket.jws_part(h.head, 1) ->> 'kid' as key_id
      from (select distinct split_part(n.jws, '.', 1) as head from unnest(p_jws) as n (jws)) as h
    )
    select array_agg(c.jti) as receipts,
      array_agg((c.delivery ->> 'id')::bigint) as deliveries,
      array_agg(c.sub) as sources,
      array_agg(c.outcome) as outcomes,
      array_agg(c.code) as codes,
      array_agg(to_timestamp(c.iat)) as issued_at,
      array_agg((select h.key_id from heads h where h.head = split_part(n.jws, '.', 1))) as keys,
      -- of what was handed out: all that follows the issuer
      array_agg(
        case
          when left(p.payload, p.place - 1) ~ '^\{"iss":"([^"\\]|\\.)*"$'
            then sha256(convert_to('{' || substr(p.payload, p.place + 1), 'UTF8'))
        end
      ) as claims,
      array_agg(n.jws) as jws
    into v_brought
    from unnest(p_jws) as n (jws)
    cross join lateral (
      select d.payload, position(',"jti":"' in d.payload) as place
      from (select convert_from(docket.bytes_of_base64url(split_part(n.jws, '.', 2)), 'UTF8') as payload offset 0) as d
      offset 0
    ) as p
    cross join lateral json_to_record(p.payload::json)
      as c (jti uuid, iat bigint, sub text, outcome text, code text, delivery json);
  exception
    when data_exception then
      raise exception 'jws: not a compact JWS with the claims of a receipt: %', sqlerrm
        using errcode = 'ZD047', hint = 'Sign what docket.claim_receipts handed out; see docs/receipts.md.';
  end;
  if array_position(v_brought.receipts, null) is not null or array_position(v_brought.deliveries, null) is not null
    or array_position(v_brought.issued_at, null) is not null
    or exists (select from (select distinct n.key_id from unnest(v_brought.keys) as n (key_id)) as n where not exists (
      select from docket.receipt_keys k where k.key_id = n.key_id
    ))
  then
    raise exception 'jws: lacks jti, iat or delivery, or names a key that is not recorded'
      using errcode = 'ZD047', hint = 'Record the key by docket.add_receipt_key, and sign what docket.claim_receipts handed out.';
  end if;

  -- lock: one at a time, so that the receipts of a document are numbered in the order in which they become visible; after it what
  -- was handed out holds until the end, as whoever changes what is true orders, and waits
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
    select n.receipt_id, n.delivery_id, n.source_id, o.job_id, o.seq, n.outcome, n.code, n.issued_at, n.key_id, n.jws
    from unnest(
      v_brought.receipts, v_brought.deliveries, v_brought.sources, v_brought.outcomes, v_brought.codes, v_brought.issued_at,
      v_brought.keys, v_brought.claims, v_brought.jws
    ) as n (receipt_id, delivery_id, source_id, outcome, code, issued_at, key_id, claims_sha256, jws)
    cross join lateral (select * from docket.receipt_orders o where o.delivery_id = n.delivery_id limit 1) as o
    cross join lateral (select j.state from docket.jobs j where j.job_id = o.job_id limit 1) as j
    where n.delivery_id = any (v_held) and n.claims_sha256 = o.claims_sha256
      and (j.state = 'quarantined') = o.is_stopped
      and n.issued_at between v_now - interval '1 minute' and v_now
    order by o.job_id, o.seq, n.delivery_id
    returning receipt_id, delivery_id
  ),
  done as (
    delete from docket.receipt_orders o where o.delivery_id = any (array(select r.delivery_id from recorded r))
  ),
  again as (
    update docket.receipt_orders o
    set handed_out_until = null, claims_sha256 = null, tries = 0
    where o.delivery_id = any (
      array(
        select n.delivery_id
        from unnest(v_held) as n (delivery_id)
        where n.delivery_id not in (select r.delivery_id from recorded r)
      )
    )
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
comment on function docket.record_receipts(text[]) is 'Records signed receipts of what was handed out and is still true. Raises ZD047.';
