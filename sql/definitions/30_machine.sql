-- THE STATE MACHINE. Everything that may happen to a job is a row of this file. The steps stand in a function, so that verify_log can
-- tell whether the table still has these and no others.
--
--                 admitted, verified                          hash_retry, hash_lost: stay in accepted
--                     ┌──┐                                    ocr_retry, ocr_lost:   running → accepted
--                     ▼  │                                    publish_retry, publish_lost: stay in validated
--   none ──accepted──▶ accepted ──started──▶ running ──extracted──▶ validated ──published──▶ published
--                        ▲  │                   │                       │
--     released,          │  └────quarantined────┴───────quarantined─────┘
--     redelivered,       │            ▼
--     redriven           └────── quarantined
--
-- The machine is a function: (from_state, event) leads to one state. The audit log refers to these rows by foreign key,
-- and a job refers to its last event, so no step and no state can be recorded that this file does not allow.

insert into docket.job_states (state, is_terminal, meaning)
values
  ('none', false, 'Before the first event.'),
  ('accepted', false, 'Delivered; waits for admission, verification or recognition.'),
  ('running', false, 'Being recognised.'),
  ('validated', false, 'Recognised and past its gates; about to be published.'),
  ('published', true, 'Its text is bound to the hash of its bytes, for good.'),
  ('quarantined', false, 'Stopped for a stated reason; kept until an evidence owner decides.')
on conflict (state) do update set is_terminal = excluded.is_terminal, meaning = excluded.meaning;

insert into docket.tasks (task, pool, deadline, reference_valid, meaning)
values
  ('hash', 'io', '2 min', '15 min', 'Fetches the object and compares its bytes with the stated hash.'),
  -- time for the largest document; a page that hangs is noticed by the engine, a dead worker by its lease
  ('ocr', 'ocr', '3 hours', '60 min', 'Recognises the pages of the very bytes that were hashed.'),
  ('publish', 'io', '1 min', '15 min', 'Publishes the validated result by compare-and-swap.')
on conflict (task) do update set
  pool = excluded.pool,
  deadline = excluded.deadline,
  reference_valid = excluded.reference_valid,
  meaning = excluded.meaning;

