-- Hands out messages to webhooks, each for half a minute, which is longer than a worker waits for an answer; what a worker that
-- dies was sending is handed out again after that. Of a document, or of an alert, only the oldest message that is not acknowledged is
-- handed out, so a later one waits. A webhook is sent few messages at once, and one at a time while it fails, and the webhooks take turns: a
-- receiver that is dead or slow holds up nobody but itself.
-- Called by: every worker process, between the duties; several may at a time. Effects: webhook_messages.
-- `tries` goes back to record_webhook_attempts, which so knows whether the message was handed out again meanwhile.
create or replace function docket.claim_webhook_messages(p_limit integer)
returns table (
  webhook_message_id bigint,
  webhook_id integer,
  url text,
  tries integer,
  seconds double precision,
  receipt_id uuid,
  source_id text,
  delivery_id bigint,
  outcome text,
  code text,
  issued_at text,
  jws text,
  message_id uuid,
  alert json
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_now timestamptz;
  v_time constant interval := '30 seconds';
  v_webhooks integer[];
begin
  -- lock: whoever claims for a webhook does so alone, and what others claimed before is seen below
  with waiting as materialized (
    select w.webhook_id
    from docket.webhooks w
    where w.is_enabled and (w.resting_until is null or w.resting_until <= clock_timestamp())
      and exists (
        select from docket.webhook_messages m
        where m.webhook_id = w.webhook_id and m.acknowledged_at is null and m.due_at <= clock_timestamp()
      )
    for no key update of w skip locked
  )
  select array_agg(w.webhook_id) into v_webhooks from waiting w;
  if v_webhooks is null then
    return;
  end if;

  -- record
  v_now := clock_timestamp();
  return query
  with due as materialized (
    select oldest.webhook_message_id
    from docket.webhooks w
    cross join lateral (
      select m.webhook_message_id, m.due_at, row_number() over (order by m.due_at, m.webhook_message_id) as turn
      from docket.webhook_messages m
      where m.webhook_id = w.webhook_id and m.acknowledged_at is null and m.due_at <= v_now
        -- the oldest of its document or alert; looked up by key for each, however many wait
        and m.webhook_message_id = case
          when m.alert_id is null then (
            select min(o.webhook_message_id)
            from docket.webhook_messages o
            where o.webhook_id = m.webhook_id and o.job_id = m.job_id and o.acknowledged_at is null
          )
          else (
            select min(o.webhook_message_id)
            from docket.webhook_messages o
            where o.webhook_id = m.webhook_id and o.alert_id = m.alert_id and o.acknowledged_at is null
          )
        end
      order by m.due_at, m.webhook_message_id
      limit greatest(
        case when w.failures < 3 then 8 else 1 end - (
          select count(*)
          from docket.webhook_messages s
          where s.webhook_id = w.webhook_id and s.acknowledged_at is null and s.is_being_sent and s.due_at > v_now
        ),
        0
      )
    ) as oldest
    where w.webhook_id = any (v_webhooks)
    order by oldest.turn, oldest.due_at
    limit p_limit
  ),
  claimed as (
    update docket.webhook_messages m
    set due_at = v_now + v_time, is_being_sent = true, tries = m.tries + 1
    from due d
    where m.webhook_message_id = d.webhook_message_id
    returning m.*
  )
  select c.webhook_message_id, c.webhook_id, w.url, c.tries, extract(epoch from v_time)::double precision, c.receipt_id,
    r.source_id, r.delivery_id, r.outcome, r.code, docket.iso_time(coalesce(r.issued_at, h.changed_at)), r.jws,
    coalesce(r.receipt_id, h.message_id),
    case
      when h.alert_id is not null then json_build_object(
        'alert', h.alert_id, 'change', h.change, 'severity', h.severity, 'subject', a.subject, 'fact', h.fact, 'why', a.why,
        'next_command', a.next_command, 'document', a.job_id, 'opened_at', docket.iso_time(a.opened_at)
      )
    end
  from claimed c
  join docket.webhooks w on w.webhook_id = c.webhook_id
  left join docket.receipts r on r.receipt_id = c.receipt_id
  left join docket.alert_changes h on h.alert_change_id = c.alert_change_id
  left join docket.alerts a on a.alert_id = h.alert_id
  order by c.webhook_message_id;
end;
$$;
comment on function docket.claim_webhook_messages(integer) is
  'Hands out messages to webhooks, of each document and each alert the oldest that is not acknowledged.';
