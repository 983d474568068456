-- Jobs, the work on them, and what came of it.

create table docket.jobs (
  job_id uuid not null,
  sha256 bytea not null,
  delivery_id bigint not null,
  source_id text not null,
  document_kind text not null,
  state text not null,
  seq integer not null,
  head bytea not null,
  state_at timestamptz not null,
  accepted_at timestamptz not null,
  next_task text,
  due_at timestamptz,
  attempt integer not null default 0,
  tries integer not null default 0,
  token uuid,
  first_code text,
  last_code text,
  result_sha256 bytea,
  constraint jobs_pk primary key (job_id),
  constraint jobs__state_is_its_last_event foreign key (job_id, seq, state, head)
    references docket_audit.events (job_id, seq, to_state, hash) deferrable initially deferred,
  constraint jobs__open_attempt_has_a_task check (token is null or next_task is not null)
) with (fillfactor = 70);
comment on table docket.jobs is 'One row a document: the projection of its events, and what is due next.';
comment on column docket.jobs.job_id is 'UUIDv8 of the SHA-256 of sha256.';
comment on column docket.jobs.sha256 is 'SHA-256 of the bytes the job is about.';
comment on column docket.jobs.delivery_id is 'Delivery that made the job.';
comment on column docket.jobs.source_id is 'Source of that delivery.';
comment on column docket.jobs.document_kind is 'Kind stated by that delivery; by the evidence once it is verified.';
comment on column docket.jobs.state is 'State, as the last event left it.';
comment on column docket.jobs.seq is 'Sequence number of the last event.';
comment on column docket.jobs.head is 'Hash of the last event.';
comment on column docket.jobs.state_at is 'Time of the last event that changed the state or made a task due.';
comment on column docket.jobs.accepted_at is 'When the job was made.';
comment on column docket.jobs.next_task is 'Task that is due or under way; null before admission and after the end.';
comment on column docket.jobs.due_at is 'Not before this time; null means now.';
comment on column docket.jobs.attempt is 'Number of the newest attempt, over all tasks.';
comment on column docket.jobs.tries is 'Attempts of the current task that count towards its limit.';
comment on column docket.jobs.token is 'Fencing token of the attempt under way; null when none is.';
comment on column docket.jobs.first_code is 'First failure code since the job was last admitted.';
comment on column docket.jobs.last_code is 'Newest failure code since the job was last admitted.';
comment on column docket.jobs.result_sha256 is 'Result that is validated or published.';
create index jobs__waiting_idx on docket.jobs (source_id, accepted_at) where state = 'accepted' and next_task is null;
create index jobs__in_flight_idx on docket.jobs (job_id) where next_task is not null;

create table docket.leases (
  lease_id uuid not null default gen_random_uuid(),
  lock_key integer not null,
  backend_pid integer not null,
  login name not null default session_user,
  host text not null,
  pid integer not null,
  pools text[] not null,
  pool_ids text[] not null default '{}',
  opened_at timestamptz not null default clock_timestamp(),
  renewed_at timestamptz not null default clock_timestamp(),
  deadline timestamptz not null,
  closed_at timestamptz,
  close_reason text,
  constraint leases_pk primary key (lease_id),
  constraint leases__lock_key_uq unique (lock_key),
  constraint leases__closed_has_a_reason check ((closed_at is null) = (close_reason is null))
);
comment on table docket.leases is 'Worker processes and the proof that they live.';
comment on column docket.leases.lease_id is 'The lease.';
comment on column docket.leases.lock_key is 'Key of the session advisory lock that the process holds while it lives.';
comment on column docket.leases.backend_pid is 'Server process of the session that holds the lock.';
comment on column docket.leases.login is 'Login of that session.';
comment on column docket.leases.host is 'Host of the worker process.';
comment on column docket.leases.pid is 'Its process id there.';
comment on column docket.leases.pools is 'Pools it works for.';
comment on column docket.leases.pool_ids is 'Identifiers under which it locks rows of the queue.';
comment on column docket.leases.opened_at is 'When it was opened.';
comment on column docket.leases.renewed_at is 'When it was last renewed.';
comment on column docket.leases.deadline is 'When it ends unless renewed.';
comment on column docket.leases.closed_at is 'When it was closed or declared lost.';
comment on column docket.leases.close_reason is 'closed or lost.';
create index leases__open_idx on docket.leases (deadline) where closed_at is null;

