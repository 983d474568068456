-- The log is sealed: its events are the leaves of a Merkle tree, of which checkpoints are signed and kept outside. Published
-- documents are verified by replay.

-- in the order in which events become leaves
create index events__sealing_idx on docket_audit.events (xid, event_id);

create table docket_audit.epochs (
  epoch integer not null,
  origin text not null,
  first_event_id bigint not null,
  first_size bigint not null,
  system_identifier bigint not null,
  begun_at timestamptz not null default clock_timestamp(),
  begun_by text not null,
  reason text not null,
  last_checkpoint text,
  constraint epochs_pk primary key (epoch),
  constraint epochs__origin_uq unique (origin)
);
comment on table docket_audit.epochs is
  'Spans of the log: a new one begins where the database was restored, and its checkpoints are those of a new log. Append-only.';
comment on column docket_audit.epochs.epoch is 'The epoch, from 1.';
comment on column docket_audit.epochs.origin is 'First line of its checkpoints, and the name of the key that signs them.';
comment on column docket_audit.epochs.first_event_id is 'Events from this number on, up to the one of the next epoch, belong to it.';
comment on column docket_audit.epochs.first_size is 'Leaves that there were when it began.';
comment on column docket_audit.epochs.system_identifier is
  'The database cluster that it is of, by which a restored database knows that its transactions are numbered anew.';
comment on column docket_audit.epochs.begun_at is 'When it began.';
comment on column docket_audit.epochs.begun_by is 'Who declared it.';
comment on column docket_audit.epochs.reason is 'Why, in words.';
comment on column docket_audit.epochs.last_checkpoint is 'The newest checkpoint known to have been published before, a signed note.';
insert into docket_audit.epochs (epoch, origin, first_event_id, first_size, system_identifier, begun_by, reason)
select 1, 'docket/' || gen_random_uuid(), 0, 0, c.system_identifier, session_user, 'The log was installed.'
from pg_control_system() as c;

create table docket_audit.seals (
  seal_no bigint not null,
  epoch integer not null,
  xid_from xid8 not null,
  xid_to xid8 not null,
  events bigint not null,
  size bigint not null,
  peaks bytea not null,
  root bytea not null,
  sealed_at timestamptz not null default clock_timestamp(),
  constraint seals_pk primary key (seal_no),
  constraint seals__size_uq unique (size),
  constraint seals__epoch_fk foreign key (epoch) references docket_audit.epochs (epoch),
  constraint seals__has_events check (events > 0 and size >= events),
  constraint seals__root_is_32_bytes check (octet_length(root) = 32)
);
comment on table docket_audit.seals is
  'Batches of events that became leaves, in order; each holds whole transactions. Append-only.';
comment on column docket_audit.seals.seal_no is 'Number of the batch, from 1, without gaps.';
comment on column docket_audit.seals.epoch is 'Epoch of its events.';
comment on column docket_audit.seals.xid_from is 'Its events were recorded by transactions from this one on,';
comment on column docket_audit.seals.xid_to is 'and before this one.';
comment on column docket_audit.seals.events is 'How many events it has.';
comment on column docket_audit.seals.size is 'Leaves of the tree after it.';
comment on column docket_audit.seals.peaks is
  'Roots of the complete subtrees that the tree then consists of, from the left, 32 bytes each: enough to go on.';
comment on column docket_audit.seals.root is 'Root of the tree after it (RFC 6962).';
comment on column docket_audit.seals.sealed_at is 'When it was sealed.';
create index seals__transactions_idx on docket_audit.seals (epoch, xid_to);

create table docket_audit.tiles (
  tile_level integer not null,
  tile_no bigint not null,
  root bytea not null,
  middle bytea not null,
  hashes bytea not null,
  constraint tiles_pk primary key (tile_level, tile_no),
  constraint tiles__are_complete check (
    octet_length(hashes) = 8192 and octet_length(middle) = 512 and octet_length(root) = 32
  )
);
alter table docket_audit.tiles alter column hashes set storage external;
comment on table docket_audit.tiles is
  'Hashes of the tree in complete tiles of 256, from which proofs are made; as in C2SP tlog-tiles. Append-only.';
comment on column docket_audit.tiles.tile_level is '0: leaves; 1: roots of tiles of leaves; and so on.';
comment on column docket_audit.tiles.tile_no is 'Number of the tile on its level, from 0.';
comment on column docket_audit.tiles.root is 'Root over its 256 hashes: one hash of the level above.';
comment on column docket_audit.tiles.middle is
  'The 16 hashes half way up, each the root over 16 of its hashes: a proof recomputes 30 hashes of a tile, not 255.';
comment on column docket_audit.tiles.hashes is '256 hashes of 32 bytes, from the left.';

