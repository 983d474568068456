// Who may execute what, written by hand from the design and not from the grants. What is not here must be denied.

/** What policies and views ask, whoever reads. */
const ASKED = [
  'active_rule_set',
  'actor',
  'is_disputed',
  'is_staff',
  'is_verified',
  'sees_all_sources',
  'signature_statement',
  'visible_sources',
];

/** What a search is made of; each part checks the caller by itself. */
const SEARCHED = ['search_pages', 'show_page'];

/** Text with nothing masked, originals and bundles: each reading is an event. */
const READING = ['bundle_of', 'covering_checkpoint', 'note_reading', 'read_original', 'read_text'];

/** The Merkle log, and proofs about it. */
const TREE = [
  'agreed_size',
  'consistency_proof',
  'inclusion_proof',
  'leaf_index',
  'seal_status',
  'tree_root',
];

/** Ages of what waits and of what was done, in sums. */
const AGES = ['age_percentiles', 'quarantine_growth', 'queue_health'];

/** How many documents and deliveries there are. */
const COUNTS = ['delivery_count', 'document_counts'];

/** Merkle trees as such: nothing of the log. */
const MERKLE = [
  'is_consistent',
  'is_included',
  'merkle_ancestors',
  'merkle_append',
  'merkle_bag',
  'merkle_parents',
  'merkle_root',
];

/** What reads and verifies checkpoints: pure functions. */
const NOTES = ['ed25519_verify', 'is_note_signed_by', 'key_id', 'read_note'];

/** How custody of a document stands. */
const CUSTODY_ASKED = ['is_disposed', 'is_held', 'retain_until'];

/** Verification by replay. */
const REPLAY = ['highest_bad_share', 'replay_documents', 'replay_summary', 'start_replay'];

/** What documents wait for. */
const WAITING = ['expected_admission', 'waits_for', 'why_job', 'why_source'];

/** What changes limits, pools, lanes and admission. */
const CONTROLS = [
  'activate_ocr_version',
  'add_ocr_version',
  'allow_automatic_rollback',
  'clear_ocr_canary',
  'close_admission',
  'open_admission',
  'set_flow_limit',
  'set_lane_rule',
  'set_lane_window',
  'set_pool_limit',
  'undo_change',
];

/** The acts of custody: those of two are each one's to begin, and another's to end. */
const CUSTODY_ACTS = [
  'approve_disposal',
  'extend_retention',
  'lift_hold',
  'place_hold',
  'request_disposal',
  'withdraw_disposal',
];

/** What everybody on duty may ask. */
const WATCHED = [...ASKED, ...WAITING, ...AGES, ...COUNTS];

/** What the views of docket_api ask for documents that keepers see. */
const SHOWN = ['amended_kind', 'anchor_label', 'course_of_result', 'jws_part', 'seen_signature'];

