-- Rollbacks of the OCR configuration: closed, drained, restored, opened again, one step after the other, whatever dies in between.

create table docket.rollbacks (
  rollback_id integer generated always as identity,
  from_version integer not null,
  to_version integer not null,
  reason text not null,
  ordered_by text not null,
  alert_id bigint,
  began_at timestamptz not null default clock_timestamp(),
  drain_until timestamptz not null,
  begun_before xid8,
  step text not null default 'close',
  stepped_at timestamptz not null default clock_timestamp(),
  closing_change bigint,
  taken_back integer,
  failures integer not null default 0,
  failed_at timestamptz,
  failure text,
  ended_at timestamptz,
  constraint rollbacks_pk primary key (rollback_id),
  constraint rollbacks__from_fk foreign key (from_version) references docket.ocr_versions (ocr_version),
  constraint rollbacks__to_fk foreign key (to_version) references docket.ocr_versions (ocr_version),
  constraint rollbacks__alert_fk foreign key (alert_id) references docket.alerts (alert_id),
  constraint rollbacks__closing_fk foreign key (closing_change) references docket.changes (change_id),
  constraint rollbacks__step_is_known check (step in ('close', 'drain', 'restore', 'reopen', 'done')),
  constraint rollbacks__goes_elsewhere check (from_version <> to_version),
  constraint rollbacks__ended_is_done check ((ended_at is not null) = (step = 'done')),
  constraint rollbacks__failed_says_why check ((failed_at is null) = (failure is null))
);
comment on table docket.rollbacks is 'Rollbacks of the OCR configuration. Rows are never removed.';
comment on column docket.rollbacks.rollback_id is 'Number of the rollback.';
comment on column docket.rollbacks.from_version is 'The configuration that is withdrawn.';
comment on column docket.rollbacks.to_version is 'The one that reads since then.';
comment on column docket.rollbacks.reason is 'Why, in words.';
comment on column docket.rollbacks.ordered_by is 'Who ordered it; the login of a worker, where it began by itself.';
comment on column docket.rollbacks.alert_id is 'The alert for which it began by itself; null: somebody ordered it.';
comment on column docket.rollbacks.began_at is 'When it began.';
comment on column docket.rollbacks.drain_until is 'Until when attempts under way may end; then they are taken back.';
comment on column docket.rollbacks.begun_before is
  'Transactions before this one may have chosen by what was chosen before; null: they are not looked for yet.';
comment on column docket.rollbacks.step is 'What is to be done next: close, drain, restore, reopen; or done.';
comment on column docket.rollbacks.stepped_at is 'When the step before was done.';
comment on column docket.rollbacks.closing_change is 'The change that closed admission; null: it was closed already, or is not yet.';
comment on column docket.rollbacks.taken_back is 'Attempts that did not end in time and were taken back.';
comment on column docket.rollbacks.failures is 'How often a step failed.';
comment on column docket.rollbacks.failed_at is 'When the step that is next last failed; null: it did not.';
comment on column docket.rollbacks.failure is 'How.';
comment on column docket.rollbacks.ended_at is 'When it was done.';
create unique index rollbacks__one_at_a_time_idx on docket.rollbacks ((true)) where ended_at is null;
