-- The whole permission matrix on one screen. Nothing is granted to PUBLIC; what is not here is denied.

-- default: denied
revoke all on all functions in schema docket, docket_audit, docket_api from public;
alter default privileges in schema docket, docket_audit, docket_api revoke all on functions from public;
alter default privileges revoke execute on functions from public;
alter default privileges revoke usage on types from public;
revoke usage on type docket.failed_attempt, docket.judged_reference, docket.brought_result, docket.brought_page, docket.found_page, docket.shown_page from public;

-- schemas
grant usage on schema docket to docket_app, docket_worker, docket_operator, docket_evidence_owner, docket_auditor;
grant usage on schema docket_audit to docket_auditor;
grant usage on schema docket_api to docket_analyst, docket_operator, docket_evidence_owner, docket_auditor;

-- senders: insert, and read back their own
grant insert (source_id, sha256, locator, version, size_bytes, media_type, captured_at, document_date, document_kind, signer, envelope,
  encryption, scan_number) on docket.deliveries, docket.submissions to docket_app;
grant select on docket.submissions, docket.my_submissions to docket_app;
grant execute on function
  docket.submission_problem(json),
  docket.submit_batch(json),
  docket.check_submission(json),
  docket.terms_of(text, text),
  docket.require_may_put(text)
to docket_app;
grant execute on function docket.jws_part(text, integer) to docket_app, docket_auditor;
grant execute on function docket.receipts_of(bigint, uuid)
  to docket_app, docket_operator, docket_evidence_owner, docket_auditor;
-- the public halves are for everybody
grant select (key_id, public_jwk, added_at) on docket.receipt_keys to docket_app, docket_operator, docket_evidence_owner;
grant select on docket.scan_gaps, docket.scan_number_conflicts to docket_app, docket_operator, docket_evidence_owner;
grant execute on function
  docket.visible_sources(),
  docket.may_deliver(text),
  docket.known_object(text, bytea),
  docket.record_object(uuid, text, text, text, bytea, bigint, bytea, bigint, text, bytea)
to docket_app;

-- what documents wait for
grant execute on function docket.expected_admission(uuid), docket.waits_for(uuid)
  to docket_app, docket_operator, docket_evidence_owner, docket_auditor;
grant execute on function docket.why_job(uuid), docket.why_source(text) to docket_operator, docket_evidence_owner, docket_auditor;

-- workers: commands, no table
grant execute on function
  docket.open_lease(text, integer, text[], text, timestamptz),
  docket.renew_lease(uuid, timestamptz),
  docket.bind_pools(uuid, text[]),
  docket.close_lease(uuid),
  docket.report_slots(uuid, text[], integer[], integer[], text[]),
  docket.reap(),
  docket.open_outages(text),
  docket.reconcile(),
  docket.admit(integer),
  docket.announce(),
  docket.claim_delivery_checks(integer),
  docket.record_delivery_checks(bigint[], text[]),
  docket.add_receipt_key(json),
  docket.claim_receipts(integer),
  docket.record_receipts(text[]),
  docket.declare_object_lock(uuid),
  docket.claim_object_orders(integer),
  docket.record_object_orders(bigint[], text[], timestamptz[]),
  docket.claim_webhook_messages(integer),
  docket.record_webhook_attempts(bigint[], integer[], boolean[], text[]),
  docket.used_key_ids(),
  docket.begin_attempts(uuid[], text[], text, uuid),
  docket.record_verified(uuid[], integer[], uuid[], bigint[], text[], json[], boolean[]),
  docket.read_envelopes(uuid, integer, uuid, bigint),
  docket.read_revocation_lists(integer[]),
  docket.claim_envelope_checks(integer),
  docket.record_envelope_checks(bigint[], text[], json[]),
  docket.record_results(uuid[], integer[], uuid[], bytea[], json[], boolean),
  docket.publish_results(uuid[], integer[], uuid[]),
  docket.fail_attempts(uuid[], integer[], uuid[], text[], text[]),
  docket.register_ocr_config(text, json),
  docket.ocr_setup(integer),
  docket.document_traces(uuid[]),
  docket.wanted_rules(integer[]),
  docket.claim_redactions(integer, integer, integer[]),
  docket.record_redactions(integer[], uuid[], integer[], integer[], text[], json[], json[]),
  docket.index_pages(integer),
  docket.end_retentions(integer),
  docket.end_expired_changes(),
  docket.advance_rollback(),
  docket.ended_readings(uuid[], integer[]),
  docket.lease_lock_class(),
  docket.start_daily_replay(),
  docket.claim_replay_tasks(integer),
  docket.replay_envelopes(uuid),
  docket.record_replays(integer[], uuid[], text[], text[], json[], bytea[], json[]),
  docket.claim_rereadings(uuid, integer, bigint[]),
  docket.record_rereadings(bigint[], integer[], uuid[], text[], text[], bytea[], json[], json[]),
  docket.seal_events(integer),
  docket.measure_ages(integer),
  docket.watch(),
  docket.claim_checkpoint(double precision, bigint),
  docket.checkpoint_proof(bigint, bigint),
  docket.add_checkpoint_key(text, bytea),
  docket.record_checkpoint(text),
  docket.note_checkpoint_places(integer, text[], text[], bigint[], text[])
