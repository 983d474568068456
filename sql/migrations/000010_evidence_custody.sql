-- What keeps evidence: keys of sealed objects, signed references, retention, holds, disposal, and what is to be done in the store.

-- What was delivered before lay in the clear. The default for what comes is sealed.
alter table docket.deliveries add column encryption text not null default 'none';
alter table docket.deliveries alter column encryption set default 'docket';
comment on column docket.deliveries.encryption is
  'How the object lies in the store: docket (sealed by Docket), external (encrypted elsewhere for a key of Docket) or none (declared to lie in the clear).';

create table docket.object_keys (
  object_key_id uuid not null,
  locator text not null,
  version text,
  source_id text not null,
  sha256 bytea not null,
  size_bytes bigint not null,
  sealed_sha256 bytea not null,
  sealed_size_bytes bigint not null,
  key_id text not null,
  wrapped_key bytea not null,
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
  sealed_at timestamptz not null default clock_timestamp(),
  sealed_by text not null,
  wrapped_at timestamptz not null default clock_timestamp(),
  constraint object_keys_pk primary key (object_key_id),
  constraint object_keys__object_has_one_key_uq unique (locator),
  constraint object_keys__hashes_have_32_bytes check (octet_length(sha256) = 32 and octet_length(sealed_sha256) = 32),
  constraint object_keys__wrapped_key_is_small check (octet_length(wrapped_key) between 1 and 8192)
);
comment on table docket.object_keys is
  'The key of each sealed object, wrapped by a key-encryption key that the database never sees. Without its row an object cannot be read, wherever copies of it lie.';
comment on column docket.object_keys.object_key_id is 'The key; named in the encryption context of the object.';
comment on column docket.object_keys.locator is 'Where the sealed object lies.';
comment on column docket.object_keys.version is 'Version of the object, where the store has versions.';
comment on column docket.object_keys.source_id is 'Source it was sealed for.';
comment on column docket.object_keys.sha256 is 'SHA-256 of the scan, before it was sealed.';
comment on column docket.object_keys.size_bytes is 'Size of the scan in bytes.';
comment on column docket.object_keys.sealed_sha256 is 'SHA-256 of the sealed object.';
comment on column docket.object_keys.sealed_size_bytes is 'Size of the sealed object in bytes.';
comment on column docket.object_keys.key_id is 'Name of the key-encryption key that wraps it.';
comment on column docket.object_keys.wrapped_key is 'The key of the object, wrapped.';
comment on column docket.object_keys.job_id is 'The job of that scan, whether it was delivered or not.';
comment on column docket.object_keys.sealed_at is 'When it was recorded.';
comment on column docket.object_keys.sealed_by is 'Who had it sealed.';
comment on column docket.object_keys.wrapped_at is 'When it was last wrapped.';
create index object_keys__content_idx on docket.object_keys (job_id, source_id);
create index object_keys__key_idx on docket.object_keys (key_id);

create table docket.reference_keys (
  reference_key_id integer generated always as identity,
  inner_pad bytea not null,
  outer_pad bytea not null,
  made_at timestamptz not null default clock_timestamp(),
  constraint reference_keys_pk primary key (reference_key_id),
  constraint reference_keys__pads_are_blocks check (octet_length(inner_pad) = 64 and octet_length(outer_pad) = 64)
);
comment on table docket.reference_keys is
  'Keys by which references in the queue are signed; the newest signs, older ones are still believed. Readable by nobody.';
comment on column docket.reference_keys.reference_key_id is 'Number of the key; named in each reference.';
comment on column docket.reference_keys.inner_pad is 'The key, filled up to a block of SHA-256, xor 0x36 (HMAC, RFC 2104).';
comment on column docket.reference_keys.outer_pad is 'The same, xor 0x5c.';
comment on column docket.reference_keys.made_at is 'When it was made.';

alter table docket.tasks add column reference_valid interval not null default '15 min';
comment on column docket.tasks.reference_valid is 'How long a reference to the object may be used to begin the task.';
alter table docket.attempts add column reference_nonce uuid;
comment on column docket.attempts.reference_nonce is 'Nonce of the reference by which it was begun; none before references were signed.';

