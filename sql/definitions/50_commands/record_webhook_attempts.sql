-- Records how messages to webhooks ended: acknowledged (true), failed (false), or handed back by a worker that stops (null). Nothing
-- is ever given up: what failed is sent again after a while, at last every quarter of an hour or so, and a webhook that failed three
-- times on end rests as long. An acknowledgement counts whoever brings it; a failure only while nobody else sends the message.
-- Called by: the worker, for what it claimed. Effects: webhook_messages, webhooks.
-- Outcome of each: acknowledged, retry, handed_back or stale.
create or replace function docket.record_webhook_attempts(
  p_messages bigint[],
  p_tries integer[],
  p_is_acknowledged boolean[],
  p_failures text[]
)
returns table (webhook_message_id bigint, outcome text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_base constant interval := '2 seconds';
  v_longest constant interval := '15 minutes';
begin
  -- lock
  perform from docket.webhooks w
  where w.webhook_id in (select m.webhook_id from docket.webhook_messages m where m.webhook_message_id = any (p_messages))
  order by w.webhook_id
  for no key update;

  -- record
  return query
  with decided as materialized (
    select n.message, m.webhook_id, left(n.failure, 500) as failure,
      case
        when m.acknowledged_at is not null or m.webhook_message_id is null then 'stale'
        when n.is_acknowledged then 'acknowledged'
        when m.tries <> n.tries then 'stale'
        when n.is_acknowledged is null then 'handed_back'
        else 'retry'
      end as outcome
    from unnest(p_messages, p_tries, p_is_acknowledged, p_failures) as n (message, tries, is_acknowledged, failure)
    left join docket.webhook_messages m on m.webhook_message_id = n.message
  ),
  sent as (
    update docket.webhook_messages m
    set is_being_sent = false,
      acknowledged_at = case when d.outcome = 'acknowledged' then clock_timestamp() end,
      tries = case when d.outcome = 'handed_back' then m.tries - 1 else m.tries end,
      due_at = case d.outcome
        when 'retry' then clock_timestamp() + docket.back_off(v_base, v_longest, m.tries - 1)
        else clock_timestamp()
      end,
      last_failure = case when d.outcome = 'retry' then d.failure else m.last_failure end
    from decided d
    where d.outcome <> 'stale' and m.webhook_message_id = d.message
  ),
  answered as (
    select d.webhook_id, bool_or(d.outcome = 'acknowledged') as is_alive, max(d.failure) as failure
    from decided d
    where d.outcome in ('acknowledged', 'retry')
    group by d.webhook_id
  ),
  noted as (
    update docket.webhooks w
    set failures = case when a.is_alive then 0 else w.failures + 1 end,
      resting_until = case
        when not a.is_alive and w.failures >= 2 then clock_timestamp() + docket.back_off(v_base, v_longest, w.failures - 2)
      end,
      last_failure = coalesce(a.failure, w.last_failure)
    from answered a
    where w.webhook_id = a.webhook_id
      -- what was under way when the rest began says nothing new by failing
      and (a.is_alive or w.resting_until is null or w.resting_until <= clock_timestamp())
  )
  select d.message, d.outcome from decided d;
end;
$$;
comment on function docket.record_webhook_attempts(bigint[], integer[], boolean[], text[]) is
  'Records how messages to webhooks ended: acknowledged, to be sent again after a while, or handed back.';