to docket_worker;

-- how sealing stands, and what is done after a restore
grant execute on function docket.seal_status() to docket_worker, docket_operator, docket_auditor;
grant execute on function docket.declare_recovery(text, text) to docket_operator;

-- ages of what waits and of what was done, in sums: no document is shown, but the number of the oldest
grant usage on schema docket to docket_gateway;
grant execute on function
  docket.queue_health(text),
  docket.age_percentiles(interval, text),
  docket.quarantine_growth(interval)
to docket_operator, docket_auditor, docket_worker, docket_gateway, docket_evidence_owner;
grant execute on function docket.document_counts(), docket.delivery_count() to docket_operator, docket_auditor, docket_evidence_owner;

-- operators: sources
grant execute on function
  docket.add_source(text, name, text),
  docket.add_source_reader(text, name),
  docket.remove_source_login(text, name),
  docket.set_source_enabled(text, boolean)
to docket_operator;
grant select on docket.sources, docket.source_members, docket.document_kinds, docket.leases to docket_operator;

-- operators: limits, pools, lanes and admission
grant execute on function
  docket.set_pool_limit(text, integer, integer, text, interval),
  docket.set_flow_limit(text, json, text, interval),
  docket.close_admission(text, text, interval),
  docket.open_admission(text, text),
  docket.set_lane_rule(text, text, text, text, interval),
  docket.set_lane_window(text, integer, text, interval),
  docket.set_slo(text, json, text, interval),
  docket.undo_change(bigint, text),
  docket.prioritise(uuid[], text, text),
  docket.redrive(text, timestamptz, integer, text)
to docket_operator;
grant select on docket.control_states, docket.changes to docket_operator;
-- operators: what is read with
grant execute on function
  docket.add_ocr_version(text, json, json, json, text),
  docket.activate_ocr_version(integer, text, double precision, interval),
  docket.clear_ocr_canary(text),
  docket.allow_automatic_rollback(interval, text)
to docket_operator;
grant select on docket.ocr_version_states to docket_operator, docket_evidence_owner;
-- the two views ask them with the rights of the reader
grant execute on function docket.is_tried(integer) to docket_operator, docket_evidence_owner, docket_auditor;
grant execute on function docket.span_text(interval) to docket_operator, docket_auditor;
-- operators: reading published documents again
grant execute on function
  docket.start_trial(integer, text, uuid[], integer),
  docket.order_rereadings(uuid[], integer, text),
  docket.order_rereadings_of(integer, integer, text, integer)
to docket_operator;
grant execute on function docket.admission_state() to docket_operator;
grant select on docket.breaker_states, docket.outages to docket_operator;
-- operators and evidence owners: OCR configurations, what is read again, what is wrong
grant execute on function docket.slo_measures() to docket_operator, docket_evidence_owner, docket_auditor;
grant execute on function docket.sees_job(uuid) to docket_operator, docket_evidence_owner, docket_auditor;
grant select on docket.watch_rounds to docket_operator, docket_evidence_owner;
grant select on docket.ocr_versions, docket.ocr_withdrawals, docket.ocr_choice, docket.ocr_trials, docket.rereadings, docket.trial_comparisons,
  docket.slos, docket.alerts, docket.alert_changes, docket.rollbacks
to docket_operator, docket_evidence_owner;