create or replace function docket.expected_steps()
returns setof docket.job_transitions
language sql
immutable
as $$
values
  ('none', 'accepted', 'accepted', 'docket_app'::name, false, null, 'First delivery of these bytes.'),
  ('accepted', 'admitted', 'accepted', 'docket_worker', false, 'hash', 'Admission let the job enter.'),
  ('accepted', 'verified', 'accepted', 'docket_worker', true, 'ocr', 'The bytes match the hash; the evidence is fixed.'),
  ('accepted', 'started', 'running', 'docket_worker', false, null, 'A worker began to recognise.'),
  ('running', 'extracted', 'validated', 'docket_worker', true, 'publish', 'The result is stored and passed its gates.'),
  ('validated', 'published', 'published', 'docket_worker', true, null, 'The result is published.'),

  ('accepted', 'hash_retry', 'accepted', 'docket_worker', true, 'hash', 'Verification failed for a passing reason and is tried again.'),
  ('running', 'ocr_retry', 'accepted', 'docket_worker', true, 'ocr', 'Recognition failed for a passing reason and is tried again.'),
  ('running', 'ocr_recalled', 'accepted', 'docket_operator', true, 'ocr', 'A rollback took it back from a worker that is gone, or overran.'),
  ('validated', 'publish_retry', 'validated', 'docket_worker', true, 'publish', 'Publishing failed for a passing reason and is tried again.'),
  ('accepted', 'hash_lost', 'accepted', 'docket_worker', true, 'hash', 'The worker that verified was lost.'),
  ('running', 'ocr_lost', 'accepted', 'docket_worker', true, 'ocr', 'The worker that recognised was lost.'),
  ('validated', 'publish_lost', 'validated', 'docket_worker', true, 'publish', 'The worker that published was lost.'),

  ('accepted', 'quarantined', 'quarantined', 'docket_worker', true, null, 'Verification failed for good.'),
  ('running', 'quarantined', 'quarantined', 'docket_worker', true, null, 'Recognition or validation failed for good.'),
  ('validated', 'quarantined', 'quarantined', 'docket_worker', true, null, 'Publishing failed for good.'),
  ('quarantined', 'released', 'accepted', 'docket_evidence_owner', false, null, 'An evidence owner sent the job back to admission.'),
  ('quarantined', 'redelivered', 'accepted', 'docket_worker', false, null, 'What was missing of it, bytes or signature, was delivered again: back to admission.'),

  ('accepted', 'prioritised', 'accepted', 'docket_operator', false, null, 'An operator moved it to another lane.'),
  ('quarantined', 'redriven', 'accepted', 'docket_operator', false, null, 'An operator sent the job back to admission after an outage.'),

  ('accepted', 'delivered_again', 'accepted', 'docket_worker', false, null, 'A further delivery of the same hash was recorded.'),
  ('running', 'delivered_again', 'running', 'docket_worker', false, null, 'A further delivery of the same hash was recorded.'),
  ('validated', 'delivered_again', 'validated', 'docket_worker', false, null, 'A further delivery of the same hash was recorded.'),
  ('published', 'delivered_again', 'published', 'docket_worker', false, null, 'A further delivery of the same hash was recorded.'),
  ('quarantined', 'delivered_again', 'quarantined', 'docket_worker', false, null, 'A further delivery of the same hash was recorded.'),

  ('accepted', 'delivery_verified', 'accepted', 'docket_worker', false, null, 'The bytes of a further source match; it sees the document.'),
  ('running', 'delivery_verified', 'running', 'docket_worker', false, null, 'The bytes of a further source match; it sees the document.'),
  ('validated', 'delivery_verified', 'validated', 'docket_worker', false, null, 'The bytes of a further source match; it sees the document.'),
  ('published', 'delivery_verified', 'published', 'docket_worker', false, null, 'The bytes of a further source match; it sees the document.'),
  ('quarantined', 'delivery_verified', 'quarantined', 'docket_worker', false, null, 'The bytes of a further source match; it sees the document.'),

  ('accepted', 'delivery_refused', 'accepted', 'docket_worker', false, null, 'The bytes of a further source could not be seen to match.'),
  ('running', 'delivery_refused', 'running', 'docket_worker', false, null, 'The bytes of a further source could not be seen to match.'),
  ('validated', 'delivery_refused', 'validated', 'docket_worker', false, null, 'The bytes of a further source could not be seen to match.'),
  ('published', 'delivery_refused', 'published', 'docket_worker', false, null, 'The bytes of a further source could not be seen to match.'),
  ('quarantined', 'delivery_refused', 'quarantined', 'docket_worker', false, null, 'The bytes of a further source could not be seen to match.'),

  ('accepted', 'envelope_checked', 'accepted', 'docket_worker', false, null, 'The signatures of a delivery were checked.'),
  ('running', 'envelope_checked', 'running', 'docket_worker', false, null, 'The signatures of a delivery were checked.'),
  ('validated', 'envelope_checked', 'validated', 'docket_worker', false, null, 'The signatures of a delivery were checked.'),
  ('published', 'envelope_checked', 'published', 'docket_worker', false, null, 'The signatures of a delivery were checked.'),
  ('quarantined', 'envelope_checked', 'quarantined', 'docket_worker', false, null, 'The signatures of a delivery were checked.'),

  ('published', 'unmask_requested', 'published', 'docket_analyst', false, null, 'An analyst asked to see what is masked.'),

  ('accepted', 'hold_placed', 'accepted', 'docket_evidence_owner', false, null, 'An evidence owner placed a legal hold.'),
  ('running', 'hold_placed', 'running', 'docket_evidence_owner', false, null, 'An evidence owner placed a legal hold.'),
  ('validated', 'hold_placed', 'validated', 'docket_evidence_owner', false, null, 'An evidence owner placed a legal hold.'),
  ('published', 'hold_placed', 'published', 'docket_evidence_owner', false, null, 'An evidence owner placed a legal hold.'),
  ('quarantined', 'hold_placed', 'quarantined', 'docket_evidence_owner', false, null, 'An evidence owner placed a legal hold.'),

  ('accepted', 'hold_lifted', 'accepted', 'docket_evidence_owner', false, null, 'Another evidence owner lifted a legal hold.'),
  ('running', 'hold_lifted', 'running', 'docket_evidence_owner', false, null, 'Another evidence owner lifted a legal hold.'),
  ('validated', 'hold_lifted', 'validated', 'docket_evidence_owner', false, null, 'Another evidence owner lifted a legal hold.'),
  ('published', 'hold_lifted', 'published', 'docket_evidence_owner', false, null, 'Another evidence owner lifted a legal hold.'),
  ('quarantined', 'hold_lifted', 'quarantined', 'docket_evidence_owner', false, null, 'Another evidence owner lifted a legal hold.'),

  ('accepted', 'retention_extended', 'accepted', 'docket_evidence_owner', false, null, 'An evidence owner had it kept longer.'),
  ('running', 'retention_extended', 'running', 'docket_evidence_owner', false, null, 'An evidence owner had it kept longer.'),
  ('validated', 'retention_extended', 'validated', 'docket_evidence_owner', false, null, 'An evidence owner had it kept longer.'),
  ('published', 'retention_extended', 'published', 'docket_evidence_owner', false, null, 'An evidence owner had it kept longer.'),
  ('quarantined', 'retention_extended', 'quarantined', 'docket_evidence_owner', false, null, 'An evidence owner had it kept longer.'),

  ('accepted', 'metadata_amended', 'accepted', 'docket_evidence_owner', false, null, 'An evidence owner added to what the sender stated.'),
  ('running', 'metadata_amended', 'running', 'docket_evidence_owner', false, null, 'An evidence owner added to what the sender stated.'),
  ('validated', 'metadata_amended', 'validated', 'docket_evidence_owner', false, null, 'An evidence owner added to what the sender stated.'),
  ('published', 'metadata_amended', 'published', 'docket_evidence_owner', false, null, 'An evidence owner added to what the sender stated.'),
  ('quarantined', 'metadata_amended', 'quarantined', 'docket_evidence_owner', false, null, 'An evidence owner added to what the sender stated.'),

  ('published', 'replay_passed', 'published', 'docket_worker', false, null, 'Its bytes, signatures and text are what the log says.'),
  ('published', 'replay_failed', 'published', 'docket_worker', false, null, 'Something about it is not what the log says: it is disputed.'),

  ('published', 'reread_ordered', 'published', 'docket_operator', false, null, 'An operator had it read again by another OCR configuration.'),
  ('published', 'superseded', 'published', 'docket_worker', false, null, 'It was read again; what was read then is its published result from now on.'),
  ('published', 'reread_ended', 'published', 'docket_worker', false, null, 'Reading it again ended, and what is published stays as it is.'),

  -- about the log itself: events of no document, in a chain of their own
  ('none', 'recovery_declared', 'none', 'docket_operator', false, null, 'The database was restored; a new epoch of the log begins.'),
  ('none', 'controls_changed', 'none', 'docket_operator', false, null, 'An operator changed a limit, a pool, a lane, admission, a source, or what is read with.'),
  ('none', 'controls_restored', 'none', 'docket_worker', false, null, 'A change that was made for a time has ended.'),
  ('none', 'ocr_version_added', 'none', 'docket_operator', false, null, 'An operator added an OCR configuration; nothing is read by it yet.'),
  ('none', 'admission_closed', 'none', 'docket_worker', false, null, 'A rollback closed admission.'),
  ('none', 'rollback_ordered', 'none', 'docket_operator', false, null, 'An operator ordered a rollback of the OCR configuration.'),
  ('none', 'rollback_triggered', 'none', 'docket_worker', false, null, 'A rollback of the OCR configuration began by itself.'),
  ('none', 'rollback_advanced', 'none', 'docket_worker', false, null, 'A step of a rollback was done.'),
  ('none', 'rollback_failed', 'none', 'docket_worker', false, null, 'A step of a rollback failed, and is tried again; admission stays closed.'),
  ('none', 'rollback_pushed', 'none', 'docket_operator', false, null, 'The command of an operator did a step of a rollback, or failed to.'),
  ('none', 'outage_began', 'none', 'docket_worker', false, null, 'What the work depends on is down; nothing that needs it is begun.'),
  ('none', 'outage_ended', 'none', 'docket_worker', false, null, 'What the work depends on answers again.'),

  ('published', 'retention_ended', 'published', 'docket_worker', false, null, 'Its retention is over, so its disposal was asked for.'),

  ('published', 'disposal_requested', 'published', 'docket_evidence_owner', false, null, 'An evidence owner asked for its disposal.'),
  ('quarantined', 'disposal_requested', 'quarantined', 'docket_evidence_owner', false, null, 'An evidence owner asked for its disposal.'),

  ('published', 'disposal_withdrawn', 'published', 'docket_evidence_owner', false, null, 'The request for its disposal was withdrawn.'),
  ('quarantined', 'disposal_withdrawn', 'quarantined', 'docket_evidence_owner', false, null, 'The request for its disposal was withdrawn.'),

  ('published', 'disposed', 'published', 'docket_evidence_owner', false, null, 'A second evidence owner approved: key, text, signer and salt were destroyed.'),
  ('quarantined', 'disposed', 'quarantined', 'docket_evidence_owner', false, null, 'A second evidence owner approved: key, text, signer and salt were destroyed.'),

  ('published', 'object_removed', 'published', 'docket_worker', false, null, 'An object of the disposed document was removed from the store.'),
  ('quarantined', 'object_removed', 'quarantined', 'docket_worker', false, null, 'An object of the disposed document was removed from the store.'),

  ('published', 'object_kept', 'published', 'docket_worker', false, null, 'The store refuses for now to remove an object of the disposed document.'),
  ('quarantined', 'object_kept', 'quarantined', 'docket_worker', false, null, 'The store refuses for now to remove an object of the disposed document.'),

  ('accepted', 'text_read', 'accepted', 'docket_reader', false, null, 'Somebody read the unredacted text.'),
  ('running', 'text_read', 'running', 'docket_reader', false, null, 'Somebody read the unredacted text.'),
  ('validated', 'text_read', 'validated', 'docket_reader', false, null, 'Somebody read the unredacted text.'),
  ('published', 'text_read', 'published', 'docket_reader', false, null, 'Somebody read the unredacted text.'),
  ('quarantined', 'text_read', 'quarantined', 'docket_reader', false, null, 'Somebody read the unredacted text.'),

  ('accepted', 'original_read', 'accepted', 'docket_reader', false, null, 'Somebody read the original scan.'),
  ('running', 'original_read', 'running', 'docket_reader', false, null, 'Somebody read the original scan.'),
  ('validated', 'original_read', 'validated', 'docket_reader', false, null, 'Somebody read the original scan.'),
  ('published', 'original_read', 'published', 'docket_reader', false, null, 'Somebody read the original scan.'),
  ('quarantined', 'original_read', 'quarantined', 'docket_reader', false, null, 'Somebody read the original scan.'),

  ('accepted', 'reference_refused', 'accepted', 'docket_worker', false, null, 'A message with a reference that is not valid was refused; nothing was fetched.'),
  ('running', 'reference_refused', 'running', 'docket_worker', false, null, 'A message with a reference that is not valid was refused; nothing was fetched.'),
  ('validated', 'reference_refused', 'validated', 'docket_worker', false, null, 'A message with a reference that is not valid was refused; nothing was fetched.'),
  ('published', 'reference_refused', 'published', 'docket_worker', false, null, 'A message with a reference that is not valid was refused; nothing was fetched.'),
  ('quarantined', 'reference_refused', 'quarantined', 'docket_worker', false, null, 'A message with a reference that is not valid was refused; nothing was fetched.'),

  ('accepted', 'result_duplicate', 'accepted', 'docket_worker', false, null, 'A late worker came with a result that is already stored.'),
  ('running', 'result_duplicate', 'running', 'docket_worker', false, null, 'A worker came with a result that is already stored.'),
  ('validated', 'result_duplicate', 'validated', 'docket_worker', false, null, 'A late worker came with a result that is already stored.'),
  ('published', 'result_duplicate', 'published', 'docket_worker', false, null, 'A late worker came with a result that is already stored.'),
  ('quarantined', 'result_duplicate', 'quarantined', 'docket_worker', false, null, 'A late worker came with a result that is already stored.')
$$;
comment on function docket.expected_steps() is 'The steps of the state machine as they must be: the rows of docket.job_transitions.';

insert into docket.job_transitions (from_state, event, to_state, actor_role, ends_attempt, next_task, meaning)
select x.from_state, x.event, x.to_state, x.actor_role, x.ends_attempt, x.next_task, x.meaning from docket.expected_steps() as x
on conflict (from_state, event) do update set
  to_state = excluded.to_state,
  actor_role = excluded.actor_role,
  ends_attempt = excluded.ends_attempt,
  next_task = excluded.next_task,
  meaning = excluded.meaning;