create type docket.judged_reference as (
  message_no integer,
  job_id uuid,
  attempt integer,
  nonce uuid,
  verdict text
);
comment on type docket.judged_reference is 'What the reference of a message is worth.';

create table docket.retention_rules (
  document_kind text not null,
  since timestamptz not null default clock_timestamp(),
  retention interval not null,
  reason text not null,
  set_by text not null,
  constraint retention_rules_pk primary key (document_kind, since),
  constraint retention_rules__document_kind_fk foreign key (document_kind) references docket.document_kinds (document_kind),
  constraint retention_rules__retention_is_not_negative check (retention >= interval '0'),
  constraint retention_rules__reason_is_given check (btrim(reason) <> '')
);
comment on table docket.retention_rules is
  'How long documents of each kind are kept. A rule is for documents received after it was made, and is never changed. Append-only.';
comment on column docket.retention_rules.document_kind is 'Kind of document.';
comment on column docket.retention_rules.since is 'From when documents are received under it.';
comment on column docket.retention_rules.retention is 'How long after its receipt a document is kept at least.';
comment on column docket.retention_rules.reason is 'Why, in words.';
comment on column docket.retention_rules.set_by is 'Who made it.';

create table docket.retention_extensions (
  job_id uuid not null,
  retain_until timestamptz not null,
  reason text not null,
  extended_at timestamptz not null default clock_timestamp(),
  extended_by text not null,
  constraint retention_extensions_pk primary key (job_id, retain_until),
  constraint retention_extensions__job_fk foreign key (job_id) references docket.jobs (job_id),
  constraint retention_extensions__until_is_a_time check (isfinite(retain_until))
);
comment on table docket.retention_extensions is 'Documents that are kept longer than their kind. Append-only: retention is never shortened.';
comment on column docket.retention_extensions.job_id is 'The document.';
comment on column docket.retention_extensions.retain_until is 'Until when.';
comment on column docket.retention_extensions.reason is 'Why, in words.';
comment on column docket.retention_extensions.extended_at is 'When it was extended.';
comment on column docket.retention_extensions.extended_by is 'By whom.';

create table docket.legal_holds (
  legal_hold_id bigint generated always as identity,
  job_id uuid not null,
  matter text not null,
  reason text not null,
  placed_at timestamptz not null default clock_timestamp(),
  placed_by text not null,
  lifted_at timestamptz,
  lifted_by text,
  lift_reason text,
  constraint legal_holds_pk primary key (legal_hold_id),
  constraint legal_holds__job_fk foreign key (job_id) references docket.jobs (job_id),
  constraint legal_holds__matter_is_given check (btrim(matter) <> ''),
  constraint legal_holds__lifted_is_complete check (
    (lifted_at is null) = (lifted_by is null) and (lifted_at is null) = (lift_reason is null)
  )
);
comment on table docket.legal_holds is 'Legal holds: while one is open its document cannot be disposed of. Placed by one, lifted by another.';
comment on column docket.legal_holds.legal_hold_id is 'Number of the hold.';
comment on column docket.legal_holds.job_id is 'The document.';
comment on column docket.legal_holds.matter is 'Matter it is for: a case number, a claim.';
comment on column docket.legal_holds.reason is 'Why, in words.';
comment on column docket.legal_holds.placed_at is 'When it was placed.';
comment on column docket.legal_holds.placed_by is 'By whom.';
comment on column docket.legal_holds.lifted_at is 'When it was lifted; null while it is open.';
comment on column docket.legal_holds.lifted_by is 'By whom.';
comment on column docket.legal_holds.lift_reason is 'Why it was lifted.';
create unique index legal_holds__one_open_a_matter_uq on docket.legal_holds (job_id, matter) where lifted_at is null;