-- operators: back to the last OCR configuration that was good
grant execute on function docket.start_rollback(text, interval), docket.advance_rollback() to docket_operator;
grant execute on function docket.rollback_summary(integer) to docket_operator, docket_evidence_owner, docket_auditor;
grant select on docket.ocr_version_documents to docket_operator, docket_evidence_owner;

-- operators: whom a source may have signed by, and which signatures documents need
grant execute on function
  docket.add_trust_anchor(text, text, text, text, timestamptz, timestamptz),
  docket.withdraw_trust_anchor(integer, text),
  docket.add_revocation_list(text, bytea),
  docket.set_envelope_policy(text, text, text, text, integer)
to docket_operator;
grant select on docket.trust_anchors, docket.revocation_lists, docket.envelope_policies to docket_operator, docket_evidence_owner;
grant execute on function docket.order_envelope_checks(uuid[], timestamptz)
  to docket_operator, docket_evidence_owner, docket_auditor;
grant select on docket.signatures, docket.document_signatures to docket_operator;

-- operators: where receipts and alerts are sent
grant execute on function docket.add_webhook(text, text), docket.add_alert_webhook(text), docket.set_webhook_enabled(integer, boolean)
to docket_operator;
grant select on docket.webhook_states to docket_operator;

grant execute on function docket.rebuild_search(), docket.rotate_reference_key() to docket_operator;

-- operators and auditors: what lies in the object store
grant execute on function
  docket.begin_inventory(text),
  docket.add_inventory_objects(integer, text[], text[], bigint[], timestamptz[]),
  docket.end_inventory(integer)
to docket_operator;
grant execute on function docket.object_census() to docket_operator, docket_auditor;

-- operators and auditors: verification by replay
grant execute on function
  docket.start_replay(integer, double precision, text, text[], boolean, text),
  docket.replay_documents(uuid[], boolean, text),
  docket.replay_summary(integer),
  docket.highest_bad_share(bigint, bigint, double precision)
to docket_operator, docket_auditor;
grant execute on function docket.set_replay_plan(integer, boolean) to docket_operator;
grant select on docket.replay_summaries, docket.replayed_documents, docket.replay_findings, docket.replay_plan
  to docket_operator;
grant select on docket.disputed_documents to docket_operator, docket_evidence_owner;
grant execute on function
  docket.draw_replay(text, integer, double precision, text[], timestamptz),
  docket.stored_differences(uuid)
to docket_auditor;

-- operators: the keys of objects, as they are wrapped
grant execute on function docket.used_key_ids() to docket_auditor;
grant execute on function
  docket.used_key_ids(),
  docket.list_wrapped_keys(text, uuid, integer),
  docket.rewrap_keys(uuid[], bytea[], text)
to docket_operator;

-- evidence owners: quarantine
grant execute on function docket.release_quarantined(uuid[], text) to docket_evidence_owner;
grant select on docket.document_overview, docket.job_timeline, docket.result_history to docket_evidence_owner;

-- evidence owners: retention, holds, disposal
grant execute on function
  docket.request_disposal(uuid[], text),
  docket.approve_disposal(uuid[], text),
  docket.withdraw_disposal(uuid[], text),
  docket.place_hold(uuid[], text, text),
  docket.lift_hold(uuid[], text, text),
  docket.extend_retention(uuid[], timestamptz, text),
  docket.set_retention(text, interval, text)
to docket_evidence_owner;
grant select on docket.document_custody, docket.legal_holds, docket.disposals, docket.retention_rules, docket.retention_extensions,
  docket.amendments to docket_evidence_owner;
grant select on docket.retention_rules to docket_operator;
grant execute on function docket.retain_until(uuid), docket.is_held(uuid), docket.is_disposed(uuid), docket.person_of(text)
  to docket_evidence_owner, docket_auditor;

-- evidence owners: redaction rules
grant execute on function
  docket.stage_rule_set(text, text, json),
  docket.activate_rule_set(integer, text, boolean)
to docket_evidence_owner;