create table docket_audit.checkpoint_keys (
  key_id text not null,
  name text not null,
  public_key bytea not null,
  added_at timestamptz not null default clock_timestamp(),
  added_by text not null,
  constraint checkpoint_keys_pk primary key (name, key_id),
  constraint checkpoint_keys__key_is_32_bytes check (octet_length(public_key) = 32)
);
comment on table docket_audit.checkpoint_keys is
  'Public halves of the Ed25519 keys that signed checkpoints. Whoever can rewrite the log can rewrite them: trust a copy from outside. Append-only.';
comment on column docket_audit.checkpoint_keys.key_id is 'Key id of C2SP signed notes, in hex: the first four bytes of a hash of name and key.';
comment on column docket_audit.checkpoint_keys.name is 'Name of the key: the origin of the log.';
comment on column docket_audit.checkpoint_keys.public_key is 'The public key, 32 bytes.';
comment on column docket_audit.checkpoint_keys.added_at is 'When it was first used.';
comment on column docket_audit.checkpoint_keys.added_by is 'Who used it.';

create table docket_audit.checkpoints (
  epoch integer not null,
  size bigint not null,
  root bytea not null,
  note text not null,
  recorded_at timestamptz not null default clock_timestamp(),
  constraint checkpoints_pk primary key (epoch, size),
  constraint checkpoints__epoch_fk foreign key (epoch) references docket_audit.epochs (epoch),
  constraint checkpoints__root_is_32_bytes check (octet_length(root) = 32)
);
comment on table docket_audit.checkpoints is
  'Checkpoints that were signed and published outside, recorded afterwards. Append-only.';
comment on column docket_audit.checkpoints.epoch is 'Epoch of the log.';
comment on column docket_audit.checkpoints.size is 'Leaves that it counts.';
comment on column docket_audit.checkpoints.root is 'Root over these leaves.';
comment on column docket_audit.checkpoints.note is 'The checkpoint: a C2SP signed note, with the cosignatures that it had when it was recorded.';
comment on column docket_audit.checkpoints.recorded_at is 'When it was recorded here.';

create table docket_audit.checkpoint_places (
  place text not null,
  kind text not null,
  epoch integer,
  size bigint,
  copied_at timestamptz,
  failed_at timestamptz,
  failure text,
  constraint checkpoint_places_pk primary key (place),
  constraint checkpoint_places__kind_is_known check (kind in ('file', 'bucket', 'witness'))
);
comment on table docket_audit.checkpoint_places is
  'Where checkpoints are kept outside the database, as the signer says; look there, not here, before you believe it.';
comment on column docket_audit.checkpoint_places.place is 'The file, the bucket or the witness.';
comment on column docket_audit.checkpoint_places.kind is 'file, bucket or witness.';
comment on column docket_audit.checkpoint_places.epoch is 'Epoch of the newest checkpoint that it took.';
comment on column docket_audit.checkpoint_places.size is 'Leaves that this checkpoint counts.';
comment on column docket_audit.checkpoint_places.copied_at is 'When it took it.';
comment on column docket_audit.checkpoint_places.failed_at is 'When it last failed, unless it has succeeded since.';
comment on column docket_audit.checkpoint_places.failure is 'How.';

create table docket.replay_runs (
  replay_id integer generated always as identity,
  seed text not null,
  wanted_count integer,
  wanted_share double precision,
  sources text[],
  is_reread boolean not null,
  is_daily boolean not null,
  is_named boolean not null,
  population bigint not null,
  sample integer not null,
  reason text not null,
  started_at timestamptz not null default clock_timestamp(),
  started_by text not null,
  ended_at timestamptz,
  constraint replay_runs_pk primary key (replay_id),
  constraint replay_runs__wants_a_count_or_a_share check ((wanted_count is null) <> (wanted_share is null))
);
comment on table docket.replay_runs is 'Verifications by replay: which published documents were drawn, by whom, and why.';
comment on column docket.replay_runs.replay_id is 'Number of the replay.';
comment on column docket.replay_runs.seed is 'What the draw was made by: the same seed over the same documents draws the same.';
comment on column docket.replay_runs.wanted_count is 'How many documents were asked for; null where a share was.';
comment on column docket.replay_runs.wanted_share is 'Share of the documents that was asked for, above 0 and at most 1; null where a count was.';
comment on column docket.replay_runs.sources is 'Sources whose documents were drawn from; null: all.';
comment on column docket.replay_runs.is_reread is 'Whether the text is recognised anew and compared.';
comment on column docket.replay_runs.is_daily is 'Whether it is the daily one.';
comment on column docket.replay_runs.is_named is 'Whether its documents were named, and not drawn: it then says nothing of others.';
comment on column docket.replay_runs.population is 'Documents that were drawn from.';
comment on column docket.replay_runs.sample is 'Documents that were drawn.';
comment on column docket.replay_runs.reason is 'Why, in words.';
comment on column docket.replay_runs.started_at is 'When it was started.';
comment on column docket.replay_runs.started_by is 'Who started it.';
comment on column docket.replay_runs.ended_at is 'When its last document was dealt with; null while it runs.';

