-- Published documents that are read again by another OCR configuration: to try it, or because what is published shall be superseded.

create table docket.ocr_trials (
  trial_id integer generated always as identity,
  ocr_version integer not null,
  reason text not null,
  started_by text not null,
  started_at timestamptz not null default clock_timestamp(),
  documents integer not null,
  ended_at timestamptz,
  constraint ocr_trials_pk primary key (trial_id),
  constraint ocr_trials__version_fk foreign key (ocr_version) references docket.ocr_versions (ocr_version),
  constraint ocr_trials__has_documents check (documents between 1 and 10000)
);
comment on table docket.ocr_trials is 'Trials of OCR configurations on published documents. Nothing published changes by them.';
comment on column docket.ocr_trials.trial_id is 'Number of the trial.';
comment on column docket.ocr_trials.ocr_version is 'The configuration that is tried.';
comment on column docket.ocr_trials.reason is 'Why, in words.';
comment on column docket.ocr_trials.started_by is 'Who began it.';
comment on column docket.ocr_trials.started_at is 'When.';
comment on column docket.ocr_trials.documents is 'How many documents are read for it.';
comment on column docket.ocr_trials.ended_at is 'When the last of them was done.';

create table docket.rereadings (
  rereading_id bigint generated always as identity,
  job_id uuid not null,
  ocr_version integer not null,
  trial_id integer,
  reason text not null,
  ordered_by text not null,
  ordered_at timestamptz not null default clock_timestamp(),
  due_at timestamptz default clock_timestamp(),
  tries integer not null default 0,
  outcome text,
  code text,
  result_sha256 bytea,
  ended_at timestamptz,
  constraint rereadings_pk primary key (rereading_id),
  constraint rereadings__version_fk foreign key (ocr_version) references docket.ocr_versions (ocr_version),
  constraint rereadings__trial_fk foreign key (trial_id) references docket.ocr_trials (trial_id),
  constraint rereadings__once_a_trial_uq unique (trial_id, job_id),
  constraint rereadings__outcome_is_known check (
    outcome in ('superseded', 'unchanged', 'compared', 'rejected', 'failed', 'overtaken', 'disposed')
  ),
  constraint rereadings__ended_has_an_outcome check ((ended_at is null) = (outcome is null) and (ended_at is null) = (due_at is not null)),
  constraint rereadings__superseded_has_a_result check ((outcome = 'superseded') is not true or result_sha256 is not null)
) with (fillfactor = 70);
comment on table docket.rereadings is 'Published documents that are read again, each for a stated reason. Rows are never removed.';
comment on column docket.rereadings.rereading_id is 'Number of the re-reading.';
comment on column docket.rereadings.job_id is 'The document.';
comment on column docket.rereadings.ocr_version is 'The configuration by which it is read.';
comment on column docket.rereadings.trial_id is 'The trial that it is for: its result is compared and supersedes nothing. Null: it supersedes what is published.';
comment on column docket.rereadings.reason is 'Why, in words.';
comment on column docket.rereadings.ordered_by is 'Who ordered it.';
comment on column docket.rereadings.ordered_at is 'When.';
comment on column docket.rereadings.due_at is 'Not before this time; while somebody is at it, when somebody else may. Null: it has ended.';
comment on column docket.rereadings.tries is 'Attempts that count towards the limit.';
comment on column docket.rereadings.outcome is
  'superseded, unchanged (it reads the same), compared (of a trial), rejected (by the gates), failed, overtaken (by a later order, or another result) or disposed.';
comment on column docket.rereadings.code is 'Failure code, where it failed or was rejected.';
comment on column docket.rereadings.result_sha256 is 'The result that supersedes.';
comment on column docket.rereadings.ended_at is 'When it ended.';
-- a trial, which somebody waits for, comes first
create index rereadings__due_idx on docket.rereadings ((trial_id is null), due_at) where ended_at is null;
create index rereadings__of_job_idx on docket.rereadings (job_id);

