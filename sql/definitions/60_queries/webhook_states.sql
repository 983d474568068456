-- How webhooks do: what waits for each, and why.
-- Called by: operators and auditors.
create or replace view docket.webhook_states
as
select w.webhook_id, w.source_id, w.url, w.is_enabled, w.failures, w.resting_until, w.last_failure, waiting.messages as waiting,
  (select coalesce(r.issued_at, h.changed_at)
   from docket.webhook_messages m
   left join docket.receipts r on r.receipt_id = m.receipt_id
   left join docket.alert_changes h on h.alert_change_id = m.alert_change_id
   where m.webhook_message_id = waiting.oldest) as waiting_since,
  w.added_at, w.added_by
from docket.webhooks w
cross join lateral (
  select count(*) as messages, min(m.webhook_message_id) as oldest
  from docket.webhook_messages m
  where m.webhook_id = w.webhook_id and m.acknowledged_at is null
) as waiting;
comment on view docket.webhook_states is 'How webhooks do: what waits for each, and why.';
comment on column docket.webhook_states.webhook_id is 'Number of the webhook.';
comment on column docket.webhook_states.source_id is 'Source whose receipts are sent; null: alerts are.';
comment on column docket.webhook_states.url is 'Where to.';
comment on column docket.webhook_states.is_enabled is 'Whether it is sent to now.';
comment on column docket.webhook_states.failures is 'How often it failed since it last acknowledged a message.';
comment on column docket.webhook_states.resting_until is 'Until when it is left alone after failures.';
comment on column docket.webhook_states.last_failure is 'What went wrong last, be it long ago.';
comment on column docket.webhook_states.waiting is 'Receipts, or changes of alerts, that it has not acknowledged yet.';
comment on column docket.webhook_states.waiting_since is 'When the oldest of them was issued.';
comment on column docket.webhook_states.added_at is 'When it was added.';
comment on column docket.webhook_states.added_by is 'Who added it.';
