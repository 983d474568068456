// Every figure of Docket's own that /metrics tells. docs/metrics.md has the same table; a test compares them.

/** Two ages are told of what stands somewhere, and of what went through; both in seconds. */
export const METRICS = {
  oldest: {
    name: 'docket_oldest_seconds',
    labels: ['measure', 'by', 'group'],
    help: 'Age of the oldest that stands there now. With by="all" there is always a value; 0 where nothing stands there.',
  },
  documents: {
    name: 'docket_documents',
    labels: ['measure', 'by', 'group'],
    help: 'How many stand there now. Absent where counting is not bounded.',
  },
  age: {
    name: 'docket_age_seconds',
    labels: ['measure', 'window', 'quantile', 'by', 'group'],
    help: 'How long documents took that came out within the window: at most so long, for that part of them.',
  },
  ageDocuments: {
    name: 'docket_age_documents',
    labels: ['measure', 'window', 'by', 'group'],
    help: 'Of how many documents docket_age_seconds tells.',
  },
  quarantined: {
    name: 'docket_quarantined_documents',
    labels: ['code', 'window'],
    help: 'Documents that were quarantined within the window, by the code that stopped them.',
  },
  workers: {
    name: 'docket_workers',
    labels: [],
    help: 'Worker processes that hold a lease.',
  },
  poolSlots: {
    name: 'docket_pool_slots',
    labels: ['pool', 'kind'],
    help: 'Slots of all worker processes: granted, running, and the limit that an operator set, where one is set.',
  },
  outages: {
    name: 'docket_outages',
    labels: ['dependency'],
    help: 'Hosts on which it is down; 0: on none.',
  },
  admissionClosed: {
    name: 'docket_admission_closed',
    labels: ['target'],
    help: '1 where admission is closed. With target="all" there is always a value.',
  },
  alertsOpen: {
    name: 'docket_alerts_open',
    labels: ['severity'],
    help: 'Alerts of Docket itself that are open, by severity; 0: none is.',
  },
  watchAge: {
    name: 'docket_watch_age_seconds',
    labels: [],
    help: 'Since when no worker looked whether something is wrong; while it grows, no alert is opened or closed.',
  },
  sealSize: {
    name: 'docket_seal_size',
    labels: [],
    help: 'Events that are sealed.',
  },
} as const satisfies Record<string, { name: string; labels: readonly string[]; help: string }>;

export type MetricName = keyof typeof METRICS;

/** One value of a metric. */
export interface Sample {
  readonly metric: MetricName;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What stands somewhere, as docket.queue_health() calls it. */
export const STANDING = [
  'waiting',
  'undeferred',
  'admitted',
  'running',
  'unpublished',
  'unsealed',
  'untold',
] as const;

/** By what the figures are told apart. */
export const STANDING_BY = ['all', 'lane', 'source', 'kind', 'pool'] as const;

/** The windows of ages, with what each is told apart by; all but the first are read once a minute. */
export const AGE_WINDOWS = [
  { window: '5m', interval: '5 minutes', by: ['all', 'lane', 'source'] },
  { window: '1h', interval: '1 hour', by: ['all', 'lane', 'source'] },
  { window: '1d', interval: '1 day', by: ['all'] },
] as const;

/** How bad an alert can be. */
export const SEVERITIES = ['warning', 'breach', 'rollback'] as const;

/** The windows of quarantines. */
export const QUARANTINE_WINDOWS = [
  { window: '1h', interval: '1 hour' },
  { window: '1d', interval: '1 day' },
] as const;
