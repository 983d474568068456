-- OCR configurations by number: what is read with is chosen by the database, tried before it reads for all, and can be taken back.

create table docket.ocr_versions (
  ocr_version integer generated always as identity,
  engine text,
  parameters json not null default '{}',
  pins json not null default '{}',
  gates json not null default '{}',
  reason text not null,
  added_by text not null,
  added_at timestamptz not null default clock_timestamp(),
  constraint ocr_versions_pk primary key (ocr_version),
  constraint ocr_versions__are_objects check (
    json_typeof(parameters) = 'object' and json_typeof(pins) = 'object' and json_typeof(gates) = 'object'
  ),
  constraint ocr_versions__are_small check (
    octet_length(parameters::text) <= 16384 and octet_length(pins::text) <= 4096 and octet_length(gates::text) <= 16384
  )
);
comment on table docket.ocr_versions is 'OCR configurations that can be chosen: what differs from what Docket comes with. Append-only.';
comment on column docket.ocr_versions.ocr_version is 'Number of the configuration; 1 is what Docket comes with.';
comment on column docket.ocr_versions.engine is 'Engine that it is for; null: whichever a worker has.';
comment on column docket.ocr_versions.parameters is 'Parameters that differ from the built-in ones, in groups as docket.ocr_configs records them.';
comment on column docket.ocr_versions.pins is 'What the engine says of itself must be this: core, model, their hashes. Another engine may not read by it.';
comment on column docket.ocr_versions.gates is 'Gates that differ from those of docket.document_kinds, by kind.';
comment on column docket.ocr_versions.reason is 'Why it was added, in words.';
comment on column docket.ocr_versions.added_by is 'Who added it.';
comment on column docket.ocr_versions.added_at is 'When.';

insert into docket.ocr_versions (reason, added_by) values ('What Docket comes with.', 'docket');

create table docket.ocr_withdrawals (
  ocr_version integer not null,
  reason text not null,
  withdrawn_by text not null,
  withdrawn_at timestamptz not null default clock_timestamp(),
  constraint ocr_withdrawals_pk primary key (ocr_version),
  constraint ocr_withdrawals__version_fk foreign key (ocr_version) references docket.ocr_versions (ocr_version)
);
comment on table docket.ocr_withdrawals is 'OCR configurations that were rolled back: nothing is read by them any more. Append-only.';
comment on column docket.ocr_withdrawals.ocr_version is 'The configuration.';
comment on column docket.ocr_withdrawals.reason is 'Why, in words.';
comment on column docket.ocr_withdrawals.withdrawn_by is 'Who rolled it back.';
comment on column docket.ocr_withdrawals.withdrawn_at is 'When.';

create table docket.ocr_choice (
  is_only_row boolean not null default true,
  active_version integer not null,
  activated_at timestamptz not null default clock_timestamp(),
  known_good_version integer not null,
  canary_version integer,
  canary_share double precision,
  automatic_within interval,
  rollback_to integer,
  constraint ocr_choice_pk primary key (is_only_row),
  constraint ocr_choice__has_one_row check (is_only_row),
  constraint ocr_choice__active_fk foreign key (active_version) references docket.ocr_versions (ocr_version),
  constraint ocr_choice__known_good_fk foreign key (known_good_version) references docket.ocr_versions (ocr_version),
  constraint ocr_choice__canary_fk foreign key (canary_version) references docket.ocr_versions (ocr_version),
  constraint ocr_choice__rollback_to_fk foreign key (rollback_to) references docket.ocr_versions (ocr_version),
  constraint ocr_choice__canary_has_a_share check (
    (canary_version is null) = (canary_share is null) and (canary_share is null or canary_share > 0 and canary_share < 1)
  ),
  constraint ocr_choice__automatic_is_a_span check (automatic_within is null or automatic_within > '0' and automatic_within <= '7 days')
) with (fillfactor = 20);
comment on table docket.ocr_choice is 'By which OCR configuration documents are read now. Written by change_control and by rollbacks alone.';
comment on column docket.ocr_choice.is_only_row is 'Always true.';
comment on column docket.ocr_choice.active_version is 'The configuration that reads.';
comment on column docket.ocr_choice.activated_at is 'When the active configuration, or the canary, was last changed.';
comment on column docket.ocr_choice.known_good_version is 'The last one that read well: where a rollback goes. The same as the active one after a rollback.';
comment on column docket.ocr_choice.canary_version is 'A configuration that reads a share of the documents; null: none.';
comment on column docket.ocr_choice.canary_share is 'That share, between 0 and 1, by the job id.';
comment on column docket.ocr_choice.automatic_within is
  'A rollback may begin by itself when a rollback threshold is crossed within this time after an activation; null: never.';
comment on column docket.ocr_choice.rollback_to is 'While a rollback is under way: what is begun is read by this one. Null: none is.';
insert into docket.ocr_choice (active_version, known_good_version) values (1, 1);

-- A worker says of which version it is, and what the clock of its host shows: for docket doctor. One of before says neither, and may
-- still open a lease.
alter table docket.leases
  add column version text,
  add column host_at timestamptz,
  add constraint leases__version_is_short check (length(version) <= 100);
comment on column docket.leases.version is 'Version of Docket that it runs, as it says; null: one that does not say it.';
comment on column docket.leases.host_at is
  'What the clock of its host showed when it asked for the lease, or last renewed it, as it says. Nothing is decided by it.';
drop function if exists docket.open_lease(text, integer, text[]);
drop function if exists docket.renew_lease(uuid);

alter table docket.attempts add column ocr_version integer;
-- nearly all were read by the first one, and are not looked for by it
create index attempts__read_by_idx on docket.attempts (ocr_version) where ocr_version <> 1;
comment on column docket.attempts.ocr_version is 'OCR configuration that was to be read by; null: not recognition, or before there were several.';

-- OCR configurations, SLOs and sources are changed like limits.
alter table docket.changes drop constraint changes__control_is_known;
alter table docket.changes add constraint changes__control_is_known
  check (control in ('pool', 'limit', 'admission', 'lane_rule', 'window', 'ocr', 'slo', 'source'));
comment on table docket.changes is
  'Changes of limits, pools, lanes, admission, OCR configurations, SLOs and sources, each with what it was before. Append-only.';
comment on column docket.changes.control is 'What was changed: pool, limit, admission, lane_rule, window, ocr, slo or source.';

-- they answer the OCR configuration too
drop function if exists docket.begin_attempts(uuid[], text[], text, uuid);
drop function if exists docket.record_verified(uuid[], integer[], uuid[], bigint[], text[], json[], boolean[]);
drop function if exists docket.claim_replay_tasks(integer);
