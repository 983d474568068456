// Who may ask for what: every field, query, mutation and subscription of the GraphQL schema, by role. What does not stand here
// is refused by test/server/matrix.test.ts, whoever may have it: a new column is somebody's decision, made here.

export const ROLES = ['analyst', 'operator', 'evidence_owner', 'auditor'] as const;
export type Role = (typeof ROLES)[number];

const ALL = 'analyst operator evidence_owner auditor';
const READERS = 'analyst evidence_owner auditor';
const STAFF = 'operator evidence_owner auditor';
const KEEPERS = 'evidence_owner auditor';
const AUDITOR = 'auditor';

/** Roles, and what they may have. */
type Grants = Readonly<Record<string, string>>;

/** The fields of each type. */
export const FIELDS: Readonly<Record<string, Grants>> = {
  Document: {
    [READERS]: `documentId sha256 sourceId documentKind documentDate capturedAt receivedAt verifiedAt mediaType sizeBytes state
      stateAt failureCode pageCount confidence isWithheld amendedKind isDisposed isDisputed source kind failure pages results events submissions
      unmaskRequests signatureStatus signatureCoverage isSigned statement signatures`,
    [KEEPERS]: 'job isHeld retainUntil disposals legalHolds amendments',
  },
  Page: {
    [READERS]: `documentId pageNo widthPx heightPx dpi rotationDegrees angleDegrees verdict confidence text words masks ruleSetId
      document ruleSet`,
  },
  Result: {
    [READERS]:
      'documentId attempt engine configSha256 pagesDeclared pagesDecoded pageCount characters confidence recordedAt publishedAt supersededAt isCurrent document',
    [AUDITOR]: 'resultSha256',
  },
  Event: {
    [ALL]: 'documentId seq at event fromState toState meaning code attempt actor failure',
    [READERS]: 'document',
    [STAFF]: 'reason job',
    [KEEPERS]: 'detail',
    [AUDITOR]: 'hash',
  },
  Submission: {
    [ALL]: `deliveryId documentId sourceId sha256 documentKind documentDate capturedAt receivedAt mediaType sizeBytes isVerified
      state source kind outcome code failure`,
    [READERS]: 'document receipt statement receipts',
    [KEEPERS]: 'locator signer',
  },
  Signature: {
    [READERS]: `documentId signatureNo deliveryId place format purpose status meaning isSigning isIntact digestMatches coverage
      laterChanges signer signerSha256 anchor algorithm signedAt signedAtBy judgedAt checkedAt findings document submission`,
    [KEEPERS]: 'report',
  },
  Receipt: { [READERS]: 'receiptId deliveryId outcome code issuedAt jws keyId submission failure' },
  Source: {
    [ALL]: 'sourceId isEnabled submissions scanGaps',
    [READERS]: 'documents',
    [STAFF]: 'note createdAt flowLimits admissionGates',
  },
  ScanGap: { [ALL]: 'sourceId fromNumber toNumber missing source' },
  SearchHit: {
    [READERS]: `documentId pageNo sha256 sourceId documentKind documentDate receivedAt rank isExact matched snippet boxes
      document`,
  },
  UnmaskRequest: { [READERS]: 'unmaskRequestId documentId pageNo reason requestedAt requestedBy document' },
  Job: {
    [STAFF]: `jobId documentKind sourceId state stateAt acceptedAt nextTask dueAt attempt tries firstCode lastCode source kind
      isDisposed isHeld retainUntil lane firstFailure lastFailure attempts events`,
    [KEEPERS]: 'document disposals legalHolds amendments',
  },
  Disposal: {
    [KEEPERS]:
      'disposalId documentId reason requestedAt requestedBy decision decidedAt decidedBy decisionReason outlivedAt document job',
  },
  LegalHold: {
    [KEEPERS]:
      'legalHoldId documentId matter reason placedAt placedBy liftedAt liftedBy liftReason document job',
  },
  Amendment: { [KEEPERS]: 'documentId seq documentKind note reason amendedAt amendedBy document job' },
  UnredactedPage: {
    [KEEPERS]:
      'documentId pageNo attempt widthPx heightPx dpi rotationDegrees angleDegrees verdict confidence text words',
  },
  Attempt: { [STAFF]: 'jobId attempt task startedAt deadline endedAt outcome code message job failure' },
  QueueAge: { [ALL]: 'lane stage jobs isMore oldestAt ageSeconds' },
  Lane: { [STAFF]: 'lane rank isReserved windowSize meaning' },
  FlowLimit: {
    [STAFF]: `target sourceId documentsPerMinute documentsBurst pagesPerMinute pagesBurst maxWaiting maxInFlightMb onExcess
      source`,
  },
  AdmissionGate: { [STAFF]: 'target sourceId documentKind closedAt closedBy reason source kind' },
  Pool: { [STAFF]: 'pool perProcess fleet processes granted running heldBack meaning' },
  Breaker: {
    [STAFF]:
      'dependency host state failures firstFailureAt openedAt probeAt lastCode lastMessage meaning failure',
  },
  Change: {
    [STAFF]: 'changeId control target oldValue newValue reason changedBy changedAt expiresAt undoes',
  },
  Alert: {
    [STAFF]:
      'alertId subject severity value threshold fact why nextCommand documentId openedAt changedAt closedAt',
  },
  Slo: { [STAFF]: 'slo measure lane spanSeconds warning breach rollback meaning' },
  RuleSet: {
    [ALL]: 'ruleSetId name meaning recall state stagedAt activatedAt isEmergency published redacted withheld',
    [READERS]: 'rules',
  },
  RedactionRule: {
    [READERS]: 'ruleSetId rule reason documentKind meaning ruleSet',
    [KEEPERS]: 'pattern validator region',
  },
  FailureCode: { [ALL]: 'code isRetryable baseDelay longestDelay maxTries meaning remedy' },
  DocumentKind: {
    [ALL]: 'documentKind minPages maxPages minCharacters minConfidence requiredPatterns meaning',
  },
};

