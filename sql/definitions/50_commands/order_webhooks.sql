-- Has receipts sent to the webhooks of their sources, those that are not enabled included: what is not sent waits. Messages are
-- numbered in the order in which receipts were issued; whoever numbers those of a webhook holds it until the end, so that no later
-- message is seen before an earlier one. Twice is once.
-- Called by: record_receipts, as the last thing that it does. Not granted to anyone. Effects: webhook_messages.
create or replace function docket.order_webhooks(p_receipts uuid[])
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- lock
  perform from docket.webhooks w
  where w.source_id in (select r.source_id from docket.receipts r where r.receipt_id = any (p_receipts))
  order by w.webhook_id
  for no key update;
  if not found then
    return;
  end if;

  -- record
  insert into docket.webhook_messages (webhook_id, receipt_id, job_id)
  select w.webhook_id, r.receipt_id, r.job_id
  from docket.receipts r
  join docket.webhooks w on w.source_id = r.source_id
  where r.receipt_id = any (p_receipts)
  order by r.receipt_no, w.webhook_id
  on conflict (webhook_id, receipt_id) do nothing;
end;
$$;
comment on function docket.order_webhooks(uuid[]) is 'Has receipts sent to the webhooks of their sources.';
