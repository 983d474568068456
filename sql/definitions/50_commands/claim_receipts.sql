-- Hands out what senders are to be told, each for half a minute, as the claims of a receipt that lacks its issuer and its
-- signature. A worker that dies leaves it to be handed out again after that. Of a document under way with one worker nothing is
-- handed out to another, so that its receipts are issued in the order of its events. That the hash was claimed is told only
-- if nothing better is known a second after the delivery. Orders of which there is nothing to tell go.
-- What was handed out stands in its order as a hash, and record_receipts records that alone. So it need not work out again what is
-- true: whoever changes that orders in the same transaction, which wipes out the hash. Of a change that was not committed yet when
-- the facts below were read, the order either holds the row already, which is passed over then, or comes to it later, and waits or
-- wipes; one that was committed is seen by them, as they are read by a later statement than the one that locked the row.
-- Called by: every worker process that has a key for receipts; one at a time. Effects: receipt_orders.
create or replace function docket.claim_receipts(p_limit integer)
returns table (delivery_id bigint, claims json)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_iat bigint := floor(extract(epoch from v_now))::bigint;
  v_due bigint[];
begin
  -- check
  if not exists (
    select from docket.receipt_orders o where o.due_at <= v_now and coalesce(o.handed_out_until <= v_now, true)
  ) then
    return;
  end if;

  -- lock
  perform from docket.duties d where d.duty = 'receipts' for update skip locked;
  if not found then
    return;
  end if;
  with due as materialized (
    select o.delivery_id
    from docket.receipt_orders o
    where o.due_at <= v_now and coalesce(o.handed_out_until <= v_now, true)
      and not exists (select from docket.receipt_orders u where u.job_id = o.job_id and u.handed_out_until > v_now)
    order by o.due_at, o.delivery_id
    limit p_limit
    for update of o skip locked
  )
  select array_agg(d.delivery_id) into v_due from due d;
  if v_due is null then
    return;
  end if;

  -- record
  return query
  with facts as materialized (
    select f.*,
      case when f.outcome = 'PEND' and f.code is null then f.received_at + interval '1 second' else v_now end as tell_at
    from docket.receipt_facts(v_due) f
    where f.is_news
  ),
  dropped as (
    delete from docket.receipt_orders o
    where o.delivery_id = any (
      array(
        select n.delivery_id from unnest(v_due) as n (delivery_id) where n.delivery_id not in (select f.delivery_id from facts f)
      )
    )
  ),
  postponed as (
    update docket.receipt_orders o
    set due_at = f.tell_at, handed_out_until = null, claims_sha256 = null, tries = 0
    from facts f
    where f.tell_at > v_now and o.delivery_id = f.delivery_id
  ),
  -- cheaper than json_build_object; what is null is left out, what is not of Docket's own making is quoted
  told as materialized (
    select f.delivery_id, f.job_id, f.seq, f.is_stopped,
      concat(
        '{"jti":"', gen_random_uuid(), '","iat":', v_iat, ',"sub":', to_json(f.source_id), ',"outcome":"', f.outcome,
        '","delivery":{"id":"', f.delivery_id, '","received_at":"', docket.iso_time(f.received_at),
        '","sha256":"', encode(f.sha256, 'hex'), '","size_bytes":', f.size_bytes,
        ',"captured_at_as_stated":"', docket.iso_time(f.captured_at), '"}',
        case when f.brought_by is not null then ',"document":"' || f.job_id || '"' end,
        case when f.outcome = 'DUPE' then (
          select ',"earlier":{"id":"' || b.delivery_id || '","received_at":"' || docket.iso_time(b.received_at) || '"}'
          from docket.deliveries b
          where b.delivery_id = f.brought_by
        ) end,
        case when f.is_told then concat(
          ',"event":{"seq":', f.seq, ',"name":"', f.event, '","at":"', docket.iso_time(f.event_at),
          '","hash":"', encode(f.event_hash, 'hex'), '"}'
        ) end,
        ',"code":' || to_json(f.code), ',"meaning":' || to_json(f.meaning), ',"remedy":' || to_json(f.remedy),
        ',"statement":',
        case
          when f.brought_by is null then '"Hash claimed. The bytes were not seen."'
          -- as statement_to would say, after many more questions
          when f.is_plain then '"Bytes received. It has no signature."'
          else to_json(docket.statement_to(f.job_id, f.source_id))::text
        end,
        '}'
      ) as claims
    from facts f
    where f.tell_at <= v_now
  ),
  handed_out as (
    update docket.receipt_orders o
    set handed_out_until = v_now + interval '30 seconds', tries = o.tries + 1,
      claims_sha256 = sha256(convert_to(t.claims, 'UTF8')), seq = t.seq, is_stopped = t.is_stopped
    from told t
    where o.delivery_id = t.delivery_id
  )
  select t.delivery_id, t.claims::json
  from told t
  order by t.job_id, t.seq, t.delivery_id;
end;
$$;
comment on function docket.claim_receipts(integer) is 'Hands out what senders are to be told: claims of receipts, to be signed.';
