// What the rows of the permission matrix have in common: rights that are only ever given together.

export const STATED =
  'source_id,sha256,locator,version,size_bytes,media_type,captured_at,document_date,document_kind,signer,envelope,encryption,scan_number';

/** The words that everybody who may come in may look up. */
export const WORDS = {
  'docket.job_states': 'select',
  'docket.job_transitions': 'select',
  'docket.tasks': 'select',
  'docket.failure_codes': 'select',
  'docket.error_codes': 'select',
  'docket.signature_statuses': 'select',
  'docket.document_kinds': 'select',
};

/** Scans that are missing, or claim the number of another, of sources that count them. */
export const COUNTED = { 'docket.scan_gaps': 'select', 'docket.scan_number_conflicts': 'select' };

/** Whom sources may have signed by, and which signatures documents need. */
export const TRUST = {
  'docket.trust_anchors': 'select',
  'docket.revocation_lists': 'select',
  'docket.envelope_policies': 'select',
};

/** How verification by replay came out. */
export const REPLAYS = {
  'docket.disputed_documents': 'select',
  'docket.replay_findings': 'select',
  'docket.replay_plan': 'select',
  'docket.replay_summaries': 'select',
  'docket.replayed_documents': 'select',
};

/** How far each version of the redaction rules is. */
export const RULE_SETS = {
  'docket_api.rule_sets': 'select',
  'docket.rule_sets': 'select(rule_set_id,name,meaning,recall,is_wanted,staged_at)',
  'docket.rule_set_activations': 'select(activation_id,rule_set_id,is_emergency,activated_at)',
  'docket.redactions': 'select(rule_set_id,job_id,attempt)',
  'docket.redaction_todo': 'select(rule_set_id,job_id)',
};

/** Pages as the active redaction rules leave them, and the shape of what a search finds among them. */
export const REDACTED = {
  'docket_api.pages': 'select',
  'docket_api.search_hits': 'select',
  'docket.redacted_pages': 'select',
};

/** What the views of docket_api read with the rights of whoever reads them; policies choose the rows. */
export const DOCUMENTS = {
  'docket.document_sources':
    'select(job_id,source_id,ordinal,document_kind,document_date,captured_at,received_at,verified_at)',
  'docket_audit.events': 'select(job_id,seq,from_state,event,to_state,at,actor,code,attempt)',
};
export const CONTENTS = {
  'docket.evidence': 'select(job_id,sha256,size_bytes,media_type)',
  'docket.results':
    'select(job_id,config_sha256,attempt,pages_declared,pages_decoded,page_count,characters,confidence,recorded_at)',
  'docket.ocr_configs': 'select(config_sha256,engine)',
  'docket.unmask_requests': 'select(unmask_request_id,job_id,page_no,reason,requested_at,requested_by)',
  'docket_api.results':
    'select(document_id,attempt,engine,config_sha256,pages_declared,pages_decoded,page_count,characters,confidence,recorded_at,published_at,superseded_at,is_current)',
  'docket_api.unmask_requests': 'select',
};
/** What an analyst is told of a document: not what holds it, and how long it is kept. */
export const PUBLIC_DOCUMENT =
  'document_id,sha256,source_id,document_kind,document_date,captured_at,received_at,verified_at,media_type,size_bytes,state,state_at,failure_code,page_count,confidence,is_withheld,amended_kind,is_disposed,signature_status,signature_coverage,is_signed,statement,is_disputed';
export const OPERATIONS = {
  'docket.jobs':
    'select(job_id,source_id,document_kind,state,state_at,accepted_at,next_task,due_at,attempt,tries,first_code,last_code,result_attempt,lane)',
  'docket.attempts': 'select(job_id,attempt,task,started_at,deadline,ended_at,outcome,code,message)',
  'docket_api.jobs': 'select',
  'docket_api.attempts': 'select',
};

/** OCR configurations, what is read again by them, and what is wrong. */
export const WATCHED = {
  'docket.ocr_versions': 'select',
  'docket.ocr_version_states': 'select',
  'docket.ocr_withdrawals': 'select',
  'docket.ocr_choice': 'select',
  'docket.ocr_trials': 'select',
  'docket.rereadings': 'select',
  'docket.trial_comparisons': 'select',
  'docket.slos': 'select',
  'docket.alerts': 'select',
  'docket.alert_changes': 'select',
  'docket.watch_rounds': 'select',
  'docket.rollbacks': 'select',
  'docket.ocr_version_documents': 'select',
};

/** Flow control, as operations see it. */
export const FLOW = {
  'docket_api.lanes': 'select',
  'docket_api.flow_limits': 'select',
  'docket_api.admission_gates': 'select',
  'docket_api.pools': 'select',
  'docket_api.breakers': 'select',
  'docket_api.changes': 'select',
  'docket_api.alerts': 'select',
  'docket_api.slos': 'select',
};
export const PUBLIC_EVENT = 'document_id,seq,at,event,from_state,to_state,meaning,code,attempt,actor';
export const PUBLIC_SUBMISSION =
  'delivery_id,document_id,source_id,sha256,document_kind,document_date,captured_at,received_at,media_type,size_bytes,is_verified,state,outcome,code';
export const MEANINGS = { 'docket_api.failure_codes': 'select', 'docket_api.document_kinds': 'select' };

/** What is signed, and what senders were told. */
export const SIGNED = {
  'docket.signatures': 'select',
  'docket.document_signatures': 'select',
  'docket.receipts': 'select(receipt_id,delivery_id,source_id,outcome,code,issued_at,key_id,jws)',
  'docket_api.receipts': 'select',
};

/** How long documents are kept, what holds them, and who asked for their disposal. */
export const CUSTODY = {
  'docket.document_custody': 'select',
  'docket.retention_rules': 'select',
  'docket.retention_extensions': 'select',
  'docket.legal_holds': 'select',
  'docket.disposals': 'select',
  'docket.amendments': 'select',
};

/** The same of docket_api, and the shape of what is read with nothing masked. */
export const CUSTODY_API = {
  'docket_api.documents': 'select',
  'docket_api.disposals': 'select',
  'docket_api.legal_holds': 'select',
  'docket_api.amendments': 'select',
  'docket_api.unredacted_pages': 'select',
};

/** The public halves of the keys of receipts. */
export const PUBLIC_KEY = 'select(key_id,public_jwk,added_at)';
