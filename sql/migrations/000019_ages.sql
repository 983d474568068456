-- Ages: what waits and since when is found by index; how long documents took is counted as their events are sealed.

-- What waits, by all that it is grouped by: the oldest of each group, and which groups there are, without reading the others.
create index jobs__waiting_groups_idx on docket.jobs (source_id, document_kind, coalesce(lane, 'standard'), accepted_at) include (lane)
  where state = 'accepted' and next_task is null;
create index jobs__quarantined_code_idx on docket.jobs (first_code) where state = 'quarantined';

create table docket.age_progress (
  is_only_row boolean not null default true,
  epoch integer not null,
  xid xid8 not null,
  event_id bigint not null,
  measured_at timestamptz not null default clock_timestamp(),
  constraint age_progress_pk primary key (is_only_row),
  constraint age_progress__has_one_row check (is_only_row)
) with (fillfactor = 20);
comment on table docket.age_progress is 'How far sealed events have been counted, in the order in which they were sealed.';
comment on column docket.age_progress.is_only_row is 'Always true.';
comment on column docket.age_progress.epoch is 'Epoch of the last event that was counted.';
comment on column docket.age_progress.xid is 'Its transaction.';
comment on column docket.age_progress.event_id is 'Its number.';
comment on column docket.age_progress.measured_at is 'When it was counted.';

create table docket.event_totals (
  from_state text not null,
  event text not null,
  to_state text not null,
  events bigint not null,
  deliveries bigint not null,
  constraint event_totals_pk primary key (from_state, event, to_state)
) with (fillfactor = 50);
comment on table docket.event_totals is 'How often each step of the state machine was sealed, as far as docket.age_progress says.';
comment on column docket.event_totals.from_state is 'State before.';
comment on column docket.event_totals.event is 'What happened.';
comment on column docket.event_totals.to_state is 'State after.';
comment on column docket.event_totals.events is 'How often.';
comment on column docket.event_totals.deliveries is 'How many deliveries these events are about.';

create table docket.age_minutes (
  at timestamptz not null,
  measure text not null,
  lane text not null,
  source_id text not null,
  document_kind text not null,
  bucket smallint not null,
  documents bigint not null,
  constraint age_minutes_pk primary key (at, measure, lane, source_id, document_kind, bucket)
) with (fillfactor = 50);
comment on table docket.age_minutes is 'How long documents took that were published in each minute, for three hours.';
comment on column docket.age_minutes.at is 'When the minute began.';
comment on column docket.age_minutes.measure is 'admission, verification, recognition, publication or whole.';
comment on column docket.age_minutes.lane is 'Lane.';
comment on column docket.age_minutes.source_id is 'Source.';
comment on column docket.age_minutes.document_kind is 'Kind.';
comment on column docket.age_minutes.bucket is 'Eight times the binary logarithm of the milliseconds and one, rounded down.';
comment on column docket.age_minutes.documents is 'How many.';

create table docket.age_hours (
  at timestamptz not null,
  measure text not null,
  lane text not null,
  source_id text not null,
  document_kind text not null,
  bucket smallint not null,
  documents bigint not null,
  constraint age_hours_pk primary key (at, measure, lane, source_id, document_kind, bucket)
) with (fillfactor = 50);
comment on table docket.age_hours is 'How long documents took that were published in each hour, for 400 days.';
comment on column docket.age_hours.at is 'When the hour began.';
comment on column docket.age_hours.measure is 'admission, verification, recognition, publication or whole.';
comment on column docket.age_hours.lane is 'Lane.';
comment on column docket.age_hours.source_id is 'Source.';
comment on column docket.age_hours.document_kind is 'Kind.';
comment on column docket.age_hours.bucket is 'Eight times the binary logarithm of the milliseconds and one, rounded down.';
comment on column docket.age_hours.documents is 'How many.';

create table docket.quarantine_minutes (
  at timestamptz not null,
  source_id text not null,
  code text not null,
  documents bigint not null,
  constraint quarantine_minutes_pk primary key (at, source_id, code)
) with (fillfactor = 50);
comment on table docket.quarantine_minutes is 'How many documents were quarantined in each minute, for three hours.';
comment on column docket.quarantine_minutes.at is 'When the minute began.';
comment on column docket.quarantine_minutes.source_id is 'Source.';
comment on column docket.quarantine_minutes.code is 'Code of the event.';
comment on column docket.quarantine_minutes.documents is 'How many.';

create table docket.quarantine_hours (
  at timestamptz not null,
  source_id text not null,
  code text not null,
  documents bigint not null,
  constraint quarantine_hours_pk primary key (at, source_id, code)
) with (fillfactor = 50);
comment on table docket.quarantine_hours is 'How many documents were quarantined in each hour, for 400 days.';
comment on column docket.quarantine_hours.at is 'When the hour began.';
comment on column docket.quarantine_hours.source_id is 'Source.';
comment on column docket.quarantine_hours.code is 'Code of the event.';
comment on column docket.quarantine_hours.documents is 'How many.';

-- What is sealed already is counted once, here; its ages are not: they would take long, and are of the past.
insert into docket.age_progress (epoch, xid, event_id)
select e.epoch, coalesce((select max(s.xid_to) from docket_audit.seals s where s.epoch = e.epoch), '0'), -1
from docket_audit.epochs e
order by e.epoch desc
limit 1;
insert into docket.event_totals (from_state, event, to_state, events, deliveries)
select e.from_state, e.event, e.to_state, count(*),
  sum(
    case
      when e.event = 'accepted' then 1
      when e.event in ('delivered_again', 'redelivered') then coalesce(json_array_length(e.detail::json -> 'deliveries'), 0)
      else 0
    end
  )
from docket_audit.epochs p
left join docket_audit.epochs n on n.epoch = p.epoch + 1
join docket_audit.events e on e.event_id >= p.first_event_id and e.event_id < coalesce(n.first_event_id, 9223372036854775807)
where e.xid < (select max(s.xid_to) from docket_audit.seals s where s.epoch = p.epoch)
group by e.from_state, e.event, e.to_state;
