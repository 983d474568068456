// Who may do what, written by hand from the design and not from the grants. What is not here must be denied.

export const ROLES = [
  'docket_app',
  'docket_worker',
  'docket_operator',
  'docket_evidence_owner',
  'docket_auditor',
  'docket_reader',
  'docket_analyst',
  'docket_gateway',
  'docket_queue',
  'docket_door',
] as const;

const STATED =
  'source_id,sha256,locator,version,size_bytes,media_type,captured_at,document_date,document_kind,signer,envelope,encryption,scan_number';

/** The words that everybody who may come in may look up. */
const WORDS = {
  'docket.job_states': 'select',
  'docket.job_transitions': 'select',
  'docket.tasks': 'select',
  'docket.failure_codes': 'select',
  'docket.error_codes': 'select',
  'docket.signature_statuses': 'select',
  'docket.document_kinds': 'select',
};

/** Scans that are missing, or claim the number of another, of sources that count them. */
const COUNTED = { 'docket.scan_gaps': 'select', 'docket.scan_number_conflicts': 'select' };

/** Whom sources may have signed by, and which signatures documents need. */
const TRUST = {
  'docket.trust_anchors': 'select',
  'docket.revocation_lists': 'select',
  'docket.envelope_policies': 'select',
};

/** How verification by replay came out. */
const REPLAYS = {
  'docket.disputed_documents': 'select',
  'docket.replay_findings': 'select',
  'docket.replay_plan': 'select',
  'docket.replay_summaries': 'select',
  'docket.replayed_documents': 'select',
};

/** How far each version of the redaction rules is. */
const RULE_SETS = {
  'docket_api.rule_sets': 'select',
  'docket.rule_sets': 'select(rule_set_id,name,meaning,recall,is_wanted,staged_at)',
  'docket.rule_set_activations': 'select(activation_id,rule_set_id,is_emergency,activated_at)',
  'docket.redactions': 'select(rule_set_id,job_id,attempt)',
  'docket.redaction_todo': 'select(rule_set_id,job_id)',
};

/** Pages as the active redaction rules leave them, and the shape of what a search finds among them. */
const REDACTED = {
  'docket_api.pages': 'select',
  'docket_api.search_hits': 'select',
  'docket.redacted_pages': 'select',
};

/** What the views of docket_api read with the rights of whoever reads them; policies choose the rows. */
const DOCUMENTS = {
  'docket.document_sources':
    'select(job_id,source_id,ordinal,document_kind,document_date,captured_at,received_at,verified_at)',
  'docket_audit.events': 'select(job_id,seq,from_state,event,to_state,at,actor,code,attempt)',
};
const CONTENTS = {
  'docket.evidence': 'select(job_id,sha256,size_bytes,media_type)',
  'docket.results':
    'select(job_id,config_sha256,attempt,pages_declared,pages_decoded,page_count,characters,confidence,recorded_at)',
  'docket.ocr_configs': 'select(config_sha256,engine)',
  'docket.unmask_requests': 'select(unmask_request_id,job_id,page_no,reason,requested_at,requested_by)',
  'docket_api.results':
    'select(document_id,attempt,engine,config_sha256,pages_declared,pages_decoded,page_count,characters,confidence,recorded_at)',
  'docket_api.unmask_requests': 'select',
};
/** What an analyst is told of a document: not what holds it, and how long it is kept. */
const PUBLIC_DOCUMENT =
  'document_id,sha256,source_id,document_kind,document_date,captured_at,received_at,verified_at,media_type,size_bytes,state,state_at,failure_code,page_count,confidence,is_withheld,amended_kind,is_disposed,signature_status,signature_coverage,is_signed,statement,is_disputed';
const OPERATIONS = {
  'docket.jobs':
    'select(job_id,source_id,document_kind,state,state_at,accepted_at,next_task,due_at,attempt,tries,first_code,last_code,result_attempt)',
  'docket.attempts': 'select(job_id,attempt,task,started_at,deadline,ended_at,outcome,code,message)',
  'docket_api.jobs': 'select',
  'docket_api.attempts': 'select',
};
const PUBLIC_EVENT = 'document_id,seq,at,event,from_state,to_state,meaning,code,attempt,actor';
const PUBLIC_SUBMISSION =
  'delivery_id,document_id,source_id,sha256,document_kind,document_date,captured_at,received_at,media_type,size_bytes,is_verified,state,outcome,code';