create table docket.reread_attempts (
  rereading_id bigint not null,
  attempt integer not null,
  token uuid not null,
  lease_id uuid not null,
  published_sha256 bytea not null,
  started_at timestamptz not null default clock_timestamp(),
  deadline timestamptz not null,
  ended_at timestamptz,
  outcome text,
  code text,
  message text,
  constraint reread_attempts_pk primary key (rereading_id, attempt),
  constraint reread_attempts__rereading_fk foreign key (rereading_id) references docket.rereadings (rereading_id),
  constraint reread_attempts__ended_has_an_outcome check ((ended_at is null) = (outcome is null))
);
comment on table docket.reread_attempts is 'Each attempt at a re-reading, opened before the work so that a crash counts.';
comment on column docket.reread_attempts.rereading_id is 'The re-reading.';
comment on column docket.reread_attempts.attempt is 'Number of the attempt, from 1.';
comment on column docket.reread_attempts.token is 'Fencing token; a write that does not name it is refused.';
comment on column docket.reread_attempts.lease_id is 'Lease of the process that made it.';
comment on column docket.reread_attempts.published_sha256 is 'The result that was published when it began: that alone it may supersede.';
comment on column docket.reread_attempts.started_at is 'When it began.';
comment on column docket.reread_attempts.deadline is 'When it counts as lost.';
comment on column docket.reread_attempts.ended_at is 'When it ended.';
comment on column docket.reread_attempts.outcome is 'done, failed or lost.';
comment on column docket.reread_attempts.code is 'Failure code, where it failed.';
comment on column docket.reread_attempts.message is 'Message of the failure, shortened.';
create index reread_attempts__open_idx on docket.reread_attempts (rereading_id) where ended_at is null;

create table docket.trial_comparisons (
  trial_id integer not null,
  job_id uuid not null,
  published_sha256 bytea not null,
  config_sha256 bytea not null,
  pages_before integer not null,
  pages_after integer not null,
  characters_before integer not null,
  characters_after integer not null,
  character_edits integer not null,
  words_before integer not null,
  words_after integer not null,
  words_kept integer not null,
  fields_before integer not null,
  fields_after integer not null,
  fields_kept integer not null,
  confidence_before real not null,
  confidence_after real not null,
  seconds_before double precision,
  seconds_after double precision not null,
  failed_gates text[] not null default '{}',
  pages json not null,
  compared_at timestamptz not null default clock_timestamp(),
  constraint trial_comparisons_pk primary key (trial_id, job_id),
  constraint trial_comparisons__trial_fk foreign key (trial_id) references docket.ocr_trials (trial_id),
  constraint trial_comparisons__config_fk foreign key (config_sha256) references docket.ocr_configs (config_sha256)
);
comment on table docket.trial_comparisons is 'How a document read for a trial differs from what is published: counts, and nothing of its text.';
comment on column docket.trial_comparisons.trial_id is 'The trial.';
comment on column docket.trial_comparisons.job_id is 'The document.';
comment on column docket.trial_comparisons.published_sha256 is 'The published result that it was compared with.';
comment on column docket.trial_comparisons.config_sha256 is 'What it was read with, in full.';
comment on column docket.trial_comparisons.pages_before is 'Pages that are published.';
comment on column docket.trial_comparisons.pages_after is 'Pages that were read for the trial.';
comment on column docket.trial_comparisons.characters_before is 'Characters of the published text, white space not counted.';
comment on column docket.trial_comparisons.characters_after is 'Characters that were read.';
comment on column docket.trial_comparisons.character_edits is 'Characters to insert, delete or replace to come from one to the other, whatever the order of the words.';
comment on column docket.trial_comparisons.words_before is 'Words of the published text.';
comment on column docket.trial_comparisons.words_after is 'Words that were read.';
comment on column docket.trial_comparisons.words_kept is 'Words that are the same in both.';
comment on column docket.trial_comparisons.fields_before is 'Words of four and more characters with a digit in the published text: numbers, dates, weights.';
comment on column docket.trial_comparisons.fields_after is 'Such words that were read.';
comment on column docket.trial_comparisons.fields_kept is 'Such words that are the same in both.';
comment on column docket.trial_comparisons.confidence_before is 'Mean confidence of the published result, 0 to 100.';
comment on column docket.trial_comparisons.confidence_after is 'Mean confidence of what was read.';
comment on column docket.trial_comparisons.seconds_before is 'How long the attempt took that made the published result.';
comment on column docket.trial_comparisons.seconds_after is 'How long the attempt of the trial took.';
comment on column docket.trial_comparisons.failed_gates is 'Codes of the gates that what was read would not pass.';
comment on column docket.trial_comparisons.pages is 'The same counts for each page, and where on it words differ: boxes in pixels, without their text.';
comment on column docket.trial_comparisons.compared_at is 'When it was compared.';

-- it is told by its caller whether the fence is to be asked
drop function if exists docket.store_results(uuid[], integer[], uuid[], bytea[], json[], uuid[]);
