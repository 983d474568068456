-- SLOs, and alerts that say what is wrong, since when, and what to do.

create table docket.slos (
  slo text not null,
  measure text not null,
  lane text,
  span interval,
  warning double precision,
  breach double precision,
  rollback double precision,
  meaning text not null,
  constraint slos_pk primary key (slo),
  constraint slos__name_is_plain check (slo ~ '^[a-z][a-z0-9_]{0,62}$'),
  constraint slos__measure_is_known check (
    measure in ('undeferred', 'admitted', 'running', 'unpublished', 'unsealed', 'untold', 'quarantined_share', 'whole_p95')
  ),
  constraint slos__lane_fk foreign key (lane) references docket.lanes (lane),
  constraint slos__shares_and_percentiles_have_a_span check (
    (measure in ('quarantined_share', 'whole_p95')) = (span is not null)
    and (span is null or span between '1 minute' and '2 hours')
  ),
  constraint slos__seals_and_receipts_are_of_no_lane check (measure not in ('unsealed', 'untold') or lane is null),
  constraint slos__thresholds_rise check (
    (warning is null or warning > 0) and (breach is null or breach > 0) and (rollback is null or rollback > 0)
    and (warning is null or breach is null or warning <= breach) and (breach is null or rollback is null or breach <= rollback)
  )
);
comment on table docket.slos is 'Service level objectives: how old what waits may become, how long documents may take, how many may fail.';
comment on column docket.slos.slo is 'Name of the objective.';
comment on column docket.slos.measure is
  'What is measured: the oldest of a measure of docket.queue_health, the 95th percentile of whole, or the share of documents that were read in vain.';
comment on column docket.slos.lane is 'Lane that it is about; null: all documents.';
comment on column docket.slos.span is 'Window of shares and percentiles.';
comment on column docket.slos.warning is 'From here on it is a warning; seconds, or a share between 0 and 1. Null: never.';
comment on column docket.slos.breach is 'From here on the objective is broken.';
comment on column docket.slos.rollback is 'From here on a rollback of the OCR configuration may begin by itself, where that is allowed.';
comment on column docket.slos.meaning is 'What it is for, in words.';

create table docket.alerts (
  alert_id bigint generated always as identity,
  subject text not null,
  severity text not null,
  value double precision,
  threshold double precision,
  fact text not null,
  why text,
  next_command text not null,
  job_id uuid,
  opened_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  calm_rounds integer not null default 0,
  closed_at timestamptz,
  constraint alerts_pk primary key (alert_id),
  constraint alerts__severity_is_known check (severity in ('warning', 'breach', 'rollback'))
) with (fillfactor = 50);
comment on table docket.alerts is 'What is wrong, or was: opened and closed by a duty of the workers.';
comment on column docket.alerts.alert_id is 'Number of the alert.';
comment on column docket.alerts.subject is 'What it is about: slo:NAME, outage:DEPENDENCY@HOST, pool:NAME, admission:TARGET, rollback:NUMBER. One open alert each.';
comment on column docket.alerts.severity is 'warning, breach or rollback; the worst that it was while it is open is kept in docket.alert_changes.';
comment on column docket.alerts.value is 'What was measured last; seconds, or a share.';
comment on column docket.alerts.threshold is 'The threshold that it crossed.';
comment on column docket.alerts.fact is 'What is wrong, in words.';
comment on column docket.alerts.why is 'What docket why says of the oldest document.';
comment on column docket.alerts.next_command is 'What to look at or do next.';
comment on column docket.alerts.job_id is 'The oldest document, where it is about one.';
comment on column docket.alerts.opened_at is 'Since when it is open.';
comment on column docket.alerts.changed_at is 'When its severity last changed.';
comment on column docket.alerts.seen_at is 'When it was last seen to be so.';
comment on column docket.alerts.calm_rounds is 'How many rounds on end have found it better than its severity.';
comment on column docket.alerts.closed_at is 'When it was over; null: it is open.';
create unique index alerts__one_open_a_subject_idx on docket.alerts (subject) where closed_at is null;
create index alerts__closed_idx on docket.alerts (closed_at) where closed_at is not null;

