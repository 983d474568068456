-- Flow control: lanes, limits and pools that change live, circuit breakers, and the record of every change of them.

create table docket.lanes (
  lane text not null,
  rank integer not null,
  is_reserved boolean not null,
  window_size integer,
  meaning text not null,
  constraint lanes_pk primary key (lane),
  constraint lanes__rank_uq unique (rank),
  constraint lanes__window_is_positive check (window_size > 0)
);
comment on table docket.lanes is 'Lanes in which documents wait and are worked on.';
comment on column docket.lanes.lane is 'Name of the lane.';
comment on column docket.lanes.rank is 'Lower goes first.';
comment on column docket.lanes.is_reserved is 'Whether recognition slots are reserved for it.';
comment on column docket.lanes.window_size is 'Most documents of it that are admitted and not finished; null: as the worker is configured.';
comment on column docket.lanes.meaning is 'Which documents go there.';

insert into docket.lanes (lane, rank, is_reserved, meaning)
values
  ('signature_critical', 1, true, 'Papers that somebody signed and a dispute turns on.'),
  ('standard', 2, false, 'All others.');

alter table docket.document_kinds
  add column lane text not null default 'standard',
  add constraint document_kinds__lane_fk foreign key (lane) references docket.lanes (lane);
comment on column docket.document_kinds.lane is 'Lane of such documents, where no rule of a source says otherwise.';
update docket.document_kinds set lane = 'signature_critical' where document_kind in ('delivery_receipt', 'exception_sheet');

create table docket.lane_rules (
  lane_rule_id bigint generated always as identity,
  source_id text not null,
  document_kind text,
  lane text not null,
  constraint lane_rules_pk primary key (lane_rule_id),
  constraint lane_rules__target_uq unique nulls not distinct (source_id, document_kind),
  constraint lane_rules__source_id_fk foreign key (source_id) references docket.sources (source_id),
  constraint lane_rules__document_kind_fk foreign key (document_kind) references docket.document_kinds (document_kind),
  constraint lane_rules__lane_fk foreign key (lane) references docket.lanes (lane)
);
comment on table docket.lane_rules is
  'Which documents of a source go to which lane: the rule of source and kind, else of the source, else the lane of the kind.';
comment on column docket.lane_rules.lane_rule_id is 'Number of the rule.';
comment on column docket.lane_rules.source_id is 'The source.';
comment on column docket.lane_rules.document_kind is 'Kind of document; null for all of the source.';
comment on column docket.lane_rules.lane is 'Lane of such documents.';

alter table docket.jobs
  add column lane text,
  add column predicted_pages real,
  add column predicted_mb real;
comment on column docket.jobs.lane is 'Lane, where it is not the standard one.';
comment on column docket.jobs.predicted_pages is 'Pages that its source was charged for when it was admitted; null where pages are not limited.';
comment on column docket.jobs.predicted_mb is 'Memory that recognising it may take, in MiB, as it was admitted with; null where memory is not limited.';
-- A document stands in one of these two, so that no lane reads past what waits in another.
drop index docket.jobs__waiting_idx;
create index jobs__waiting_idx on docket.jobs (source_id, accepted_at)
  where lane is null and state = 'accepted' and next_task is null;
create index jobs__lane_waiting_idx on docket.jobs (lane, source_id, accepted_at)
  where lane is not null and state = 'accepted' and next_task is null;

