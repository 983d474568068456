// Who may do what, written by hand from the design and not from the grants. What is not here must be denied.

export const ROLES = [
  'docket_app',
  'docket_worker',
  'docket_operator',
  'docket_evidence_owner',
  'docket_auditor',
  'docket_analyst',
  'docket_queue',
  'docket_door',
] as const;

const STATED =
  'source_id,sha256,locator,version,size_bytes,media_type,captured_at,document_date,document_kind,signer,envelope';

/** The words that everybody who may come in may look up. */
const WORDS = {
  'docket.job_states': 'select',
  'docket.job_transitions': 'select',
  'docket.tasks': 'select',
  'docket.failure_codes': 'select',
  'docket.error_codes': 'select',
  'docket.document_kinds': 'select',
};

/** How far each version of the redaction rules is. */
const RULE_SETS = {
  'docket_api.rule_sets': 'select',
  'docket.rule_sets': 'select(rule_set_id,name,meaning,recall,is_wanted,staged_at)',
  'docket.rule_set_activations': 'select(activation_id,rule_set_id,is_emergency,activated_at)',
  'docket.redactions': 'select(rule_set_id,job_id,attempt)',
};

/** Pages as the active redaction rules leave them. */
const REDACTED = { 'docket_api.pages': 'select', 'docket.redacted_pages': 'select' };

/** Tables, views and columns of schemas docket, docket_audit and docket_api. */
export const RELATIONS: Record<string, Record<string, string>> = {
  docket_app: {
    ...WORDS,
    'docket.deliveries': `insert(${STATED})`,
    'docket.submissions': `select insert(${STATED})`,
  },
  docket_worker: { ...WORDS },
  docket_operator: {
    ...WORDS,
    'docket.sources': 'select',
    'docket.source_members': 'select',
    'docket.leases': 'select',
    ...RULE_SETS,
    'docket.jobs': 'select(job_id,state,result_attempt)',
  },
  docket_analyst: {
    ...RULE_SETS,
    ...REDACTED,
    'docket_api.redaction_rules': 'select(rule_set_id,rule,reason,document_kind,meaning)',
    'docket.redaction_rules': 'select(rule_set_id,rule,reason,document_kind,meaning)',
    'docket.jobs': 'select(job_id,state,result_attempt)',
  },
  docket_evidence_owner: {
    ...WORDS,
    ...RULE_SETS,
    ...REDACTED,
    'docket_api.redaction_rules': 'select',
    'docket.redaction_rules': 'select',
    'docket.jobs': 'select(job_id,state,result_attempt)',
    'docket.document_overview': 'select',
    'docket.job_timeline': 'select',
  },
  docket_auditor: {
    ...WORDS,
    'docket.migrations': 'select',
    'docket.replays': 'select',
    'docket.duties': 'select',
    'docket.sources': 'select',
    'docket.source_members': 'select',
    'docket.deliveries': 'select',
    'docket.submissions': 'select',
    'docket.arrivals': 'select',
    'docket.delivery_checks': 'select',
    'docket.announcements': 'select',
    'docket.jobs': 'select',
    'docket.attempts': 'select',
    'docket.leases': 'select',
    'docket.evidence': 'select',
    'docket.job_salts': 'select',
    'docket.ocr_configs': 'select',
    'docket.results': 'select',
    'docket.pages': 'select',
    'docket.rule_sets': 'select',
    'docket.redaction_rules': 'select',
    'docket.rule_set_activations': 'select',
    'docket.redactions': 'select',
    'docket.redacted_pages': 'select',
    'docket.redaction_todo': 'select',
    'docket_api.pages': 'select',
    'docket_api.rule_sets': 'select',
    'docket_api.redaction_rules': 'select',
    'docket.document_overview': 'select',
    'docket.job_timeline': 'select',
    'docket_audit.events': 'select',
  },
};

/** Functions by schema and name; overloads would count as one, but a test of the catalog forbids them. */
export const FUNCTIONS: Record<string, Record<string, string[]>> = {
  docket_app: { docket: ['visible_sources'] },
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
      'begin_attempts',
      'record_verified',
      'record_results',
      'publish_results',
      'fail_attempts',
      'register_ocr_config',
      'wanted_rules',
      'claim_redactions',
      'record_redactions',
    ],
  },
  docket_operator: {
    docket: [
      'active_rule_set',
      'add_source',
      'add_source_reader',
      'remove_source_login',
      'set_source_enabled',
    ],
  },
  docket_evidence_owner: {
    docket: ['activate_rule_set', 'active_rule_set', 'release_quarantined', 'stage_rule_set'],
  },
  docket_auditor: {
    docket: [
      'active_rule_set',
      'verify_chains',
      'verify_results',
      'hardening_gaps',
      'page_bytes',
      'result_hash',
      'packet_hash',
      'visible_sources',
    ],
    docket_audit: ['event_hash'],
  },
  docket_door: { docket_queue: ['enqueue', 'queued_jobs', 'locking_pools', 'release_pools'] },
};

/** Schemas, and the database as a whole. */
export const SCHEMAS: Record<string, Record<string, string>> = {
  docket_app: { docket: 'usage', public: 'usage', database: 'connect' },
  docket_worker: { docket: 'usage', public: 'usage', database: 'connect' },
  docket_operator: { docket: 'usage', docket_api: 'usage', public: 'usage', database: 'connect' },
  docket_evidence_owner: { docket: 'usage', docket_api: 'usage', public: 'usage', database: 'connect' },
  docket_auditor: {
    docket: 'usage',
    docket_audit: 'usage',
    docket_api: 'usage',
    public: 'usage',
    database: 'connect',
  },
  docket_analyst: { docket_api: 'usage', public: 'usage', database: 'connect' },
  docket_queue: { graphile_worker: 'usage create', public: 'usage', database: 'connect' },
  // The door has the rights of the queue, and its own schema.
  docket_door: {
    docket_queue: 'usage create',
    graphile_worker: 'usage create',
    public: 'usage',
    database: 'connect',
  },
  public_only: { public: 'usage' },
};