create table docket.disposals (
  disposal_id bigint generated always as identity,
  job_id uuid not null,
  reason text not null,
  requested_at timestamptz not null default clock_timestamp(),
  requested_by text not null,
  decision text,
  decided_at timestamptz,
  decided_by text,
  decision_reason text,
  outlived_at timestamptz,
  constraint disposals_pk primary key (disposal_id),
  constraint disposals__job_fk foreign key (job_id) references docket.jobs (job_id),
  constraint disposals__decision_is_known check (decision in ('approved', 'withdrawn')),
  constraint disposals__decided_is_complete check (
    (decision is null) = (decided_at is null) and (decision is null) = (decided_by is null)
    and (decision is null) = (decision_reason is null)
  ),
  constraint disposals__outlived_was_approved check (outlived_at is null or (decision = 'approved') is true)
);
comment on table docket.disposals is 'Requests to destroy documents, and what became of them. Asked for by one, approved by another.';
comment on column docket.disposals.disposal_id is 'Number of the request.';
comment on column docket.disposals.job_id is 'The document.';
comment on column docket.disposals.reason is 'Why it is to be destroyed.';
comment on column docket.disposals.requested_at is 'When it was asked for.';
comment on column docket.disposals.requested_by is 'By whom.';
comment on column docket.disposals.decision is 'approved (then all of it was destroyed at once), withdrawn, or null while it is open.';
comment on column docket.disposals.decided_at is 'When it was decided.';
comment on column docket.disposals.decided_by is 'By whom.';
comment on column docket.disposals.decision_reason is 'Why it was decided so.';
comment on column docket.disposals.outlived_at is 'When a later delivery brought back a scan whose bytes nobody had seen.';
create unique index disposals__one_open_a_document_uq on docket.disposals (job_id) where decision is null;
create unique index disposals__a_document_is_disposed_of_once_uq on docket.disposals (job_id)
  where decision = 'approved' and outlived_at is null;

create table docket.amendments (
  job_id uuid not null,
  seq integer not null,
  document_kind text,
  note text,
  reason text not null,
  retain_until timestamptz,
  amended_at timestamptz not null default clock_timestamp(),
  amended_by text not null,
  constraint amendments_pk primary key (job_id, seq),
  constraint amendments__job_fk foreign key (job_id) references docket.jobs (job_id),
  constraint amendments__document_kind_fk foreign key (document_kind) references docket.document_kinds (document_kind),
  constraint amendments__something_is_amended check (document_kind is not null or note is not null)
);
comment on table docket.amendments is
  'What evidence owners added to the statements of a sender, which themselves never change. Append-only.';
comment on column docket.amendments.job_id is 'The document.';
comment on column docket.amendments.seq is 'Event that recorded it.';
comment on column docket.amendments.document_kind is 'Kind it is to be taken for; null: as before.';
comment on column docket.amendments.note is 'Note on its source or content; null: as before.';
comment on column docket.amendments.reason is 'Why, in words.';
comment on column docket.amendments.retain_until is 'Until when the document is kept at least because of that kind, by the rule that was in force.';
comment on column docket.amendments.amended_at is 'When.';
comment on column docket.amendments.amended_by is 'By whom.';

create table docket.object_orders (
  object_order_id bigint generated always as identity,
  job_id uuid not null,
  locator text not null,
  version text,
  act text not null,
  retain_until timestamptz,
  due_at timestamptz not null default clock_timestamp(),
  tries integer not null default 0,
  last_code text,
  ordered_at timestamptz not null default clock_timestamp(),
  constraint object_orders_pk primary key (object_order_id),
  constraint object_orders__act_is_known check (act in ('remove', 'protect')),
  constraint object_orders__removal_is_ordered_once_uq unique nulls not distinct (act, locator, version)
);
comment on table docket.object_orders is
  'What is still to be done in the object store: removals of what was disposed of, and retention and holds where a bucket can enforce them.';