const MEANINGS = { 'docket_api.failure_codes': 'select', 'docket_api.document_kinds': 'select' };

/** What is signed, and what senders were told. */
const SIGNED = {
  'docket.signatures': 'select',
  'docket.document_signatures': 'select',
  'docket.receipts': 'select(receipt_id,delivery_id,source_id,outcome,code,issued_at,key_id,jws)',
  'docket_api.receipts': 'select',
};

/** How long documents are kept, what holds them, and who asked for their disposal. */
const CUSTODY = {
  'docket.document_custody': 'select',
  'docket.retention_rules': 'select',
  'docket.retention_extensions': 'select',
  'docket.legal_holds': 'select',
  'docket.disposals': 'select',
  'docket.amendments': 'select',
};

/** The same of docket_api, and the shape of what is read with nothing masked. */
const CUSTODY_API = {
  'docket_api.documents': 'select',
  'docket_api.disposals': 'select',
  'docket_api.legal_holds': 'select',
  'docket_api.amendments': 'select',
  'docket_api.unredacted_pages': 'select',
};

/** The public halves of the keys of receipts. */
const PUBLIC_KEY = 'select(key_id,public_jwk,added_at)';

/** Tables, views and columns of schemas docket, docket_audit and docket_api. */
export const RELATIONS: Record<string, Record<string, string>> = {
  docket_app: {
    ...WORDS,
    'docket.deliveries': `insert(${STATED})`,
    'docket.submissions': `select insert(${STATED})`,
    'docket.my_submissions': 'select',
    'docket.receipt_keys': PUBLIC_KEY,
    ...COUNTED,
  },
  docket_worker: { ...WORDS },
  docket_operator: {
    ...WORDS,
    'docket.signatures': 'select',
    'docket.document_signatures': 'select',
    'docket.receipt_keys': PUBLIC_KEY,
    'docket.sources': 'select',
    'docket.source_members': 'select',
    'docket.leases': 'select',
    'docket.retention_rules': 'select',
    ...COUNTED,
    ...REPLAYS,
    ...TRUST,
    'docket.webhook_states': 'select',
    'docket_api.scan_gaps': 'select',
    ...RULE_SETS,
    ...DOCUMENTS,
    ...OPERATIONS,
    ...MEANINGS,
    'docket_api.events': `select(${PUBLIC_EVENT},reason)`,
    'docket_api.submissions': `select(${PUBLIC_SUBMISSION})`,
    'docket_api.sources': 'select',
  },
  docket_analyst: {
    ...RULE_SETS,
    ...REDACTED,
    'docket_api.redaction_rules': 'select(rule_set_id,rule,reason,document_kind,meaning)',
    'docket.job_transitions': 'select',
    'docket.failure_codes': 'select',
    'docket.document_kinds': 'select',
    ...DOCUMENTS,
    ...CONTENTS,
    ...SIGNED,
    'docket.signature_statuses': 'select',
    'docket_api.signatures':
      'select(document_id,signature_no,delivery_id,place,format,purpose,status,meaning,is_signing,is_intact,digest_matches,coverage,later_changes,signer,signer_sha256,anchor,algorithm,signed_at,signed_at_by,judged_at,checked_at,findings)',
    'docket_api.documents': `select(${PUBLIC_DOCUMENT})`,
    'docket.jobs': 'select(job_id,state,state_at,last_code,result_attempt)',
    ...MEANINGS,
    'docket_api.events': `select(${PUBLIC_EVENT})`,
    'docket_api.submissions': `select(${PUBLIC_SUBMISSION},receipt,statement)`,
    'docket_api.sources': 'select(source_id,is_enabled)',
    'docket_api.scan_gaps': 'select',
  },
  docket_evidence_owner: {
    ...WORDS,
    'docket.receipt_keys': PUBLIC_KEY,
    ...CUSTODY,
    ...RULE_SETS,
    ...REDACTED,
    'docket_api.redaction_rules': 'select',
    ...DOCUMENTS,
    ...CONTENTS,
    ...SIGNED,
    'docket_api.signatures': 'select',
    ...CUSTODY_API,
    ...OPERATIONS,
    ...MEANINGS,
    'docket_api.events': `select(${PUBLIC_EVENT},reason,detail)`,
    'docket_api.submissions': 'select',
    'docket_api.sources': 'select',
    'docket.document_overview': 'select',
    'docket.job_timeline': 'select',
    'docket.disputed_documents': 'select',
    ...COUNTED,
    ...TRUST,
    'docket_api.scan_gaps': 'select',
  },
  docket_auditor: {
    ...WORDS,
    ...CUSTODY,
    'docket.migrations': 'select',
    ...REPLAYS,
    'docket.replay_runs': 'select',
    'docket.replay_tasks': 'select',
    'docket.replays': 'select',
    'docket.duties': 'select',
    'docket.sources': 'select',
    'docket.source_members': 'select',
    'docket.deliveries': 'select',
    // not what is wrapped
    'docket.object_keys':
      'select(object_key_id,locator,version,source_id,sha256,size_bytes,sealed_sha256,sealed_size_bytes,key_id,job_id,sealed_at,sealed_by,wrapped_at)',
    'docket.submissions': 'select',
    'docket.my_submissions': 'select',
    'docket.arrivals': 'select',
    'docket.delivery_checks': 'select',
    'docket.announcements': 'select',
    'docket.signatures': 'select',
    'docket.document_signatures': 'select',
    'docket_api.signatures': 'select',
    'docket_api.receipts': 'select',
    'docket.envelope_checks': 'select',
    ...TRUST,
    ...COUNTED,
    'docket_api.scan_gaps': 'select',
    'docket.receipt_keys': 'select',
    'docket.receipt_orders': 'select',
    'docket.receipts': 'select',
    'docket.webhooks': 'select',
    'docket.webhook_messages': 'select',
    'docket.webhook_states': 'select',
    'docket.jobs': 'select',
    'docket.attempts': 'select',
    'docket.leases': 'select',
    'docket.object_orders': 'select',
    'docket.inventories': 'select',
    'docket.inventory_objects': 'select',
    'docket.evidence': 'select',
    'docket.job_salts': 'select',
    'docket.ocr_configs': 'select',
    'docket.results': 'select',
    'docket.rule_sets': 'select',
    'docket.redaction_rules': 'select',
    'docket.rule_set_activations': 'select',
    'docket.redactions': 'select',
    'docket.redacted_pages': 'select',
    'docket.redaction_todo': 'select',
    'docket.search_scopes': 'select',
    'docket.search_todo': 'select',
    'docket_api.search_hits': 'select',
    'docket_api.pages': 'select',
    'docket_api.rule_sets': 'select',
    'docket_api.redaction_rules': 'select',
    'docket.document_overview': 'select',
    'docket.job_timeline': 'select',
    'docket_audit.checkpoint_keys': 'select',
    'docket_audit.checkpoint_places': 'select',
    'docket_audit.checkpoints': 'select',
    'docket_audit.epochs': 'select',
    'docket_audit.seals': 'select',
    'docket_audit.tiles': 'select',
    'docket_audit.events': 'select',
    'docket.document_sources': 'select',
    'docket.unmask_requests': 'select',
    'docket.visible_deliveries': 'select',
    ...CUSTODY_API,
    'docket_api.results': 'select',
    'docket_api.events': 'select',
    'docket_api.submissions': 'select',
    'docket_api.sources': 'select',
    'docket_api.unmask_requests': 'select',
    'docket_api.jobs': 'select',
    'docket_api.attempts': 'select',
    ...MEANINGS,
  },
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
  docket_reader: { public: 'usage' },
  docket_gateway: { public: 'usage', database: 'connect' },
  docket_queue: { graphile_worker: 'usage', public: 'usage', database: 'connect' },
  // The door owns the queue.
  docket_door: {
    docket_queue: 'usage create',
    graphile_worker: 'usage create',
    public: 'usage',
  },
  public_only: { public: 'usage' },
};
