-- Who may see which document, deliveries that are still to be checked, and what people outside operations may ask for.

create table docket.document_sources (
  job_id uuid not null,
  source_id text not null,
  ordinal integer not null,
  delivery_id bigint not null,
  document_kind text not null,
  document_date date,
  captured_at timestamptz not null,
  received_at timestamptz not null,
  verified_at timestamptz not null,
  constraint document_sources__source_sees_a_document_once_pk primary key (job_id, source_id),
  constraint document_sources__ordinal_starts_at_one check (ordinal >= 1)
);
comment on table docket.document_sources is
  'Which source may see which document: those with a delivery whose bytes were seen to match. Append-only.';
comment on column docket.document_sources.job_id is 'The job of the document.';
comment on column docket.document_sources.source_id is 'A source that may see it.';
comment on column docket.document_sources.ordinal is '1 for the source of the evidence, then in the order of verification.';
comment on column docket.document_sources.delivery_id is 'The delivery of that source whose bytes matched first.';
comment on column docket.document_sources.document_kind is 'Kind stated by that delivery.';
comment on column docket.document_sources.document_date is 'Date of the document stated by that delivery.';
comment on column docket.document_sources.captured_at is 'Time of capture stated by that delivery.';
comment on column docket.document_sources.received_at is 'When that delivery was received.';
comment on column docket.document_sources.verified_at is 'When its bytes were seen to match.';
create index document_sources__newest_idx on docket.document_sources (received_at, job_id);
create index document_sources__newest_of_source_idx on docket.document_sources (source_id, received_at, job_id);
create index document_sources__document_date_idx on docket.document_sources (document_date, job_id)
  where document_date is not null;

insert into docket.document_sources
  (job_id, source_id, ordinal, delivery_id, document_kind, document_date, captured_at, received_at, verified_at)
select e.job_id, e.source_id, 1, e.delivery_id, e.document_kind, e.document_date, e.captured_at, e.received_at, e.verified_at
from docket.evidence e;

-- nothing reads it any more
drop index docket.evidence__source_id_idx;

create table docket.delivery_checks (
  delivery_id bigint not null,
  job_id uuid not null,
  source_id text not null,
  tries integer not null default 0,
  due_at timestamptz not null default clock_timestamp(),
  constraint delivery_checks_pk primary key (delivery_id)
);
comment on table docket.delivery_checks is
  'Deliveries of known documents by further sources, whose bytes are still to be compared with the hash.';
comment on column docket.delivery_checks.delivery_id is 'The delivery.';
comment on column docket.delivery_checks.job_id is 'The job of the document.';
comment on column docket.delivery_checks.source_id is 'Source that delivered it.';
comment on column docket.delivery_checks.tries is 'Checks begun so far.';
comment on column docket.delivery_checks.due_at is 'Not before this time; moved ahead while a worker checks it.';
create index delivery_checks__due_idx on docket.delivery_checks (due_at);
create index delivery_checks__turn_idx on docket.delivery_checks (source_id, due_at);
create index delivery_checks__job_idx on docket.delivery_checks (job_id);

insert into docket.delivery_checks (delivery_id, job_id, source_id)
select d.delivery_id, d.job_id, d.source_id
from docket.deliveries d
join docket.evidence e on e.job_id = d.job_id and e.source_id <> d.source_id
where not exists (select from docket.arrivals a where a.delivery_id = d.delivery_id);

alter table docket.source_members add column may_deliver boolean not null default true;
comment on table docket.source_members is 'Which login may read what a source may see, and which may deliver for it.';
comment on column docket.source_members.role_name is 'Login role of the sender or reader.';
comment on column docket.source_members.may_deliver is 'Whether it may deliver; a login that may not is a reader.';

alter table docket.jobs add column result_attempt integer;
comment on column docket.jobs.result_attempt is 'Attempt that made the result that is validated or published.';
update docket.jobs j
set result_attempt = r.attempt
from docket.results r
where r.job_id = j.job_id and r.result_sha256 = j.result_sha256;

create table docket.unmask_requests (
  unmask_request_id bigint generated always as identity,
  job_id uuid not null,
  page_no integer,
  reason text not null,
  requested_at timestamptz not null default clock_timestamp(),
  requested_by text not null,
  sources text[] not null,
  constraint unmask_requests_pk primary key (unmask_request_id),
  constraint unmask_requests__reason_is_given check (btrim(reason) <> '')
);
comment on table docket.unmask_requests is 'Who asked to see what is masked, and why. Append-only.';
comment on column docket.unmask_requests.unmask_request_id is 'Number of the request.';
comment on column docket.unmask_requests.job_id is 'The job of the document.';
comment on column docket.unmask_requests.page_no is 'The page; null for the whole document.';
comment on column docket.unmask_requests.reason is 'Why, in words.';
comment on column docket.unmask_requests.requested_at is 'When.';
comment on column docket.unmask_requests.requested_by is 'Who, as docket.actor() says.';
comment on column docket.unmask_requests.sources is 'Sources through which the document was visible to them.';
create index unmask_requests__job_idx on docket.unmask_requests (job_id);

create table docket.announcements (
  channel text not null,
  last_event_id bigint not null,
  changed_at timestamptz not null,
  announced_at timestamptz not null,
  constraint announcements_pk primary key (channel)
);
comment on table docket.announcements is 'What was last announced to listeners; one NOTIFY for any number of events.';
comment on column docket.announcements.channel is 'Channel of NOTIFY.';
comment on column docket.announcements.last_event_id is 'Newest event number seen by the last announcement.';
comment on column docket.announcements.changed_at is 'When that number last changed.';
comment on column docket.announcements.announced_at is 'When it was last announced.';
