-- What the work depends on, and where it is down: one row of each, or one of each host on which it failed since it last worked there.
-- Called by: operators and auditors; why_halted and docket_api.breakers; docket status.
create or replace view docket.breaker_states
as
select d.dependency, b.host, coalesce(b.state, 'closed') as state, coalesce(b.failures, 0) as failures, b.first_failure_at, o.opened_at,
  b.probe_at, b.last_code, b.last_message, d.meaning
from docket.dependencies d
left join docket.breakers b on b.dependency = d.dependency
left join docket.outages o on o.dependency = b.dependency and o.host = b.host and o.ended_at is null;
comment on view docket.breaker_states is 'What the work depends on, and on which hosts it is down.';
comment on column docket.breaker_states.dependency is 'What the work depends on.';
comment on column docket.breaker_states.host is 'Host that has trouble with it; null: none has.';
comment on column docket.breaker_states.state is
  'closed: it works, or failed by chance. open: nothing that needs it is begun on the host. probing: one attempt tries it.';
comment on column docket.breaker_states.failures is 'Failures without a success between.';
comment on column docket.breaker_states.first_failure_at is 'When the first of them was.';
comment on column docket.breaker_states.opened_at is 'Since when it counts as down; null: it does not.';
comment on column docket.breaker_states.probe_at is
  'When it is tried again, while it is open; until when the attempt that tries it has time, while it is probing.';
comment on column docket.breaker_states.last_code is 'Code of the newest failure.';
comment on column docket.breaker_states.last_message is 'What the newest failure said.';
comment on column docket.breaker_states.meaning is 'What it is.';