create table docket.flow_limits (
  target text not null,
  source_id text,
  documents_per_minute double precision,
  documents_burst integer,
  pages_per_minute double precision,
  pages_burst integer,
  max_waiting integer,
  max_in_flight_mb integer,
  on_excess text not null default 'defer',
  set_at timestamptz,
  constraint flow_limits_pk primary key (target),
  constraint flow_limits__source_id_uq unique (source_id),
  constraint flow_limits__source_id_fk foreign key (source_id) references docket.sources (source_id),
  constraint flow_limits__target_is_all_or_source check (target = coalesce('source:' || source_id, 'all')),
  constraint flow_limits__are_positive check (
    documents_per_minute between 0.001 and 1000000 and documents_burst between 1 and 1000000
    and pages_per_minute between 0.001 and 1000000 and pages_burst between 1 and 1000000
    and max_waiting > 0 and max_in_flight_mb > 0
  ),
  constraint flow_limits__bursts_have_rates check (
    (documents_per_minute is null) = (documents_burst is null) and (pages_per_minute is null) = (pages_burst is null)
  ),
  constraint flow_limits__on_excess_is_known check (on_excess in ('defer', 'reject'))
);
comment on table docket.flow_limits is 'How much of a source, or of all together, is admitted; no row, no limit.';
comment on column docket.flow_limits.target is 'all, or source: and the source.';
comment on column docket.flow_limits.source_id is 'The source; null for all together.';
comment on column docket.flow_limits.documents_per_minute is 'Documents admitted a minute in the long run; null: any number.';
comment on column docket.flow_limits.documents_burst is 'Documents admitted at once after a rest.';
comment on column docket.flow_limits.pages_per_minute is 'Pages admitted a minute in the long run, predicted until they are known; null: any number.';
comment on column docket.flow_limits.pages_burst is 'Pages admitted at once after a rest.';
comment on column docket.flow_limits.max_waiting is 'Most documents that may wait for admission; further deliveries are refused. Null: any number.';
comment on column docket.flow_limits.max_in_flight_mb is 'Most memory, predicted, of documents that are admitted and not finished, in MiB; null: any.';
comment on column docket.flow_limits.on_excess is
  'defer: what is beyond the rate waits. reject: a delivery is refused while documents of the source wait for their turn.';
comment on column docket.flow_limits.set_at is 'When it was set: by that admission sees that it is another.';

create table docket.flow_states (
  target text not null,
  documents_tat timestamptz not null default '-infinity',
  pages_tat timestamptz not null default '-infinity',
  pages_per_document real not null default 1,
  waiting integer not null default 0,
  counted_at timestamptz not null default '-infinity',
  set_at timestamptz,
  constraint flow_states_pk primary key (target)
);
comment on table docket.flow_states is
  'Token buckets, kept as theoretical arrival times (GCRA). Written by admission alone, and bound to limits by no key: an open transaction that changes a limit must not hold up admission.';
comment on column docket.flow_states.target is 'Whose limit.';
comment on column docket.flow_states.documents_tat is 'Theoretical arrival time of the next document.';
comment on column docket.flow_states.pages_tat is 'Theoretical arrival time of the next page.';
comment on column docket.flow_states.pages_per_document is 'Pages that a document is expected to have: a moving average of what they had.';
comment on column docket.flow_states.waiting is 'Documents that waited when they were last counted, where their number is limited.';
comment on column docket.flow_states.counted_at is 'When they were counted; what came later is counted where it matters.';
comment on column docket.flow_states.set_at is 'When the limit was set that it is kept for.';

create table docket.page_charges (
  source_id text not null,
  pages integer not null,
  predicted real not null
);
comment on table docket.page_charges is 'Pages that documents turned out to have, until admission has charged the difference.';
comment on column docket.page_charges.source_id is 'Source that the document was admitted for.';
comment on column docket.page_charges.pages is 'Pages that it has.';
comment on column docket.page_charges.predicted is 'Pages that were charged when it was admitted.';

create table docket.admission_gates (
  target text not null,
  source_id text,
  document_kind text,
  closed_at timestamptz not null default clock_timestamp(),
  closed_by text not null,
  reason text not null,
  constraint admission_gates_pk primary key (target),
  constraint admission_gates__source_id_fk foreign key (source_id) references docket.sources (source_id),
  constraint admission_gates__document_kind_fk foreign key (document_kind) references docket.document_kinds (document_kind),
  constraint admission_gates__target_is_all_or_one check (
    target = coalesce('source:' || source_id, 'kind:' || document_kind, 'all') and num_nulls(source_id, document_kind) > 0
  )
);
comment on table docket.admission_gates is 'Where admission is closed: deliveries are recorded, and wait until it is opened.';
comment on column docket.admission_gates.target is 'all, source: and the source, or kind: and the kind.';
comment on column docket.admission_gates.source_id is 'The source, if it is closed to one.';
comment on column docket.admission_gates.document_kind is 'The kind of documents, if it is closed to one.';
comment on column docket.admission_gates.closed_at is 'Since when.';
comment on column docket.admission_gates.closed_by is 'Who closed it.';
comment on column docket.admission_gates.reason is 'Why, in words.';