export const QUERIES: Grants = {
  [ALL]: `event events submission submissions source sources ruleSet ruleSets failureCode failureCodes documentKind documentKinds
    queueAges scanGap scanGaps`,
  [READERS]: `document documents page pages result results search unmaskRequest unmaskRequests redactionRule redactionRules
    signature signatures receipt receipts`,
  [STAFF]: `job jobs attempt attempts lane lanes flowLimit flowLimits admissionGate admissionGates pool pools breaker breakers
    change changes alert alerts slo slos`,
  [KEEPERS]: 'disposal disposals legalHold legalHolds amendment amendments',
};

export const MUTATIONS: Grants = {
  analyst: 'requestUnmask',
  evidence_owner: `releaseFromQuarantine requestDisposal approveDisposal withdrawDisposal placeHold liftHold extendRetention
    amendMetadata`,
  [KEEPERS]: 'readText',
  operator: 'setSourceEnabled',
};

export const SUBSCRIPTIONS: Grants = {
  [READERS]: 'documentChanged',
  [ALL]: 'queueAgesChanged',
};

/** What lists can be filtered by: what has an index or is a short list, and nothing whose values a reader may not see. */
export const FILTERS: Readonly<Record<string, string>> = {
  Document: 'documentId sourceId documentKind documentDate receivedAt',
  Page: 'documentId pageNo',
  Result: 'documentId',
  Event: 'documentId',
  Submission: 'deliveryId documentId sourceId',
  Signature: 'documentId',
  Receipt: 'receiptId deliveryId',
  Source: 'sourceId',
  ScanGap: 'sourceId',
  UnmaskRequest: 'unmaskRequestId documentId',
  Job: 'jobId state',
  Attempt: 'jobId attempt',
  Lane: 'lane',
  FlowLimit: 'target',
  AdmissionGate: 'target',
  Pool: 'pool',
  Breaker: 'dependency host',
  Change: 'changeId',
  Alert: 'alertId closedAt',
  Slo: 'slo',
  Disposal: 'disposalId documentId decision',
  LegalHold: 'legalHoldId documentId liftedAt',
  Amendment: 'documentId',
  RuleSet: 'ruleSetId name',
  RedactionRule: 'ruleSetId rule',
  FailureCode: 'code',
  DocumentKind: 'documentKind',
};

/** What lists can be ordered by, as the schema spells it. */
export const ORDERS: Readonly<Record<string, string>> = {
  Document: 'NATURAL PRIMARY_KEY DOCUMENT_ID SOURCE_ID DOCUMENT_DATE RECEIVED_AT',
  Page: 'NATURAL PRIMARY_KEY DOCUMENT_ID PAGE_NO',
  Result: 'NATURAL PRIMARY_KEY DOCUMENT_ID',
  Event: 'NATURAL PRIMARY_KEY DOCUMENT_ID SEQ',
  Submission: 'NATURAL PRIMARY_KEY DELIVERY_ID DOCUMENT_ID',
  Signature: 'NATURAL PRIMARY_KEY DOCUMENT_ID SIGNATURE_NO',
  Receipt: 'NATURAL PRIMARY_KEY RECEIPT_ID DELIVERY_ID',
  Source: 'NATURAL PRIMARY_KEY SOURCE_ID',
  ScanGap: 'NATURAL PRIMARY_KEY FROM_NUMBER',
  UnmaskRequest: 'NATURAL PRIMARY_KEY UNMASK_REQUEST_ID DOCUMENT_ID',
  Job: 'NATURAL PRIMARY_KEY JOB_ID',
  Attempt: 'NATURAL PRIMARY_KEY JOB_ID ATTEMPT',
  Lane: 'NATURAL PRIMARY_KEY LANE',
  FlowLimit: 'NATURAL PRIMARY_KEY TARGET',
  AdmissionGate: 'NATURAL PRIMARY_KEY TARGET',
  Pool: 'NATURAL PRIMARY_KEY POOL',
  Breaker: 'NATURAL PRIMARY_KEY DEPENDENCY HOST',
  Change: 'NATURAL PRIMARY_KEY CHANGE_ID',
  Alert: 'NATURAL PRIMARY_KEY ALERT_ID',
  Slo: 'NATURAL PRIMARY_KEY SLO',
  Disposal: 'NATURAL PRIMARY_KEY DISPOSAL_ID DOCUMENT_ID',
  LegalHold: 'NATURAL PRIMARY_KEY LEGAL_HOLD_ID DOCUMENT_ID',
  Amendment: 'NATURAL PRIMARY_KEY DOCUMENT_ID SEQ',
  RuleSet: 'NATURAL PRIMARY_KEY RULE_SET_ID NAME',
  RedactionRule: 'NATURAL PRIMARY_KEY RULE_SET_ID RULE',
  FailureCode: 'NATURAL PRIMARY_KEY CODE',
  DocumentKind: 'NATURAL PRIMARY_KEY DOCUMENT_KIND',
};

/** Fields by role, from the lines above. */
export function allowed(grants: Grants, name: string, role: Role): boolean {
  return Object.entries(grants).some(
    ([roles, names]) => roles.split(' ').includes(role) && names.split(/\s+/).includes(name),
  );
}

/** All names that a table has, in order of the alphabet. */
export function names(grants: Grants): string[] {
  return Object.values(grants)
    .flatMap((list) => list.split(/\s+/))
    .sort();
}