-- redaction: pages as the active rules leave them; the patterns are for those who answer for them
grant usage on schema docket_api to docket_analyst, docket_operator, docket_evidence_owner, docket_auditor;
grant select on docket_api.pages to docket_analyst, docket_evidence_owner, docket_auditor;
grant select on docket_api.rule_sets to docket_analyst, docket_operator, docket_evidence_owner, docket_auditor;
grant select (rule_set_id, rule, reason, document_kind, meaning) on docket_api.redaction_rules to docket_analyst;
grant select on docket_api.redaction_rules to docket_evidence_owner, docket_auditor;
grant execute on function docket.active_rule_set() to docket_analyst, docket_operator, docket_evidence_owner, docket_auditor;
grant select on docket.redacted_pages to docket_analyst, docket_evidence_owner;
grant select (job_id, state, result_attempt) on docket.jobs to docket_analyst, docket_operator, docket_evidence_owner;
grant select (job_id, rule_set_id, attempt) on docket.redactions to docket_analyst, docket_operator, docket_evidence_owner;
grant select (rule_set_id, job_id) on docket.redaction_todo to docket_analyst, docket_operator, docket_evidence_owner;
grant select (rule_set_id, name, meaning, recall, is_wanted, staged_at) on docket.rule_sets
  to docket_analyst, docket_operator, docket_evidence_owner;
grant select (activation_id, rule_set_id, is_emergency, activated_at) on docket.rule_set_activations
  to docket_analyst, docket_operator, docket_evidence_owner;

-- evidence owners: what senders stated, amended
grant execute on function docket.amend_metadata(uuid[], text, text, text) to docket_evidence_owner;

-- readers: text with nothing masked, and originals; each reading is an event
grant execute on function
  docket.note_reading(uuid, text, text),
  docket.read_text(uuid),
  docket.read_original(uuid),
  docket.covering_checkpoint(uuid[]),
  docket.bundle_of(uuid, bigint)
to docket_reader;

-- auditors: read everything, verify; what shows unredacted text or opens an original is read by the functions above only
grant select on all tables in schema docket, docket_audit to docket_auditor;
-- whoever reads these can sign references
revoke select on docket.reference_keys from docket_auditor;
revoke select on docket.pages, docket.page_search, docket.search_words from docket_auditor;
revoke select on docket.object_keys from docket_auditor;
grant select (object_key_id, locator, version, source_id, sha256, size_bytes, sealed_sha256, sealed_size_bytes, key_id, job_id, sealed_at,
  sealed_by, wrapped_at) on docket.object_keys to docket_auditor;
grant execute on function
  docket.verify_all(),
  docket.verify_log(),
  docket.verify_results(),
  docket.disposed_documents(),
  docket.hardening_gaps(),
  docket.page_bytes(integer, integer, integer, real, integer, real, real, text, text, json),
  docket.result_bytes(bytea, bytea, bytea, integer, integer, text[], integer, bytea),
  docket.result_hash(bytea, bytea, bytea, integer, integer, text[], integer, bytea),
  docket.packet_bytes(bytea, bigint, text, text, text, text, text, timestamptz, timestamptz, date, json, bytea, bigint),
  docket.salted_packet_hash(bytea, bytea),
  docket.signature_bytes(text, integer, text, timestamptz, timestamptz, text),
  docket.salted_signatures_hash(bytea, bigint, bytea),
  docket.packet_is_proven(json, bytea, bytea),
  docket_audit.event_leaf(uuid, integer, text, text, text, timestamptz, text, text, text, integer, text, bytea),
  docket_audit.event_hash(uuid, integer, text, text, text, timestamptz, text, text, text, integer, text, bytea),
  docket.is_checkpoint_signed(text, text),
  docket.verify_checkpoint(text, text),
  docket.verify_consistency(text, text),
  docket.verify_document(uuid),
  docket.verify_inclusion(uuid, integer, text),
  docket_audit.ed25519_verify(bytea, bytea, bytea),
  docket_audit.key_id(text, bytea, integer),
  docket_audit.read_note(text),
  docket_audit.is_note_signed_by(text, text),
  docket_audit.merkle_root(bytea),
  docket_audit.merkle_ancestors(bytea, integer),
  docket_audit.merkle_parents(bytea),
  docket_audit.merkle_append(bigint, bytea, bytea),
  docket_audit.merkle_bag(bytea),
  docket_audit.is_included(bytea, bigint, bigint, bytea[], bytea),
  docket_audit.is_consistent(bigint, bigint, bytea, bytea, bytea[]),
  docket.tree_root(bigint),
  docket.agreed_size(integer),
  docket.inclusion_proof(bigint, bigint),
  docket.consistency_proof(bigint, bigint),
  docket.leaf_index(uuid, integer)
