-- The append-only audit log. Byte format of an entry: docs/audit-log.md.

create table docket_audit.events (
  event_id bigint generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  job_id uuid not null,
  seq integer not null,
  from_state text not null,
  event text not null,
  to_state text not null,
  at timestamptz not null,
  actor text not null,
  reason text not null,
  code text,
  attempt integer,
  detail text not null default '{}',
  prev bytea,
  hash bytea not null,
  -- one index serves the chain and the foreign key of docket.jobs; that seq never forks is a guard's business
  constraint events_pk primary key (job_id, seq, to_state, hash),
  constraint events__step_is_in_the_state_machine foreign key (from_state, event, to_state)
    references docket.job_transitions (from_state, event, to_state) deferrable initially deferred,
  constraint events__seq_starts_at_one check (seq >= 1),
  constraint events__first_has_no_predecessor check ((seq = 1) = (prev is null)),
  constraint events__detail_is_a_json_object check (detail is json object)
);
comment on table docket_audit.events is 'What happened to each job, chained by hash. Append-only.';
comment on column docket_audit.events.event_id is 'Number in order of insertion; not in order of commit.';
comment on column docket_audit.events.xid is 'Transaction that recorded it.';
comment on column docket_audit.events.job_id is 'The job.';
comment on column docket_audit.events.seq is 'Position in the chain of the job, from 1, without gaps.';
comment on column docket_audit.events.from_state is 'State before.';
comment on column docket_audit.events.event is 'What happened.';
comment on column docket_audit.events.to_state is 'State after.';
comment on column docket_audit.events.at is 'When, by the clock of the database.';
comment on column docket_audit.events.actor is 'Who.';
comment on column docket_audit.events.reason is 'Why, in words; what the step means, where nobody said more.';
comment on column docket_audit.events.code is 'Failure code, where something failed.';
comment on column docket_audit.events.attempt is 'Attempt it belongs to, where there is one.';
comment on column docket_audit.events.detail is 'Facts as a JSON object; its text is hashed as it stands. Never holds document text.';
comment on column docket_audit.events.prev is 'Hash of the previous event of the same job.';
comment on column docket_audit.events.hash is 'SHA-256 of 0x00 and the entry; also the leaf of the Merkle log.';