create table docket.attempts (
  job_id uuid not null,
  attempt integer not null,
  task text not null,
  token uuid not null,
  lease_id uuid not null,
  started_at timestamptz not null,
  deadline timestamptz not null,
  ended_at timestamptz,
  outcome text,
  code text,
  message text,
  constraint attempts_pk primary key (job_id, attempt),
  constraint attempts__ended_has_an_outcome check ((ended_at is null) = (outcome is null))
) with (fillfactor = 80);
comment on table docket.attempts is 'Each attempt at a task, opened before the work so that a crash counts.';
comment on column docket.attempts.job_id is 'The job.';
comment on column docket.attempts.attempt is 'Number of the attempt, over all tasks of the job.';
comment on column docket.attempts.task is 'The task.';
comment on column docket.attempts.token is 'Fencing token; a write that does not name it is refused.';
comment on column docket.attempts.lease_id is 'Lease of the process that made it.';
comment on column docket.attempts.started_at is 'When it began.';
comment on column docket.attempts.deadline is 'When it counts as lost.';
comment on column docket.attempts.ended_at is 'When it ended.';
comment on column docket.attempts.outcome is 'done, failed or lost.';
comment on column docket.attempts.code is 'Failure code, where it failed.';
comment on column docket.attempts.message is 'Message of the failure, shortened.';
create index attempts__open_idx on docket.attempts (lease_id, deadline) where ended_at is null;

create table docket.evidence (
  job_id uuid not null,
  delivery_id bigint not null,
  sha256 bytea not null,
  size_bytes bigint not null,
  media_type text not null,
  stated_media_type text not null,
  locator text not null,
  version text,
  source_id text not null,
  document_kind text not null,
  captured_at timestamptz not null,
  received_at timestamptz not null,
  document_date date,
  signer json not null,
  envelope bytea,
  verified_at timestamptz not null,
  constraint evidence_pk primary key (job_id),
  constraint evidence__delivery_fk foreign key (delivery_id) references docket.deliveries (delivery_id)
);
comment on table docket.evidence is 'The evidence packet of each job, fixed when its bytes were first seen to match. Append-only.';
comment on column docket.evidence.job_id is 'The job.';
comment on column docket.evidence.delivery_id is 'The delivery whose bytes matched first.';
comment on column docket.evidence.sha256 is 'SHA-256 of the bytes, recomputed.';
comment on column docket.evidence.size_bytes is 'Size in bytes, counted.';
comment on column docket.evidence.media_type is 'Media type found in the bytes.';
comment on column docket.evidence.stated_media_type is 'Media type stated by the sender.';
comment on column docket.evidence.locator is 'Where the bytes are.';
comment on column docket.evidence.version is 'Version of the object, where the store has versions.';
comment on column docket.evidence.source_id is 'Source of the delivery.';
comment on column docket.evidence.document_kind is 'Kind stated by the sender.';
comment on column docket.evidence.captured_at is 'Time of capture stated by the sender.';
comment on column docket.evidence.received_at is 'When the delivery was received.';
comment on column docket.evidence.document_date is 'Date of the document stated by the sender.';
comment on column docket.evidence.signer is 'Signer stated by the sender.';
comment on column docket.evidence.envelope is 'Signature envelope as delivered; not checked by being here.';
comment on column docket.evidence.verified_at is 'When the bytes were seen to match.';
create index evidence__source_id_idx on docket.evidence (source_id, verified_at);

create table docket.job_salts (
  job_id uuid not null,
  salt bytea not null,
  constraint job_salts_pk primary key (job_id),
  constraint job_salts__evidence_fk foreign key (job_id) references docket.evidence (job_id),
  constraint job_salts__salt_is_32_bytes check (octet_length(salt) = 32)
);
comment on table docket.job_salts is 'Salt of each job, so that result hashes in the log cannot be guessed from likely texts.';
comment on column docket.job_salts.job_id is 'The job.';
comment on column docket.job_salts.salt is '32 random bytes.';

create table docket.ocr_configs (
  config_sha256 bytea not null,
  engine text not null,
  config json not null,
  registered_at timestamptz not null default clock_timestamp(),
  constraint ocr_configs_pk primary key (config_sha256)
);
comment on table docket.ocr_configs is 'OCR configurations that ever made a result. Append-only.';
comment on column docket.ocr_configs.config_sha256 is 'SHA-256 of the UTF-8 text of config.';
comment on column docket.ocr_configs.engine is 'Name of the engine.';
comment on column docket.ocr_configs.config is 'Engine, core, model hash, rasteriser and parameters; its text is kept as it was given.';
comment on column docket.ocr_configs.registered_at is 'When it was first registered.';

