-- THE STATE MACHINE. Everything that may happen to a job is a row of this file.
--
--                 admitted, verified                          hash_retry, hash_lost: stay in accepted
--                     ┌──┐                                    ocr_retry, ocr_lost:   running → accepted
--                     ▼  │                                    publish_retry, publish_lost: stay in validated
--   none ──accepted──▶ accepted ──started──▶ running ──extracted──▶ validated ──published──▶ published
--                        ▲  │                   │                       │
--     released,          │  └────quarantined────┴───────quarantined─────┘
--     redelivered        │            ▼
--                        └────── quarantined
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

insert into docket.tasks (task, pool, deadline, meaning)
values
  ('hash', 'io', '2 min', 'Fetches the object and compares its bytes with the stated hash.'),
  -- time for the largest document; a page that hangs is noticed by the engine, a dead worker by its lease
  ('ocr', 'ocr', '3 hours', 'Recognises the pages of the very bytes that were hashed.'),
  ('publish', 'io', '1 min', 'Publishes the validated result by compare-and-swap.')
on conflict (task) do update set
  pool = excluded.pool,
  deadline = excluded.deadline,
  meaning = excluded.meaning;

insert into docket.job_transitions (from_state, event, to_state, actor_role, ends_attempt, next_task, meaning)
values
  ('none', 'accepted', 'accepted', 'docket_app', false, null, 'First delivery of these bytes.'),
  ('accepted', 'admitted', 'accepted', 'docket_worker', false, 'hash', 'Admission let the job enter.'),
  ('accepted', 'verified', 'accepted', 'docket_worker', true, 'ocr', 'The bytes match the hash; the evidence is fixed.'),
  ('accepted', 'started', 'running', 'docket_worker', false, null, 'A worker began to recognise.'),
  ('running', 'extracted', 'validated', 'docket_worker', true, 'publish', 'The result is stored and passed its gates.'),
  ('validated', 'published', 'published', 'docket_worker', true, null, 'The result is published.'),

  ('accepted', 'hash_retry', 'accepted', 'docket_worker', true, 'hash', 'Verification failed for a passing reason and is tried again.'),
  ('running', 'ocr_retry', 'accepted', 'docket_worker', true, 'ocr', 'Recognition failed for a passing reason and is tried again.'),
  ('validated', 'publish_retry', 'validated', 'docket_worker', true, 'publish', 'Publishing failed for a passing reason and is tried again.'),
  ('accepted', 'hash_lost', 'accepted', 'docket_worker', true, 'hash', 'The worker that verified was lost.'),
  ('running', 'ocr_lost', 'accepted', 'docket_worker', true, 'ocr', 'The worker that recognised was lost.'),
  ('validated', 'publish_lost', 'validated', 'docket_worker', true, 'publish', 'The worker that published was lost.'),

  ('accepted', 'quarantined', 'quarantined', 'docket_worker', true, null, 'Verification failed for good.'),
  ('running', 'quarantined', 'quarantined', 'docket_worker', true, null, 'Recognition or validation failed for good.'),
  ('validated', 'quarantined', 'quarantined', 'docket_worker', true, null, 'Publishing failed for good.'),
  ('quarantined', 'released', 'accepted', 'docket_evidence_owner', false, null, 'An evidence owner sent the job back to admission.'),
  ('quarantined', 'redelivered', 'accepted', 'docket_worker', false, null, 'Its bytes were never seen, or are gone from their place, and were delivered again: back to admission.'),

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

  ('published', 'unmask_requested', 'published', 'docket_analyst', false, null, 'An analyst asked to see what is masked.'),

  ('accepted', 'result_duplicate', 'accepted', 'docket_worker', false, null, 'A late worker came with a result that is already stored.'),
  ('running', 'result_duplicate', 'running', 'docket_worker', false, null, 'A worker came with a result that is already stored.'),
  ('validated', 'result_duplicate', 'validated', 'docket_worker', false, null, 'A late worker came with a result that is already stored.'),
  ('published', 'result_duplicate', 'published', 'docket_worker', false, null, 'A late worker came with a result that is already stored.'),
  ('quarantined', 'result_duplicate', 'quarantined', 'docket_worker', false, null, 'A late worker came with a result that is already stored.')
on conflict (from_state, event) do update set
  to_state = excluded.to_state,
  actor_role = excluded.actor_role,
  ends_attempt = excluded.ends_attempt,
  next_task = excluded.next_task,
  meaning = excluded.meaning;
