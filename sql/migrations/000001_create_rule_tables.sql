-- Tables whose rows are rules. The rows themselves live in sql/definitions (20 to 35), always the current truth.

create table docket.job_states (
  state text not null,
  is_terminal boolean not null,
  meaning text not null,
  constraint job_states_pk primary key (state)
);
comment on table docket.job_states is 'The states a job can be in.';
comment on column docket.job_states.state is 'Name of the state.';
comment on column docket.job_states.is_terminal is 'True when no step leads out of it in the ordinary course.';
comment on column docket.job_states.meaning is 'What it means to a person.';

create table docket.tasks (
  task text not null,
  pool text not null,
  deadline interval not null,
  meaning text not null,
  constraint tasks_pk primary key (task),
  constraint tasks__pool_is_known check (pool in ('io', 'ocr', 'audit')),
  constraint tasks__deadline_is_positive check (deadline > interval '0')
);
comment on table docket.tasks is 'The tasks a worker performs for a job.';
comment on column docket.tasks.task is 'Name of the task; also its identifier in the queue.';
comment on column docket.tasks.pool is 'Pool of workers that performs it.';
comment on column docket.tasks.deadline is 'How long one attempt may take before it counts as lost.';
comment on column docket.tasks.meaning is 'What it does.';

create table docket.job_transitions (
  from_state text not null,
  event text not null,
  to_state text not null,
  actor_role name not null,
  ends_attempt boolean not null,
  next_task text,
  meaning text not null,
  constraint job_transitions__event_leads_to_one_state_pk primary key (from_state, event),
  constraint job_transitions__step_uq unique (from_state, event, to_state),
  constraint job_transitions__from_state_fk foreign key (from_state) references docket.job_states (state),
  constraint job_transitions__to_state_fk foreign key (to_state) references docket.job_states (state),
  constraint job_transitions__next_task_fk foreign key (next_task) references docket.tasks (task)
);
comment on table docket.job_transitions is 'The state machine: what may happen in which state, and where it leads.';
comment on column docket.job_transitions.from_state is 'State before the event.';
comment on column docket.job_transitions.event is 'What happened.';
comment on column docket.job_transitions.to_state is 'State after the event.';
comment on column docket.job_transitions.actor_role is 'Role whose members may record it.';
comment on column docket.job_transitions.ends_attempt is 'Whether it ends the attempt under way, so that its token is spent.';
comment on column docket.job_transitions.next_task is 'Task that becomes due by it, if any.';
comment on column docket.job_transitions.meaning is 'What it means to a person.';

create table docket.failure_codes (
  code text not null,
  is_retryable boolean not null,
  base_delay interval not null,
  longest_delay interval not null,
  max_tries integer not null,
  meaning text not null,
  remedy text not null,
  constraint failure_codes_pk primary key (code),
  constraint failure_codes__code_is_upper_case check (code ~ '^[A-Z][A-Z0-9_]*$'),
  constraint failure_codes__tries_are_positive check (max_tries >= 1),
  constraint failure_codes__delays_are_ordered check (interval '0' <= base_delay and base_delay <= longest_delay)
);
comment on table docket.failure_codes is 'Why work on a document can fail, and what follows from it.';
comment on column docket.failure_codes.code is 'Stable code, kept in attempts and events.';
comment on column docket.failure_codes.is_retryable is 'Whether another attempt can succeed.';
comment on column docket.failure_codes.base_delay is 'Delay before the second try; doubled for each further one.';
comment on column docket.failure_codes.longest_delay is 'Upper bound of the delay before jitter.';
comment on column docket.failure_codes.max_tries is 'Tries of one task before the job is quarantined.';
comment on column docket.failure_codes.meaning is 'What went wrong.';
comment on column docket.failure_codes.remedy is 'What the sender or the operator can do.';

create table docket.error_codes (
  sqlstate text not null,
  name text not null,
  meaning text not null,
  remedy text not null,
  constraint error_codes_pk primary key (sqlstate),
  constraint error_codes__name_uq unique (name),
  constraint error_codes__sqlstate_is_of_class_zd check (sqlstate ~ '^ZD[0-9]{3}$')
);
comment on table docket.error_codes is 'Every SQLSTATE that Docket raises.';
comment on column docket.error_codes.sqlstate is 'Five characters, class ZD.';
comment on column docket.error_codes.name is 'Stable name of the error.';
comment on column docket.error_codes.meaning is 'What was refused.';
comment on column docket.error_codes.remedy is 'What the caller can do.';

create table docket.document_kinds (
  document_kind text not null,
  min_pages integer not null,
  max_pages integer not null,
  min_characters integer not null,
  min_confidence real not null,
  required_patterns text[] not null,
  meaning text not null,
  constraint document_kinds_pk primary key (document_kind),
  constraint document_kinds__pages_are_ordered check (1 <= min_pages and min_pages <= max_pages),
  constraint document_kinds__confidence_is_a_percentage check (min_confidence between 0 and 100)
);
comment on table docket.document_kinds is 'Kinds of documents and the gates their text must pass.';
comment on column docket.document_kinds.document_kind is 'Name of the kind, as senders state it.';
comment on column docket.document_kinds.min_pages is 'Fewest pages.';
comment on column docket.document_kinds.max_pages is 'Most pages.';
comment on column docket.document_kinds.min_characters is 'Fewest characters of text over all pages, white space not counted.';
comment on column docket.document_kinds.min_confidence is 'Lowest mean confidence over the pages that hold text, 0 to 100.';
comment on column docket.document_kinds.required_patterns is 'Regular expressions that must each match somewhere in the text, case ignored.';
comment on column docket.document_kinds.meaning is 'What it is.';

create table docket.duties (
  duty text not null,
  meaning text not null,
  constraint duties_pk primary key (duty)
);
comment on table docket.duties is 'Work that one process at a time does; its row is the lock, which no sender can take.';
comment on column docket.duties.duty is 'Name of the duty.';
comment on column docket.duties.meaning is 'What it is.';