/** Functions by schema and name; overloads would count as one, but a test of the catalog forbids them. */
export const FUNCTIONS: Record<string, Record<string, string[]>> = {
  docket_app: {
    docket: [
      'visible_sources',
      'may_deliver',
      'known_object',
      'record_object',
      'submission_problem',
      'submit_batch',
      'check_submission',
      'terms_of',
      'require_may_put',
      'expected_admission',
      'waits_for',
      'jws_part',
      'receipts_of',
    ],
  },
  docket_worker: {
    docket: [
      'open_lease',
      'renew_lease',
      'bind_pools',
      'close_lease',
      'report_slots',
      'lease_lock_class',
      'reap',
      'open_outages',
      'reconcile',
      'admit',
      'announce',
      'claim_delivery_checks',
      'record_delivery_checks',
      'add_receipt_key',
      'claim_receipts',
      'record_receipts',
      'seal_events',
      'measure_ages',
      ...AGES,
      'seal_status',
      'claim_checkpoint',
      'checkpoint_proof',
      'add_checkpoint_key',
      'record_checkpoint',
      'note_checkpoint_places',
      'declare_object_lock',
      'claim_object_orders',
      'record_object_orders',
      'claim_webhook_messages',
      'record_webhook_attempts',
      'begin_attempts',
      'record_verified',
      'read_envelopes',
      'read_revocation_lists',
      'claim_envelope_checks',
      'record_envelope_checks',
      'record_results',
      'publish_results',
      'fail_attempts',
      'register_ocr_config',
      'ocr_setup',
      'document_traces',
      'wanted_rules',
      'claim_redactions',
      'record_redactions',
      'index_pages',
      'end_retentions',
      'end_expired_changes',
      'start_daily_replay',
      'claim_replay_tasks',
      'replay_envelopes',
      'record_replays',
      'claim_rereadings',
      'record_rereadings',
      'used_key_ids',
    ],
  },
  docket_operator: {
    docket: [
      ...WATCHED,
      'receipts_of',
      'seal_status',
      'declare_recovery',
      'reason_of_event',
      'is_disposed',
      'is_held',
      'retain_until',
      'rebuild_search',
      'used_key_ids',
      'list_wrapped_keys',
      'rewrap_keys',
      'rotate_reference_key',
      'begin_inventory',
      'add_inventory_objects',
      'end_inventory',
      'object_census',
      'add_source',
      'add_source_reader',
      'remove_source_login',
      'set_source_enabled',
      ...CONTROLS,
      'is_tried',
      'span_text',
      'admission_state',
      'prioritise',
      'redrive',
      'add_trust_anchor',
      'withdraw_trust_anchor',
      'add_revocation_list',
      ...REPLAY,
      'set_replay_plan',
      'start_trial',
      'order_rereadings',
      'order_rereadings_of',
      'set_envelope_policy',
      'order_envelope_checks',
      'add_webhook',
      'set_webhook_enabled',
    ],
    docket_api: ['queue_ages', 'set_source_enabled'],
  },
  // The functions of schema docket that its views and policies ask cannot be named by analysts, who have no usage of it.
  docket_analyst: { docket_api: ['queue_ages', 'request_unmask', 'search'] },
  docket_evidence_owner: {
    docket: [
      ...WATCHED,
      'receipts_of',
      ...CUSTODY_ASKED,
      ...CUSTODY_ACTS,
      'set_retention',
      'is_tried',
      'person_of',
      'reason_of_event',
      'detail_of_event',
      'activate_rule_set',
      'release_quarantined',
      'order_envelope_checks',
      'stage_rule_set',
      'amend_metadata',
      ...SHOWN,
      'require_seen',
      ...SEARCHED,
      ...READING,
    ],
    docket_api: [
      'queue_ages',
      'release_from_quarantine',
      'search',
      'request_disposal',
      'approve_disposal',
      'withdraw_disposal',
      'place_hold',
      'lift_hold',
      'extend_retention',
      'amend_metadata',
      'read_text',
    ],
  },
  docket_gateway: { docket: AGES },
  docket_auditor: {
    docket: [
      ...REPLAY,
      ...WATCHED,
      'draw_replay',
      'stored_differences',
      'is_tried',
      'span_text',
      'receipts_of',
      ...CUSTODY_ASKED,
      ...TREE,
      'used_key_ids',
      'person_of',
      'disposed_documents',
      'reason_of_event',
      'detail_of_event',
      ...SHOWN,
      'hash_of_event',
      'sha256_of_result',
      'object_census',
      'verify_all',
      'verify_log',
      'is_checkpoint_signed',
      'verify_checkpoint',
      'verify_consistency',
      'verify_document',
      'verify_inclusion',
      'verify_results',
      'hardening_gaps',
      'page_bytes',
      'result_bytes',
      'result_hash',
      'packet_bytes',
      'packet_is_proven',
      'salted_packet_hash',
      'signature_bytes',
      'salted_signatures_hash',
      'order_envelope_checks',
      ...SEARCHED,
      ...READING,
    ],
    docket_api: ['queue_ages', 'read_text', 'search'],
    docket_audit: ['event_hash', 'event_leaf', ...MERKLE, ...NOTES],
  },
  // Nobody is only a reader, so it needs no schema.
  docket_reader: {},
  docket_door: { docket_queue: ['enqueue', 'queued_jobs', 'locking_pools', 'release_pools'] },
};
