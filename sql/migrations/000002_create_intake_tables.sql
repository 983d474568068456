-- Who may deliver, and what was delivered.

create table docket.sources (
  source_id text not null,
  is_enabled boolean not null default true,
  note text not null default '',
  created_at timestamptz not null default clock_timestamp(),
  created_by name not null default session_user,
  constraint sources_pk primary key (source_id),
  constraint sources__name_is_plain check (source_id ~ '^[a-z0-9][a-z0-9._-]{0,62}$')
);
comment on table docket.sources is 'Senders of scans: a carrier, a depot, a scanner.';
comment on column docket.sources.source_id is 'Name of the source.';
comment on column docket.sources.is_enabled is 'Whether it may deliver now.';
comment on column docket.sources.note is 'Free text for operators.';
comment on column docket.sources.created_at is 'When it was added.';
comment on column docket.sources.created_by is 'Login that added it.';

create table docket.source_members (
  source_id text not null,
  role_name name not null,
  added_at timestamptz not null default clock_timestamp(),
  added_by name not null default session_user,
  constraint source_members_pk primary key (source_id, role_name),
  constraint source_members__source_fk foreign key (source_id) references docket.sources (source_id)
);
comment on table docket.source_members is 'Which login may deliver for which source.';
comment on column docket.source_members.source_id is 'The source.';
comment on column docket.source_members.role_name is 'Login role of the sender.';
comment on column docket.source_members.added_at is 'When it was added.';
comment on column docket.source_members.added_by is 'Login that added it.';
create index source_members__role_name_idx on docket.source_members (role_name);

-- No foreign keys here: their checks would lock rows that other transactions need. The accepting trigger checks instead.
create table docket.deliveries (
  delivery_id bigint generated always as identity,
  source_id text not null,
  sha256 bytea not null,
  locator text not null,
  version text,
  size_bytes bigint not null,
  media_type text not null,
  captured_at timestamptz not null,
  document_date date,
  document_kind text not null default 'unknown',
  signer json not null default '{}',
  envelope bytea,
  job_id uuid not null generated always as (
    encode(
      set_byte(
        set_byte(
          substring(sha256(sha256) from 1 for 16),
          6,
          (get_byte(sha256(sha256), 6) & 15) | 128
        ),
        8,
        (get_byte(sha256(sha256), 8) & 63) | 128
      ),
      'hex'
    )::uuid
  ) stored,
  received_at timestamptz not null default clock_timestamp(),
  submitted_by name not null default session_user,
  constraint deliveries_pk primary key (delivery_id)
);
comment on table docket.deliveries is 'Every delivery ever made, as the sender stated it. Append-only.';
comment on column docket.deliveries.delivery_id is 'Number of the delivery.';
comment on column docket.deliveries.source_id is 'Source it was delivered for.';
comment on column docket.deliveries.sha256 is 'SHA-256 of the scan as delivered, as the sender states it.';
comment on column docket.deliveries.locator is 'Where the sender says the bytes are.';
comment on column docket.deliveries.version is 'Version of the object, where the store has versions.';
comment on column docket.deliveries.size_bytes is 'Size in bytes, as the sender states it.';
comment on column docket.deliveries.media_type is 'Media type, as the sender states it.';
comment on column docket.deliveries.captured_at is 'When the scan was taken, as the sender states it.';
comment on column docket.deliveries.document_date is 'Date printed on the paper, as the sender states it.';
comment on column docket.deliveries.document_kind is 'Kind of document, as the sender states it.';
comment on column docket.deliveries.signer is 'Who signed the paper, as the sender states it: a JSON object, kept to the letter.';
comment on column docket.deliveries.envelope is 'Detached signature envelope over the bytes, if any.';
comment on column docket.deliveries.job_id is 'UUIDv8 of the SHA-256 of sha256: the idempotency key. Hashed once more, so that nobody can choose a hash to meet another''s job.';
comment on column docket.deliveries.received_at is 'When the database received it.';
comment on column docket.deliveries.submitted_by is 'Login that delivered it.';
create index deliveries__job_id_idx on docket.deliveries (job_id, delivery_id);

create table docket.arrivals (
  delivery_id bigint not null,
  job_id uuid not null,
  constraint arrivals_pk primary key (delivery_id)
);
comment on table docket.arrivals is 'Deliveries that did not make a job themselves and wait for admission to notice them.';
comment on column docket.arrivals.delivery_id is 'The delivery.';
comment on column docket.arrivals.job_id is 'The job it belongs to.';