create table docket.alert_changes (
  alert_change_id bigint generated always as identity,
  alert_id bigint not null,
  change text not null,
  severity text not null,
  fact text not null,
  changed_at timestamptz not null default clock_timestamp(),
  message_id uuid not null default gen_random_uuid(),
  constraint alert_changes_pk primary key (alert_change_id),
  constraint alert_changes__alert_fk foreign key (alert_id) references docket.alerts (alert_id),
  constraint alert_changes__change_is_known check (change in ('opened', 'worsened', 'eased', 'closed'))
);
comment on table docket.alert_changes is 'What became of alerts, one after the other: what is told to those who want to know. Append-only.';
comment on column docket.alert_changes.alert_change_id is 'Number, in order.';
comment on column docket.alert_changes.alert_id is 'The alert.';
comment on column docket.alert_changes.change is 'opened, worsened, eased or closed.';
comment on column docket.alert_changes.severity is 'Severity since then; of a closed one, the last.';
comment on column docket.alert_changes.fact is 'What it said then.';
comment on column docket.alert_changes.changed_at is 'When.';
comment on column docket.alert_changes.message_id is 'By what receivers know it again that are sent it twice; nowhere is another one like it.';
create index alert_changes__alert_idx on docket.alert_changes (alert_id);

create table docket.watch_rounds (
  is_only_row boolean not null default true,
  watched_at timestamptz not null default clock_timestamp(),
  rounds bigint not null default 0,
  constraint watch_rounds_pk primary key (is_only_row),
  constraint watch_rounds__has_one_row check (is_only_row)
) with (fillfactor = 20);
comment on table docket.watch_rounds is 'When it was last looked whether something is wrong: while no worker runs, nobody does.';
comment on column docket.watch_rounds.is_only_row is 'Always true.';
comment on column docket.watch_rounds.watched_at is 'When the last round was.';
comment on column docket.watch_rounds.rounds is 'How many there were.';
insert into docket.watch_rounds default values;

create table docket.ocr_minutes (
  at timestamptz not null,
  ocr_version integer not null,
  lane text not null,
  code text not null,
  documents bigint not null,
  job_id uuid not null,
  constraint ocr_minutes_pk primary key (at, ocr_version, lane, code)
) with (fillfactor = 50);
comment on table docket.ocr_minutes is 'How recognition came out in each minute, by OCR configuration, for three hours.';
comment on column docket.ocr_minutes.at is 'When the minute began.';
comment on column docket.ocr_minutes.ocr_version is 'OCR configuration that was read by.';
comment on column docket.ocr_minutes.lane is 'Lane.';
comment on column docket.ocr_minutes.code is 'Code for which the documents were quarantined; empty: they were read, and passed the gates.';
comment on column docket.ocr_minutes.documents is 'How many.';
comment on column docket.ocr_minutes.job_id is 'One of them, the last that was counted.';

-- Alerts are sent like receipts, by the same webhooks.
alter table docket.webhooks alter column source_id drop not null;
comment on table docket.webhooks is 'Where receipts of a source, or alerts, are sent as they are issued.';
comment on column docket.webhooks.source_id is 'Source whose receipts are sent; null: alerts are.';
create unique index webhooks__alerts_given_once_idx on docket.webhooks (url) where source_id is null;
alter table docket.webhook_messages
  alter column receipt_id drop not null,
  alter column job_id drop not null,
  add column alert_change_id bigint,
  add column alert_id bigint,
  add constraint webhook_messages__alert_change_fk foreign key (alert_change_id) references docket.alert_changes (alert_change_id),
  add constraint webhook_messages__is_a_receipt_or_an_alert check (
    num_nonnulls(receipt_id, alert_change_id) = 1 and (receipt_id is null) = (job_id is null) and (alert_change_id is null) = (alert_id is null)
  );
comment on table docket.webhook_messages is 'Receipts, and what became of alerts, that are sent to a webhook, each until it is acknowledged.';
comment on column docket.webhook_messages.webhook_message_id is
  'Number of the message, in order of issue: the messages of a document, or of an alert, are sent in this order.';
comment on column docket.webhook_messages.receipt_id is 'What: a receipt; null: it is about an alert.';
comment on column docket.webhook_messages.job_id is 'The document; null: it is about an alert.';
comment on column docket.webhook_messages.alert_change_id is 'What: what became of an alert; null: a receipt.';
comment on column docket.webhook_messages.alert_id is 'The alert; null: it is about a document.';
create index webhook_messages__alert_order_idx on docket.webhook_messages (webhook_id, alert_id, webhook_message_id)
  where acknowledged_at is null and alert_id is not null;
create unique index webhook_messages__once_a_change_idx on docket.webhook_messages (webhook_id, alert_change_id)
  where alert_change_id is not null;

-- it answers alerts too
drop function if exists docket.claim_webhook_messages(integer);