create table docket.pool_limits (
  pool text not null,
  per_process integer,
  fleet integer,
  meaning text not null,
  constraint pool_limits_pk primary key (pool),
  constraint pool_limits__are_counts check (per_process between 0 and 1000 and fleet between 0 and 100000)
);
comment on table docket.pool_limits is 'How many slots of each pool a process has at most, and all together.';
comment on column docket.pool_limits.pool is 'Name of the pool.';
comment on column docket.pool_limits.per_process is 'Slots of each process; null: as it is configured.';
comment on column docket.pool_limits.fleet is 'Slots of all processes together; null: the sum of theirs.';
comment on column docket.pool_limits.meaning is 'Work that the pool does.';

create table docket.slot_grants (
  lease_id uuid not null,
  pool text not null,
  wanted integer not null,
  granted integer not null,
  running integer not null,
  held_back text,
  reported_at timestamptz not null default clock_timestamp(),
  constraint slot_grants_pk primary key (lease_id, pool),
  constraint slot_grants__lease_id_fk foreign key (lease_id) references docket.leases (lease_id) on delete cascade,
  constraint slot_grants__pool_fk foreign key (pool) references docket.pool_limits (pool)
);
comment on table docket.slot_grants is 'Slots that each process has of each pool, and how many it has open.';
comment on column docket.slot_grants.lease_id is 'The process, by its lease.';
comment on column docket.slot_grants.pool is 'The pool.';
comment on column docket.slot_grants.wanted is 'Slots that the process is configured to have.';
comment on column docket.slot_grants.granted is 'Slots that it may use.';
comment on column docket.slot_grants.running is 'Slots that it had open when it last reported, at work or waiting for it.';
comment on column docket.slot_grants.held_back is 'Why the process takes no more work of this pool by itself, such as memory; null: it does.';
comment on column docket.slot_grants.reported_at is 'When it last reported a difference.';

create table docket.changes (
  change_id bigint generated always as identity,
  control text not null,
  target text not null,
  old_value json,
  new_value json,
  reason text not null,
  changed_by text not null,
  changed_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  undoes bigint,
  constraint changes_pk primary key (change_id),
  constraint changes__undoes_uq unique (undoes),
  constraint changes__undoes_fk foreign key (undoes) references docket.changes (change_id),
  constraint changes__control_is_known check (control in ('pool', 'limit', 'admission', 'lane_rule', 'window')),
  constraint changes__expires_later check (expires_at > changed_at)
);
comment on table docket.changes is 'Changes of limits, pools, lanes and admission, each with what it was before. Append-only.';
comment on column docket.changes.change_id is 'Number of the change, by which it is undone.';
comment on column docket.changes.control is 'What was changed: pool, limit, admission, lane_rule or window.';
comment on column docket.changes.target is 'Which one.';
comment on column docket.changes.old_value is 'What it was; null: nothing was set.';
comment on column docket.changes.new_value is 'What it is since; null: nothing is set.';
comment on column docket.changes.reason is 'Why, in words.';
comment on column docket.changes.changed_by is 'Who changed it.';
comment on column docket.changes.changed_at is 'When.';
comment on column docket.changes.expires_at is 'When it is undone by itself; null: never.';
comment on column docket.changes.undoes is 'The change that this one undoes.';
create index changes__target_idx on docket.changes (control, target, change_id);
create index changes__expiring_idx on docket.changes (expires_at) where expires_at is not null;

create table docket.dependencies (
  dependency text not null,
  meaning text not null,
  constraint dependencies_pk primary key (dependency)
);
comment on table docket.dependencies is 'What the work depends on beside the database.';
comment on column docket.dependencies.dependency is 'Name of it.';
comment on column docket.dependencies.meaning is 'What it is.';

create table docket.breakers (
  dependency text not null,
  host text not null,
  state text not null default 'closed',
  failures integer not null,
  jobs uuid[] not null,
  first_failure_at timestamptz not null,
  probes integer not null default 0,
  probe_at timestamptz,
  probe_job uuid,
  probe_attempt integer,
  last_code text not null,
  last_message text,
  constraint breakers_pk primary key (dependency, host),
  constraint breakers__dependency_fk foreign key (dependency) references docket.dependencies (dependency),
  constraint breakers__state_is_known check (state in ('closed', 'open', 'probing'))
);
comment on table docket.breakers is
  'Circuit breakers: what failed on a host since it last worked there. A host without a row has no trouble.';
comment on column docket.breakers.dependency is 'What failed.';
comment on column docket.breakers.host is 'Host where it failed: one that cannot reach the store says nothing of the others.';
comment on column docket.breakers.state is
  'closed: it may be chance. open: nothing that needs it is begun on the host. probing: one attempt tries it.';