to docket_auditor;

-- search: what is found is what the caller may see; the pages behind it are nobody's
grant select on docket_api.search_hits to docket_analyst, docket_evidence_owner, docket_auditor;
grant execute on function
  docket_api.search(text, text, text, date, date),
  docket.search_pages(text, text, text, date, date),
  docket.show_page(integer, uuid, integer, integer, text[])
  to docket_analyst, docket_evidence_owner, docket_auditor;

-- people: what docket_api shows, each row by the policies. Analysts have no usage of the schemas behind it, so they cannot name
-- these tables; they need the columns, because the views read them with the rights of the reader.
grant execute on function
  docket.visible_sources(),
  docket.sees_all_sources(),
  docket.is_staff(),
  docket.is_verified(uuid),
  docket.active_rule_set(),
  docket.actor(),
  docket.signature_statement(uuid)
to docket_analyst, docket_operator, docket_evidence_owner, docket_auditor;
grant select (job_id, source_id, ordinal, document_kind, document_date, captured_at, received_at, verified_at)
  on docket.document_sources to docket_analyst, docket_operator, docket_evidence_owner;
grant select (job_id, sha256, media_type, size_bytes) on docket.evidence to docket_analyst, docket_evidence_owner;
grant select (job_id, state, state_at, last_code, result_attempt) on docket.jobs to docket_analyst;
grant select (job_id, document_kind, source_id, lane, state, state_at, accepted_at, next_task, due_at, attempt, tries, first_code,
  last_code, result_attempt) on docket.jobs to docket_operator, docket_evidence_owner;
grant select (job_id, attempt, config_sha256, pages_declared, pages_decoded, page_count, characters, confidence, recorded_at)
  on docket.results to docket_analyst, docket_evidence_owner;
grant select (config_sha256, engine) on docket.ocr_configs to docket_analyst, docket_evidence_owner;
grant select (job_id, rule_set_id, attempt) on docket.redactions to docket_analyst, docket_evidence_owner;
grant select (job_id, seq, at, event, from_state, to_state, code, attempt, actor)
  on docket_audit.events to docket_analyst, docket_operator, docket_evidence_owner;
grant select (job_id, attempt, task, started_at, deadline, ended_at, outcome, code, message)
  on docket.attempts to docket_operator, docket_evidence_owner;
grant select (unmask_request_id, job_id, page_no, reason, requested_at, requested_by)
  on docket.unmask_requests to docket_analyst, docket_evidence_owner;
grant select on docket.job_transitions, docket.failure_codes, docket.document_kinds to docket_analyst;
grant select on docket_api.failure_codes, docket_api.document_kinds
  to docket_analyst, docket_operator, docket_evidence_owner, docket_auditor;
grant select on docket_api.jobs, docket_api.attempts to docket_operator, docket_evidence_owner, docket_auditor;
grant select on docket_api.unmask_requests to docket_analyst, docket_evidence_owner, docket_auditor;
grant select (document_id, sha256, source_id, document_kind, document_date, captured_at, received_at, verified_at, media_type,
  size_bytes, state, state_at, failure_code, page_count, confidence, is_withheld, amended_kind, is_disposed, signature_status,
  signature_coverage, is_signed, statement, is_disputed)
  on docket_api.documents to docket_analyst;
grant select on docket_api.documents to docket_evidence_owner, docket_auditor;
-- what is signed, and what senders were told
grant select on docket.signatures, docket.document_signatures to docket_analyst, docket_evidence_owner;
grant select on docket.signature_statuses to docket_analyst;
grant select (receipt_id, delivery_id, source_id, outcome, code, issued_at, key_id, jws)
  on docket.receipts to docket_analyst, docket_evidence_owner;
grant select (document_id, signature_no, delivery_id, place, format, purpose, status, meaning, is_signing, is_intact, digest_matches,
  coverage, later_changes, signer, signer_sha256, anchor, algorithm, signed_at, signed_at_by, judged_at, checked_at, findings)
  on docket_api.signatures to docket_analyst;