create table docket.results (
  job_id uuid not null,
  result_sha256 bytea not null,
  config_sha256 bytea not null,
  attempt integer not null,
  pages_declared integer not null,
  pages_decoded integer not null,
  page_count integer not null,
  characters integer not null,
  confidence real not null,
  warnings text[] not null,
  recorded_at timestamptz not null,
  constraint results__one_row_for_each_result_pk primary key (job_id, result_sha256),
  constraint results__evidence_fk foreign key (job_id) references docket.evidence (job_id),
  constraint results__config_fk foreign key (config_sha256) references docket.ocr_configs (config_sha256),
  constraint results__confidence_is_a_percentage check (confidence between 0 and 100)
);
comment on table docket.results is 'What OCR made of each job, by hash. Append-only.';
comment on column docket.results.job_id is 'The job.';
comment on column docket.results.result_sha256 is 'SHA-256 of the salt of the job and the canonical result; format in docs/audit-log.md.';
comment on column docket.results.config_sha256 is 'OCR configuration that made it.';
comment on column docket.results.attempt is 'Attempt that made it.';
comment on column docket.results.pages_declared is 'Pages the file says it has.';
comment on column docket.results.pages_decoded is 'Pages that were decoded.';
comment on column docket.results.page_count is 'Pages that were recognised.';
comment on column docket.results.characters is 'Characters of text, white space not counted.';
comment on column docket.results.confidence is 'Mean confidence over the pages that hold text, 0 to 100.';
comment on column docket.results.warnings is 'What the decoder complained about.';
comment on column docket.results.recorded_at is 'When it was stored.';

create table docket.pages (
  job_id uuid not null,
  result_sha256 bytea not null,
  page_no integer not null,
  width_px integer not null,
  height_px integer not null,
  dpi real not null,
  rotation_degrees integer not null,
  angle_degrees real not null,
  verdict text not null,
  confidence real not null,
  text text not null,
  words json not null,
  constraint pages_pk primary key (job_id, result_sha256, page_no),
  constraint pages__result_fk foreign key (job_id, result_sha256)
    references docket.results (job_id, result_sha256),
  constraint pages__page_no_starts_at_one check (page_no >= 1),
  constraint pages__rotation_is_a_quarter_turn check (rotation_degrees in (0, 90, 180, 270)),
  constraint pages__verdict_is_known check (verdict in ('text', 'blank', 'no_text'))
);
comment on table docket.pages is 'Text and word boxes of each page of each result, unredacted. Append-only.';
comment on column docket.pages.job_id is 'The job.';
comment on column docket.pages.result_sha256 is 'The result it belongs to.';
comment on column docket.pages.page_no is 'Number of the page, from 1.';
comment on column docket.pages.width_px is 'Width of the page image in pixels.';
comment on column docket.pages.height_px is 'Height of the page image in pixels.';
comment on column docket.pages.dpi is 'Resolution of the page image in pixels an inch.';
comment on column docket.pages.rotation_degrees is 'Clockwise turn that made the page upright.';
comment on column docket.pages.angle_degrees is 'Skew that was taken out, in degrees.';
comment on column docket.pages.verdict is 'text, blank (no ink) or no_text (ink, but nothing readable).';
comment on column docket.pages.confidence is 'Mean confidence over the words, 0 to 100.';
comment on column docket.pages.text is 'The text.';
comment on column docket.pages.words is 'Array of [text, confidence, x0, y0, x1, y1] in pixels of the original page image.';

alter table docket.jobs
  add constraint jobs__result_fk foreign key (job_id, result_sha256) references docket.results (job_id, result_sha256);

create type docket.failed_attempt as (
  job_id uuid,
  attempt integer,
  task text,
  tries integer,
  code text,
  message text
);
comment on type docket.failed_attempt is 'A failure on its way to being settled: retry or quarantine.';

create type docket.brought_result as (
  job_id uuid,
  attempt integer,
  is_held boolean,
  config_sha256 bytea,
  result_sha256 bytea,
  is_known boolean,
  result json
);
comment on type docket.brought_result is
  'A result on its way in: whether its attempt is under way, and whether the job already has this very result.';