comment on column docket.breakers.failures is 'Failures without a success between, since first_failure_at.';
comment on column docket.breakers.jobs is 'Some of the documents that failed.';
comment on column docket.breakers.first_failure_at is 'When the first of them failed.';
comment on column docket.breakers.probes is 'How often it was tried in vain since the breaker opened.';
comment on column docket.breakers.probe_at is
  'When it is tried again, while it is open; until when the attempt that tries it has time, while it is probing.';
comment on column docket.breakers.probe_job is 'Document whose attempt tries it.';
comment on column docket.breakers.probe_attempt is 'That attempt.';
comment on column docket.breakers.last_code is 'Code of the newest failure.';
comment on column docket.breakers.last_message is 'What the newest failure said.';

create table docket.outages (
  outage_id bigint generated always as identity,
  dependency text not null,
  host text not null,
  began_at timestamptz not null,
  opened_at timestamptz not null,
  ended_at timestamptz,
  code text not null,
  constraint outages_pk primary key (outage_id),
  constraint outages__dependency_fk foreign key (dependency) references docket.dependencies (dependency),
  constraint outages__ends_later check (ended_at >= began_at)
);
comment on table docket.outages is
  'Outages of what the work depends on, as seen from one host. Attempts that failed in one count as no try.';
comment on column docket.outages.outage_id is 'Number of the outage.';
comment on column docket.outages.dependency is 'What was down.';
comment on column docket.outages.host is 'Host that saw it.';
comment on column docket.outages.began_at is 'When the first attempt failed.';
comment on column docket.outages.opened_at is 'When the breaker opened.';
comment on column docket.outages.ended_at is 'When it worked again, or its host was gone; null: it lasts.';
comment on column docket.outages.code is 'Code of the failure that opened the breaker.';
create index outages__dependency_idx on docket.outages (dependency, host, began_at);
create unique index outages__open_uq on docket.outages (dependency, host) where ended_at is null;

alter table docket.failure_codes
  add column dependency text,
  add column outage_documents integer,
  add column answered text[] not null default '{}',
  add column is_transport boolean not null default false,
  add constraint failure_codes__dependency_fk foreign key (dependency) references docket.dependencies (dependency),
  add constraint failure_codes__outage_documents_count check ((dependency is null) = (outage_documents is null));
comment on column docket.failure_codes.dependency is 'What is down where this comes often; null: nothing that other documents need too.';
comment on column docket.failure_codes.outage_documents is
  'How many documents in a row must fail so before it is an outage: one, where it says nothing of the document.';
comment on column docket.failure_codes.answered is 'What must have worked before it could fail so.';
comment on column docket.failure_codes.is_transport is
  'Whether it says something of the way and nothing of the document, so that an operator may send the document back.';

alter table docket.tasks drop constraint tasks__pool_is_known;

-- The ages of the queue are told by lane now.
drop function if exists docket_api.queue_ages();

-- Messages have a priority now.
set local role docket_door;
drop function if exists docket_queue.enqueue(text[], uuid[], text[], timestamptz[]);
set local role docket_owner;

-- They answer with a row now, so that they are inlined.
drop function if exists docket.search_terms(text);
drop function if exists docket.search_marks(integer, uuid, bigint);

-- Whoever brings a result may publish it at once, under an attempt that the event before it opens.
drop function if exists docket.record_results(uuid[], integer[], uuid[], bytea[], json[]);
drop function if exists docket.pass_gates(docket.brought_result[]);
drop function if exists docket.record_events(uuid[], text[], text, text[], text[], integer[], text[], timestamptz[], bytea[]);
comment on column docket.attempts.reference_nonce is
  'Nonce of the reference by which it was begun; none where it followed at once upon another, or before references were signed.';

create table docket.lane_paces (
  lane text not null,
  looked_at timestamptz not null,
  window_size double precision not null,
  under_way integer not null,
  constraint lane_paces_pk primary key (lane),
  constraint lane_paces__lane_fk foreign key (lane) references docket.lanes (lane)
);
comment on table docket.lane_paces is 'How large the window of each lane is that keeps its slots busy. Written by admission alone.';
comment on column docket.lane_paces.lane is 'The lane.';
comment on column docket.lane_paces.looked_at is 'When admission last looked, while something waited.';
comment on column docket.lane_paces.window_size is 'How many documents may be under way; its fraction grows and shrinks too.';
comment on column docket.lane_paces.under_way is 'Documents of it that were due and not finished when it had looked, with those that it admitted.';