grant select on docket_api.signatures to docket_evidence_owner, docket_auditor;
grant select on docket_api.receipts to docket_analyst, docket_evidence_owner, docket_auditor;
grant execute on function docket.seen_signature(uuid), docket.anchor_label(integer) to docket_analyst, docket_evidence_owner, docket_auditor;
grant execute on function docket.jws_part(text, integer) to docket_analyst, docket_evidence_owner;
grant select on docket_api.disposals, docket_api.legal_holds, docket_api.amendments to docket_evidence_owner, docket_auditor;
grant select (document_id, attempt, engine, config_sha256, pages_declared, pages_decoded, page_count, characters, confidence,
  recorded_at, published_at, superseded_at, is_current) on docket_api.results to docket_analyst, docket_evidence_owner;
grant select (document_id, seq, at, event, from_state, to_state, meaning, code, attempt, actor)
  on docket_api.events to docket_analyst, docket_operator, docket_evidence_owner;
grant select (reason) on docket_api.events to docket_operator, docket_evidence_owner;
grant select (detail) on docket_api.events to docket_evidence_owner;
grant select (delivery_id, document_id, source_id, sha256, document_kind, document_date, captured_at, received_at, media_type,
  size_bytes, is_verified, state, outcome, code) on docket_api.submissions to docket_analyst, docket_operator;
grant select (receipt, statement) on docket_api.submissions to docket_analyst;
grant select (source_id, is_enabled) on docket_api.sources to docket_analyst;
grant select on docket_api.sources to docket_operator;
grant select on docket_api.submissions, docket_api.sources to docket_evidence_owner;
grant select on docket_api.results, docket_api.events, docket_api.submissions, docket_api.sources to docket_auditor;
grant select on docket_api.scan_gaps to docket_analyst, docket_operator, docket_evidence_owner, docket_auditor;
grant execute on function docket.reason_of_event(uuid, integer) to docket_operator, docket_evidence_owner, docket_auditor;
grant execute on function docket.detail_of_event(uuid, integer) to docket_evidence_owner, docket_auditor;
grant execute on function docket.hash_of_event(uuid, integer), docket.sha256_of_result(uuid, integer) to docket_auditor;
-- flow control, as operations see it
grant select on docket_api.lanes, docket_api.flow_limits, docket_api.admission_gates, docket_api.pools, docket_api.breakers,
  docket_api.changes, docket_api.alerts, docket_api.slos to docket_operator, docket_evidence_owner, docket_auditor;
grant execute on function docket_api.queue_ages() to docket_analyst, docket_operator, docket_evidence_owner, docket_auditor;
grant execute on function docket_api.request_unmask(uuid, integer, text) to docket_analyst;
grant execute on function docket.amended_kind(uuid), docket.course_of_result(uuid, integer)
to docket_analyst, docket_evidence_owner, docket_auditor;
grant execute on function docket.is_disposed(uuid) to docket_analyst;
grant execute on function docket.is_disputed(uuid) to docket_analyst, docket_operator, docket_evidence_owner, docket_auditor;
grant execute on function docket.is_disposed(uuid), docket.is_held(uuid), docket.retain_until(uuid) to docket_operator;
grant execute on function
  docket.require_seen(uuid[]),
  docket_api.release_from_quarantine(uuid[], text),
  docket_api.request_disposal(uuid[], text),
  docket_api.approve_disposal(uuid[], text),
  docket_api.withdraw_disposal(uuid[], text),
  docket_api.place_hold(uuid[], text, text),
  docket_api.lift_hold(uuid[], text, text),
  docket_api.extend_retention(uuid[], timestamptz, text),
  docket_api.amend_metadata(uuid[], text, text, text)
to docket_evidence_owner;
grant select on docket_api.unredacted_pages to docket_evidence_owner, docket_auditor;
grant execute on function docket_api.read_text(uuid, text) to docket_evidence_owner, docket_auditor;
grant execute on function docket_api.set_source_enabled(text, boolean) to docket_operator;

-- everybody who may come in: what the words mean
grant select on docket.job_states, docket.job_transitions, docket.tasks, docket.failure_codes, docket.error_codes, docket.document_kinds,
  docket.signature_statuses
  to docket_app, docket_worker, docket_operator, docket_evidence_owner;

-- the queue: docket_owner may call its door, and nothing behind it
set local role docket_door;
grant usage on schema docket_queue to docket_owner;
grant execute on function
  docket_queue.enqueue(text[], uuid[], text[], timestamptz[], integer[]),
  docket_queue.queued_jobs(),
  docket_queue.release_pools(text[]),
  docket_queue.locking_pools()
to docket_owner;