comment on column docket.object_orders.object_order_id is 'Number in order.';
comment on column docket.object_orders.job_id is 'The document.';
comment on column docket.object_orders.locator is 'The object.';
comment on column docket.object_orders.version is 'Its version, where the store has versions.';
comment on column docket.object_orders.act is 'remove; or protect: bring retention and hold in the store up to what the database says at that moment.';
comment on column docket.object_orders.retain_until is 'For remove: until when the store was seen to refuse, infinity if it does not say; null before it refused.';
comment on column docket.object_orders.due_at is 'Not before this time; moved ahead while a worker is at it.';
comment on column docket.object_orders.tries is 'Times begun since it was ordered; 0 while it is under way means that it was ordered anew meanwhile.';
comment on column docket.object_orders.last_code is 'Failure code of the newest try; null if that did not fail, and while one is under way.';
comment on column docket.object_orders.ordered_at is 'When it was ordered.';
create index object_orders__due_idx on docket.object_orders (due_at);
create index object_orders__job_idx on docket.object_orders (job_id);

alter table docket.leases add column locks_objects boolean not null default false;
comment on column docket.leases.locks_objects is 'Whether the object store of the process keeps objects from being deleted until a date.';

create table docket.inventories (
  inventory_id integer generated always as identity,
  store text not null,
  begun_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  object_count bigint not null default 0,
  taken_by text not null,
  constraint inventories_pk primary key (inventory_id)
);
comment on table docket.inventories is 'Lists of what lies in an object store, each taken at one time.';
comment on column docket.inventories.inventory_id is 'Number of the list.';
comment on column docket.inventories.store is 'The store, as DOCKET_STORE names it.';
comment on column docket.inventories.begun_at is 'When listing began.';
comment on column docket.inventories.ended_at is 'When it was complete; an incomplete list is compared with nothing.';
comment on column docket.inventories.object_count is 'Objects in it.';
comment on column docket.inventories.taken_by is 'Who took it.';

create table docket.inventory_objects (
  inventory_id integer not null,
  locator text not null,
  version text,
  size_bytes bigint not null,
  stored_at timestamptz not null,
  constraint inventory_objects__listed_once_uq unique nulls not distinct (inventory_id, locator, version),
  constraint inventory_objects__inventory_fk foreign key (inventory_id) references docket.inventories (inventory_id)
);
comment on table docket.inventory_objects is 'The objects of the newest lists.';
comment on column docket.inventory_objects.inventory_id is 'The list.';
comment on column docket.inventory_objects.locator is 'The object.';
comment on column docket.inventory_objects.version is 'Its version, where the store has versions.';
comment on column docket.inventory_objects.size_bytes is 'Size in bytes, as it lies there.';
comment on column docket.inventory_objects.stored_at is 'When it was stored, by the clock of the store.';

-- The planner keeps samples of what it has statistics of. What a disposal destroys must not live on in them, and nothing is looked
-- up by these columns.
alter table docket.object_keys alter column wrapped_key set statistics 0;
alter table docket.job_salts alter column salt set statistics 0;
alter table docket.pages alter column text set statistics 0;
alter table docket.redacted_pages alter column text set statistics 0;
alter table docket.deliveries alter column envelope set statistics 0;
alter table docket.evidence alter column envelope set statistics 0;
alter table docket.amendments alter column note set statistics 0;

-- Functions whose answer has more columns now are made anew by their definitions.
drop function if exists docket.claim_delivery_checks(integer);
-- Packets are hashed with a salt now, and old hashes by packet_is_proven.
drop function if exists docket.packet_hash(
  bytea, bigint, text, text, text, text, text, timestamptz, timestamptz, date, json, bytea
);
-- Pages are shown as a rule set left them alone; a parameter has another name.
drop function if exists docket.search_page(integer, uuid, integer, integer);
-- References came with the messages.
drop function if exists docket.begin_attempts(uuid[], text, uuid);
set local role docket_door;
drop function if exists docket_queue.enqueue(text[], uuid[], timestamptz[]);
set local role docket_owner;

-- Fixed where a source comes to see a document, so that no rule which comes later reaches back, however long its transaction was open.
alter table docket.document_sources add column retain_until timestamptz;
comment on column docket.document_sources.retain_until is
  'Until when it is kept at least because of this delivery, by the rule that was in force; null where it came before rules were.';