create table docket.replay_tasks (
  replay_id integer not null,
  job_id uuid not null,
  due_at timestamptz not null default clock_timestamp(),
  tries integer not null default 0,
  constraint replay_tasks_pk primary key (replay_id, job_id),
  constraint replay_tasks__replay_fk foreign key (replay_id) references docket.replay_runs (replay_id)
);
comment on table docket.replay_tasks is 'Documents that a replay has drawn and not dealt with yet.';
comment on column docket.replay_tasks.replay_id is 'The replay.';
comment on column docket.replay_tasks.job_id is 'The document.';
comment on column docket.replay_tasks.due_at is 'When to look at it; while it is being looked at, when somebody else may.';
comment on column docket.replay_tasks.tries is 'How often it was begun.';
create index replay_tasks__due_idx on docket.replay_tasks (due_at);

create table docket.replayed_documents (
  replay_id integer not null,
  job_id uuid not null,
  outcome text not null,
  code text,
  checks text[] not null,
  seq integer,
  replayed_at timestamptz not null,
  constraint replayed_documents_pk primary key (replay_id, job_id),
  constraint replayed_documents__replay_fk foreign key (replay_id) references docket.replay_runs (replay_id),
  constraint replayed_documents__outcome_is_known check (outcome in ('passed', 'failed', 'unchecked'))
);
comment on table docket.replayed_documents is 'How each document that a replay had drawn came out of it. Append-only.';
comment on column docket.replayed_documents.replay_id is 'The replay.';
comment on column docket.replayed_documents.job_id is 'The document.';
comment on column docket.replayed_documents.outcome is
  'passed; failed: something differs or is gone; unchecked: it could not be looked at, such as for an outage, or was disposed of since.';
comment on column docket.replayed_documents.code is
  'Why it could not be looked at, or OTHER_CONFIGURATION where only its text could not be recognised anew; else null.';
comment on column docket.replayed_documents.checks is 'What was checked: packet, result, page_count, object, envelope, reading.';
comment on column docket.replayed_documents.seq is 'The event replay_passed or replay_failed; null where it was unchecked.';
comment on column docket.replayed_documents.replayed_at is 'When.';
create index replayed_documents__of_job_idx on docket.replayed_documents (job_id);

create table docket.replay_findings (
  replay_id integer not null,
  job_id uuid not null,
  finding_no integer not null,
  checked text not null,
  page_no integer,
  expected text,
  found text,
  constraint replay_findings_pk primary key (replay_id, job_id, finding_no),
  constraint replay_findings__document_fk foreign key (replay_id, job_id) references docket.replayed_documents (replay_id, job_id)
);
comment on table docket.replay_findings is
  'What differed when a document was replayed; hashes and codes, never text. Append-only.';
comment on column docket.replay_findings.replay_id is 'The replay.';
comment on column docket.replay_findings.job_id is 'The document.';
comment on column docket.replay_findings.finding_no is 'Number of the finding, from 1.';
comment on column docket.replay_findings.checked is 'What was checked: object, packet, envelope, result, page_count, reading.';
comment on column docket.replay_findings.page_no is 'The page, where it is one.';
comment on column docket.replay_findings.expected is 'What it must be, by the log.';
comment on column docket.replay_findings.found is 'What it is.';

create table docket.disputed_documents (
  job_id uuid not null,
  replay_id integer not null,
  seq integer not null,
  disputed_at timestamptz not null,
  constraint disputed_documents_pk primary key (job_id)
);
comment on table docket.disputed_documents is
  'Documents whose newest replay failed, until one passes: shown as disputed everywhere, and left out of bundles.';
comment on column docket.disputed_documents.job_id is 'The document.';
comment on column docket.disputed_documents.replay_id is 'The replay that failed.';
comment on column docket.disputed_documents.seq is 'The event replay_failed.';
comment on column docket.disputed_documents.disputed_at is 'When it failed.';

create table docket.replay_plan (
  is_only_row boolean not null default true,
  daily_count integer not null,
  is_reread boolean not null,
  set_at timestamptz not null default clock_timestamp(),
  set_by text not null,
  constraint replay_plan_pk primary key (is_only_row),
  constraint replay_plan__has_one_row check (is_only_row),
  constraint replay_plan__count_is_moderate check (daily_count between 0 and 100000)
);
comment on table docket.replay_plan is 'How many published documents are replayed each day without being asked for.';
comment on column docket.replay_plan.is_only_row is 'Always true.';
comment on column docket.replay_plan.daily_count is 'Documents a day; 0: none.';
comment on column docket.replay_plan.is_reread is 'Whether their text is recognised anew.';
comment on column docket.replay_plan.set_at is 'When it was set.';
comment on column docket.replay_plan.set_by is 'Who set it.';
insert into docket.replay_plan (daily_count, is_reread, set_by) values (200, false, session_user);

-- their answers have other columns now
drop function if exists docket.verify_chains();
drop function if exists docket.verify_results();
