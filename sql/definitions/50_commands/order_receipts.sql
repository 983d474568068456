-- Has the senders of deliveries told what there is to tell of them. To order twice is to order once, and where nothing is new
-- nobody is told anything: whoever changed what is true of a delivery orders, without asking whether it matters.
-- Called by: notice_arrivals and order_receipts_of, after they recorded what happened. Not granted to anyone.
-- Effects: receipt_orders; what was handed out is not recorded any more, because it may not be true any more.
-- Deliveries of an open transaction of a sender have their order from the accepting trigger.
create or replace function docket.order_receipts(p_deliveries bigint[])
returns void
language sql
security definer
set search_path = pg_catalog, pg_temp
as $$
  insert into docket.receipt_orders (delivery_id, job_id, due_at)
  select d.delivery_id, d.job_id, clock_timestamp()
  from unnest(p_deliveries) as n (delivery_id)
  cross join lateral (select * from docket.deliveries d where d.delivery_id = n.delivery_id limit 1) as d
  order by d.delivery_id
  on conflict (delivery_id) do update
  set due_at = least(receipt_orders.due_at, excluded.due_at), handed_out_until = null, claims_sha256 = null, tries = 0
$$;
comment on function docket.order_receipts(bigint[]) is 'Has the senders of deliveries told what there is to tell of them.';
