// Who may execute what, written by hand from the design and not from the grants. What is not here must be denied.

/** What policies and views ask, whoever reads. */
const ASKED = [
  'active_rule_set',
  'actor',
  'is_staff',
  'is_verified',
  'sees_all_sources',
  'signature_statement',
  'visible_sources',
];

/** What a search is made of; each part checks the caller by itself. */
const SEARCHED = ['search_pages', 'show_page'];

/** Text with nothing masked, and originals: each reading is an event. */
const READING = ['note_reading', 'read_original', 'read_text'];

/** How custody of a document stands. */
const CUSTODY_ASKED = ['is_disposed', 'is_held', 'retain_until'];

/** The acts of custody: those of two are each one's to begin, and another's to end. */
const CUSTODY_ACTS = [
  'approve_disposal',
  'extend_retention',
  'lift_hold',
  'place_hold',
  'request_disposal',
  'withdraw_disposal',
];

/** Functions by schema and name; overloads would count as one, but a test of the catalog forbids them. */
export const FUNCTIONS: Record<string, Record<string, string[]>> = {
  docket_app: {
    docket: ['visible_sources', 'may_deliver', 'require_may_deliver', 'known_object', 'record_object'],
  },
  docket_worker: {
    docket: [
      'open_lease',
      'renew_lease',
      'bind_pools',
      'close_lease',
      'lease_lock_class',
      'reap',
      'reconcile',
      'admit',
      'announce',
      'claim_delivery_checks',
      'record_delivery_checks',
      'add_receipt_key',
      'claim_receipts',
      'record_receipts',
      'declare_object_lock',
      'claim_object_orders',
      'record_object_orders',
      'claim_webhook_messages',
      'record_webhook_attempts',
      'begin_attempts',
      'record_verified',
      'record_results',
      'publish_results',
      'fail_attempts',
      'register_ocr_config',
      'wanted_rules',
      'claim_redactions',
      'record_redactions',
      'index_pages',
      'end_retentions',
      'used_key_ids',
    ],
  },
  docket_operator: {
    docket: [
      ...ASKED,
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
      'add_trust_anchor',
      'withdraw_trust_anchor',
      'add_revocation_list',
      'set_envelope_policy',
      'add_webhook',
      'set_webhook_enabled',
    ],
    docket_api: ['queue_ages', 'set_source_enabled'],
  },
  // The functions of schema docket that its views and policies ask cannot be named by analysts, who have no usage of it.
  docket_analyst: { docket_api: ['queue_ages', 'request_unmask', 'search'] },
  docket_evidence_owner: {
    docket: [
      ...ASKED,
      ...CUSTODY_ASKED,
      ...CUSTODY_ACTS,
      'set_retention',
      'person_of',
      'reason_of_event',
      'detail_of_event',
      'activate_rule_set',
      'release_quarantined',
      'stage_rule_set',
      'amend_metadata',
      'amended_kind',
      'seen_signature',
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
  docket_auditor: {
    docket: [
      ...ASKED,
      ...CUSTODY_ASKED,
      'used_key_ids',
      'person_of',
      'disposed_documents',
      'reason_of_event',
      'detail_of_event',
      'amended_kind',
      'seen_signature',
      'hash_of_event',
      'sha256_of_result',
      'object_census',
      'verify_chains',
      'verify_results',
      'hardening_gaps',
      'page_bytes',
      'result_hash',
      'packet_bytes',
      'packet_is_proven',
      'salted_packet_hash',
      ...SEARCHED,
      ...READING,
    ],
    docket_api: ['queue_ages', 'read_text', 'search'],
    docket_audit: ['event_hash'],
  },
  // Nobody is only a reader, so it needs no schema.
  docket_reader: {},
  docket_door: { docket_queue: ['enqueue', 'queued_jobs', 'locking_pools', 'release_pools'] },
};
